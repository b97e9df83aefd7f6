import { beforeAll, expect, test } from 'vitest'
import { act, fillCart, payFromBalance, readAlerts, useCardShop } from '../../../test/card-orders.ts'
import { anOffer } from '../../../test/factories.ts'
import { aFilling, allowFillings, type FillingWish, readWallet, type TestFilling } from '../../../test/fillings.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { refundFilling } from './fill-balance.ts'
import { createPaymentBooks } from './payment-books.ts'
import { watchPayments } from './receive-webhook.ts'

const shop = useCardShop({ soumRate: 12_650.37 })
const admin = useUser(shop, { role: 'admin' })
beforeAll(() => allowFillings(shop))

async function aFilled(wish: FillingWish = {}): Promise<TestFilling> {
  const filling = await aFilling(shop, wish)
  await act(shop, filling, 'pay')
  return filling
}
const refund = ({ orderId }: TestFilling, wish: object = {}) =>
  shop.call('POST', `/admin/fillings/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', ...wish },
  })
const read = async ({ orderId }: TestFilling) =>
  (await shop.call('GET', `/admin/orders/${orderId}`, { token: admin.token })).body.data.filling
const atBank = async ({ paymentId }: TestFilling) => {
  const rows = await shop.database.rows<{ amount: number }>(
    sql`SELECT amount FROM sandbox_refund WHERE payment_id = ${paymentId} AND status <> 'failed' ORDER BY created_at`,
  )
  return rows.map(({ amount }) => amount)
}
/** Buys codes at a dollar each from the balance. */
async function spend({ buyer }: TestFilling, dollars: number) {
  await fillCart(shop, buyer, await anOffer(shop, { stock: dollars }), dollars)
  return payFromBalance(shop, buyer)
}
const readMissing = async ({ orderId }: TestFilling) =>
  (
    await shop.database.one<{ missing: unknown }>(
      sql`SELECT details -> 'not_in_wallet' AS missing FROM alert WHERE kind = 'refund.outside' AND details ->> 'order' = ${orderId}`,
    )
  ).missing

test('a part, and then all that is left, goes back to the card and leaves the wallet', async () => {
  const filling = await aFilled()
  expect((await refund(filling, { amount: 7.5 })).body.data).toMatchObject({
    paid: 20,
    refunded: 7.5,
    refundable: 12.5,
    refunds: [{ amount: 7.5, status: 'done', is_outside: false }],
  })
  expect(await readWallet(shop, filling.buyer)).toBe(1_250)
  expect((await refund(filling)).body.data).toMatchObject({ refunded: 20, refundable: 0 })
  expect(await atBank(filling)).toEqual([750, 1_250])
  expect(await readWallet(shop, filling.buyer)).toBe(0)
  expect((await refund(filling)).body.error.details).toEqual({ reason: 'nothing_left', left: 0 })
  const order = (await shop.call('GET', `/admin/orders/${filling.orderId}`, { token: admin.token })).body.data
  expect(order).toMatchObject({ purpose: 'balance', status: 'completed', items: [] })
  expect(order.timeline.map(({ kind }: { kind: string }) => kind)).toContain('filling.refund')
})

test('two colleagues who saw the same filling refund a part of it once', async () => {
  const filling = await aFilled()
  const wish = { amount: 7.5, seen: { refunded: 0 } }
  const answers = await Promise.all([refund(filling, wish), refund(filling, wish)])
  const [won, late] = answers.toSorted((one, other) => one.status - other.status)
  expect([won?.status, late?.status, late?.body.error.details]).toEqual([
    200,
    409,
    { reason: 'changed_meanwhile', current: { id: filling.orderId, refunded: 7.5, refundable: 12.5 } },
  ])
  expect(await atBank(filling)).toEqual([750])
  expect((await refund(filling, { amount: 7.5, seen: { refunded: 7.5 } })).status).toBe(200)
})

test('in soums, all of the charge goes back, in whole soums', async () => {
  const filling = await aFilled({ method: 'sandbox_soums' })
  for (const amount of [0.33, 6.01, undefined]) expect((await refund(filling, { amount })).status).toBe(200)
  const made = await atBank(filling)
  expect(made.every((amount) => amount % 100 === 0)).toBe(true)
  expect(made.reduce((sum, amount) => sum + amount, 0)).toBe(25_300_800)
})

test('what was spent is not refunded; without an amount it is what is still there', async () => {
  const filling = await aFilled()
  expect((await spend(filling, 15)).status).toBe(201)
  expect((await refund(filling, { amount: 5.01 })).body.error).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    details: { required: 5.01, available: 5, currency: 'USD' },
  })
  expect((await refund(filling, { amount: 20.01 })).body.error.details).toMatchObject({ reason: 'above_filling_left' })
  expect((await refund(filling)).body.data).toMatchObject({ refunded: 5, refundable: 0 })
  expect((await refund(filling)).body.error).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    details: { required: 15, available: 0 },
  })
})

test('what the card does not take is in the wallet again', async () => {
  const filling = await aFilled()
  await act(shop, filling, 'refunds_pend')
  expect((await refund(filling)).body.data.refunds).toMatchObject([{ amount: 20, status: 'waiting' }])
  expect(await readWallet(shop, filling.buyer)).toBe(0)
  await act(shop, filling, 'refunds_fail')
  expect(await read(filling)).toMatchObject({ refunded: 0, refundable: 20, refunds: [{ status: 'failed' }] })
  expect(await readWallet(shop, filling.buyer)).toBe(2_000)
  expect(await readAlerts(shop, filling.orderId)).toEqual(['refund.failed'])
})

test('paid twice, both payments can go back', async () => {
  const filling = await aFilling(shop)
  await act(shop, filling, 'pay_twice')
  expect((await refund(filling, { amount: 30 })).body.data).toMatchObject({ paid: 40, refunded: 30, refundable: 10 })
  expect(await readWallet(shop, filling.buyer)).toBe(1_000)
})

test('a refund made in the cabinet takes what is there, and says what is not', async () => {
  const filling = await aFilled()
  await spend(filling, 15)
  await act(shop, filling, 'refund_outside')
  expect(await readWallet(shop, filling.buyer)).toBe(0)
  expect(await readMissing(filling)).toEqual({ amount: 1_500, currency: 'USD' })
  expect(await read(filling)).toMatchObject({ refunded: 20, refundable: 0, refunds: [{ is_outside: true }] })
})

/** As when the node dies between the two: the wallet is debited, and the provider not asked yet. */
const beginRefund = ({ orderId }: TestFilling, amount?: number) =>
  shop.database.transaction((tx) =>
    refundFilling(tx, shop.providers, { orderId, amount, reason: 'a test', askedPayments: 1, adminId: admin.id }),
  )
const sumAtBank = async (filling: TestFilling) => (await atBank(filling)).reduce((sum, amount) => sum + amount, 0)

test.each([
  ['all', 'all', undefined, 'refund_outside', 2_000, 0],
  ['a part', 'all', undefined, 'refund_outside_part', 1_000, 1_000],
  ['all', 'a part', 500, 'refund_outside', 2_000, 0],
] as const)(
  'refunded in the cabinet (%s) and in the shop (%s) at once, the card has it and the wallet not once more',
  async (_outside, _inside, amount, action, onCard, inWallet) => {
    const filling = await aFilled()
    await beginRefund(filling, amount)
    await act(shop, filling, action)
    await watchPayments(shop)
    expect([await sumAtBank(filling), await readWallet(shop, filling.buyer)]).toEqual([onCard, inWallet])
  },
)

test('where the refund in the cabinet fails after all, the wallet has what the card has not', async () => {
  const filling = await aFilled()
  await beginRefund(filling)
  await act(shop, filling, 'refund_outside')
  await watchPayments(shop)
  expect([await sumAtBank(filling), await readWallet(shop, filling.buyer)]).toEqual([2_000, 0])
  await shop.database.run(
    sql`UPDATE sandbox_refund SET status = 'pending' WHERE payment_id = ${filling.paymentId} AND status = 'succeeded'`,
  )
  await act(shop, filling, 'refunds_fail')
  expect([await sumAtBank(filling), await readWallet(shop, filling.buyer)]).toEqual([0, 2_000])
})

test('disputed, it is not refunded and nothing is bought; lost, it is not refunded either', async () => {
  const filling = await aFilled()
  await act(shop, filling, 'dispute')
  expect((await refund(filling)).body.error.details).toEqual({ reason: 'disputed' })
  expect((await spend(filling, 1)).body.error.code).toBe('BALANCE_ON_HOLD')
  await act(shop, filling, 'lose_dispute')
  expect((await refund(filling)).body.error.details).toEqual({ reason: 'nothing_left', left: 0 })
  expect(await readAlerts(shop, filling.orderId)).toContain('payment.charged_back_twice')
})

test('a provider that asks cancels it for as long as the money is there', async () => {
  const books = createPaymentBooks(shop.database, 'sandbox')
  const at = new Date()
  const perform = async (filling: TestFilling) => {
    const id = filling.paymentId
    expect(await books.begin(filling.orderId, { id, amount: 2_000, at })).toMatchObject({ state: 'begun' })
    expect(await books.perform(id, at)).toMatchObject({ state: 'performed' })
    return id
  }
  const [kept, spent] = [await aFilling(shop), await aFilling(shop)]
  const [keptId, spentId] = [await perform(kept), await perform(spent)]
  expect(await readWallet(shop, kept.buyer)).toBe(2_000)
  expect(await books.cancel(keptId, '5', at)).toMatchObject({ state: 'reversed' })
  expect(await readWallet(shop, kept.buyer)).toBe(0)
  await spend(spent, 1)
  expect(await books.cancel(spentId, '5', at)).toEqual({ refused: 'delivered' })
  expect(await readWallet(shop, spent.buyer)).toBe(1_900)
})

test('10 refunds and 10 purchases of one and the same money: none of it twice', async () => {
  const filling = await aFilled()
  const buyers = Array.from({ length: 10 }, async () => spend(filling, 3))
  const refunds = Array.from({ length: 10 }, async () => refund(filling, { amount: 3 }))
  const answers = await Promise.all([...buyers, ...refunds])
  expect(answers.every(({ status }) => [200, 201, 402, 409].includes(status))).toBe(true)
  const balance = await readWallet(shop, filling.buyer)
  const { spent } = await shop.database.one<{ spent: number }>(sql`
    SELECT coalesce(sum(total), 0)::bigint AS spent FROM orders
    WHERE user_id = ${filling.buyer.id} AND payment_method = 'balance'`)
  const back = (await atBank(filling)).reduce((sum, amount) => sum + amount, 0)
  expect(balance).toBeGreaterThanOrEqual(0)
  expect(balance + spent + back).toBe(2_000)
})

test('another order is no filling, and a filling is refunded by its own call', async () => {
  const filling = await aFilled()
  expect((await refund({ ...filling, orderId: '0000000000' })).status).toBe(404)
  const refused = await shop.call('POST', `/admin/orders/${filling.orderId}/refund`, {
    token: admin.token,
    body: { to: 'wallet', reason: 'a test' },
  })
  expect(refused.body.error.details).toMatchObject({ reason: 'move_not_allowed' })
})
