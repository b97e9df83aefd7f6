import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  act,
  fillCart,
  passTime,
  payFromBalance,
  pressPay,
  readAlerts,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { aFilling, allowFillings, pressFill, readWallet, type TestFilling } from '../../../test/fillings.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'
import { expireUnpaidOrders, watchPayments } from './receive-webhook.ts'

const shop = useCardShop({ soumRate: 12_650.37 })
const admin = useUser(shop, { role: 'admin' })

const asAdmin = (method: 'GET' | 'PUT', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })
const readReceipt = ({ orderId, buyer }: TestFilling) => shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
const readBooks = ({ orderId }: TestFilling) =>
  shop.database.rows<{ kind: string; amount: number }>(
    sql`SELECT kind, amount FROM transfer WHERE order_id = ${orderId} ORDER BY id`,
  )
const expire = async ({ orderId }: TestFilling) => {
  await passTime(shop, orderId)
  await expireOverdueOrders(shop.database)
}

describe('the owner decides', () => {
  test('it is off to begin with, and nothing is opened', async () => {
    const buyer = await aUser(shop)
    const terms = await shop.call('GET', '/balance/filling-terms', { token: buyer.token })
    expect(terms.body).toEqual({
      is_on: false,
      bounds: [
        { currency: 'USD', least: 1, most: 500 },
        { currency: 'RUB', least: 100, most: 50_000 },
      ],
    })
    const pressed = await pressFill(shop, buyer)
    expect([pressed.status, pressed.body.error]).toMatchObject([
      409,
      { code: 'STATE_CONFLICT', details: { reason: 'filling_off' } },
    ])
  })

  test('it is switched on with a least and a most for each currency, and written down', async () => {
    const { version } = (await asAdmin('GET', '/admin/filling-settings')).body.data
    const changed = await asAdmin('PUT', '/admin/filling-settings', {
      is_on: true,
      least_usd: 2,
      most_usd: 40,
      version,
    })
    expect(changed.body.data).toMatchObject({ is_on: true, least_usd: 2, most_usd: 40, least_rub: 100 })
    expect((await asAdmin('PUT', '/admin/filling-settings', { is_on: false, version })).status).toBe(409)
    const { action, after } = await shop.database.one<{ action: string; after: object }>(
      sql`SELECT action, after FROM audit_entry WHERE subject = 'filling_settings' ORDER BY id DESC LIMIT 1`,
    )
    expect([action, after]).toMatchObject(['filling.settings', { is_on: true, least_usd: 2 }])
    const turned = await asAdmin('PUT', '/admin/filling-settings', { least_rub: 600, most_rub: 500 })
    expect([turned.status, turned.body.error]).toMatchObject([400, { details: { most_rub: 'invalid_range' } }])
  })

  test.each([
    [199, { code: 'BELOW_LEAST_AMOUNT', details: { least: 2, currency: 'USD' } }],
    [0, { code: 'BELOW_LEAST_AMOUNT' }],
    [4_001, { code: 'ABOVE_MOST_AMOUNT', details: { most: 40, currency: 'USD' } }],
  ])('%i cents are refused', async (amount, error) => {
    const pressed = await pressFill(shop, await aUser(shop), { amount })
    expect([pressed.status, pressed.body.error]).toMatchObject([400, error])
  })

  test('switched off, what is under way goes on', async () => {
    const filling = await aFilling(shop)
    await allowFillings(shop, false)
    await act(shop, filling, 'pay')
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    await allowFillings(shop)
  })
})

