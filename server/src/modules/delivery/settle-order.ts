import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database.ts'
import { itemsOfHeld, moveItems, moveOrder } from '../orders/hold-order.ts'
import type { HeldOrder } from '../orders/order-states.store.ts'
import { settleOutside } from '../orders/outside-money.ts'
import { countUnits } from './deliveries.store.ts'
import { itemStatusOf, orderStatusOf } from './delivery.rules.ts'

/** Brings the items of a held order, and the order once all are decided, to the status their units have come to. Answers the order's. */
export async function settleOrder(tx: Tx, order: HeldOrder): Promise<OrderStatus> {
  const items = await itemsOfHeld(tx, order)
  for (const units of await countUnits(tx, order.id)) {
    const item = items.find(({ id }) => id === units.item_id)
    const status = itemStatusOf(units)
    // What an admin has given back in the meantime stays so.
    if (!item || item.status === status || item.status === 'refunded') continue
    await moveItems(tx, [item], status)
    item.status = status
  }
  const status = (await settleOutside(tx, order, items)) ?? orderStatusOf(items)
  if (status === undefined || status === order.status) return order.status
  await moveOrder(tx, order, status)
  return status
}
