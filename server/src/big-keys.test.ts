import { beforeAll, expect, test } from 'vitest'
import { aCardOrder, fillCart, payFromBalance, tell, useCardShop } from '../test/card-orders.ts'
import { anOffer, aUser } from '../test/factories.ts'
import { aPlayer, aTopupOrder, shopFor, workOff } from '../test/topup-orders.ts'
import { sql } from './platform/database/queries.ts'

/** Kept by operators, or one or two for each user: a shop never has two thousand millions of them. */
const small = [
  'account',
  'account_field',
  'answer_template',
  'code_batch',
  'conversation',
  'coupon',
  'currency_rate',
  'customer_contact',
  'message_recipient',
  'offer',
  'order_view',
  'picture',
  'price_rule',
  'product',
  'promotion',
  'region',
  'staff_role',
  'support_message',
  'users',
  'vault_key',
]

const beyond = 2 ** 31
const shop = useCardShop()
beforeAll(async () => {
  // As after so many rows.
  await shop.database.run(sql`
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, ${beyond}) FROM pg_sequences
    WHERE data_type = 'bigint'::regtype`)
})

test('whatever grows with purchases, payments and visits is counted by bigint', async () => {
  const rows = await shop.database.rows<{ name: string }>(sql`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND is_identity = 'YES' AND data_type <> 'bigint' ORDER BY 1`)
  expect(rows.map(({ name }) => name)).toEqual(small)
})

test('a column that refers to a bigint is one too', async () => {
  const narrow = await shop.database.rows(sql`
    SELECT conrelid::regclass::text AS referring, own.attname FROM pg_constraint
    JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = conkey[1]
    JOIN pg_attribute AS key ON key.attrelid = confrelid AND key.attnum = confkey[1]
    WHERE contype = 'f' AND key.atttypid = 'bigint'::regtype AND own.atttypid <> 'bigint'::regtype`)
  expect(narrow).toEqual([])
})

test('codes are bought, read, refunded and their cart is changed with ids beyond two thousand millions', async () => {
  const [buyer, admin] = [await aUser(shop, { usd: 10_000 }), await aUser(shop, { role: 'admin' })]
  const offer = await anOffer(shop, { stock: 5 })
  await fillCart(shop, buyer, offer)
  const [line] = (await shop.call('GET', '/cart', { token: buyer.token })).body.data
  expect(line.id).toBeGreaterThan(beyond)
  const more = await shop.call('PUT', `/cart/update-quantity/${line.id}`, { token: buyer.token, body: { quantity: 2 } })
  expect(more.status).toBe(200)
  const { order } = (await payFromBalance(shop, buyer)).body
  const receipt = await shop.call('GET', `/orders/${order.id}`, { token: buyer.token })
  expect(receipt.body.items[0].id).toBeGreaterThan(beyond)
  const seen = (await shop.call('GET', `/admin/orders/${order.id}`, { token: admin.token })).body.data
  const items = [{ id: receipt.body.items[0].id, quantity: 1, codeIds: [seen.items[0].codes[0].id] }]
  const body = { reason: 'dead', items }
  expect((await shop.call('POST', `/admin/orders/${order.id}/refund`, { token: admin.token, body })).status).toBe(200)
  expect((await shop.call('GET', '/balance/history', { token: buyer.token })).status).toBe(200)
})

test('cards are charged, top-ups delivered, alerts answered and sessions ended with such ids', async () => {
  const [admin, order] = [await aUser(shop, { role: 'admin' }), await aCardOrder(shop)]
  await tell(shop, order)
  const payments = await shop.call('GET', '/admin/payments', { token: admin.token })
  expect(payments.body.data[0].id).toBeGreaterThan(beyond)
  const refunded = { token: admin.token, body: { reason: 'wrong', to: 'card' } }
  expect((await shop.call('POST', `/admin/orders/${order.orderId}/refund`, refunded)).status).toBe(200)
  await aTopupOrder(shop, { players: [aPlayer('6004')] })
  await workOff(shopFor(shop))
  const deliveries = await shop.call('GET', '/admin/deliveries', { token: admin.token })
  expect(deliveries.body.data[0].id).toBeGreaterThan(beyond)
  await shop.database.run(
    sql`INSERT INTO alert (kind, subject, details) VALUES ('supplier.float', 'sandbox', '{"order": "x"}')`,
  )
  const [alert] = (await shop.call('GET', '/admin/alerts', { token: admin.token })).body.data
  expect(alert.id).toBeGreaterThan(beyond)
  const close = { token: admin.token, body: { state: 'resolved' } }
  expect((await shop.call('PUT', `/admin/alerts/${alert.id}`, close)).status).toBe(200)
  const [session] = (await shop.call('GET', '/profile/sessions', { token: admin.token })).body.data
  expect(session.id).toBeGreaterThan(beyond)
  expect((await shop.call('DELETE', `/profile/sessions/${session.id}`, { token: admin.token })).status).toBeLessThan(
    300,
  )
})
