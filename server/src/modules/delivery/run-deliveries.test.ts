import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlayer, aTopupOrder, shopFor, type TopupOrder } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/database.ts'
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
