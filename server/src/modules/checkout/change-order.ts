import type { SettableStatus } from '@olmos/contract/admin-orders'
import type { DecidedRefund, RefundDecision } from '@olmos/contract/admin-payments'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { requireOthers, type Spender, spendLimit } from '../accounts/staff.ts'
import { replaceSoldCode } from '../codes/change-code.ts'
import { settleOrder } from '../delivery/deliveries.ts'
import { deliverByHand, lockUndecided, requireOperators } from '../delivery/supplier-orders.ts'
import {
  isUnpaid,
  type LockedOrder,
  lockOrder,
  orderMoves,
  readItemStates,
  requireCartAndOrder,
  requireMove,
  requireOrder,
} from '../orders/order-states.ts'
import { type CardRefundRow, findCardRefund, noteProviderRefund, readCardRefund } from '../payments/card-refunds.ts'
import type { Providers } from '../payments/providers.ts'
import { failRefund, type LockedRefund, lockRefund } from './card-refunds.ts'
import { supersedeOrder } from './expire-order.ts'
import { refundOrder } from './refund-order.ts'

interface WantedStatus extends Spender {
  orderId: string
  status: SettableStatus
  reason: string
  /** How many payments of the order the provider was asked about, by `learnRefunds`. */
  askedPayments: number
}

/**
 * Moves an order to another status by hand, along the table of states and with all consequences: an unpaid order
 * releases its codes and is never delivered, a paid one is refunded to the wallet, and one in processing is completed
 * whose units an operator delivered. Returns the status it has then. Money that still arrives for an order ended this way
 * goes to the wallet.
 */
export async function setOrderStatus(
  tx: Tx,
  providers: Providers,
  wanted: WantedStatus,
): Promise<{ id: string; status: OrderStatus }> {
  const order = await requireCartAndOrder(tx, wanted.orderId)
  const orderId = order.id
  requireMove(orderMoves, order.status, wanted.status)
  if (wanted.status === 'refunded') {
    const { status: _, ...refund } = wanted
    await refundOrder(tx, providers, { ...refund, orderId, to: 'wallet' })
    const after = await lockOrder(tx, orderId)
    return { id: orderId, status: after?.status ?? 'refunded' }
  }
  const deliveries = wanted.status === 'completed' ? await deliverOrder(tx, order) : undefined
  if (!deliveries) await supersedeOrder(tx, orderId)
  const status = deliveries ? await settleOrder(tx, order) : wanted.status
  await writeAudit(tx, {
    actorId: wanted.adminId,
    action: 'order.status',
    subject: `order:${orderId}`,
    before: { status: order.status },
    after: { status, reason: wanted.reason, deliveries },
  })
  return { id: orderId, status }
}

/**
 * Ends every unit of a locked order that nobody has delivered yet, on the word of an operator who did, and returns their
 * deliveries. Refuses with STATE_CONFLICT an order that is not paid, which only its money completes, units that are still
 * under way by themselves, and codes, which their buyer would lack.
 */
async function deliverOrder(tx: Tx, { id: orderId, status }: LockedOrder): Promise<number[]> {
  const units = isUnpaid(status) ? [] : await lockUndecided(tx, orderId)
  if (units.length === 0)
    throw new Failure('STATE_CONFLICT', { reason: 'move_not_allowed', status, wanted: 'completed' })
  for (const unit of units) await requireOperators(tx, unit)
  const codes = units.filter(({ is_code }) => is_code).map(({ item_id }) => item_id)
  if (codes.length > 0) throw new Failure('STATE_CONFLICT', { reason: 'codes_missing', items: [...new Set(codes)] })
  for (const unit of units) await deliverByHand(tx, unit)
  return units.map(({ id }) => id)
}

interface BadCode extends Spender {
  orderId: string
  codeId: number
  reason: string
}

interface ReplacedCode {
  id: string
  item_id: number
  code_id: number
  replaced_code_id: number
}

