import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  fillCart,
  onFullShelf,
  openedBy,
  pressPay,
  readAlerts,
  readState,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, setFee, type TestUser } from '../../../test/factories.ts'
import { aFilling, allowFillings, readWallet } from '../../../test/fillings.ts'
import { aPlayer, shopFor, workOff } from '../../../test/topup-orders.ts'
import { pubgTopup, sellTopups, topupOffer } from '../../../test/topups.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'

const shop = useCardShop({ soumRate: 12_650.37 })
const admin = useUser(shop, { role: 'admin' })
beforeAll(async () => {
  await allowFillings(shop)
  await sellTopups(shop)
})

/** 2.5 % and 20 cents: 45 cents for ten dollars. */
const terms = { percent: 250, usd: 20, rub: 100 }
const methods = ['sandbox', 'sandbox_soums'] as const
beforeEach(async () => {
  for (const method of methods) await setFee(shop, method, terms)
})

/** Two codes at five dollars, with 45 cents for the way to pay. */
const anOrder = (wish: Parameters<typeof aCardOrder>[1] = {}): Promise<CardOrder> =>
  aCardOrder(shop, { quantity: 2, priceUsd: 500, fee: 45, ...wish })
async function aPaid(wish: Parameters<typeof aCardOrder>[1] = {}): Promise<CardOrder> {
  const order = await anOrder(wish)
  await act(shop, order, 'pay')
  return order
}
const refund = (orderId: string, wish: object = {}) =>
  shop.call('POST', `/admin/orders/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card', ...wish },
  })
const toItem = async (orderId: string) =>
  (await shop.database.one<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId} LIMIT 1`)).id
const readPayments = (orderId: string) =>
  shop.database.rows<{ amount: number; fee: number; booked: number; status: string }>(sql`
    SELECT amount, fee_amount AS fee, booked_fee AS booked, status FROM payment WHERE order_id = ${orderId} ORDER BY id`)
/** What of an order is in the shop's accounts of sales and of fees, and what its card refunds are. */
const readBooks = async (orderId: string) =>
  shop.database.one<{ sales: number; fees: number; card: number; feeToCard: number }>(sql`
    SELECT ${inAccount(orderId, 'sales')} AS sales, ${inAccount(orderId, 'fees')} AS fees,
      coalesce(sum(card_refund.amount), 0)::bigint AS card, coalesce(sum(card_refund.fee_amount), 0)::bigint AS "feeToCard"
    FROM payment LEFT JOIN card_refund ON payment_id = payment.id AND card_refund.status <> 'failed'
    WHERE order_id = ${orderId}`)
const inAccount = (orderId: string, kind: string) => sql`(
  SELECT coalesce(sum(CASE account.id WHEN credit_account THEN amount ELSE -amount END), 0)::bigint
  FROM transfer JOIN account ON account.id IN (debit_account, credit_account) AND account.kind = ${kind}
  WHERE order_id = ${orderId})`
const sumAtBank = async ({ paymentId }: Pick<CardOrder, 'paymentId'>) =>
  (
    await shop.database.one<{ sum: number }>(sql`
      SELECT coalesce(sum(amount), 0)::bigint AS sum FROM sandbox_refund WHERE payment_id = ${paymentId} AND status <> 'failed'`)
  ).sum
const readPaidBy = async ({ orderId, buyer }: Pick<CardOrder, 'orderId' | 'buyer'>) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body.paid_by
const offered = async (amount = '10.00', currency = 'usd') =>
  (await shop.call('GET', `/payment/methods?currency=${currency}&amount=${amount}`)).body.data
const failLatest = (order: CardOrder) => act(shop, order, 'refunds_fail')

