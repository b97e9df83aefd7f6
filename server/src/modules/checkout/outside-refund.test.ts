import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CardOrder,
  expectSound,
  fillCart,
  openedBy,
  passTime,
  pressPay,
  readAlerts,
  startVendorShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import { sql } from '../../platform/database/queries.ts'
import { learnRefunds, watchPayments } from './receive-webhook.ts'
import { refundOrder } from './refund-order.ts'

let shop: Awaited<ReturnType<typeof startVendorShop>>
let admin: TestUser
beforeAll(async () => {
  shop = await startVendorShop()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})
beforeEach(() => {
  for (const vendor of [shop.yookassa, shop.stripe]) Object.assign(vendor, { fault: undefined, refusal: undefined })
})

const sides = [
  { name: 'yookassa', currency: 'RUB', price: 8_000, failed: 'canceled', vendor: () => shop.yookassa },
  { name: 'stripe', currency: 'USD', price: 100, failed: 'failed', vendor: () => shop.stripe },
] as const

describe.each(sides)('by $name', ({ name, currency, price, failed, vendor }) => {
  const notify = (id: string, type?: string) => {
    const webhook =
      name === 'stripe'
        ? shop.stripe.webhook(id, type ? { type } : {})
        : { body: shop.yookassa.webhook(id), headers: {} }
    return shop.app.inject({
      method: 'POST',
      url: `/api/payment/webhook/${name}`,
      payload: webhook.body,
      headers: webhook.headers,
    })
  }
  /** Two lines of one code each; opened at the provider, and paid there. */
  const aPaid = async ({ lines = 1, isTold = true } = {}): Promise<CardOrder> => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    for (let line = 1; line < lines; line++) await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const opened = await openedBy(shop, await pressPay(shop, buyer, lines * price, { currency }))
    const { id: paymentId } = await shop.database.one<{ id: string }>(
      sql`SELECT provider_payment_id AS id FROM payment WHERE order_id = ${opened.orderId}`,
    )
    vendor().pay(paymentId)
    if (isTold) await notify(paymentId)
    return { offer, buyer, ...opened, paymentId, amount: lines * price }
  }
  const refund = (orderId: string, wish: object = {}) =>
    shop.call('POST', `/admin/orders/${orderId}/refund`, { token: admin.token, body: { reason: 'a test', ...wish } })
  const readReceipt = async ({ buyer, orderId }: CardOrder) =>
    (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
  const readWallet = async ({ buyer }: CardOrder): Promise<number> =>
    (
      await shop.database.one<{ balance: number }>(
        sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = ${currency}`,
      )
    ).balance
  const toCode = async ({ offer }: CardOrder) =>
    (await shop.database.rows<{ status: string }>(sql`SELECT status FROM code WHERE offer_id = ${offer.id}`)).map(
      ({ status }) => status,
    )
  const readBooked = ({ orderId }: CardOrder) =>
    shop.database.rows<{ origin: string; status: string; amount: number }>(sql`
      SELECT origin, card_refund.status, card_refund.amount FROM card_refund
      JOIN payment ON payment.id = payment_id WHERE order_id = ${orderId} ORDER BY card_refund.id`)
  const atProvider = ({ paymentId }: CardOrder): number =>
    name === 'stripe'
      ? [...shop.stripe.refunds.values()]
          .filter((made) => made.payment_intent === shop.stripe.sessions.get(paymentId)?.payment_intent)
          .reduce((sum, made) => sum + (made.status === 'failed' ? 0 : made.amount), 0)
      : [...shop.yookassa.refunds.values()]
          .filter((made) => made.payment_id === paymentId)
          .reduce(
            (sum, made) => sum + (made.status === 'canceled' ? 0 : Math.round(Number(made.amount.value) * 100)),
            0,
          )
  const toItems = async ({ orderId }: CardOrder): Promise<number[]> =>
    (
      await shop.database.rows<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId} ORDER BY id`)
    ).map(({ id }) => id)
  const watch = async () => {
    await shop.database.run(sql`UPDATE card_refund SET attempt_until = NULL, next_at = NULL`)
    await watchPayments(shop)
  }
  /** What the customer has of the payment: never more than was paid. */
  const gotBack = async (order: CardOrder) => atProvider(order) + (await readWallet(order))

  test('a whole refund made there marks the order, takes the code back, and calls the operator', async () => {
    const order = await aPaid()
    const id = vendor().refundByHand(order.paymentId, price)
    for (let times = 0; times < 3; times++) expect((await notify(id)).statusCode).toBe(200)
    expect(await readBooked(order)).toEqual([{ origin: 'provider', status: 'succeeded', amount: price }])
    expect(await readReceipt(order)).toMatchObject({
      status: 'refunded',
      items: [{ status: 'refunded', refunded_to: 'card', code: null }],
    })
    expect([await readWallet(order), await toCode(order)]).toEqual([0, ['available']])
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.outside'])
    for (const to of ['wallet', 'card']) expect((await refund(order.orderId, { to })).status).toBe(409)
    expect(await gotBack(order)).toBe(price)
  })

  test('a code that was seen is quarantined by it', async () => {
    const order = await aPaid()
    await readReceipt(order)
    await notify(vendor().refundByHand(order.paymentId, price))
    expect(await toCode(order)).toEqual(['quarantined'])
  })

  test('one in part is noted, and the store gives back what is left, to the wallet or the card', async () => {
    for (const to of ['wallet', 'card'] as const) {
      const order = await aPaid()
      await notify(vendor().refundByHand(order.paymentId, 30))
      expect(await readReceipt(order)).toMatchObject({ status: 'partially_refunded', items: [{ status: 'delivered' }] })
      expect((await refund(order.orderId, { to })).body.data).toMatchObject({ status: 'refunded' })
      expect(await readWallet(order)).toBe(to === 'wallet' ? price - 30 : 0)
      expect(await gotBack(order)).toBe(price)
    }
  })

  test('the price of one item given back there is not paid again when that item is refunded here', async () => {
    const order = await aPaid({ lines: 2 })
    await notify(vendor().refundByHand(order.paymentId, price))
    const [first, second] = await toItems(order)
    expect((await refund(order.orderId, { items: [first] })).body.data.status).toBe('partially_refunded')
    expect(await readWallet(order)).toBe(0)
    await refund(order.orderId, { items: [second] })
    expect(await readWallet(order)).toBe(price)
    expect(await gotBack(order)).toBe(2 * price)
  })

  test('parts that add up to the whole refund the order', async () => {
    const order = await aPaid({ lines: 2 })
    for (const part of [price - 1, price + 1]) await notify(vendor().refundByHand(order.paymentId, part))
    expect(await readReceipt(order)).toMatchObject({ status: 'refunded' })
    expect((await refund(order.orderId)).status).toBe(409)
  })

  test('twenty notices at once book it once', async () => {
    const order = await aPaid()
    const id = vendor().refundByHand(order.paymentId, price)
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(id)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await readBooked(order)).toHaveLength(1)
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.outside'])
  })

  test('told before the payment itself, it waits for nothing: the payment is asked about first', async () => {
    const order = await aPaid({ isTold: false })
    const id = vendor().refundByHand(order.paymentId, price)
    expect((await notify(id)).statusCode).toBe(200)
    await notify(order.paymentId)
    expect(await readReceipt(order)).toMatchObject({ status: 'refunded' })
  })

  test('a pending one waits, is read again, and its money is not paid meanwhile', async () => {
    const order = await aPaid({ lines: 2 })
    const id = vendor().refundByHand(order.paymentId, price, 'pending')
    await notify(id)
    expect(await readReceipt(order)).toMatchObject({ status: 'completed' })
    const [first] = await toItems(order)
    await refund(order.orderId, { items: [first] })
    expect(await readWallet(order)).toBe(0)
    Object.assign(vendor().refunds.get(id) ?? {}, { status: 'succeeded' })
    await watch()
    expect(await readBooked(order)).toMatchObject([{ origin: 'provider', status: 'succeeded' }])
    expect(await gotBack(order)).toBe(price)
  })

  test('a pending one that fails changes nothing', async () => {
    const order = await aPaid()
    const id = vendor().refundByHand(order.paymentId, price, 'pending')
    await notify(id)
    Object.assign(vendor().refunds.get(id) ?? {}, { status: failed })
    await watch()
    expect(await readReceipt(order)).toMatchObject({ status: 'completed' })
    expect(await readAlerts(shop, order.orderId)).toEqual([])
    expect((await refund(order.orderId)).body.data.status).toBe('refunded')
    expect(await gotBack(order)).toBe(price)
  })

  test('one that fails after it was refunded here on its account is the customer’s all the same', async () => {
    const order = await aPaid()
    const id = vendor().refundByHand(order.paymentId, price, 'pending')
    await notify(id)
    expect((await refund(order.orderId)).body.data.status).toBe('refunded')
    expect(await readWallet(order)).toBe(0)
    Object.assign(vendor().refunds.get(id) ?? {}, { status: failed })
    await notify(id)
    expect(await readWallet(order)).toBe(price)
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.failed'])
  })

  test('the store refunds nothing of a payment that came after it had asked the provider', async () => {
    const order = await aPaid({ isTold: false })
    vendor().refundByHand(order.paymentId, price / 2)
    const askedPayments = await learnRefunds(shop, order.orderId)
    await notify(order.paymentId)
    const wanted = { orderId: order.orderId, to: 'wallet' as const, reason: 'test', adminId: admin.id, askedPayments }
    const early = shop.database.transaction((tx) => refundOrder(tx, shop.providers, wanted))
    await expect(early).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect((await refund(order.orderId, { to: 'wallet' })).status).toBe(200)
    expect(await readWallet(order)).toBe(price / 2)
  })

  test('one that was booked and fails afterwards is the customer’s all the same', async () => {
    const order = await aPaid()
    const id = vendor().refundByHand(order.paymentId, price)
    await notify(id)
    expect([await readWallet(order), (await readReceipt(order)).status]).toEqual([0, 'refunded'])
    Object.assign(vendor().refunds.get(id) ?? {}, { status: failed })
    for (let time = 0; time < 2; time++) await notify(id)
    expect(await readWallet(order)).toBe(price)
    expect(await readAlerts(shop, order.orderId)).toContain('refund.failed')
  })

  test('one the store never heard of is learnt of before it gives anything back: nobody is paid twice', async () => {
    for (const part of [price, 30]) {
      for (const to of ['wallet', 'card']) {
        const order = await aPaid()
        const id = vendor().refundByHand(order.paymentId, part)
        await refund(order.orderId, { to })
        expect(await gotBack(order)).toBe(price)
        await notify(id)
        expect(await gotBack(order)).toBe(price)
        expect(await readReceipt(order)).toMatchObject({ status: 'refunded' })
      }
    }
  })

  test('so it is when an admin sets the order refunded', async () => {
    const order = await aPaid()
    vendor().refundByHand(order.paymentId, price)
    await shop.call('PUT', `/admin/orders/${order.orderId}/status`, {
      token: admin.token,
      body: { status: 'refunded', reason: 'a test' },
    })
    expect([await gotBack(order), (await readReceipt(order)).status]).toEqual([price, 'refunded'])
  })

  test('one made while its own waits to be sent is found when the provider refuses it', async () => {
    for (const part of [price, 30]) {
      const order = await aPaid()
      vendor().refusal = {
        status: 401,
        body: { code: 'invalid_credentials', error: { type: 'invalid_request_error' } },
      }
      await refund(order.orderId, { to: 'card' })
      vendor().refusal = undefined
      vendor().refundByHand(order.paymentId, part)
      await watch()
      expect(await gotBack(order)).toBe(price)
      expect(await readBooked(order)).toMatchObject([{ status: 'failed' }, { origin: 'provider', amount: part }])
    }
  })

  test('money that went to the wallet before comes out of it, and what is spent is told', async () => {
    const order = await aPaid({ isTold: false })
    await passTime(shop, order.orderId)
    await shop.database.run(sql`UPDATE orders SET cart_version = NULL, status = 'expired' WHERE id = ${order.orderId}`)
    await shop.database.run(sql`UPDATE order_item SET status = 'expired' WHERE order_id = ${order.orderId}`)
    await shop.database.run(
      sql`DELETE FROM code_hold USING order_item WHERE order_item.id = order_item_id AND order_id = ${order.orderId}`,
    )
    await shop.database.run(sql`UPDATE code SET status = 'available' WHERE offer_id = ${order.offer.id}`)
    await notify(order.paymentId)
    expect(await readWallet(order)).toBe(price)
    await notify(vendor().refundByHand(order.paymentId, price))
    expect(await readWallet(order)).toBe(0)
    const [alert] = await shop.database.rows<{ details: object }>(
      sql`SELECT details FROM alert WHERE kind = 'refund.outside' AND details ->> 'order' = ${order.orderId}`,
    )
    expect(alert?.details).toMatchObject({ paid_to: 'to_wallet', amount: price })
  })

  test('of a payment nobody knows it is told, and nothing is booked', async () => {
    const order = await aPaid()
    const id = vendor().refundByHand(order.paymentId, price)
    await shop.database.run(
      sql`UPDATE payment SET provider_payment_id = ${`of another shop ${order.paymentId}`} WHERE order_id = ${order.orderId}`,
    )
    await notify(id)
    expect(await readBooked(order)).toEqual([])
    const { subjects } = await shop.database.one<{ subjects: number }>(
      sql`SELECT count(*)::int AS subjects FROM alert WHERE kind = 'refund.unknown' AND subject = ${`${name}:${id}`}`,
    )
    expect(subjects).toBe(1)
  })

  test('the store’s own, told before the answer to its call, is not taken for one made there', async () => {
    const order = await aPaid()
    vendor().fault = 'hang-up'
    await refund(order.orderId, { to: 'card' })
    vendor().fault = undefined
    const [id] = [...vendor().refunds.keys()].slice(-1)
    await shop.database.run(sql`UPDATE card_refund SET attempt_until = NULL`)
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(id ?? '')))
    expect(answers.every(({ statusCode }) => [200, 503].includes(statusCode))).toBe(true)
    await notify(id ?? '')
    expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
    expect(await readAlerts(shop, order.orderId)).toEqual([])
    expect(await gotBack(order)).toBe(price)
  })

  test('a repeat that is refused leaves it unknown: the wallet gets nothing, and an operator is called', async () => {
    const order = await aPaid()
    vendor().fault = 'hang-up'
    await refund(order.orderId, { to: 'card' })
    vendor().fault = undefined
    vendor().refusal = { status: 403, body: { code: 'forbidden', error: { type: 'invalid_request_error' } } }
    for (let times = 0; times < 3; times++) await watch()
    expect(await readWallet(order)).toBe(0)
    expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'sending', amount: price }])
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.stuck'])
    vendor().refusal = undefined
    await watch()
    expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
    expect(await gotBack(order)).toBe(price)
  })

  /** One whose answer was lost, or that was not made, and whose repeat was refused; it pauses until the job asks again. */
  const aStuck = async ({
    lines = 1,
    items,
    fault = 'hang-up',
  }: {
    lines?: number
    items?: 'first'
    fault?: 'hang-up' | 'broken-before'
  } = {}) => {
    const order = await aPaid({ lines })
    const [item] = await toItems(order)
    vendor().fault = fault
    await refund(order.orderId, { to: 'card', ...(items && { items: [item] }) })
    vendor().fault = undefined
    vendor().refusal = { status: 403, body: { code: 'forbidden', error: { type: 'invalid_request_error' } } }
    await watch()
    vendor().refusal = undefined
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.stuck'])
    const [made] = [...vendor().refunds.keys()].slice(-1)
    return { ...order, made: made ?? '' }
  }

  test('a stuck one is settled by its webhook at once, within the pause of the job', async () => {
    const order = await aStuck()
    await watchPayments(shop)
    expect(await readBooked(order)).toMatchObject([{ status: 'sending' }])
    expect((await notify(order.made)).statusCode).toBe(200)
    expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
    expect(await gotBack(order)).toBe(price)
  })

  test('an equal one in the cabinet beside a stuck one is learnt of within its pause: nobody is paid twice', async () => {
    const order = await aStuck({ lines: 2, items: 'first' })
    vendor().refundByHand(order.paymentId, price)
    const [, second] = await toItems(order)
    await refund(order.orderId, { to: 'wallet', items: [second] })
    expect([atProvider(order), await readWallet(order)]).toEqual([2 * price, 0])
    expect(await readBooked(order)).toEqual([
      { origin: 'store', status: 'succeeded', amount: price },
      { origin: 'provider', status: 'succeeded', amount: price },
    ])
  })

  test.each([
    ['its webhook', ({ made }: { made: string }) => notify(made)],
    [
      'another refund',
      async (_: object, order: CardOrder) => {
        const [, second] = await toItems(order)
        await refund(order.orderId, { to: 'wallet', items: [second] })
      },
    ],
  ])(
    'one that an operator made in the cabinet, as it was stuck, is found before it is sent again: by %s',
    async (_by, learn) => {
      const order = await aStuck({ lines: 2, items: 'first', fault: 'broken-before' })
      const made = vendor().refundByHand(order.paymentId, price)
      await learn({ made }, order)
      expect(atProvider(order)).toBe(price)
      expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
    },
  )

  test('a first attempt that a wrong key kept from being made is made when the key is right', async () => {
    const order = await aPaid()
    vendor().refusal = { status: 401, body: { code: 'invalid_credentials', error: { type: 'invalid_request_error' } } }
    await refund(order.orderId, { to: 'card' })
    await watch()
    expect(await readWallet(order)).toBe(0)
    vendor().refusal = undefined
    await watch()
    expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
    expect(await gotBack(order)).toBe(price)
  })

  const refuseKey = () => {
    vendor().refusal = { status: 401, body: { code: 'invalid_credentials', error: { type: 'invalid_request_error' } } }
  }
  async function chargeBack({ orderId }: CardOrder, wish: object = {}): Promise<number> {
    const body = { reason: 'a letter of the bank', reference: randomUUID(), status: 'lost', ...wish }
    return (await shop.call('POST', `/admin/orders/${orderId}/dispute`, { token: admin.token, body })).body.data.id
  }
  const decide = (id: number, status: string) =>
    shop.call('POST', `/admin/disputes/${id}/decide`, { token: admin.token, body: { status, reason: 'a letter' } })

  test('a bank that has the money, or may take it, has an unsent one go to the wallet instead of the card', async () => {
    for (const [status, reason] of [
      ['lost', 'charged_back'],
      ['open', 'disputed'],
    ]) {
      const order = await aPaid()
      refuseKey()
      await refund(order.orderId, { to: 'card' })
      const id = await chargeBack(order, { status })
      // As long as the cabinet can't be asked, nothing is sent, and an operator may decide.
      await watch()
      expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'sending', amount: price }])
      expect(await readAlerts(shop, order.orderId)).toContain('refund.stuck')
      vendor().refusal = undefined
      await watch()
      expect([atProvider(order), await readWallet(order)]).toEqual([0, price])
      expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'failed', amount: price }])
      const [failed] = await shop.database.rows<{ details: object }>(
        sql`SELECT details FROM alert WHERE kind = 'refund.failed' AND details ->> 'order' = ${order.orderId}`,
      )
      expect(failed?.details).toMatchObject({ amount: price, reason })
      // What was won is the shop's, and the wallet's money is the refund that the customer was due.
      await decide(id, 'won')
      expect([atProvider(order), await readWallet(order)]).toEqual([0, price])
      expect(await readReceipt(order)).toMatchObject({ status: 'refunded' })
    }
  })

  const setAttempted = ({ orderId }: CardOrder) =>
    shop.database.run(sql`
      UPDATE card_refund SET attempts = 1 FROM payment
      WHERE payment.id = payment_id AND order_id = ${orderId} AND card_refund.origin = 'store'`)

  test('a bank’s money is not sent to the card either after a first try that was cut short, until it is won', async () => {
    for (const status of ['lost', 'open']) {
      const order = await aPaid()
      refuseKey()
      await refund(order.orderId, { to: 'card' })
      const id = await chargeBack(order, { status })
      vendor().refusal = undefined
      await setAttempted(order)
      for (let times = 0; times < 2; times++) await watch()
      // Nobody knows what became of the first try, so the wallet gets nothing by itself.
      expect([atProvider(order), await readWallet(order)]).toEqual([0, 0])
      expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'sending', amount: price }])
      expect(await readAlerts(shop, order.orderId)).toContain('refund.stuck')
      await decide(id, 'won')
      await watch()
      expect([atProvider(order), await readWallet(order)]).toEqual([price, 0])
    }
  })

  test('one that was made, but whose answer was lost, is found though a bank has the money by then', async () => {
    const order = await aPaid()
    vendor().fault = 'hang-up'
    await refund(order.orderId, { to: 'card' })
    vendor().fault = undefined
    await chargeBack(order)
    await watch()
    expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
    expect([atProvider(order), await readWallet(order)]).toEqual([price, 0])
  })

  test('what was given back in the cabinet is not sent after a first try that was cut short', async () => {
    const order = await aPaid({ lines: 3 })
    const [first] = await toItems(order)
    refuseKey()
    await refund(order.orderId, { to: 'card', items: [first] })
    vendor().refusal = undefined
    await notify(vendor().refundByHand(order.paymentId, price))
    await setAttempted(order)
    await watch()
    expect([atProvider(order), await readWallet(order)]).toEqual([price, 0])
    expect(await readAlerts(shop, order.orderId)).toContain('refund.stuck')
  })

  test('an unsent one goes to the card when the dispute was won before, and where the bank left it', async () => {
    const won = await aPaid()
    refuseKey()
    await refund(won.orderId, { to: 'card' })
    await decide(await chargeBack(won), 'won')
    vendor().refusal = undefined
    await watch()
    expect([atProvider(won), await readWallet(won)]).toEqual([price, 0])

    const left = await aPaid()
    await chargeBack(left, { amount: (price - 30) / 100 })
    const [id] = await toItems(left)
    const made = await refund(left.orderId, { to: 'card', items: [{ id, amount: 0.3 }] })
    expect(made.status).toBe(200)
    expect([atProvider(left), await readWallet(left)]).toEqual([30, 0])
  })

  test('a worker that died while it sent counts as an attempt', async () => {
    const order = await aPaid()
    vendor().fault = 'broken-before'
    await refund(order.orderId, { to: 'card' })
    vendor().fault = undefined
    const { attempts } = await shop.database.one<{ attempts: number }>(sql`
      SELECT attempts FROM card_refund JOIN payment ON payment.id = payment_id WHERE order_id = ${order.orderId}`)
    expect(attempts).toBe(1)
    const session = shop.stripe.sessions.get(order.paymentId)
    if (session) session.amount_total = 1
    const payment = shop.yookassa.payments.get(order.paymentId)
    if (payment) payment.amount.value = '0.01'
    await watch()
    expect(await readWallet(order)).toBe(0)
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.stuck'])
  })

  test.each(['sending', 'sent'])(
    'a hundred that are %s at a provider that is gone keep no other waiting',
    async (status) => {
      const gone = await aPaid()
      refuseKey()
      await refund(gone.orderId, { to: 'card' })
      const others = await shop.database.rows<{ id: number }>(sql`
      INSERT INTO card_refund (payment_id, amount, charge_amount, attempts, status, provider_refund_id)
      SELECT payment_id, card_refund.amount, card_refund.charge_amount, 0, ${status}, CASE ${status}::text WHEN 'sent' THEN 'gone-' || number END
      FROM card_refund JOIN payment ON payment.id = payment_id CROSS JOIN generate_series(1, 100) AS number
      WHERE order_id = ${gone.orderId} RETURNING id`)
      const move = (to: string) =>
        shop.database.run(sql`UPDATE payment SET provider = ${to} WHERE order_id = ${gone.orderId}`)
      await move('click')
      vendor().refusal = undefined
      const order = await aPaid()
      vendor().fault = 'hang-up'
      await refund(order.orderId, { to: 'card' })
      vendor().fault = undefined
      for (let minutes = 0; minutes < 3; minutes++) await watchPayments(shop)
      expect(await readBooked(order)).toEqual([{ origin: 'store', status: 'succeeded', amount: price }])
      await shop.database.run(sql`DELETE FROM card_refund WHERE id = ANY (${others.map(({ id }) => id)}::int[])`)
      await move(name)
    },
  )

  // Stripe keeps the key, by which each has its own.
  if (name === 'yookassa') {
    test('of two equal ones of the store that were lost each gets a name, whichever', async () => {
      const order = await aPaid({ lines: 2 })
      const items = await toItems(order)
      vendor().fault = 'hang-up'
      for (const item of items) await refund(order.orderId, { to: 'card', items: [item] })
      vendor().fault = undefined
      const [first] = [...vendor().refunds.keys()].slice(-2)
      // The second was found among those the provider lists, under the name of the first.
      await shop.database.run(sql`
      UPDATE card_refund SET provider_refund_id = ${first ?? ''}, status = 'succeeded' WHERE id = (SELECT max(id) FROM card_refund)`)
      await watch()
      expect(await readBooked(order)).toEqual(Array(2).fill({ origin: 'store', status: 'succeeded', amount: price }))
      expect(await readAlerts(shop, order.orderId)).toEqual([])
      expect(await gotBack(order)).toBe(2 * price)
    })
  }

  if (name === 'stripe') {
    test('charge.refunded names no refund: those of the charge are looked up', async () => {
      const order = await aPaid()
      shop.stripe.refundByHand(order.paymentId, price)
      expect((await notify(order.paymentId, 'charge.refunded')).statusCode).toBe(200)
      expect(await readBooked(order)).toEqual([{ origin: 'provider', status: 'succeeded', amount: price }])
    })
  }
})
