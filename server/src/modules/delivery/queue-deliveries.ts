import { announce } from '../../platform/announce.ts'
import type { Tx } from '../../platform/database.ts'
import { countWaiting, insertDeliveries, lockOffer, resumeStopped } from './deliveries.store.ts'

/**
 * Sends every unit of the order's pending top-ups on its way, once the transaction is committed, and every code that the
 * shelf had none for; an order without any is left alone, and so is what is on its way already. May travel together with
 * other statements of the transaction, after those that sell codes.
 */
export async function queueDeliveries(tx: Tx, orderId: string): Promise<void> {
  if ((await insertDeliveries(tx, orderId)) > 0) await announce(tx, 'delivery', orderId)
}

/** How many codes of an offer are on their way from suppliers; one customer after the other counts and adds to them. */
export async function countOnTheWay(tx: Tx, offerId: number): Promise<number> {
  const [, { waiting }] = await Promise.all([lockOffer(tx, offerId), countWaiting(tx, offerId)])
  return waiting
}

/** What was stopped because its buyer was held goes on its way, once the transaction is committed. */
export async function resumeDeliveries(tx: Tx, userId: number): Promise<void> {
  if ((await resumeStopped(tx, userId)) > 0) await announce(tx, 'delivery', `user:${userId}`)
}
