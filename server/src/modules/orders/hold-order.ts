import { LIMITS } from '@olmos/contract/limits'
import type { ItemStatus, OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database.ts'
import { holdCartVersion } from '../cart/hold-cart.ts'
import { itemMoves, orderMoves, requireMove } from './order-states.rules.ts'
import {
  findPaidOrder,
  findTopupOrders,
  findUnpaidOrders,
  type HeldItem,
  type HeldOrder,
  lockNextOverdue,
  lockOrder,
  readItemStates,
  readStatus,
  setExpiry,
  setItemStatuses,
  setOrderStatus,
  supersede,
  type TopupOrder,
  type UnpaidOrder,
} from './order-states.store.ts'

/** An order that nobody else changes until the transaction ends. Held after the customer's cart, before its payments. */
export const holdOrder = (tx: Tx, orderId: string): Promise<HeldOrder | undefined> => lockOrder(tx, orderId)

/** The same, with the buyer's cart locked before it: nothing that the customer presses comes in between. */
export async function lockCartAndOrder(tx: Tx, orderId: string): Promise<HeldOrder | undefined> {
  const order = await readStatus(tx, orderId)
  if (!order) return undefined
  await holdCartVersion(tx, order.user_id)
  return lockOrder(tx, orderId)
}

export const holdNextOverdue = (tx: Tx): Promise<HeldOrder | undefined> => lockNextOverdue(tx)

export const itemsOfHeld = (tx: Tx, order: HeldOrder): Promise<HeldItem[]> => readItemStates(tx, order.id)

/** The unpaid card orders that this cart has become. The caller holds the cart. */
export const unpaidOrders = (tx: Tx, userId: number): Promise<UnpaidOrder[]> => findUnpaidOrders(tx, userId)

/** Whether the customer ever paid for an order, whatever became of it afterwards. */
export const hasPaidOrder = async (tx: Tx, userId: number): Promise<boolean> =>
  (await findPaidOrder(tx, userId)) !== undefined

/**
 * What the customer has of top-ups for these accounts: unpaid, or made or paid within `LIMITS.repeatSeconds`. The caller
 * holds the cart.
 */
export const topupOrders = (tx: Tx, userId: number, accounts: readonly string[]): Promise<TopupOrder[]> =>
  findTopupOrders(
    tx,
    userId,
    accounts.map((account) => account.toLowerCase()),
    LIMITS.repeatSeconds,
  )

/** Brings a held order to a status it may have next, or refuses with STATE_CONFLICT. */
export async function moveOrder(tx: Tx, order: HeldOrder, to: OrderStatus): Promise<void> {
  requireMove(orderMoves, order.status, to)
  await setOrderStatus(tx, order.id, order.status, to)
}

/** The same for items of a held order. */
export async function moveItems(tx: Tx, items: readonly HeldItem[], to: ItemStatus): Promise<void> {
  for (const item of items) requireMove(itemMoves, item.status, to)
  await setItemStatuses(
    tx,
    items.map((item) => item.id),
    to,
  )
}

/** The cart, or the top-up, is free to become another order. */
export const makeRoom = (tx: Tx, order: HeldOrder) => supersede(tx, order.id)

/** Gives a held order its full time once more, as far as an order may wait at all. */
export const extendOrder = (tx: Tx, orderId: string, minutes: number) => setExpiry(tx, orderId, minutes)