describe('the fee of a method', () => {
  test('is told with the methods, in the currency of the order, and charged with the amount', async () => {
    expect(await offered()).toMatchObject([
      { name: 'sandbox', fee: 0.45, charge: { amount: 10.45, currency: 'USD' } },
      { name: 'sandbox_soums', fee: 0.45, charge: { amount: 132_197, currency: 'UZS' } },
    ])
    expect(await offered('100', 'rub')).toMatchObject([{ fee: 3.5, charge: { amount: 103.5 } }, { fee: 3.5 }])
    const { body } = await shop.call('GET', '/payment/methods?currency=usd')
    expect(body.data).toMatchObject([{ fee: null }, { fee: null }])
  })

  test('that the shop bears is nobody’s', async () => {
    await setFee(shop, 'sandbox', { ...terms, bearer: 'shop' })
    expect((await offered())[0]).toMatchObject({ fee: null, charge: { amount: 10 } })
    const order = await aPaid({ fee: 0 })
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 1_000, fees: 0 })
    expect(await readPaidBy(order)).toMatchObject({ fee: 0, fee_refunded: 0 })
    await refund(order.orderId)
    expect(await sumAtBank(order)).toBe(1_000)
  })

  test('is frozen with the payment, booked apart, and shown to the buyer and to admins', async () => {
    const order = await anOrder()
    await setFee(shop, 'sandbox', { percent: 5_000 })
    await act(shop, order, 'pay')
    expect(await readPayments(order.orderId)).toEqual([{ amount: 1_045, fee: 45, booked: 45, status: 'succeeded' }])
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 1_000, fees: 45 })
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 2, usd: 0 })
    expect(await readPaidBy(order)).toEqual({
      method: 'sandbox',
      mark: 'sandbox',
      charge: null,
      fee: 0.45,
      fee_refunded: 0,
    })
    const { body } = await shop.call('GET', `/admin/payments?search=${order.orderId}`, { token: admin.token })
    expect(body.data).toMatchObject([{ amount: 10.45, fee_amount: 0.45 }])
    const { data } = (await shop.call('GET', `/admin/orders/${order.orderId}`, { token: admin.token })).body
    expect(data).toMatchObject({ total_amount: 10, paid_by: { fee: 0.45 } })
    expect(data.transfers).toMatchObject([
      { kind: 'card', from: 'card', to: 'sales', amount: 10 },
      { kind: 'card', from: 'card', to: 'fees', amount: 0.45 },
    ])
  })

  test('in soums is charged with the amount, as one sum', async () => {
    const order = await aPaid({ method: 'sandbox_soums' })
    expect(await readPaidBy(order)).toMatchObject({ charge: { amount: 132_197, currency: 'UZS' }, fee: 0.45 })
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 1_000, fees: 45 })
  })

  test('is of what the balance does not pay', async () => {
    const order = await aPaid({ fromBalance: 400, fee: 35 })
    expect(await readPayments(order.orderId)).toMatchObject([{ amount: 635, fee: 35 }])
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 1_000, fees: 35 })
  })

  test('does not count in the limits of the shop, and does in what the provider takes', async () => {
    await shop.call('PUT', '/admin/payment-methods/sandbox', {
      token: admin.token,
      body: { least_usd: 10, most_usd: 10 },
    })
    expect((await offered())[0]).toMatchObject({ least: 10.45, most: 10.45, charge: { amount: 10.45 } })
    await aPaid({ method: 'sandbox' })
    await shop.call('PUT', '/admin/payment-methods/sandbox', {
      token: admin.token,
      body: { least_usd: null, most_usd: null },
    })
  })
})

describe('a fee that is typed in the admin area', () => {
  const change = (body: object) => shop.call('PUT', '/admin/payment-methods/sandbox', { token: admin.token, body })

  test('is kept in hundredths, in force at once, and audited', async () => {
    const typed = { fee_percent: 2.05, fee_usd: 0.1, fee_rub: 0, fee_bearer: 'customer', is_fee_refunded: true }
    expect((await change(typed)).body.data).toMatchObject(typed)
    expect((await offered('100.00'))[0]).toMatchObject({ fee: 2.15, charge: { amount: 102.15 } })
    const { body } = await shop.call('GET', '/admin/audit?search=payment_method:sandbox', { token: admin.token })
    expect(body.data[0]).toMatchObject({ action: 'payment_method.update', after: { fee_percent: 2.05, fee_usd: 0.1 } })
  })

  test.each([2.005, 50.01, -1, '2'])('of %j percent is refused', async (fee_percent) => {
    expect((await change({ fee_percent })).body.error.details).toEqual({ fee_percent: 'invalid_amount' })
  })
})

