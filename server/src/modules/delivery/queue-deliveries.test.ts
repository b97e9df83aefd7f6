import { expect, test } from 'vitest'
import { aPlayer, aTopupOrder } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { queueDeliveries } from './deliveries.ts'

const shop = useShop()

const readUnits = (orderId: string) =>
  shop.database.rows<{ position: number; unit: number; state: string }>(sql`
    SELECT position, unit, state FROM delivery JOIN order_item ON order_item.id = order_item_id
    WHERE order_id = ${orderId} ORDER BY position, unit`)

const queued = (position: number, unit: number) => ({ position, unit, state: 'queued' })

test('every unit of every pending top-up is queued, once however often it is asked for', async () => {
  const { orderId } = await aTopupOrder(shop, { players: [aPlayer(), aPlayer()], quantity: 2 })
  const wanted = [queued(1, 1), queued(1, 2), queued(2, 1), queued(2, 2)]
  expect(await readUnits(orderId)).toEqual(wanted)
  await Promise.all(Array.from({ length: 20 }, () => shop.database.transaction((tx) => queueDeliveries(tx, orderId))))
  expect(await readUnits(orderId)).toEqual(wanted)
})

test('an order that is undone queues nothing', async () => {
  const undo = new Error('undone')
  const { orderId } = await aTopupOrder(shop)
  await shop.database.run(sql`DELETE FROM delivery`)
  const undone = shop.database.transaction(async (tx) => {
    await queueDeliveries(tx, orderId)
    throw undo
  })
  await expect(undone).rejects.toBe(undo)
  expect(await readUnits(orderId)).toEqual([])
})

test('what is not paid yet is not queued', async () => {
  const { orderId } = await aTopupOrder(shop)
  await shop.database.run(sql`DELETE FROM delivery`)
  await shop.database.run(sql`UPDATE order_item SET status = 'awaiting_payment' WHERE order_id = ${orderId}`)
  await shop.database.transaction((tx) => queueDeliveries(tx, orderId))
  expect(await readUnits(orderId)).toEqual([])
})
