import type { AlertKind } from '@olmos/contract/alerts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectSound, fillCart, openedBy, readAlerts } from '../../../test/card-orders.ts'
import { startTbank, type TbankDouble } from '../../../test/doubles/tbank.ts'
import { startYookassa, type YookassaDouble } from '../../../test/doubles/yookassa.ts'
import { anOffer, aUser, setFee, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { allowFillings } from '../../../test/fillings.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { raw, sql } from '../../platform/database/queries.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { watchReceipts } from '../payments/fiscal.ts'

let shop: TestShop
let admin: TestUser
let yookassa: YookassaDouble
let tbank: TbankDouble
const logLines: string[] = []
beforeAll(async () => {
  yookassa = await startYookassa()
  tbank = await startTbank()
  const settings = {
    PAYMENT_PROVIDERS: 'yookassa,tbank',
    YOOKASSA_SHOP_ID: yookassa.shopId,
    YOOKASSA_SECRET_KEY: yookassa.secretKey,
    YOOKASSA_BASE_URL: yookassa.url,
    YOOKASSA_ADDRESSES: '127.0.0.1/32',
    TBANK_TERMINAL_KEY: tbank.terminalKey,
    TBANK_PASSWORD: tbank.password,
    TBANK_BASE_URL: tbank.url,
  }
  shop = await startShop(settings, { logLines })
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
  await yookassa.close()
  await tbank.close()
})

const both = { providers: ['yookassa', 'tbank'], tax_system: 'usn_income', tax: 'none', subject: 'service' }
const setFiscal = (body: object) => shop.call('PUT', '/admin/fiscal-settings', { token: admin.token, body })
beforeEach(async () => {
  yookassa.needsReceipts = true
  yookassa.readFault = undefined
  tbank.needsReceipts = true
  yookassa.receipts.length = 0
  tbank.refundReceipts.length = 0
  expect((await setFiscal({ ...both, mode: 'full_payment' })).status).toBe(200)
})

const email = 'lola@example.com'

interface Wish {
  offer?: TestOffer
  quantity?: number
  method?: string
  /** Null for none. */
  contact?: { email: string } | null
  /** In roubles: what the method costs, as the customer saw it. */
  fee?: number
  /** In roubles: what the balance pays. */
  fromBalance?: number
}

/** A cart of codes at eighty roubles each, and a press on paying for it. */
async function press({ offer: given, quantity = 3, contact = { email }, ...wish }: Wish = {}) {
  const offer = given ?? (await anOffer(shop, { stock: quantity * 2 }))
  const buyer = await aUser(shop, { rub: (wish.fromBalance ?? 0) * 100 })
  await fillCart(shop, buyer, offer, quantity)
  return { offer, buyer, ...(await pressAgain(buyer, { quantity, contact, ...wish })) }
}
async function pressAgain(buyer: TestUser, wish: Wish) {
  const { quantity = 3, method = 'yookassa_card', contact, fee, fromBalance: from_balance } = wish
  const amount = quantity * 80
  const body = { amount, currency: 'RUB', type: 'order', method, fee, from_balance, ...(contact && { contact }) }
  return { pressed: await shop.call('POST', '/payment/create', { token: buyer.token, body }) }
}

const readPayment = (orderId: string) =>
  shop.database.one<{ id: string; receipt: unknown }>(sql`
    SELECT provider_payment_id AS id, receipt FROM payment WHERE order_id = ${orderId} ORDER BY payment.id DESC LIMIT 1`)

async function paid(wish: Wish = {}) {
  const { pressed, ...made } = await press(wish)
  expect(pressed.status).toBe(201)
  const { orderId } = await openedBy(shop, pressed)
  const { id } = await readPayment(orderId)
  const isTbank = wish.method?.startsWith('tbank')
  const vendor = isTbank ? tbank : yookassa
  vendor.pay(id)
  const url = `/api/payment/webhook/${isTbank ? 'tbank' : 'yookassa'}`
  const payload = isTbank ? tbank.notification(id) : yookassa.webhook(id)
  await shop.app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
  const items = await shop.database.rows<{ id: number }>(
    sql`SELECT id FROM order_item WHERE order_id = ${orderId} ORDER BY position`,
  )
  return { ...made, orderId, items: items.map((item) => item.id) }
}

const refund = (orderId: string, items?: object[]) =>
  shop.call('POST', `/admin/orders/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card', ...(items && { items }) },
  })
const readRefunds = async (orderId: string) =>
  shop.database.rows<{ status: string; amount: number }>(sql`
    SELECT card_refund.status, card_refund.amount FROM card_refund JOIN payment ON payment.id = payment_id
    WHERE order_id = ${orderId} ORDER BY card_refund.id`)

describe('the e-mail', () => {
  const needs = async () => {
    const { body } = await shop.call('GET', '/payment/methods?currency=RUB')
    return Object.fromEntries(body.data.map((method: { name: string; needs: string[] }) => [method.name, method.needs]))
  }

  test('is asked for only where the provider has receipts on', async () => {
    expect(await needs()).toMatchObject({ yookassa_card: ['email'], tbank_sbp: ['email'] })
    await setFiscal({ providers: ['tbank'] })
    expect(await needs()).toMatchObject({ yookassa_card: [], yookassa_sbp: [], tbank_card: ['email'] })
  })

  test('is required there, and nothing is reserved without it', async () => {
    const { pressed, offer } = await press({ contact: null })
    const error = { code: 'CONTACT_REQUIRED', details: { method: 'yookassa_card', needs: ['email'] } }
    expect([pressed.status, pressed.body.error]).toMatchObject([400, error])
    const { count } = await shop.database.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM code WHERE offer_id = ${offer.id} AND status <> 'available'`,
    )
    expect(count).toBe(0)
  })

  test.each([
    '',
    'lola',
    'lola@',
    'a b@example.com',
    'lola@example.com\r\nBcc: x@example.com',
    `${'l'.repeat(250)}@a.uz`,
  ])('refuses %j', async (wrong) => {
    const { pressed } = await press({ contact: { email: wrong } })
    expect([pressed.status, pressed.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('is not kept where no receipt is sent', async () => {
    await setFiscal({ providers: [] })
    yookassa.needsReceipts = false
    const { pressed } = await press()
    expect(await readPayment((await openedBy(shop, pressed)).orderId)).toMatchObject({ receipt: null })
    expect(yookassa.receipts).toEqual([])
  })

  test('is shown to admins on the order, and in no answer to a customer', async () => {
    const { orderId, buyer } = await paid()
    const { body } = await shop.call('GET', `/admin/orders/${orderId}`, { token: admin.token })
    expect(body.data.receipt_email).toBe(email)
    for (const path of [`/orders/${orderId}`, '/orders', '/users/profile'])
      expect((await shop.call('GET', path, { token: buyer.token })).text).not.toContain(email)
  })

  test('is in no line of the log, whatever the provider makes of the payment', async () => {
    logLines.length = 0
    await paid()
    yookassa.refusal = { status: 400, body: { type: 'error', code: 'invalid_request', parameter: 'receipt' } }
    const { pressed } = await press()
    yookassa.refusal = undefined
    expect(pressed.status).toBe(502)
    await press({ contact: { email: 'lola@' } })
    expect(logLines.length).toBeGreaterThan(0)
    expect(logLines.join('\n')).not.toContain('lola@')
  })

  test('may be corrected: another payment takes the place of the first; the first e-mail again is that payment', async () => {
    const { pressed, buyer } = await press()
    const first = await openedBy(shop, pressed)
    const again = (await pressAgain(buyer, { contact: { email } })).pressed
    expect(again.body).toEqual(pressed.body)
    expect((await pressAgain(buyer, { contact: null })).pressed.body).toEqual(pressed.body)
    const other = (await pressAgain(buyer, { contact: { email: 'zoya@example.com' } })).pressed
    expect(other.body.order_id).toBe(first.orderId)
    expect(other.body.pay_url).not.toBe(pressed.body.pay_url)
    expect(yookassa.receipts.map(({ customer }) => customer.email)).toEqual([email, 'zoya@example.com'])
  })
})

describe('the receipt', () => {
  test('has the lines of the order, with what the product says where it says something', async () => {
    const offer = await anOffer(shop, { stock: 6 })
    const body = { receiptTax: 'vat22', receiptSubject: 'payment' }
    const changed = await shop.call('PUT', `/admin/products/${offer.productId}`, { token: admin.token, body })
    expect(changed.body.data).toMatchObject({ ...body, receiptMode: null })
    await press({ offer })
    expect(yookassa.receipts).toMatchObject([
      {
        customer: { email },
        tax_system_code: 2,
        items: [
          {
            quantity: 3,
            vat_code: 11,
            payment_subject: 'payment',
            payment_mode: 'full_payment',
            amount: { value: '80.00' },
          },
        ],
      },
    ])
    const back = { receiptTax: null, receiptSubject: null }
    const cleared = await shop.call('PUT', `/admin/products/${offer.productId}`, { token: admin.token, body: back })
    expect(cleared.body.data).toMatchObject(back)
  })

  test('stays what it was when the payment was created, however often it is sent', async () => {
    yookassa.fault = 'broken-before'
    const { pressed, buyer } = await press()
    expect(pressed.status).toBe(502)
    yookassa.fault = undefined
    await setFiscal({ tax: 'vat20', subject: 'payment' })
    const again = (await pressAgain(buyer, { contact: { email } })).pressed
    expect(again.status).toBe(201)
    for (const receipt of yookassa.receipts) expect(receipt.items).toMatchObject([{ vat_code: 1 }])
  })

  test('is at T-Bank in its own words', async () => {
    const { orderId } = await paid({ method: 'tbank_card' })
    const { id } = await readPayment(orderId)
    expect(tbank.payments.get(id)?.receipt).toMatchObject({
      Email: email,
      Taxation: 'usn_income',
      Items: [{ Quantity: 3, Price: 8_000, Amount: 24_000, Tax: 'none' }],
    })
  })

  test('of a payment that the provider refuses without one raises the alert, with its parameter', async () => {
    await setFiscal({ providers: [] })
    const { pressed } = await press({ contact: null })
    expect(pressed.status).toBe(502)
    const alert = await shop.database.one<{ details: { parameter: string; order: string } }>(
      sql`SELECT details FROM alert WHERE kind = 'payment.refused' AND subject = 'yookassa' AND resolved_at IS NULL`,
    )
    expect(alert.details.parameter).toBe('receipt')
    expect(await readAlerts(shop, alert.details.order)).toContain('payment.refused')
  })
})

describe.each(['yookassa_card', 'tbank_card'])('refunds to the card by %s', (method) => {
  test('of two parts each have a receipt of what they refund', async () => {
    const { orderId, items } = await paid({ method })
    yookassa.receipts.length = 0
    expect((await refund(orderId, [{ id: items[0], quantity: 1 }])).status).toBe(200)
    expect((await refund(orderId, [{ id: items[0], amount: 33.33 }])).status).toBe(200)
    expect(await readRefunds(orderId)).toEqual([
      { status: 'succeeded', amount: 8_000 },
      { status: 'succeeded', amount: 3_333 },
    ])
    const sent =
      method === 'yookassa_card'
        ? yookassa.receipts.map(({ customer, items }) => [customer.email, items.map((item) => item.amount.value)])
        : tbank.refundReceipts.map(({ Email, Items }) => [Email, Items.map(({ Amount }) => (Amount / 100).toFixed(2))])
    expect(sent).toEqual([
      [email, ['80.00']],
      [email, ['33.33']],
    ])
    expect((await refund(orderId)).status).toBe(200)
    const all = await readRefunds(orderId)
    expect(all.at(-1)).toEqual({ status: 'succeeded', amount: 12_667 })
    expect(all.reduce((sum, { amount }) => sum + amount, 0)).toBe(24_000)
  })

  test('have one even when receipts were switched off since', async () => {
    const { orderId } = await paid({ method })
    await setFiscal({ providers: [] })
    expect((await refund(orderId)).status).toBe(200)
    expect(await readRefunds(orderId)).toEqual([{ status: 'succeeded', amount: 24_000 }])
  })
})

describe('a receipt that the tax office did not get', () => {
  const watch = async () => {
    await shop.database.run(sql`UPDATE payment SET receipt_asked_at = NULL`)
    await shop.database.run(sql`UPDATE card_refund SET receipt_asked_at = NULL`)
    await watchReceipts({ ...shop, log: shop.app.log })
  }
  const readOpen = async (kind: AlertKind, orderId: string) =>
    (
      await shop.database.rows<{ details: object }>(sql`
        SELECT details FROM alert WHERE kind = ${kind} AND resolved_at IS NULL
          AND details ->> 'order' = ${orderId} ORDER BY id`)
    ).map(({ details }) => details)
  const failures = (orderId: string) => readOpen('payment.receipt_failed', orderId)
  const unread = (orderId: string) => readOpen('payment.receipt_unread', orderId)
  const passDays = (orderId: string, days: number) =>
    shop.database.run(sql`
      UPDATE payment SET settled_at = settled_at - make_interval(days => ${days}) WHERE order_id = ${orderId}`)
  const readRefundId = async (orderId: string) =>
    (
      await shop.database.one<{ id: number }>(sql`
        SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = payment_id WHERE order_id = ${orderId}`)
    ).id
  const readStates = async (orderId: string) =>
    shop.database.one<{ payment: string | null; refund: string | null }>(sql`
      SELECT max(payment.receipt_state) AS payment, max(card_refund.receipt_state) AS refund
      FROM payment LEFT JOIN card_refund ON card_refund.payment_id = payment.id WHERE order_id = ${orderId}`)

  test('of a payment or a refund by YooKassa is found by asking, and raises an alert once', async () => {
    const { orderId } = await paid()
    const { id } = await readPayment(orderId)
    await refund(orderId)
    const refundId = [...yookassa.refunds.values()].find(({ payment_id }) => payment_id === id)?.id ?? ''
    await watch()
    expect([await failures(orderId), await readStates(orderId)]).toEqual([[], { payment: null, refund: null }])
    yookassa.register(id, 'canceled')
    await watch()
    const money = { order: orderId, provider: 'yookassa', amount: 24_000, currency: 'RUB' }
    expect(await failures(orderId)).toEqual([{ ...money, why: 'canceled' }])
    yookassa.register(refundId, 'canceled')
    await watch()
    await watch()
    expect(await failures(orderId)).toEqual([
      { ...money, why: 'canceled' },
      { ...money, why: 'canceled' },
    ])
    expect(await readStates(orderId)).toEqual({ payment: 'failed', refund: 'failed' })
  })

  test('is not looked for once it was registered, nor more often than once an hour', async () => {
    const { orderId } = await paid()
    const { id } = await readPayment(orderId)
    const reads = () => yookassa.requests.filter(({ method, path }) => method === 'GET' && path.includes(id)).length
    const before = reads()
    await watch()
    expect(reads()).toBe(before + 1)
    await watchReceipts({ ...shop, log: shop.app.log })
    expect(reads()).toBe(before + 1)
    yookassa.register(id, 'succeeded')
    await watch()
    await watch()
    expect(reads()).toBe(before + 2)
    expect([await failures(orderId), await readStates(orderId)]).toEqual([[], { payment: 'registered', refund: null }])
  })

  test('counts as failed after days without an answer, while an unreadable one is asked again', async () => {
    const { orderId } = await paid()
    await passDays(orderId, 3)
    await watch()
    await passDays(orderId, 2)
    yookassa.readFault = 'broken-before'
    await watch()
    yookassa.readFault = undefined
    expect([await failures(orderId), await unread(orderId)]).toMatchObject([[], [{ why: 'http_500' }]])
    await watch()
    expect([await failures(orderId), await unread(orderId)]).toMatchObject([[{ why: 'no_answer' }], []])
  })

  test('raises an alert where nobody can read it, once, which ends when it is read after all', async () => {
    const { orderId } = await paid()
    const { id } = await readPayment(orderId)
    await refund(orderId)
    const refundId = [...yookassa.refunds.values()].find(({ payment_id }) => payment_id === id)?.id ?? ''
    const watchDays = async (days: number) => {
      await passDays(orderId, days)
      await shop.database.run(sql`
        UPDATE card_refund SET settled_at = card_refund.settled_at - make_interval(days => ${days}) FROM payment
        WHERE payment.id = payment_id AND order_id = ${orderId}`)
      await watch()
    }
    yookassa.readFault = 'broken-before'
    await watchDays(3)
    expect(await unread(orderId)).toEqual([])
    await watchDays(2)
    const payment = { order: orderId, provider: 'yookassa', amount: 24_000, currency: 'RUB', provider_payment_id: id }
    const both = [payment, { ...payment, provider_refund_id: refundId }].map((facts) => ({ ...facts, why: 'http_500' }))
    expect(await unread(orderId)).toEqual(both)

    // Another trouble with one receipt changes nothing, and an alert that was ended is not raised again.
    yookassa.readFault = 'too-many'
    await watchDays(1)
    expect(await unread(orderId)).toEqual(both)
    await resolveAlert(shop.database, 'payment.receipt_unread', `card-refund:${await readRefundId(orderId)}`)
    await watchDays(1)
    expect(await unread(orderId)).toEqual([both[0]])

    yookassa.readFault = undefined
    yookassa.register(id, 'succeeded')
    yookassa.register(refundId, 'succeeded')
    await watch()
    expect([await unread(orderId), await failures(orderId)]).toEqual([[], []])
    expect(await readStates(orderId)).toEqual({ payment: 'registered', refund: 'registered' })
  })

  test('of a refund that waited for its provider has all its days from when it was made', async () => {
    const { orderId } = await paid()
    await refund(orderId)
    const pass = (column: 'created_at' | 'settled_at') =>
      shop.database.run(sql`
        UPDATE card_refund SET ${raw(column)} = card_refund.${raw(column)} - interval '5 days' FROM payment
        WHERE payment.id = payment_id AND order_id = ${orderId}`)
    await pass('created_at')
    await watch()
    expect(await failures(orderId)).toEqual([])
    await pass('settled_at')
    await watch()
    expect(await failures(orderId)).toMatchObject([{ why: 'no_answer' }])
  })

  test('at T-Bank is reported by a notification, and the alert ends when it was registered after all', async () => {
    const { orderId, items } = await paid({ method: 'tbank_card' })
    const { id } = await readPayment(orderId)
    const tell = async (changes: object) => {
      const payload = tbank.notification(id, { changes: { Status: 'RECEIPT', ...changes } })
      const url = '/api/payment/webhook/tbank'
      const answer = await shop.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json' },
      })
      expect([answer.statusCode, answer.body]).toEqual([200, 'OK'])
    }
    const failed = { Success: false, ErrorCode: '3015', ErrorMessage: 'Неизвестная организация' }
    await tell(failed)
    await tell({ ...failed, Type: 'IncomeReturn' })
    const money = { order: orderId, provider: 'tbank', provider_payment_id: id, amount: 24_000, currency: 'RUB' }
    const told = { ...money, why: '3015', parameter: 'Неизвестная организация' }
    expect(await failures(orderId)).toEqual([told, told])
    await tell({ Success: true, ErrorCode: '0', Type: 'Income' })
    expect(await failures(orderId)).toEqual([told])
    expect(await readStates(orderId)).toEqual({ payment: 'registered', refund: null })

    // Nobody says which of two refunds the receipt is about.
    const registered = { Success: true, ErrorCode: '0', Type: 'IncomeReturn' }
    await refund(orderId, [{ id: items[0], quantity: 1 }])
    await tell(registered)
    expect(await failures(orderId)).toEqual([])
    await tell({ ...failed, Type: 'IncomeReturn' })
    await refund(orderId, [{ id: items[0], quantity: 1 }])
    await tell(registered)
    expect(await failures(orderId)).toEqual([told])
  })

  test.each(['yookassa_card', 'tbank_card'])(
    'because the refund was refused for it has its parameter, %s',
    async (method) => {
      const { orderId, items } = await paid({ method })
      const isTbank = method === 'tbank_card'
      const code = isTbank ? '308' : 'invalid_request'
      if (isTbank) tbank.refusesRefunds = { ErrorCode: code, Message: 'Неверный чек', Details: 'Receipt.Items' }
      else yookassa.refusesRefundReceipts = true
      await refund(orderId, [{ id: items[0], quantity: 1 }])
      tbank.refusesRefunds = undefined
      yookassa.refusesRefundReceipts = false
      const alert = await shop.database.one<{ details: object }>(sql`
      SELECT details FROM alert WHERE kind = 'refund.failed' AND details ->> 'order' = ${orderId}`)
      expect(alert.details).toMatchObject({ reason: code, parameter: isTbank ? 'Receipt.Items' : 'receipt' })
    },
  )
})

