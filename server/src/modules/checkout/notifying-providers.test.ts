import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  expectSound,
  fillCart,
  openedBy,
  passTime,
  pressPay,
  readAlerts,
  startCardShop,
} from '../../../test/card-orders.ts'
import { startCryptopay } from '../../../test/doubles/cryptopay.ts'
import { startTbank } from '../../../test/doubles/tbank.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { watchPayments } from './receive-webhook.ts'

let shop: TestShop
let admin: TestUser
let tbank: Awaited<ReturnType<typeof startTbank>>
let cryptopay: Awaited<ReturnType<typeof startCryptopay>>
beforeAll(async () => {
  tbank = await startTbank()
  cryptopay = await startCryptopay()
  shop = await startCardShop({
    PAYMENT_PROVIDERS: 'tbank,cryptopay',
    TBANK_TERMINAL_KEY: tbank.terminalKey,
    TBANK_PASSWORD: tbank.password,
    TBANK_BASE_URL: tbank.url,
    CRYPTOPAY_TOKEN: cryptopay.token,
    CRYPTOPAY_BASE_URL: cryptopay.url,
  })
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
  await tbank.close()
  await cryptopay.close()
})
beforeEach(() => {
  for (const vendor of [tbank, cryptopay]) Object.assign(vendor, { fault: undefined, refusal: undefined })
})

const send = (name: string, payload: Buffer, headers: Record<string, string> = {}) =>
  shop.app.inject({
    method: 'POST',
    url: `/api/payment/webhook/${name}`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })

async function anOpened(currency: 'RUB' | 'USD') {
  const [offer, buyer] = [await anOffer(shop, { stock: 1 }), await aUser(shop)]
  await fillCart(shop, buyer, offer)
  const opened = await openedBy(shop, await pressPay(shop, buyer, currency === 'USD' ? 100 : 8_000, { currency }))
  const { id: paymentId } = await shop.database.one<{ id: string }>(
    sql`SELECT provider_payment_id AS id FROM payment WHERE order_id = ${opened.orderId}`,
  )
  return { ...opened, buyer, paymentId }
}

const readStatus = async ({ orderId, buyer }: { orderId: string; buyer: TestUser }) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body.status
const readBooked = (orderId: string) =>
  shop.database.rows<{ origin: string; status: string; amount: number }>(sql`
    SELECT origin, card_refund.status, card_refund.amount FROM card_refund
    JOIN payment ON payment.id = payment_id WHERE order_id = ${orderId} ORDER BY card_refund.id`)

