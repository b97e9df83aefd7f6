import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AskedBench, askedBenches, type ClickBench, type PaymeBench } from '../../../test/asked-benches.ts'
import { askedTiyin } from '../../../test/asked-shop.ts'
import { changes, spoil } from '../../../test/rubbish.ts'
import type { PaymentRequest } from './provider.ts'
import { readTiyin, signClick } from './providers/click.ts'

const hourMs = 3_600_000
const timeoutMs = 43_200_000

const requestFor = (orderId: string, more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  key: randomUUID(),
  orderId,
  method: 'any',
  amount: askedTiyin,
  currency: 'UZS',
  description: `Olmos ${orderId}`,
  language: 'uz',
  returnUrl: `https://shop.example/orders/${orderId}`,
  expiresAt: new Date(Date.now() + 15 * 60_000),
  ...more,
})

describe.each(Object.entries(askedBenches))('%s', (_name, open) => {
  let bench: AskedBench
  beforeAll(async () => {
    bench = await open()
  })
  afterAll(() => bench.close())

  const begun = async () => {
    const orderId = await bench.shop.order()
    const attempt = bench.attempt(orderId)
    expect((await attempt.begin()).code).toBe(0)
    return { orderId, attempt }
  }
  const performed = async () => {
    const order = await begun()
    expect((await order.attempt.perform()).code).toBe(0)
    return order
  }
  const readState = async (id: string) => (await bench.shop.find(id))?.state

  /** Makes calls that must not move anything. */
  const unmoved = async (calls: () => Promise<unknown>) => {
    const before = await bench.shop.snapshot()
    await calls()
    expect(await bench.shop.snapshot()).toBe(before)
  }

  test('opens a page to pay at, without asking anybody, and the same one again', async () => {
    const request = requestFor(await bench.shop.order())
    const { provider } = bench.shop
    const first = await provider.createPayment(request)
    expect(first).toMatchObject({ kind: 'done', value: { payUrl: expect.stringMatching(/^https:/) } })
    expect(await provider.createPayment(request)).toEqual(first)
    const other = await provider.createPayment(requestFor(request.orderId))
    const idIn = (outcome: typeof first) => outcome.kind === 'done' && outcome.value.providerPaymentId
    expect(idIn(other)).not.toBe(idIn(first))
  })

  test('an order is paid once, and a repeat tells what the first call told', async () => {
    const { attempt } = await performed()
    const paid = await bench.shop.find(attempt.id)
    expect(paid).toMatchObject({ state: 'performed', amount: askedTiyin })
    await unmoved(async () => {
      expect((await attempt.perform()).code).toBe(bench.codes.performedAgain)
      expect(await attempt.perform()).toEqual(await attempt.perform())
    })
    expect(await bench.shop.find(attempt.id)).toEqual(paid)
  })

  test('a transaction that is begun twice is one, with one time', async () => {
    const attempt = bench.attempt(await bench.shop.order())
    const first = await attempt.begin()
    await unmoved(async () => expect(await attempt.begin()).toEqual(first))
  })

  test('twenty calls at once begin one transaction and perform one', async () => {
    const attempt = bench.attempt(await bench.shop.order())
    const twenty = (call: () => Promise<{ code: number }>) => Promise.all(Array.from({ length: 20 }, call))
    const began = await twenty(attempt.begin)
    expect(new Set(began.map(({ code }) => code))).toEqual(new Set([0]))
    const done = await twenty(attempt.perform)
    expect(done.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    expect(new Set(done.map(({ code }) => code)).size).toBeLessThanOrEqual(2)
    expect(await readState(attempt.id)).toBe('performed')
  })

  test('one that is canceled stays canceled, and is not performed', async () => {
    const { orderId, attempt } = await begun()
    expect((await attempt.cancel()).code).toBe(bench.codes.canceled)
    await unmoved(async () => {
      expect((await attempt.perform()).code).toBe(bench.codes.ended)
      expect((await attempt.cancel()).code).toBe(bench.codes.canceled)
      expect((await attempt.begin()).code).toBe(bench.codes.ended)
    })
    expect(await readState(attempt.id)).toBe('canceled')
    expect((await bench.attempt(orderId).begin()).code).toBe(0)
  })

  test('a second transaction for an order waits until the first is ended, and is refused once it is paid', async () => {
    const { orderId, attempt } = await begun()
    const second = bench.attempt(orderId)
    await unmoved(async () => {
      expect((await second.begin()).code).toBe(bench.codes.otherPending)
      expect((await second.perform()).code).toBe(bench.codes.unknownTransaction)
    })
    expect((await attempt.perform()).code).toBe(0)
    await unmoved(async () => expect((await second.begin()).code).toBe(bench.codes.alreadyPaid))
  })

  test.each([1, -1, askedTiyin, -askedTiyin + 1])('an amount that is %i tiyin off moves nothing', async (off) => {
    const orderId = await bench.shop.order()
    await unmoved(async () => {
      expect((await bench.attempt(orderId, askedTiyin + off).begin()).code).toBe(bench.codes.wrongAmount)
    })
  })

  test.each(['ZZZZZZZZZZ', '1', "1' OR '1'='1", 'x'.repeat(60)])('%j is no order', async (account) => {
    await unmoved(async () => {
      expect((await bench.attempt(account).begin()).code).toBe(bench.codes.unknownAccount)
    })
  })

  test('an order id is taken in any case', async () => {
    const orderId = await bench.shop.order()
    expect((await bench.attempt(orderId.toLowerCase()).begin()).code).toBe(0)
  })

  test('an order whose time is over is not paid', async () => {
    const orderId = await bench.shop.order()
    await bench.shop.expire(orderId)
    await unmoved(async () => expect((await bench.attempt(orderId).begin()).code).toBe(bench.codes.notPayable))
  })

  test('money that comes after the order expired is booked all the same', async () => {
    const { orderId, attempt } = await begun()
    await bench.shop.expire(orderId)
    expect((await attempt.perform()).code).toBe(0)
    expect(await readState(attempt.id)).toBe('performed')
  })

  test('what was delivered is not canceled', async () => {
    const { orderId, attempt } = await performed()
    await bench.shop.deliver(orderId)
    await unmoved(async () => expect((await attempt.cancel()).code).toBe(bench.codes.delivered))
    expect(await readState(attempt.id)).toBe('performed')
  })

  test('steps out of order move nothing', async () => {
    const attempt = bench.attempt(await bench.shop.order())
    await unmoved(async () => {
      expect((await attempt.perform()).code).toBe(bench.codes.unknownTransaction)
      expect((await attempt.cancel()).code).toBe(bench.codes.unknownTransaction)
    })
  })

  test('calls that are replayed in another order do not undo what came later', async () => {
    const { attempt } = await performed()
    await unmoved(async () => {
      await attempt.begin()
      await attempt.perform()
      await attempt.begin()
    })
  })

  test('a store that dies after it has booked the money tells so when it is asked again', async () => {
    const { attempt } = await begun()
    bench.shop.dieAfterMoving(true)
    expect((await attempt.perform()).code).toBe(bench.codes.broken)
    bench.shop.dieAfterMoving(false)
    const paid = await bench.shop.find(attempt.id)
    expect(paid?.state).toBe('performed')
    const repeated = await attempt.perform()
    expect(repeated.code).toBe(bench.codes.performedAgain)
    expect(await attempt.perform()).toEqual(repeated)
    expect(await bench.shop.find(attempt.id)).toEqual(paid)
  })

  test.each(['begin', 'cancel'] as const)('a store that dies after it has done %s tells so too', async (step) => {
    const attempt = bench.attempt(await bench.shop.order())
    if (step === 'cancel') await attempt.begin()
    bench.shop.dieAfterMoving(true)
    expect((await attempt[step]()).code).toBe(bench.codes.broken)
    bench.shop.dieAfterMoving(false)
    const moved = await bench.shop.find(attempt.id)
    // Click is told the id of its transaction by the answer to Prepare, which it repeats.
    if (step === 'begin') expect((await attempt.begin()).code).toBe(0)
    else expect((await attempt.cancel()).code).toBe(bench.codes.canceled)
    expect(await bench.shop.find(attempt.id)).toEqual(moved)
  })

  test('forged calls move nothing', async () => {
    const orderId = await bench.shop.order()
    for (const [name, forge] of Object.entries(bench.forgeries(orderId))) {
      await unmoved(async () => expect((await forge()).code, name).toBeLessThan(0))
    }
    expect((await bench.attempt(orderId).begin()).code).toBe(0)
  })

  test('random bytes are answered in its own shape, and move nothing', async () => {
    await unmoved(async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          for (const { code } of await bench.sendBytes(Buffer.from(bytes))) expect(code).toBeLessThan(0)
        }),
        { numRuns: 500, seed: 1 },
      )
      const long = Buffer.alloc(10_000_000, '{"method":[')
      for (const { code } of await bench.sendBytes(long)) expect(code).toBeLessThan(0)
    })
  })

  test('genuine calls that are spoilt somewhere are answered in its own shape, and a refused one moves nothing', async () => {
    const calls = (await Promise.all([bench.shop.order(), bench.shop.order()])).map(bench.genuine)
    const genuine = (await Promise.all(calls)).flat()
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...genuine), changes, async (call, spoiling) => {
        const spoilt = spoil(call, spoiling)
        if (typeof spoilt !== 'object' || spoilt === null) return
        const before = await bench.shop.snapshot()
        const { code } = await bench.sendSigned(spoilt)
        expect(Number.isSafeInteger(code)).toBe(true)
        expect(code).not.toBe(bench.codes.broken)
        if (code < 0 && code !== bench.codes.canceled) expect(await bench.shop.snapshot()).toBe(before)
      }),
      { numRuns: 1_500, seed: 2 },
    )
  })
})

