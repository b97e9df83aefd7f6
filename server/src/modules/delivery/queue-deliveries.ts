import { announce } from '../../platform/announce.ts'
import type { Tx } from '../../platform/database.ts'
import { insertDeliveries } from './deliveries.store.ts'

/**
 * Sends every unit of the order's pending top-ups on its way, once the transaction is committed; an order without any
 * is left alone, and so is what is on its way already. May travel together with other statements of the transaction.
 */
export async function queueDeliveries(tx: Tx, orderId: string): Promise<void> {
  if ((await insertDeliveries(tx, orderId)) > 0) await announce(tx, 'delivery', orderId)
}