/**
 * Replaces a code that does not work by another one of the same offer. No money moves, but a code is given away, which takes
 * as much of the limit as it was sold for, and which nobody says of one's own order.
 */
export async function replaceCode(tx: Tx, { orderId, codeId, reason, ...admin }: BadCode): Promise<ReplacedCode> {
  const order = await requireOrder(tx, orderId)
  await requireOthers(tx, admin, order.user_id)
  const items = (await readItemStates(tx, order.id)).flatMap(({ offer_id, ...item }) =>
    item.item_type === 'code' && item.status === 'delivered' && offer_id !== null ? [{ ...item, offer_id }] : [],
  )
  const { itemId, newCodeId } = await replaceSoldCode(tx, items, codeId)
  const amount = items.find(({ id }) => id === itemId)?.unit_price ?? 0
  await spendLimit(tx, admin, { amount, currency: order.currency })
  await writeAudit(tx, {
    actorId: admin.adminId,
    action: 'order.replace_code',
    subject: `order:${order.id}`,
    before: { item_id: itemId, code_id: codeId },
    after: { item_id: itemId, code_id: newCodeId, reason },
  })
  return { id: order.id, item_id: itemId, code_id: newCodeId, replaced_code_id: codeId }
}

interface RefundByHand extends Spender {
  refundId: number
  decision: RefundDecision
  reason: string
  /** The provider's id of the refund. */
  reference?: string | undefined
}

/**
 * Decides, on the word of an admin who looked at the provider, a refund to a card that is stuck: it was made, or it was
 * not and the wallet gets the money. If the provider reports otherwise later, that is booked as a refund made in its
 * cabinet, with an alert. Money that goes to the wallet on the admin's word takes as much of the limit, and is not that admin's
 * own. Refuses with STATE_CONFLICT a refund that is not stuck, or is being asked about just now.
 */
export async function decideRefund(tx: Tx, wanted: RefundByHand): Promise<DecidedRefund> {
  const { refundId, decision, reason, reference, ...admin } = wanted
  if (!(await readCardRefund(tx, refundId))) throw new Failure('NOT_FOUND')
  const locked = await lockRefund(tx, refundId)
  const { refund } = locked
  if (refund.status !== 'sending' || !refund.is_stuck)
    throw new Failure('STATE_CONFLICT', { reason: 'refund_not_stuck', status: refund.status })
  if (refund.is_asked) throw new Failure('STATE_CONFLICT', { reason: 'being_asked' })
  if (decision === 'paid') await notePaid(tx, refund, reference)
  else await giveToWallet(tx, locked, admin)
  const status = decision === 'paid' ? 'succeeded' : 'failed'
  await writeAudit(tx, {
    actorId: admin.adminId,
    action: 'refund.decide',
    subject: `order:${refund.order_id}`,
    before: { card_refund_id: refundId, status: refund.status },
    after: { card_refund_id: refundId, status, to: decision === 'paid' ? 'card' : 'wallet', reference, reason },
  })
  return {
    id: refundId,
    order_id: refund.order_id,
    provider: refund.provider,
    amount: toMajor(refund.amount),
    currency: refund.currency,
    status,
  }
}

async function giveToWallet(tx: Tx, locked: LockedRefund, admin: Spender): Promise<void> {
  const { user_id, amount, currency } = locked.refund
  await requireOthers(tx, admin, user_id)
  if (await failRefund(tx, locked)) await spendLimit(tx, admin, { amount, currency })
}

async function notePaid(tx: Tx, { id, provider }: CardRefundRow, providerRefundId: string | undefined): Promise<void> {
  if (!providerRefundId) throw new Failure('VALIDATION_FAILED', { reference: 'required' })
  if (await findCardRefund(tx, provider, providerRefundId)) {
    throw new Failure('STATE_CONFLICT', { reason: 'reference_of_another_refund', reference: 'of_another_refund' })
  }
  await noteProviderRefund(tx, id, { status: 'succeeded', providerRefundId })
}