describe('payme', () => {
  let bench: PaymeBench
  beforeAll(async () => {
    bench = await askedBenches.payme()
  })
  afterAll(() => bench.close())
  const paid = async () => bench.payme.transaction(await bench.shop.order(), askedTiyin)

  test.each(['cancelUnconfirmed', 'cancelConfirmed'] as const)('%s of its sandbox goes through', async (scenario) => {
    const steps = await bench.payme[scenario](await bench.shop.order(), askedTiyin)
    expect(steps.length).toBeGreaterThan(15)
    for (const { name, expected, told } of steps) {
      expect(told.status, name).toBe(200)
      if (Array.isArray(expected)) {
        const [least, most] = expected
        expect(told.error?.code, name).toBeGreaterThanOrEqual(least)
        expect(told.error?.code, name).toBeLessThanOrEqual(most)
        expect(told.error?.data, name).toBe('order_id')
      } else if (typeof expected === 'number') expect(told.error?.code, name).toBe(expected)
      else expect(told.result, name).toMatchObject(expected)
      for (const text of Object.values(told.error?.message ?? {})) expect(text, name).not.toBe('')
      if (told.error) expect(Object.keys(told.error.message)).toEqual(['ru', 'uz', 'en'])
    }
  })

  describe('the detail of a receipt', () => {
    const shops = { ikpu: '10305008002000000', package_code: '1514296', vat_percent: 12 }
    const none = { ikpu: null, package_code: null, vat_percent: null }
    const check = async (orderId: string) => {
      const params = { amount: askedTiyin, account: { order_id: orderId.toLowerCase() } }
      return (await bench.payme.call('CheckPerformTransaction', params)).result
    }

    test('is sent once all codes are known, by the shop or by the product', async () => {
      const orderId = await bench.shop.order()
      expect(await check(orderId)).toEqual({ allow: true })
      expect(await bench.shop.setFiscal({ ...shops, vat_percent: null })).toBe(200)
      expect(await check(orderId)).toEqual({ allow: true })
      expect(await bench.shop.setFiscal({ vat_percent: 12 })).toBe(200)
      const line = { title: expect.stringMatching(/\S/), price: askedTiyin, count: 1 }
      const item = { ...line, code: '10305008002000000', package_code: '1514296', vat_percent: 12 }
      expect(await check(orderId)).toEqual({ allow: true, detail: { receipt_type: 0, items: [item] } })
      const own = { receiptIkpu: '10899002001000000', receiptPackageCode: '7', receiptVatPercent: 0 }
      expect((await bench.shop.setProduct(orderId, own)).status).toBe(200)
      const owned = { ...line, code: '10899002001000000', package_code: '7', vat_percent: 0 }
      expect((await check(orderId)).detail.items).toEqual([owned])
      await bench.shop.setFiscal(none)
      expect((await check(orderId)).detail.items).toEqual([owned])
    })

    test('has a line of what the way to pay costs, with the codes of the shop', async () => {
      await bench.shop.setFiscal(shops)
      const orderId = await bench.shop.order(80)
      const amount = askedTiyin + 1_000_000
      const params = { amount, account: { order_id: orderId } }
      const { result } = await bench.payme.call('CheckPerformTransaction', params)
      expect(result.detail.items).toMatchObject([
        { price: askedTiyin, count: 1 },
        { title: 'Сервисный сбор', price: 1_000_000, count: 1, code: shops.ikpu },
      ])
      await bench.shop.setFiscal(none)
    })

    test('does not change what can be paid', async () => {
      await bench.shop.setFiscal(shops)
      const orderId = await bench.shop.order()
      await bench.shop.expire(orderId)
      const params = { amount: askedTiyin, account: { order_id: orderId } }
      const told = await bench.payme.call('CheckPerformTransaction', params)
      expect([told.result, told.error?.code]).toEqual([undefined, -31051])
      await bench.shop.setFiscal(none)
    })

    test('needs both codes, of digits', async () => {
      const orderId = await bench.shop.order()
      for (const body of [{ ikpu: '1' }, { ikpu: shops.ikpu }, { package_code: '7' }, { vat_percent: 101 }])
        expect(await bench.shop.setFiscal(body)).toBe(400)
      const refused = { status: 400, details: { receiptPackageCode: 'required' } }
      expect(await bench.shop.setProduct(orderId, { receiptIkpu: shops.ikpu })).toEqual(refused)
      const other = { status: 400, details: { receiptIkpu: 'required' } }
      expect(await bench.shop.setProduct(orderId, { receiptPackageCode: '7' })).toEqual(other)
    })
  })

  test('the address of its page holds the fields', async () => {
    const orderId = await bench.shop.order()
    const request = requestFor(orderId, { returnUrl: `https://shop.example/orders/${orderId};a=1` })
    const opened = await bench.shop.provider.createPayment(request)
    const payUrl = opened.kind === 'done' ? opened.value.payUrl : ''
    expect(payUrl.startsWith('https://checkout.paycom.uz/')).toBe(true)
    expect(Buffer.from(payUrl.split('/').at(-1) ?? '', 'base64').toString()).toBe(
      `m=${bench.payme.merchantId};ac.order_id=${orderId};a=12500000;l=uz;c=https://shop.example/orders/${orderId}%3Ba=1`,
    )
  })

  test('after twelve hours a transaction is canceled for reason 4, and not before', async () => {
    const [early, late, alive] = [await paid(), await paid(), await paid()]
    for (const one of [early, late, alive]) expect((await bench.payme.create(one)).result?.state).toBe(1)
    await bench.shop.age(alive.id, timeoutMs - hourMs)
    expect((await bench.payme.create(alive)).result?.state).toBe(1)
    expect((await bench.payme.perform(alive)).result?.state).toBe(2)
    await bench.shop.age(late.id, timeoutMs + 1_000)
    expect((await bench.payme.perform(late)).error?.code).toBe(-31008)
    expect((await bench.payme.check(late)).result).toMatchObject({ state: -1, reason: 4 })
    await bench.shop.age(early.id, timeoutMs + 1_000)
    expect((await bench.payme.create(early)).error?.code).toBe(-31008)
    expect((await bench.payme.check(early)).result).toMatchObject({ state: -1, reason: 4 })
    const old = { ...(await paid()), time: Date.now() - timeoutMs - 1_000 }
    expect((await bench.payme.create(old)).error?.code).toBe(-31008)
    expect((await bench.payme.check(old)).error?.code).toBe(-31003)
  })

  test('what is performed in the last moment of its twelve hours stays so, whoever else comes after it', async () => {
    const [repeated, begunAgain] = [await paid(), await paid()]
    for (const one of [repeated, begunAgain]) {
      expect((await bench.payme.create(one)).result?.state).toBe(1)
      await bench.shop.age(one.id, timeoutMs + 1_000)
    }
    bench.shop.overtake(true)
    const answers = [await bench.payme.perform(repeated), await bench.payme.create(begunAgain)]
    bench.shop.overtake(false)
    expect(answers[0]?.result?.state).toBe(2)
    expect(answers[1]?.error?.code).toBe(-31008)
    for (const one of [repeated, begunAgain]) {
      expect((await bench.payme.check(one)).result).toMatchObject({ state: 2, reason: null })
      expect((await bench.payme.perform(one)).result?.state).toBe(2)
    }
  })

  test('a statement lists a day by the times of Payme, both ends included, the oldest first', async () => {
    const day = Date.now() - 10 * hourMs
    const at = async (time: number) => {
      const one = { ...(await paid()), time }
      await bench.payme.create(one)
      return one
    }
    const [after, last, first, , before] = [
      await at(day + hourMs + 1),
      await at(day + hourMs),
      await at(day),
      await at(day + 30_000),
      await at(day - 1),
    ]
    await bench.payme.perform(first)
    await bench.payme.cancel(last, 5)
    const { result } = await bench.payme.call('GetStatement', { from: day, to: day + hourMs })
    const { transactions } = result
    expect(transactions).toHaveLength(3)
    expect(transactions.map(({ id }: { id: string }) => id)).not.toContain(after?.id)
    expect(transactions.map(({ id }: { id: string }) => id)).not.toContain(before?.id)
    const { result: checked } = await bench.payme.check(first)
    const { amount, account, time } = first
    expect(transactions[0]).toEqual({ id: first.id, amount, account, time, ...checked, receivers: null })
    expect(transactions[0]).toMatchObject({ state: 2, cancel_time: 0, reason: null })
    expect(transactions[2]).toMatchObject({ id: last.id, state: -1, perform_time: 0, reason: 5 })
    expect((await bench.payme.call('GetStatement', { from: day - 2, to: day - 1 })).result.transactions).toHaveLength(1)
    expect((await bench.payme.call('GetStatement', { from: day, to: day - 1 })).result).toEqual({ transactions: [] })
  })

  test('times are milliseconds', async () => {
    const one = await paid()
    const before = Date.now()
    const { result: created } = await bench.payme.create(one)
    const { result: performed } = await bench.payme.perform(one)
    const { result: canceled } = await bench.payme.cancel(one)
    const times = [before, created.create_time, performed.perform_time, canceled.cancel_time, Date.now()]
    expect(times).toEqual([...times].sort((earlier, later) => earlier - later))
  })

  test('ids are numbers or texts', async () => {
    const one = await paid()
    const numbered = { ...one, id: 1_234_567 }
    expect((await bench.payme.call('CreateTransaction', numbered, { id: 'a text' })).id).toBe('a text')
    expect((await bench.payme.call('CheckTransaction', { id: '1234567' }, { id: 7 })).result?.state).toBe(1)
    expect((await bench.payme.call('CheckTransaction', { id: 1_234_567 }, { id: null })).id).toBeNull()
    const unnamed = await bench.payme.call('CheckTransaction', { id: 1_234_567 }, { id: undefined })
    expect(unnamed).toMatchObject({ id: null, result: { state: 1 } })
  })

  test.each(['12500000', 12_500_000.5, 125_000.0, -12_500_000, 0, null, 1e300, [12_500_000]])(
    'the amount %j is wrong',
    async (amount) => {
      const one = await paid()
      expect((await bench.payme.call('CreateTransaction', { ...one, amount })).error?.code).toBe(-31001)
      const { account } = one
      expect((await bench.payme.call('CheckPerformTransaction', { account, amount })).error?.code).toBe(-31001)
    },
  )

  test.each([
    ['{"method":', -32700],
    ['', -32700],
    ['[]', -32600],
    ['[{"method":"CheckTransaction","params":{"id":"1"},"id":1}]', -32600],
    ['null', -32600],
    ['{"method":"CheckTransaction","id":1}', -32600],
    ['{"method":5,"params":{},"id":1}', -32600],
    ['{"method":"CheckTransaction","params":{"id":{}},"id":1}', -32600],
    ['{"method":"CreateTransaction","params":{"id":"1","time":"now"},"id":1}', -32600],
    ['{"method":"CancelTransaction","params":{"id":"1"},"id":1}', -32600],
    ['{"method":"CheckTransaction","params":{"id":"\\u0000"},"id":1}', -32600],
    ['{"method":"ChangePassword","params":{"password":"x"},"id":1}', -32601],
    ['{"method":"constructor","params":{},"id":1}', -32601],
    ['{"method":"CheckPerformTransaction","params":{"amount":1},"id":1}', -31050],
    ['{"method":"CheckPerformTransaction","params":{"amount":1,"account":{"phone":"9"}},"id":1}', -31050],
  ])('%s is answered %i', async (body, code) => {
    expect((await bench.payme.sendBytes(Buffer.from(body))).error?.code).toBe(code)
  })

  test('a transaction that is created again for another order, or another amount, is another', async () => {
    const [one, other] = [await paid(), await paid()]
    await bench.payme.create(one)
    expect((await bench.payme.create({ ...one, account: other.account })).error?.code).toBe(-31050)
    expect((await bench.payme.create({ ...one, amount: one.amount + 1 })).error?.code).toBe(-31001)
    expect((await bench.payme.create(one)).result?.state).toBe(1)
  })

  test('a refund in its cabinet is a cancellation of what was performed', async () => {
    const one = await paid()
    await bench.payme.create(one)
    const { result } = await bench.payme.perform(one)
    const canceled = await bench.payme.cancel(one, 5)
    const { transaction, cancel_time } = canceled.result
    expect(canceled.result).toEqual({ transaction: result.transaction, cancel_time: expect.any(Number), state: -2 })
    expect((await bench.payme.cancel(one, 3)).result).toEqual(canceled.result)
    const { result: checked } = await bench.payme.check(one)
    const { perform_time } = result
    expect(checked).toMatchObject({ transaction, state: -2, reason: 5, perform_time, cancel_time })
  })
})

