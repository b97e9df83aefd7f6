import { LIMITS } from '@olmos/contract/limits'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database.ts'
import type { CodeHold } from '../codes/holds.store.ts'
import { countOnTheWay } from '../delivery/queue-deliveries.ts'
import { settleOrder } from '../delivery/settle-order.ts'
import { holdOrder } from '../orders/hold-order.ts'
import { type OrderLine, outOfStock } from './order-lines.rules.ts'

/** What an order of codes got off the shelf; `found` stands in the order of `wanted`. */
interface ShelfCodes {
  lines: readonly OrderLine[]
  wanted: readonly CodeHold[]
  found: readonly number[]
  /** Whether what is missing is on its way already. */
  isQueued: boolean
}

/** Refuses with OUT_OF_STOCK when more codes of an offer would be on their way from suppliers than may be at a time. */
export async function requireRoom(tx: Tx, { lines, wanted, found, isQueued }: ShelfCodes): Promise<void> {
  for (const [index, { position, offerId, quantity }] of wanted.entries()) {
    const line = lines[position - 1]
    const missing = quantity - (found[index] ?? 0)
    if (!line || missing === 0) continue
    const room = LIMITS.onDemandUnits - (await countOnTheWay(tx, offerId)) + (isQueued ? missing : 0)
    if (missing > room) throw outOfStock(line, quantity - missing + Math.max(0, room))
  }
}

/** The status of a paid order some of whose codes may have to be bought: completed when the shelf had them all. */
export async function settleCodes(tx: Tx, orderId: string): Promise<OrderStatus> {
  const order = await holdOrder(tx, orderId)
  if (!order) throw new Error(`order ${orderId} is gone`)
  return settleOrder(tx, order)
}