describe('by T-Bank', () => {
  const notify = (id: string) => send('tbank', tbank.notification(id))
  const aPaid = async () => {
    const order = await anOpened('RUB')
    tbank.pay(order.paymentId)
    expect((await notify(order.paymentId)).body).toBe('OK')
    expect(await readStatus(order)).toBe('completed')
    return order
  }
  const refund = (orderId: string) =>
    shop.call('POST', `/admin/orders/${orderId}/refund`, {
      token: admin.token,
      body: { reason: 'a test', to: 'card' },
    })

  test('a notification delivers the order, once however often it comes', async () => {
    const { paymentId, orderId } = await aPaid()
    for (let round = 0; round < 3; round++) expect((await notify(paymentId)).statusCode).toBe(200)
    expect(await readAlerts(shop, orderId)).toEqual([])
  })

  test('a lost notification means a delay', async () => {
    const order = await anOpened('RUB')
    tbank.pay(order.paymentId)
    await watchPayments({ ...shop, log: shop.app.log })
    expect(await readStatus(order)).toBe('completed')
  })

  test('a notification with the wrong token, or changed by a kopeck, delivers nothing', async () => {
    const order = await anOpened('RUB')
    tbank.pay(order.paymentId)
    const told = JSON.parse(tbank.notification(order.paymentId).toString())
    const wrong = [tbank.notification(order.paymentId, { password: 'wrong' }), { ...told, Amount: told.Amount - 1 }]
    for (const body of wrong) {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      expect((await send('tbank', bytes)).statusCode).toBe(400)
    }
    expect(await readStatus(order)).toBe('awaiting_payment')
    await passTime(shop, order.orderId)
  })

  test('refunds of the cabinet are booked once each, and the store refunds no more than is left', async () => {
    const { paymentId, orderId } = await aPaid()
    tbank.refundByHand(paymentId, 3_000)
    expect((await notify(paymentId)).body).toBe('OK')
    expect((await notify(paymentId)).body).toBe('OK')
    expect(await readBooked(orderId)).toEqual([{ origin: 'provider', status: 'succeeded', amount: 3_000 }])
    tbank.refundByHand(paymentId, 5_000)
    expect((await notify(paymentId)).body).toBe('OK')
    expect((await readBooked(orderId)).map(({ amount }) => amount)).toEqual([3_000, 5_000])
    expect((await readAlerts(shop, orderId)).filter((kind) => kind === 'refund.outside')).toHaveLength(2)
  })

  test('two refunds of the cabinet that are told at once are booked once each', async () => {
    const { paymentId, orderId } = await aPaid()
    tbank.refundByHand(paymentId, 3_000)
    const first = tbank.notification(paymentId)
    tbank.refundByHand(paymentId, 2_000)
    const both = tbank.notification(paymentId)
    await Promise.all(Array.from({ length: 20 }, (_, index) => send('tbank', index % 2 === 0 ? first : both)))
    // T-Bank repeats what was not taken.
    expect((await send('tbank', first)).body).toBe('OK')
    expect((await send('tbank', both)).body).toBe('OK')
    expect((await readBooked(orderId)).reduce((sum, { amount }) => sum + amount, 0)).toBe(5_000)
  })

  test('a refund of the cabinet that nobody told is learnt before the store pays it a second time', async () => {
    const { paymentId, orderId } = await aPaid()
    tbank.refundByHand(paymentId, 8_000)
    await refund(orderId)
    expect(await readBooked(orderId)).toEqual([{ origin: 'provider', status: 'succeeded', amount: 8_000 }])
    expect(tbank.payments.get(paymentId)?.amount).toBe(0)
  })

  test("a refund of the store is told by its own notification, and isn't taken for one of the cabinet", async () => {
    const { paymentId, orderId } = await aPaid()
    await refund(orderId)
    expect((await notify(paymentId)).body).toBe('OK')
    expect(await readBooked(orderId)).toEqual([{ origin: 'store', status: 'succeeded', amount: 8_000 }])
    expect(await readAlerts(shop, orderId)).toEqual([])
  })

  test('a refund whose answer was lost is settled by the notification, and happens once', async () => {
    const { paymentId, orderId } = await aPaid()
    tbank.fault = 'hang-up'
    await refund(orderId)
    tbank.fault = undefined
    expect((await readBooked(orderId))[0]?.status).toBe('sending')
    expect((await notify(paymentId)).body).toBe('OK')
    expect(await readBooked(orderId)).toEqual([{ origin: 'store', status: 'succeeded', amount: 8_000 }])
    await watchPayments({ ...shop, log: shop.app.log })
    expect(tbank.requests.filter(({ path, body }) => path === '/Cancel' && body.includes(paymentId))).toHaveLength(1)
  })
})

describe('by Crypto Pay', () => {
  test('an update delivers the order, once however often it comes, and a wrong one does not', async () => {
    const order = await anOpened('USD')
    cryptopay.pay(order.paymentId)
    const wrong = cryptopay.webhook(order.paymentId, { token: '42:WRONG' })
    expect((await send('cryptopay', wrong.body, wrong.headers)).statusCode).toBe(400)
    expect(await readStatus(order)).toBe('awaiting_payment')
    for (let round = 0; round < 3; round++) {
      const { body, headers } = cryptopay.webhook(order.paymentId)
      expect((await send('cryptopay', body, headers)).statusCode).toBe(200)
    }
    expect(await readStatus(order)).toBe('completed')
    expect(await readAlerts(shop, order.orderId)).toEqual([])
  })

  test('a lost update means a delay', async () => {
    const order = await anOpened('USD')
    cryptopay.pay(order.paymentId)
    await watchPayments({ ...shop, log: shop.app.log })
    expect(await readStatus(order)).toBe('completed')
  })
})
