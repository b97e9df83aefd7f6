import type { Tx } from '../../platform/database.ts'
import { placeTargets } from '../topups/place-targets.ts'
import { findOrderOfCart, insertItems, insertOrder, type NewItem, type NewOrder } from './orders.store.ts'

/** Writes an order, its items and whom they go to. May travel together with other statements of the transaction. */
export async function placeOrder(tx: Tx, order: NewOrder, items: readonly NewItem[]): Promise<void> {
  const targets = items.flatMap(({ position, target }) => (target ? [{ ...target, position }] : []))
  await Promise.all([insertOrder(tx, order), insertItems(tx, order.id, items), placeTargets(tx, order.id, targets)])
}

/** The order that the cart's present version has already become. The caller holds the cart. */
export const orderOfCart = (tx: Tx, userId: number) => findOrderOfCart(tx, userId)
