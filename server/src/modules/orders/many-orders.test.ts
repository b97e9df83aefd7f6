import { beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { type Sql, sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

// One more than are collected before the list is gone through instead, and of more users than are named.
const [orders, users] = [20_001, 1_001]
let offer: TestOffer
beforeAll(async () => {
  offer = await anOffer(shop)
  const other = await anOffer(shop)
  await shop.database.run(sql`
    INSERT INTO users (nickname, nickname_key, password_hash)
    SELECT 'Crowd_' || n, 'crowd_' || n, 'none' FROM generate_series(1, ${users}::int) AS n`)
  const stranger = await aUser(shop)
  const insert = (statement: Sql) => shop.database.transaction((tx) => tx.run(statement), { statementMs: 60_000 })
  const place = (n: Sql, buyer: Sql, offerId: number) =>
    insert(sql`
      WITH placed AS (
        INSERT INTO orders (id, user_id, currency, total, status, payment_method, created_at)
        SELECT 'A' || lpad(n::text, 9, '0'), ${buyer}, 'USD', n, 'completed', 'balance', '2026-05-01Z'::timestamptz + n * interval '1 second'
        FROM ${n} AS n RETURNING id)
      INSERT INTO order_item (order_id, position, item_type, offer_id, price_version, unit_price, quantity, game_currency, status)
      SELECT placed.id, 1, 'code', offer.id, offer.price_version, 100, 1, '', 'delivered' FROM placed, offer WHERE offer.id = ${offerId}`)
  await place(
    sql`generate_series(1, ${orders}::int)`,
    sql`(SELECT min(id) + n % ${users}::int FROM users WHERE nickname_key LIKE 'crowd%')`,
    offer.id,
  )
  // The newest and the dearest are somebody else's, of something else.
  await place(sql`generate_series(${orders + 1}::int, ${orders + 9}::int)`, sql`${stranger.id}::int`, other.id)
})

const toId = (n: number) => `A${String(n).padStart(9, '0')}`

test.each([
  ['a nickname that many have', () => 'nickname=crowd', orders],
  ['a search that many fit', () => 'search=crowd', 2_000],
  ['a product that many bought', () => `productId=${offer.productId}`, orders],
])('%s: its orders are listed in each order, and counted', async (_what, filter, total) => {
  const list = async (query: string) => {
    const { status, text, body } = await shop.call('GET', `/admin/orders?pageSize=3&${filter()}&${query}`, {
      token: admin.token,
    })
    expect(status, text).toBe(200)
    return { ids: body.data.map(({ id }: { id: string }) => id), total: body.total }
  }
  expect(await list('')).toEqual({ ids: [orders, orders - 1, orders - 2].map(toId), total })
  expect((await list('page=100')).ids).toEqual([orders - 297, orders - 298, orders - 299].map(toId))
  expect((await list('order=asc')).ids).toEqual([1, 2, 3].map(toId))
  expect((await list('sort=total_amount&order=desc')).ids).toEqual([orders, orders - 1, orders - 2].map(toId))
})
