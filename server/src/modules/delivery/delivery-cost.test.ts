import { afterEach, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import {
  aPlayer,
  aTopupOffer,
  aTopupOrder,
  fillPool,
  passDeliveryTime,
  scripted,
  shopFor,
  type TopupOrder,
  workOff,
} from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import { manual } from '../topups/suppliers.ts'
import { readUnitCost } from './delivery.rules.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
afterEach(() => expectSound(shop))

let count = 0
const answer = (cost?: SupplierOrder['cost'], status: SupplierOrder['status'] = 'done') =>
  done({ supplierOrderId: `cost-${++count}`, status, ...(cost && { cost }) })

const deliverBy = (say: () => Outcome<SupplierOrder>) => workOff(shopFor(shop, scripted('fazercards', say).supplier))

const readProfit = async ({ orderId }: TopupOrder) =>
  (await shop.call('GET', `/admin/orders/${orderId}`, { token: admin.token })).body.data.profit

test.each([
  ['the order’s currency', { amount: '0.8725', currency: 'USD' }, 0.87],
  ['another currency', { amount: '40', currency: 'RUB' }, 0.5],
  ['a currency nobody has a rate for', { amount: '4.1', currency: 'MYR' }, null],
  ['nine decimals', { amount: '0.123456789', currency: 'USD' }, 0.12],
  ['nothing', { amount: '0', currency: 'USD' }, null],
  ['words', { amount: 'cheap', currency: 'USD' }, null],
  ['no currency', { amount: '1', currency: '$' }, null],
  ['no cost at all', undefined, null],
])('a supplier that tells %s', async (_what, cost, known) => {
  const order = await aTopupOrder(shop)
  await deliverBy(() => answer(cost))
  expect(await readProfit(order)).toEqual({
    revenue: 1,
    cost: known,
    margin: known === null ? null : expect.closeTo(1 - known, 5),
    unknown_revenue: known === null ? 1 : 0,
    units: 1,
    known_units: known === null ? 0 : 1,
  })
})

test('a cost that is told with the order stays when the look-up tells none', async () => {
  const order = await aTopupOrder(shop)
  const told = answer({ amount: '0.5', currency: 'USD' }, 'pending')
  const { supplierOrderId } = told.kind === 'done' ? told.value : { supplierOrderId: '' }
  await deliverBy(() => told)
  expect(await readProfit(order)).toMatchObject({ cost: null, units: 1, known_units: 0 })
  await passDeliveryTime(shop, 6)
  await deliverBy(() => done({ supplierOrderId, status: 'done' }))
  expect(await readProfit(order)).toMatchObject({ cost: 0.5, margin: 0.5, known_units: 1 })
})

test('units of one line cost what each of them took', async () => {
  const order = await aTopupOrder(shop, { quantity: 3 })
  const costs = ['0.2', undefined, '0.3']
  await deliverBy(() => {
    const amount = costs.shift()
    return answer(amount === undefined ? undefined : { amount, currency: 'USD' })
  })
  expect(await readProfit(order)).toEqual({
    revenue: 3,
    cost: 0.5,
    margin: 1.5,
    unknown_revenue: 1,
    units: 3,
    known_units: 2,
  })
})

test('a code of the pool costs what its batch says, whatever the supplier takes', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, [`COSTPOOL${++count}`])
  await shop.database.run(sql`
    UPDATE code_batch SET cost = 0.7, cost_currency = 'USD' WHERE product_id = ${offer.productId}`)
  await shop.database.run(sql`
    INSERT INTO code_batch_cost (batch_id, cost, cost_currency)
    SELECT id, cost, cost_currency FROM code_batch WHERE product_id = ${offer.productId}`)
  const order = await aTopupOrder(shop, { offer, players: [aPlayer()] })
  await workOff(shopFor(shop))
  expect(await readProfit(order)).toMatchObject({ cost: 0.7, units: 1, known_units: 1 })
})

test('what a supplier may have delivered before it was given up has a cost that nobody knows', async () => {
  const order = await aTopupOrder(shop)
  await deliverBy(() => unknown('timeout'))
  await passDeliveryTime(shop, 3_600)
  await deliverBy(() => unknown('timeout'))
  const { id } = await shop.database.one<{ id: number }>(sql`
    SELECT delivery.id FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order.orderId}`)
  const refunded = await shop.call('POST', `/admin/deliveries/${id}/refund`, {
    token: admin.token,
    body: { reason: 'nobody knows' },
  })
  expect([refunded.status, refunded.text]).toEqual([200, refunded.text])
  expect(await readProfit(order)).toMatchObject({ revenue: 0, cost: null, units: 1, known_units: 0 })
})

test('an operator says what it cost that was delivered by hand', async () => {
  const order = await aTopupOrder(shop)
  await workOff(shopFor(shop, manual.create()))
  const { id } = await shop.database.one<{ id: number }>(sql`
    SELECT delivery.id FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order.orderId}`)
  const complete = (cost: object) =>
    shop.call('POST', `/admin/deliveries/${id}/complete`, { token: admin.token, body: { reason: 'by hand', cost } })
  const strange = await complete({ amount: '1', currency: 'XYZ' })
  expect([strange.status, strange.body.error.details]).toEqual([400, { 'cost.currency': 'unknown_currency' }])
  const completed = await complete({ amount: '60', currency: 'RUB' })
  expect(completed.body.data).toMatchObject({ state: 'done', cost: '60', cost_currency: 'RUB' })
  expect(await readProfit(order)).toMatchObject({ cost: 0.75, margin: 0.25 })
})

test.each([
  [
    { amount: '1,5', currency: 'USD' },
    { amount: '1.50000000', currency: 'USD' },
  ],
  [{ amount: '-1', currency: 'USD' }, undefined],
  [{ amount: '1e3', currency: 'USD' }, undefined],
  [{ amount: '9999999999999', currency: 'USD' }, undefined],
  [{ amount: '1', currency: 'usd' }, undefined],
  [undefined, undefined],
])('%j is read as %j', (told, cost) => {
  expect(readUnitCost(told)).toEqual(cost)
})