describe('pressed', () => {
  test('twice with one key, or with two, it is one filling; another amount is another', async () => {
    const buyer = await aUser(shop)
    const key = randomUUID()
    const first = await pressFill(shop, buyer, { key })
    expect((await pressFill(shop, buyer, { key })).text).toBe(first.text)
    expect((await pressFill(shop, buyer)).body).toEqual(first.body)
    expect((await pressFill(shop, buyer, { amount: 2_100 })).body.order_id).not.toBe(first.body.order_id)
  })

  test('30 times at once, it is one', async () => {
    const buyer = await aUser(shop)
    const answers = await Promise.all(Array.from({ length: 30 }, () => pressFill(shop, buyer)))
    expect(new Set(answers.map(({ body }) => body.order_id)).size).toBe(1)
    const { count } = await shop.database.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM orders WHERE user_id = ${buyer.id}`,
    )
    expect(count).toBe(1)
  })

  test('for ever other amounts, it ends at three that wait', async () => {
    const buyer = await aUser(shop)
    const answers = await Promise.all([200, 300, 400, 500, 600].map((amount) => pressFill(shop, buyer, { amount })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error.details).toEqual({ reason: 'too_many_fillings', limit: 3 })
  })

  test('with another method, or after the bank declined, the filling has another payment', async () => {
    const filling = await aFilling(shop)
    const inSoums = await pressFill(shop, filling.buyer, { method: 'sandbox_soums' })
    expect(inSoums.body.order_id).toBe(filling.orderId)
    await act(shop, { paymentId: inSoums.body.pay_url.split('/').at(-1) }, 'decline')
    const again = await pressFill(shop, filling.buyer)
    expect(again.body.order_id).toBe(filling.orderId)
    expect(again.body.pay_url).not.toBe(filling.payUrl)
    expect((await readReceipt(filling)).body.payment).toMatchObject({ status: 'open', pay_url: again.body.pay_url })
  })

  test('by somebody whose payments are disputed, it is refused', async () => {
    const filling = await aFilling(shop)
    await act(shop, filling, 'pay')
    await act(shop, filling, 'dispute')
    expect((await pressFill(shop, filling.buyer)).body.error.code).toBe('BALANCE_ON_HOLD')
    await act(shop, filling, 'win_dispute')
    expect((await pressFill(shop, filling.buyer)).status).toBe(201)
  })

  test('with a top-up beside it, it is no filling', async () => {
    const { token } = await aUser(shop)
    const body = { amount: 2, currency: 'USD', type: 'balance', topupData: { service: 'steam' } }
    expect((await shop.call('POST', '/payment/create', { token, body })).status).toBe(400)
  })
})

describe('paid', () => {
  test('the money is in the wallet once, whatever is repeated, and it is no purchase', async () => {
    const filling = await aFilling(shop)
    for (let times = 0; times < 3; times++) expect((await tell(shop, filling)).statusCode).toBe(200)
    await act(shop, filling, 'pay')
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    expect(await readBooks(filling)).toEqual([{ kind: 'card', amount: 2_000 }])
    expect(await readAlerts(shop, filling.orderId)).toEqual([])
    const { token } = filling.buyer
    expect((await readReceipt(filling)).body).toMatchObject({
      purpose: 'balance',
      status: 'completed',
      items: [],
      payment: { status: 'succeeded', settled_to: 'wallet', is_paid_twice: false },
    })
    expect((await shop.call('GET', '/orders', { token })).body).toEqual({ orders: [], total: 0 })
    expect((await shop.call('GET', '/profile', { token })).body.purchase_status).toMatchObject({ current: 0 })
    expect((await shop.call('GET', '/balance/history', { token })).body.data).toMatchObject([
      { kind: 'card', amount: 20, order_id: filling.orderId, order_purpose: 'balance' },
    ])
    expect((await shop.call('GET', '/balance/fillings', { token })).body).toMatchObject({
      data: [{ id: filling.orderId, amount: 20, currency: 'USD', status: 'completed', pay_url: null }],
      total: 1,
    })
  })

  test('it does not let a new account reserve more', async () => {
    const filling = await aFilling(shop)
    await act(shop, filling, 'pay')
    const offer = await anOffer(shop, { stock: 20 })
    await fillCart(shop, filling.buyer, offer, 4)
    const pressed = await pressPay(shop, filling.buyer, 400)
    expect(pressed.body.error.details).toMatchObject({ reason: 'too_many_codes', is_new: true })
  })

  test('it is a deposit, and no sale', async () => {
    const today = async () => (await asAdmin('GET', '/admin/summary')).body.data.days.at(-1)
    const before = await today()
    const filling = await aFilling(shop, { currency: 'RUB', amount: 20_000 })
    await act(shop, filling, 'pay')
    const after = await today()
    expect(after).toMatchObject({ sales_rub: before.sales_rub, orders_rub: before.orders_rub })
    expect(after.deposits_rub).toBe(before.deposits_rub + 200)
  })

  test('the balance buys codes', async () => {
    const filling = await aFilling(shop)
    await act(shop, filling, 'pay')
    await fillCart(shop, filling.buyer, await anOffer(shop, { stock: 3 }), 3)
    expect((await payFromBalance(shop, filling.buyer)).status).toBe(201)
    expect(await readWallet(shop, filling.buyer)).toBe(1_700)
  })

  test('in soums, it is booked as what was wanted', async () => {
    const filling = await aFilling(shop, { method: 'sandbox_soums' })
    await tell(shop, filling, { amount: 25_300_800, currency: 'UZS' })
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    expect((await readReceipt(filling)).body.paid_by.charge).toEqual({ amount: 253_008, currency: 'UZS' })
  })

  test('late, or for an expired filling, it is in the wallet without an alert', async () => {
    const filling = await aFilling(shop)
    await expire(filling)
    expect((await readReceipt(filling)).body.status).toBe('expired')
    await tell(shop, filling)
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    expect((await readReceipt(filling)).body.status).toBe('completed')
    expect(await readAlerts(shop, filling.orderId)).toEqual([])
  })

  test('twice, both are in the wallet, and the operators are told', async () => {
    const filling = await aFilling(shop)
    await act(shop, filling, 'pay_twice')
    expect(await readWallet(shop, filling.buyer)).toBe(4_000)
    expect((await readReceipt(filling)).body.payment).toMatchObject({ is_paid_twice: true })
    expect(await readAlerts(shop, filling.orderId)).toEqual(['payment.paid_before'])
  })

  test.each([
    ['less', { amount: 1_999 }, 1_999],
    ['more', { amount: 2_001 }, 2_001],
  ])('with %s, the wallet has what was paid', async (_what, fields, cents) => {
    const filling = await aFilling(shop)
    await tell(shop, filling, fields)
    expect(await readWallet(shop, filling.buyer)).toBe(cents)
    expect((await readReceipt(filling)).body.status).toBe('completed')
    expect(await readAlerts(shop, filling.orderId)).toEqual(['payment.wrong_amount'])
  })

  test('in a currency that no wallet has, it is left to the operator', async () => {
    const filling = await aFilling(shop)
    await tell(shop, filling, { currency: 'KZT' })
    expect(await readWallet(shop, filling.buyer)).toBe(0)
    expect(await readAlerts(shop, filling.orderId)).toEqual(['payment.wrong_currency'])
  })

  test('by somebody who was blocked meanwhile, it is in the wallet with an alert', async () => {
    const filling = await aFilling(shop)
    await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${filling.buyer.id}`)
    await tell(shop, filling)
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    expect(await readAlerts(shop, filling.orderId)).toEqual(['payment.buyer_blocked'])
  })

  test('webhooks, reads, expiry and presses at once: one credit each', async () => {
    const fillings = await Promise.all(Array.from({ length: 6 }, () => aFilling(shop)))
    for (const { paymentId } of fillings)
      await shop.database.run(sql`UPDATE sandbox_payment SET status = 'succeeded' WHERE id = ${paymentId}`)
    for (const { orderId } of fillings.slice(3)) await passTime(shop, orderId)
    await Promise.all([
      ...fillings.flatMap((filling) => Array.from({ length: 6 }, () => tell(shop, filling))),
      ...fillings.map(({ buyer }) => pressFill(shop, buyer)),
      ...Array.from({ length: 3 }, () => watchPayments(shop)),
      ...Array.from({ length: 3 }, () => expireUnpaidOrders(shop)),
      expireOverdueOrders(shop.database),
    ])
    for (const filling of fillings) {
      expect(await readWallet(shop, filling.buyer)).toBe(2_000)
      expect(await readBooks(filling)).toEqual([{ kind: 'card', amount: 2_000 }])
    }
  })
})

describe('not paid', () => {
  test('it expires, and its customer sees that', async () => {
    const filling = await aFilling(shop)
    const { token } = filling.buyer
    const waiting = await shop.call('GET', '/balance/fillings', { token })
    expect(waiting.body.data).toMatchObject([{ status: 'awaiting_payment', pay_url: filling.payUrl }])
    await expire(filling)
    const expired = await shop.call('GET', '/balance/fillings', { token })
    expect(expired.body.data).toMatchObject([{ status: 'expired', pay_url: null }])
  })

  test('an operator may end it, and refunds it as no order', async () => {
    const filling = await aFilling(shop)
    const path = `/admin/orders/${filling.orderId}/status`
    expect((await asAdmin('PUT', path, { status: 'expired', reason: 'a test' })).body.data.status).toBe('expired')
    await tell(shop, filling)
    expect(await readWallet(shop, filling.buyer)).toBe(2_000)
    const refunded = await asAdmin('PUT', path, { status: 'refunded', reason: 'a test' })
    expect(refunded.body.error.details).toMatchObject({ reason: 'move_not_allowed' })
  })
})
