import type { Tx } from '../../platform/database.ts'
import { findOrderOfCart, insertItems, insertOrder, type NewItem, type NewOrder } from './orders.store.ts'

export type { NewItem, NewOrder }

/** Writes an order and its items. May travel together with other statements of the transaction. */
export async function placeOrder(tx: Tx, order: NewOrder, items: readonly NewItem[]): Promise<void> {
  await Promise.all([insertOrder(tx, order), insertItems(tx, order.id, items)])
}

/** The order that the cart's present version has already become. The caller holds the cart. */
export const orderOfCart = (tx: Tx, userId: number) => findOrderOfCart(tx, userId)
