import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlayer, aTopupOrder, shopFor, type TopupOrder } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { runDeliveries } from './run-deliveries.ts'

const shop = useShop()
let nodes: ReturnType<typeof runDeliveries>[]
beforeAll(async () => {
  nodes = [runDeliveries(shopFor(shop)), runDeliveries(shopFor(shop))]
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

const untilCompleted = async ({ orderId }: TopupOrder) => {
  const status = async () =>
    (await shop.database.one<{ status: string }>(sql`SELECT status FROM orders WHERE id = ${orderId}`)).status
  for (let tries = 0; tries < 200 && (await status()) === 'pending'; tries++) await sleep(50)
  return status()
}

test('two nodes deliver what comes, each unit once, without being told', async () => {
  const orders = await Promise.all(Array.from({ length: 10 }, () => aTopupOrder(shop, { quantity: 5 })))
  for (const order of orders) expect(await untilCompleted(order)).toBe('completed')
  const { executions } = await shop.database.one<{ executions: number }>(
    sql`SELECT count(*)::int AS executions FROM sandbox_execution`,
  )
  expect(executions).toBe(50)
})

test('a node that has nothing to do asks the database less than once a second', async () => {
  // Two nodes share this pool; what they began before has ended by then.
  await sleep(1_000)
  let asked = 0
  const count = () => asked++
  shop.database.pool.on('acquire', count)
  await sleep(6_000)
  shop.database.pool.off('acquire', count)
  expect(asked).toBeLessThanOrEqual(2 * 6)
  expect(asked).toBeGreaterThan(0)
})

test('what is due at a known time is worked on then', async () => {
  const order = await aTopupOrder(shop)
  await shop.database.run(sql`
    UPDATE delivery SET next_at = now() + interval '7 seconds' FROM order_item
    WHERE order_item.id = order_item_id AND order_id = ${order.orderId}`)
  expect(await untilCompleted(order)).toBe('completed')
  const { late } = await shop.database.one<{ late: number }>(sql`
    SELECT extract(epoch FROM delivery.decided_at - delivery.created_at)::float8 - 7 AS late
    FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order.orderId}`)
  expect(late).toBeLessThan(1.5)
})

test('what the sandbox does late is delivered by its notice, long before the next look', async () => {
  const order = await aTopupOrder(shop, { players: [aPlayer('6005')] })
  for (let tries = 0; tries < 200; tries++) {
    const changed = await shop.database.run(sql`
      UPDATE delivery SET next_at = now() + interval '1 hour' FROM order_item
      WHERE order_item.id = order_item_id AND order_id = ${order.orderId} AND state = 'sent' AND held_until IS NULL`)
    if (changed > 0) break
    await sleep(50)
  }
  await shop.database.run(sql`UPDATE sandbox_topup SET done_at = now() WHERE status = 'pending'`)
  expect(await untilCompleted(order)).toBe('completed')
  // It was sent twice and counts once.
  expect(await shop.database.rows(sql`SELECT FROM supplier_event`)).toHaveLength(1)
})