describe('a fee that the customer did not see', () => {
  const aCart = async () => {
    const offer = await anOffer(shop, { stock: 2, priceUsd: 500 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer, 2)
    const press = (fee: number) =>
      onFullShelf(shop, offer, () => pressPay(shop, buyer, 1_000, { method: 'sandbox', fee }))
    return { buyer, press }
  }

  test.each([0, 44, 46])(
    '%i cents instead of 45 are refused with the fee in force, and nothing is reserved',
    async (fee) => {
      const { buyer, press } = await aCart()
      const { status, body } = await press(fee)
      expect([status, body.error]).toMatchObject([
        409,
        { code: 'PRICE_CHANGED', details: { currency: 'USD', fee: 0.45 } },
      ])
      const { count } = await shop.database.one<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM orders WHERE user_id = ${buyer.id}`,
      )
      expect(count).toBe(0)
    },
  )

  test('of a filling is refused, too', async () => {
    const { status, body } = await shop.call('POST', '/payment/create', {
      token: (await aUser(shop)).token,
      body: { amount: 20, currency: 'USD', type: 'balance', method: 'sandbox' },
    })
    expect([status, body.error.details]).toEqual([409, { currency: 'USD', fee: 0.7 }])
  })

  test('is refused for an order that waits; who saw the frozen one pays it, who saw the new one gets another payment', async () => {
    const { press } = await aCart()
    const first = await openedBy(shop, await press(45))
    await setFee(shop, 'sandbox', { percent: 300 })
    expect((await press(44)).body.error.details).toEqual({ currency: 'USD', fee: 0.3 })
    expect(await openedBy(shop, await press(45))).toEqual(first)
    const second = await openedBy(shop, await press(30))
    expect(second.orderId).toBe(first.orderId)
    expect(await readPayments(first.orderId)).toMatchObject([
      { amount: 1_045, fee: 45 },
      { amount: 1_030, fee: 30 },
    ])
  })

  test('changed while fifty buyers pay: each pays what was shown, or is told of the other fee', async () => {
    const other = { percent: 310, usd: 1 }
    const carts = await Promise.all(Array.from({ length: 50 }, aCart))
    const pressed: { shown: number; status: number; details: unknown; orderId: string | undefined }[] = []
    const changing = (async () => {
      for (let turn = 0; pressed.length < carts.length; turn++) await setFee(shop, 'sandbox', turn % 2 ? terms : other)
    })()
    await Promise.all(
      carts.map(async ({ press }) => {
        const shown = Math.round((await offered())[0].fee * 100)
        const { status, body } = await press(shown)
        pressed.push({ shown, status, details: body.error?.details, orderId: body.order_id })
      }),
    )
    await changing
    for (const { shown, status, details, orderId } of pressed) {
      expect([45, 32]).toContain(shown)
      if (!orderId) {
        expect([status, details]).toEqual([409, { currency: 'USD', fee: shown === 45 ? 0.32 : 0.45 }])
        continue
      }
      expect(await readPayments(orderId)).toMatchObject([{ amount: 1_000 + shown, fee: shown }])
      const { percent, fixed } = await shop.database.one<{ percent: number; fixed: number }>(
        sql`SELECT fee_percent AS percent, fee_fixed AS fixed FROM payment WHERE order_id = ${orderId}`,
      )
      expect([percent, fixed]).toEqual(shown === 45 ? [250, 20] : [310, 1])
    }
    expect(pressed.some(({ orderId }) => orderId)).toBe(true)
  })
})

describe('money that an order can not take', () => {
  test('goes to the wallet with its fee: nothing was bought for it', async () => {
    const order = await anOrder()
    await act(shop, order, 'pay_twice')
    expect(await readState(shop, order)).toMatchObject({ codes: 2, usd: 10.45 })
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 1_000, fees: 45 })
    expect(await readPayments(order.orderId)).toMatchObject([{ booked: 45 }, { booked: 0 }])
  })
})

describe('a refund of the order', () => {
  test.each(methods)(
    'by %s keeps the fee where something was delivered, and the terms do not return it',
    async (method) => {
      const order = await aPaid({ method })
      expect((await refund(order.orderId)).status).toBe(200)
      expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 45, card: 1_000, feeToCard: 0 })
      expect(await readPaidBy(order)).toMatchObject({ fee: 0.45, fee_refunded: 0 })
    },
  )

  test.each(methods)('by %s returns it with the last part, so that all of the charge goes back', async (method) => {
    await setFee(shop, method, { ...terms, isRefunded: true })
    const order = await aPaid({ method })
    await setFee(shop, method)
    const id = await toItem(order.orderId)
    for (const part of [{ quantity: 1 }, { amount: 1.11 }]) {
      await refund(order.orderId, { items: [{ id, ...part }] })
      expect(await readBooks(order.orderId)).toMatchObject({ fees: 45, feeToCard: 0 })
    }
    expect((await refund(order.orderId)).status).toBe(200)
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 0, card: 1_045, feeToCard: 45 })
    expect(await sumAtBank(order)).toBe(method === 'sandbox' ? 1_045 : 13_219_700)
    expect(await readPaidBy(order)).toMatchObject({ fee_refunded: 0.45 })
  })

  test('to the wallet returns it there, once', async () => {
    await setFee(shop, 'sandbox', { ...terms, isRefunded: true })
    const order = await aPaid()
    await refund(order.orderId, { to: 'wallet' })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 10.45 })
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 0, card: 0, feeToCard: 0 })
    expect(await readPaidBy(order)).toMatchObject({ fee_refunded: 0.45 })
    await act(shop, order, 'refund_outside')
    expect(await readBooks(order.orderId)).toMatchObject({ fees: 0, card: 1_045, feeToCard: 0 })
  })

  test('that was paid both ways returns the fee to the card alone', async () => {
    await setFee(shop, 'sandbox', { ...terms, isRefunded: true })
    const order = await aPaid({ fromBalance: 400, fee: 35 })
    const id = await toItem(order.orderId)
    for (const part of [{ quantity: 1 }, undefined]) await refund(order.orderId, part && { items: [{ id, ...part }] })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 4 })
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 0, card: 635, feeToCard: 35 })
  })

  test('that the card does not take goes to the wallet with the fee', async () => {
    await setFee(shop, 'sandbox', { ...terms, isRefunded: true })
    const order = await aPaid()
    await act(shop, order, 'refunds_pend')
    await refund(order.orderId)
    await failLatest(order)
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 10.45 })
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 0, fees: 0 })
    expect(await readPaidBy(order)).toMatchObject({ fee_refunded: 0.45 })
  })
})

describe('a top-up', () => {
  const aPaidTopup = async (ending: string) => {
    const offer = await topupOffer(shop, 'pubg', 60)
    const buyer = await aUser(shop)
    const topupData = pubgTopup([[offer, 1]], aPlayer(ending))
    const fee = Math.ceil((offer.priceUsd * 250) / 10_000) + 20
    const body = { amount: offer.priceUsd / 100, currency: 'USD', type: 'order', topupData, fee: fee / 100 }
    const pressed = await shop.call('POST', '/payment/create', { token: buyer.token, body })
    const order = { buyer, offer, fee, ...(await openedBy(shop, pressed)) }
    await act(shop, order, 'pay')
    await workOff(shopFor(shop))
    return order
  }
  const readUsd = ({ buyer }: { buyer: TestUser }) => readWallet(shop, buyer)

  test('that nobody could deliver returns its price and its fee to the wallet, whatever the terms', async () => {
    const order = await aPaidTopup('6001')
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 0, fees: 0 })
    expect(await readUsd(order)).toBe(order.offer.priceUsd + order.fee)
    expect(await readPaidBy(order)).toMatchObject({ fee_refunded: order.fee / 100 })
  })

  test('that was delivered has its fee', async () => {
    const order = await aPaidTopup('1000')
    expect(await readBooks(order.orderId)).toMatchObject({ sales: order.offer.priceUsd, fees: order.fee })
  })
})

describe('a refund in the cabinet', () => {
  test.each(methods)('of all that was charged by %s takes the fee, too', async (method) => {
    const order = await aPaid({ method })
    await act(shop, order, 'refund_outside')
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', codes: 0, usd: 0 })
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 0, card: 1_045, feeToCard: 45 })
    expect(await readTooMuch(order)).toBeNull()
  })

  test.each(methods)('in halves takes the fee with the last one of %s', async (method) => {
    const order = await aPaid({ method })
    await act(shop, order, 'refund_outside_part')
    expect(await readBooks(order.orderId)).toMatchObject({ fees: 45, feeToCard: 0 })
    await act(shop, order, 'refund_outside')
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded' })
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 0, card: 1_045, feeToCard: 45 })
    expect(await readTooMuch(order)).toBeNull()
  })

  test.each([true, false])('of a half leaves the rest to the store, the fee by the terms: %s', async (isRefunded) => {
    await setFee(shop, 'sandbox_soums', { ...terms, isRefunded })
    const order = await aPaid({ method: 'sandbox_soums' })
    await act(shop, order, 'refund_outside_part')
    expect((await refund(order.orderId)).status).toBe(200)
    const card = isRefunded ? 1_045 : 1_000
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 1_045 - card, card, feeToCard: card - 1_000 })
    if (isRefunded) expect(await sumAtBank(order)).toBe(13_219_700)
  })

  test('that is pending while the store refunds the rest withholds the fee, and pays it when it fails', async () => {
    await setFee(shop, 'sandbox', { ...terms, isRefunded: true })
    const order = await aPaid()
    await act(shop, order, 'refund_outside_pending')
    expect((await refund(order.orderId, { to: 'wallet' })).status).toBe(200)
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 0 })
    await failLatest(order)
    expect(await readState(shop, order)).toMatchObject({ usd: 10.45 })
    expect(await readBooks(order.orderId)).toMatchObject({ sales: 0, fees: 0 })
  })

  test('that is pending while the store refunds the rest withholds the fee, and has it when it is made', async () => {
    await setFee(shop, 'sandbox', { ...terms, isRefunded: true })
    const order = await aPaid()
    await act(shop, order, 'refund_outside_pending')
    await refund(order.orderId)
    await act(shop, order, 'refunds_succeed')
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 0 })
    expect(await readBooks(order.orderId)).toEqual({ sales: 0, fees: 0, card: 1_045, feeToCard: 45 })
  })

  test('of money that had gone to the wallet takes all of it from there', async () => {
    const order = await anOrder()
    await act(shop, order, 'pay_late')
    const usd = (await readState(shop, order)).usd
    await act(shop, order, 'refund_outside')
    const { fees } = await readBooks(order.orderId)
    expect([usd, fees]).toEqual([0, 0])
  })
})

const readTooMuch = async ({ orderId }: CardOrder) =>
  (
    await shop.database.one<{ too_much: unknown }>(sql`
      SELECT details -> 'too_much' AS too_much FROM alert WHERE kind = 'refund.outside' AND details ->> 'order' = ${orderId}
      ORDER BY id DESC LIMIT 1`)
  ).too_much

test('a dispute of all that was charged is covered by all that was paid, and leaves nothing to refund', async () => {
  await setFee(shop, 'sandbox', { ...terms, isRefunded: true })
  const order = await aPaid()
  await act(shop, order, 'dispute')
  await act(shop, order, 'lose_dispute')
  expect((await refund(order.orderId)).body.error.details).toEqual({ reason: 'charged_back' })
  const { covered, excess } = await shop.database.one<{ covered: number; excess: number }>(
    sql`SELECT covered, excess FROM dispute WHERE order_id = ${order.orderId}`,
  )
  expect([covered, excess]).toEqual([1_045, 0])
})

describe('a filling of the balance', () => {
  const refundFilling = (orderId: string, wish: object = {}) =>
    shop.call('POST', `/admin/fillings/${orderId}/refund`, { token: admin.token, body: { reason: 'a test', ...wish } })

  test.each(methods)('by %s brings the balance what was asked for, and the fee to the shop', async (method) => {
    const filling = await aFilling(shop, { method, fee: 70 })
    await act(shop, filling, 'pay')
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    expect(await readBooks(filling.orderId)).toMatchObject({ sales: 0, fees: 70 })
    await act(shop, filling, 'refund_outside')
    expect(await readWallet(shop, filling.buyer)).toBe(0)
    expect(await readBooks(filling.orderId)).toEqual({ sales: 0, fees: 0, card: 2_070, feeToCard: 70 })
  })

  test('goes back by the limits of a role with its fee counted', async () => {
    await setFee(shop, 'sandbox', { usd: 70, isRefunded: true })
    const helper = await aUser(shop, { staff: 'support' })
    const filling = await aFilling(shop, { amount: 450, fee: 70 })
    await act(shop, filling, 'pay')
    const refused = await shop.call('POST', `/admin/fillings/${filling.orderId}/refund`, {
      token: helper.token,
      body: { reason: 'a test' },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(refused.body.error.details).toMatchObject({ reason: 'above_limit', limit: 'usd_once', most: 5, amount: 5.2 })
    expect(await readWallet(shop, filling.buyer)).toBe(450)
  })

  test.each([true, false])('goes back with its fee by the terms: %s', async (isRefunded) => {
    await setFee(shop, 'sandbox', { ...terms, isRefunded })
    const filling = await aFilling(shop, { fee: 70 })
    await act(shop, filling, 'pay')
    expect((await refundFilling(filling.orderId, { amount: 5 })).body.data.refunds).toMatchObject([
      { amount: 5, fee: 0 },
    ])
    expect((await refundFilling(filling.orderId)).body.data).toMatchObject({
      paid: 20,
      refunded: 20,
      refundable: 0,
      refunds: [{ amount: 5 }, { amount: 15, fee: isRefunded ? 0.7 : 0 }],
    })
    expect(await readBooks(filling.orderId)).toMatchObject({
      fees: isRefunded ? 0 : 70,
      card: isRefunded ? 2_070 : 2_000,
    })
    expect(await readWallet(shop, filling.buyer)).toBe(0)
  })

  test('paid twice has one fee; the second payment is in the wallet as it came', async () => {
    const filling = await aFilling(shop, { fee: 70 })
    await act(shop, filling, 'pay_twice')
    expect(await readWallet(shop, filling.buyer)).toBe(4_070)
    expect(await readBooks(filling.orderId)).toMatchObject({ fees: 70 })
    expect(await readAlerts(shop, filling.orderId)).toEqual(['payment.paid_before'])
    // What began first may be booked last: a moment is that of a transaction's begin, before it waits for locks.
    await shop.database.run(sql`
      UPDATE payment SET settled_at = settled_at + CASE WHEN booked_fee > 0 THEN interval '1 second' ELSE interval '0' END
      WHERE order_id = ${filling.orderId}`)
    expect((await checkInvariants(shop.database)).filter(({ offenders }) => offenders > 0)).toEqual([])
  })
})