describe('click', () => {
  let bench: ClickBench
  beforeAll(async () => {
    bench = await askedBenches.click()
  })
  afterAll(() => bench.close())

  test('the cases of its test program go through', async () => {
    const { shop } = bench
    const orders = [await shop.order(), await shop.order(), await shop.order()] as const
    const steps = await bench.click.playTests(orders, '125000.00')
    expect(steps.length).toBeGreaterThan(15)
    for (const { name, expected, told } of steps) {
      expect([told.status, told.error], name).toEqual([200, expected])
      expect(told.error_note, name).not.toBe('')
    }
  })

  test('the address of its page holds the fields', async () => {
    const opened = await bench.shop.provider.createPayment(requestFor('ABCDEF1234'))
    const url = new URL(opened.kind === 'done' ? opened.value.payUrl : '')
    expect(`${url.origin}${url.pathname}`).toBe('https://my.click.uz/services/pay')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      service_id: bench.click.serviceId,
      merchant_id: bench.click.merchantId,
      merchant_user_id: bench.click.merchantUserId,
      amount: '125000.00',
      transaction_param: 'ABCDEF1234',
      return_url: 'https://shop.example/orders/ABCDEF1234',
    })
  })

  test.each(['125000', '125000.0', '125000.00', '125000.000'])('%s soums are the amount', async (amount) => {
    const one = bench.click.transaction(await bench.shop.order(), amount)
    expect(await bench.click.prepare(one)).toMatchObject({
      error: 0,
      click_trans_id: Number(one.click_trans_id),
      merchant_trans_id: one.merchant_trans_id,
      merchant_prepare_id: expect.any(Number),
    })
    // The text may differ from the first call's, the amount may not.
    expect((await bench.click.complete({ ...one, amount: '125000.01' })).error).toBe(-2)
    expect(await bench.click.complete({ ...one, amount: '125000.0' })).toMatchObject({
      error: 0,
      merchant_confirm_id: Number(one.merchant_prepare_id),
    })
  })

  test.each(['125000.001', '124999.99', '125000.01', '1.25e5', '125 000', '125000,00', '-125000', '+125000', '.', ' '])(
    '%j is not the amount',
    async (amount) => {
      const one = bench.click.transaction(await bench.shop.order(), amount)
      expect((await bench.click.prepare(one)).error).toBe(-2)
    },
  )

  test('what is signed is the text as it was sent', () => {
    const call = {
      click_trans_id: '1',
      service_id: '2',
      merchant_trans_id: 'A',
      amount: '1000.0',
      action: '0',
      sign_time: '2026-11-23 10:00:00',
    }
    // By `printf 12keyA1000.002026-11-23\ 10:00:00 | md5sum`.
    expect(signClick(call, 'key')).toBe('b9c7066ac52fb68c0462b9ebe98fde35')
    expect(signClick({ ...call, amount: '1000' }, 'key')).not.toBe(signClick(call, 'key'))
    expect(readTiyin('1000.0')).toBe(readTiyin('1000'))
  })

  test('a transaction that comes again for another order, or another amount, is another', async () => {
    const [orderId, other] = [await bench.shop.order(), await bench.shop.order()]
    const one = bench.click.transaction(orderId, '125000.00')
    await bench.click.prepare(one)
    expect((await bench.click.prepare(one, { merchant_trans_id: other })).error).toBe(-5)
    expect((await bench.click.prepare(one, { amount: '125000.01' })).error).toBe(-2)
    expect((await bench.click.complete(one, { merchant_trans_id: other })).error).toBe(-5)
    expect((await bench.click.complete(one, { amount: '125000.01' })).error).toBe(-2)
    expect((await bench.click.prepare(one, { error: '-1' })).error).toBe(-9)
    expect((await bench.click.complete(one)).error).toBe(-9)
  })

  test('a field that is there twice makes the call unreadable, even where both say one thing', async () => {
    const fields = bench.click.fields(bench.click.transaction(await bench.shop.order(), '125000.00'), 0)
    const twice = `${new URLSearchParams(fields)}&service_id=${bench.click.serviceId}`
    expect((await bench.click.post('prepare', twice)).error).toBe(-8)
  })

  test('a step belongs to its address', async () => {
    const one = bench.click.transaction(await bench.shop.order(), '125000.00')
    const [prepare, complete] = [bench.click.fields(one, 0), bench.click.fields(one, 1)]
    for (const [method, fields] of [
      ['complete', prepare],
      ['prepare', complete],
      [undefined, prepare],
      ['status', prepare],
    ] as const) {
      expect((await bench.click.post(method, fields)).error).toBe(-3)
    }
  })

  const bought = async () => {
    const orderId = await bench.shop.order()
    const opened = await bench.shop.provider.createPayment(requestFor(orderId))
    const one = bench.click.transaction(orderId, '125000.00')
    await bench.click.prepare(one)
    await bench.click.complete(one)
    const providerPaymentId = opened.kind === 'done' ? opened.value.providerPaymentId : ''
    return { one, refund: { providerPaymentId, amount: askedTiyin, currency: 'UZS' as const, key: randomUUID() } }
  }

  test('a whole payment is reversed once', async () => {
    const { one, refund } = await bought()
    expect(await bench.shop.provider.refund?.(refund)).toEqual({
      kind: 'done',
      value: {
        providerRefundId: one.click_paydoc_id,
        providerPaymentId: refund.providerPaymentId,
        reference: undefined,
        status: 'succeeded',
        amount: askedTiyin,
        currency: 'UZS',
      },
    })
    expect(bench.click.payments.find(({ id }) => String(id) === one.click_paydoc_id)?.status).toBe(-99)
    // Whether this is the reversal that was made, nobody can tell by its answers.
    expect(await bench.shop.provider.refund?.(refund)).toEqual({
      kind: 'unknown',
      why: 'no_completed_payment',
      isUnsent: true,
    })
    expect(bench.click.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  test('a part of a payment is not reversed, and nobody is asked', async () => {
    const { refund } = await bought()
    const asked = bench.click.requests.length
    expect(await bench.shop.provider.refund?.({ ...refund, amount: askedTiyin - 1 })).toEqual({
      kind: 'rejected',
      code: 'whole_payments_only',
    })
    expect(bench.click.requests).toHaveLength(asked)
  })

  test.each([0, -1, 1])('a payment is found that Click made %i days beside the end of its time', async (days) => {
    const { refund, one } = await bought()
    const payment = bench.click.payments.find(({ id }) => String(id) === one.click_paydoc_id)
    const [orderId, amount, seconds, key] = refund.providerPaymentId.split('.')
    const day = new Date((Number(seconds) + days * 86_400 + 5 * 3_600) * 1000).toISOString().slice(0, 10)
    Object.assign(payment ?? {}, { day })
    const providerPaymentId = [orderId, amount, seconds, key].join('.')
    expect((await bench.shop.provider.refund?.({ ...refund, providerPaymentId }))?.kind).toBe('done')
  })

  test('what its processing center refuses is rejected, and a lost answer is unknown', async () => {
    const { refund } = await bought()
    bench.click.refusesReversals = -5017
    expect(await bench.shop.provider.refund?.(refund)).toEqual({ kind: 'rejected', code: 'click_-5017' })
    bench.click.refusesReversals = undefined
    bench.click.refusal = { status: 401, body: {} }
    expect(await bench.shop.provider.refund?.(refund)).toEqual({ kind: 'rejected', code: 'not_allowed' })
    // A conflict on the way may be with an earlier call of the shop's, and says nothing of that day's payments.
    bench.click.refusal = { status: 409, body: {} }
    expect(await bench.shop.provider.refund?.(refund)).toEqual({ kind: 'unknown', why: 'http_409', isUnsent: true })
    bench.click.refusal = undefined
    bench.click.fault = 'broken-after'
    expect(await bench.shop.provider.refund?.(refund)).toEqual({ kind: 'unknown', why: 'http_500' })
    bench.click.fault = undefined
    expect((await bench.shop.provider.refund?.(refund))?.kind).toBe('unknown')
  })

  test.each(['', 'x', randomUUID(), 'A.1.2', '../../..'])(
    '%j is not a payment to refund',
    async (providerPaymentId) => {
      const refund = { providerPaymentId, amount: 1, currency: 'UZS' as const, key: randomUUID() }
      expect((await bench.shop.provider.refund?.(refund))?.kind).toBe('rejected')
    },
  )
})