describe('the settings', () => {
  test('are off in a new shop, name who may have receipts, and are audited', async () => {
    const { body } = await shop.call('GET', '/admin/fiscal-settings', { token: admin.token })
    expect(body.data).toMatchObject({
      ...both,
      available: [
        { name: 'yookassa', needs_tax_system: false, least: 1 },
        { name: 'tbank', needs_tax_system: true, least: 10 },
      ],
    })
    const { rows } = await shop.database.one<{ rows: number }>(
      sql`SELECT count(*)::int AS rows FROM audit_entry WHERE action = 'fiscal.settings' AND actor_id = ${admin.id}`,
    )
    expect(rows).toBeGreaterThan(0)
  })

  test.each([
    [{ providers: ['stripe'] }, { providers: 'invalid' }],
    [{ tax_system: null }, { tax_system: 'required' }],
  ])('refuse %j', async (change, details) => {
    const { status, body } = await setFiscal(change)
    expect([status, body.error]).toMatchObject([400, { code: 'VALIDATION_FAILED', details }])
  })
})

describe('a filling of the balance', () => {
  const fill = async (method: string, contact?: { email: string }) => {
    const buyer = await aUser(shop)
    const body = { amount: 500, currency: 'RUB', type: 'balance', method, ...(contact && { contact }) }
    return { buyer, pressed: await shop.call('POST', '/payment/create', { token: buyer.token, body }) }
  }
  beforeAll(() => allowFillings(shop))

  test('needs the e-mail, and is an advance with the tax that it contains; so is its refund', async () => {
    await setFiscal({ tax: 'vat20', tax_system: 'osn' })
    expect((await fill('yookassa_card')).pressed.body.error.code).toBe('CONTACT_REQUIRED')
    const { pressed } = await fill('yookassa_card', { email })
    const { orderId } = await openedBy(shop, pressed)
    const line = { quantity: 1, vat_code: 6, payment_mode: 'advance', payment_subject: 'payment' }
    expect(yookassa.receipts.at(-1)).toMatchObject({
      customer: { email },
      items: [{ ...line, amount: { value: '500.00', currency: 'RUB' } }],
    })
    const { id } = await readPayment(orderId)
    yookassa.pay(id)
    const payload = yookassa.webhook(id)
    const headers = { 'content-type': 'application/json' }
    await shop.app.inject({ method: 'POST', url: '/api/payment/webhook/yookassa', payload, headers })
    const path = `/admin/fillings/${orderId}/refund`
    const body = { amount: 123.45, reason: 'a test' }
    const refunded = await shop.call('POST', path, { token: admin.token, body })
    expect(refunded.body.data).toMatchObject({ refunded: 123.45, refundable: 376.55 })
    expect(yookassa.receipts.at(-1)).toMatchObject({
      items: [{ ...line, amount: { value: '123.45', currency: 'RUB' } }],
    })
  })
})

