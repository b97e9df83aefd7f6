import type { SettableStatus } from '@olmos/contract/admin-orders'
import { Failure } from '@olmos/contract/failure'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { replaceSoldCode } from '../codes/change-code.ts'
import { lockCartAndOrder, lockOrder, orderMoves, readLockedItems, requireMove } from '../orders/order-states.ts'
import { isOrderId } from '../orders/orders.ts'
import type { Providers } from '../payments/providers.ts'
import { supersedeOrder } from './earlier-orders.ts'
import { refundOrder } from './refund-order.ts'

interface WantedStatus {
  orderId: string
  status: SettableStatus
  reason: string
  adminId: number
  /** How many payments of the order the provider was asked about, by `learnRefunds`. */
  askedPayments: number
}

/**
 * Moves an order to another status by hand, along the table of states and with all consequences: an unpaid order
 * releases its codes and is never delivered, a paid one is refunded to the wallet. Returns the status it has then.
 * Money that still arrives for an order ended this way goes to the wallet.
 */
export async function setOrderStatus(
  tx: Tx,
  providers: Providers,
  wanted: WantedStatus,
): Promise<{ id: string; status: OrderStatus }> {
  const orderId = wanted.orderId.toUpperCase()
  const order = isOrderId(orderId) ? await lockCartAndOrder(tx, orderId) : undefined
  if (!order) throw new Failure('NOT_FOUND')
  requireMove(orderMoves, order.status, wanted.status)
  if (wanted.status === 'refunded') {
    const { reason, adminId, askedPayments } = wanted
    await refundOrder(tx, providers, { orderId, to: 'wallet', reason, adminId, askedPayments })
    const after = await lockOrder(tx, orderId)
    return { id: orderId, status: after?.status ?? 'refunded' }
  }
  await supersedeOrder(tx, orderId)
  await writeAudit(tx, {
    actorId: wanted.adminId,
    action: 'order.status',
    subject: `order:${orderId}`,
    before: { status: order.status },
    after: { status: wanted.status, reason: wanted.reason },
  })
  return { id: orderId, status: wanted.status }
}

interface BadCode {
  orderId: string
  codeId: number
  reason: string
  adminId: number
}

interface ReplacedCode {
  id: string
  item_id: number
  code_id: number
  replaced_code_id: number
}

/** Replaces a code that does not work by another one of the same offer. No money moves. */
export async function replaceCode(tx: Tx, { codeId, reason, adminId, ...bad }: BadCode): Promise<ReplacedCode> {
  const orderId = bad.orderId.toUpperCase()
  const order = isOrderId(orderId) ? await lockOrder(tx, orderId) : undefined
  if (!order) throw new Failure('NOT_FOUND')
  const items = (await readLockedItems(tx, order)).flatMap(({ offer_id, ...item }) =>
    item.item_type === 'code' && item.status === 'delivered' && offer_id !== null ? [{ ...item, offer_id }] : [],
  )
  const { itemId, newCodeId } = await replaceSoldCode(tx, items, codeId)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'order.replace_code',
    subject: `order:${order.id}`,
    before: { item_id: itemId, code_id: codeId },
    after: { item_id: itemId, code_id: newCodeId, reason },
  })
  return { id: order.id, item_id: itemId, code_id: newCodeId, replaced_code_id: codeId }
}