describe('trying a receipt', () => {
  const attempt = (body: object) =>
    shop.call('POST', '/admin/fiscal-settings/try', { token: admin.token, body: { amount: 10, email, ...body } })

  test('leaves an unpaid payment to end by itself at YooKassa, and cancels it at T-Bank', async () => {
    const accepted = { outcome: 'accepted', code: null, parameter: null }
    expect((await attempt({ provider: 'yookassa' })).body.data).toEqual({ ...accepted, payment: 'expires' })
    expect((await attempt({ provider: 'tbank' })).body.data).toEqual({ ...accepted, payment: 'canceled' })
    expect([...tbank.payments.values()].at(-1)).toMatchObject({ status: 'CANCELED', amount: 1_000 })
    expect(yookassa.receipts.at(-1)).toMatchObject({ customer: { email }, items: [{ quantity: 1, vat_code: 1 }] })
  })

  test('says what the provider does not like', async () => {
    tbank.refusal = { status: 200, body: { Success: false, ErrorCode: '308', Message: 'Неверно', Details: 'Receipt' } }
    expect((await attempt({ provider: 'tbank' })).body.data).toMatchObject({
      outcome: 'refused',
      code: '308',
      parameter: 'Receipt',
    })
    tbank.refusal = undefined
  })

  test('moves no money, and takes no more than ten roubles and no less than the provider does', async () => {
    expect((await attempt({ provider: 'tbank', amount: 9 })).body.error.code).toBe('BELOW_LEAST_AMOUNT')
    expect((await attempt({ provider: 'yookassa', amount: 11 })).body.error.code).toBe('VALIDATION_FAILED')
    expect((await attempt({ provider: 'stripe' })).body.error.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE')
    const { count } = await shop.database.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM audit_entry WHERE action = 'fiscal.try' AND after::text LIKE ${`%${email}%`}`,
    )
    expect(count).toBe(0)
  })
})

describe('the fee of the method', () => {
  const name = 'Сервисный сбор'
  const listLines = () =>
    yookassa.receipts.map(({ items }) =>
      items.map(({ description, quantity, amount }) => [
        description === name ? 'fee' : 'goods',
        quantity,
        amount.value,
      ]),
    )
  afterEach(async () => {
    await setFee(shop, 'yookassa_card')
  })

  test('is a line of its own, and of the refund with which it goes back', async () => {
    await setFee(shop, 'yookassa_card', { percent: 250, rub: 101, isRefunded: true })
    const { orderId, items } = await paid({ fee: 7.01 })
    await refund(orderId, [{ id: items[0], quantity: 1 }])
    await refund(orderId)
    expect(listLines()).toEqual([
      [
        ['goods', 3, '80.00'],
        ['fee', 1, '7.01'],
      ],
      [['goods', 1, '80.00']],
      [
        ['goods', 2, '80.00'],
        ['fee', 1, '7.01'],
      ],
    ])
  })

  test('is exact beside a part from the balance, which is of the goods alone', async () => {
    await setFee(shop, 'yookassa_card', { rub: 500 })
    await paid({ fee: 5, fromBalance: 139.99 })
    expect(listLines()).toEqual([
      [
        ['goods', 1, '33.33'],
        ['goods', 2, '33.34'],
        ['fee', 1, '5.00'],
      ],
    ])
  })

  test('of a filling stands beside the advance', async () => {
    await allowFillings(shop)
    await setFee(shop, 'yookassa_card', { percent: 100 })
    const body = { amount: 500, currency: 'RUB', type: 'balance', method: 'yookassa_card', contact: { email }, fee: 5 }
    expect((await shop.call('POST', '/payment/create', { token: (await aUser(shop)).token, body })).status).toBe(201)
    expect(yookassa.receipts[0]?.items).toMatchObject([
      { payment_mode: 'advance', amount: { value: '500.00' } },
      { description: name, payment_mode: 'full_payment', payment_subject: 'service', amount: { value: '5.00' } },
    ])
  })
})
