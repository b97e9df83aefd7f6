import type { Dispute, DisputeFlag, DisputeFunds, DisputeStatus } from '@olmos/contract/disputes'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { bookedAmount, bookedCurrency } from './payments.ts'
import type { ProviderName } from './provider.ts'

interface DisputeState {
  status: DisputeStatus
  funds: DisputeFunds
  /** When it happened. */
  at: Date
}

const fundsInOrder: readonly DisputeFunds[] = ['untouched', 'withdrawn', 'reinstated']
const isOver = (status: DisputeStatus): boolean => status !== 'inquiry' && status !== 'open'

/**
 * Merges a provider's event into what is known of a dispute, in whatever order events arrive: the newest counts, and
 * within one second the one that ends it. An older event still proves that money had moved.
 */
export function mergeDispute(known: DisputeState, reported: DisputeState): DisputeState {
  const isNewer = reported.at.getTime() > known.at.getTime()
  const isOfSameTime = reported.at.getTime() === known.at.getTime()
  const isNewest = isNewer || (isOfSameTime && (isOver(reported.status) || !isOver(known.status)))
  const furthest =
    fundsInOrder.indexOf(reported.funds) > fundsInOrder.indexOf(known.funds) ? reported.funds : known.funds
  return {
    status: isNewest ? reported.status : known.status,
    funds: isNewer && reported.funds !== 'untouched' ? reported.funds : furthest,
    at: isNewer ? reported.at : known.at,
  }
}

export type DisputeTransfer = 'chargeback' | 'chargeback_reversal'

/**
 * Lists the transfers that are still missing, in their order: money goes and comes back by turns, so the number of
 * transfers made says where it is. What came back had gone before, whether an event reported it or not.
 */
export function transfersMissing(
  { status, funds }: Pick<DisputeState, 'status' | 'funds'>,
  made: number,
): DisputeTransfer[] {
  const isGone =
    status === 'lost' ||
    (status !== 'won' && status !== 'closed' && (funds === 'withdrawn' || (funds === 'untouched' && made % 2 === 1)))
  const hasMoved = status === 'lost' || funds !== 'untouched' || made > 0
  if (!hasMoved) return []
  const least = Math.max(made, 1)
  const wanted = (least % 2 === 1) === isGone ? least : least + 1
  return Array.from({ length: wanted - made }, (_, index) =>
    (made + index) % 2 === 0 ? 'chargeback' : 'chargeback_reversal',
  )
}

/**
 * Whether it freezes the buyer, as long as no operator has released it. A lost one does: its codes were not paid for.
 */
const isFreezing = (status: DisputeStatus): boolean => status !== 'won' && status !== 'closed'

/** Amounts are in minor units. */
export interface DisputeRow
  extends Omit<Dispute, 'provider' | 'due_by' | 'is_holding' | 'released_at' | 'created_at' | 'history'> {
  user_id: number
  provider: ProviderName
  due_by: Date | null
  told_at: Date
  transfers: number
  covered: number | null
  excess: number | null
  released_at: Date | null
  created_at: Date
  flag: DisputeFlag
}

const selectDispute = sql`
  SELECT dispute.id, payment_id, order_id, orders.user_id, provider, provider_dispute_id, kind, dispute.status, funds,
    amount, dispute.currency, reason, due_by, told_at, transfers, covered, excess, released_at, dispute.created_at, flag,
    (SELECT nickname FROM users WHERE users.id = made_by) AS made_by,
    (SELECT nickname FROM users WHERE users.id = released_by) AS released_by
  FROM dispute JOIN orders ON orders.id = order_id`

export const findDispute = (queries: Queries, id: number) =>
  queries.maybe<DisputeRow>(sql`${selectDispute} WHERE dispute.id = ${id}`)

export const findDisputeNamed = (queries: Queries, provider: ProviderName, providerDisputeId: string) =>
  queries.maybe<DisputeRow>(
    sql`${selectDispute} WHERE provider = ${provider} AND provider_dispute_id = ${providerDisputeId}`,
  )

const readOrderDisputes = (queries: Queries, orderId: string) =>
  queries.rows<DisputeRow>(sql`${selectDispute} WHERE order_id = ${orderId} ORDER BY dispute.id`)

interface ChangeRow {
  dispute_id: number
  at: Date
  status: DisputeStatus
  funds: DisputeFunds
  made_by: string | null
}

const readDisputeChanges = (queries: Queries, ids: number[]) =>
  queries.rows<ChangeRow>(sql`
    SELECT dispute_id, created_at AS at, status, funds, (SELECT nickname FROM users WHERE users.id = made_by) AS made_by
    FROM dispute_change WHERE dispute_id = ANY (${ids}) ORDER BY id`)

export interface PaidOrder {
  payment_id: number
  order_id: string
  user_id: number
  provider: ProviderName
  provider_payment_id: string
  /** What the books have of it, in minor units. */
  booked_amount: number
  booked_currency: Currency
  /** What the payer was charged, in which a bank reports a dispute. */
  paid_amount: number
  paid_currency: string
  settled_to: 'order' | 'wallet'
}

const paidPayment = sql`
  SELECT payment.id AS payment_id, order_id, user_id, provider, provider_payment_id, ${bookedAmount} AS booked_amount,
    ${bookedCurrency} AS booked_currency, paid_amount, paid_currency, settled_to
  FROM payment JOIN orders ON orders.id = order_id`

/**
 * Finds the payment as money that a bank can charge back; undefined when nothing was taken, or only what the operator
 * has to sort out.
 */
export const findPaidPayment = (tx: Tx, paymentId: number) =>
  tx.maybe<PaidOrder>(sql`
    ${paidPayment} WHERE payment.id = ${paymentId} AND payment.status = 'succeeded' AND settled_to <> 'operator'`)

/**
 * Finds the payment of an order that a bank can charge back: the one that paid it, else one that went to the wallet.
 */
export const findPaidOrderPayment = (tx: Tx, orderId: string) =>
  tx.maybe<PaidOrder>(sql`
    ${paidPayment}
    WHERE order_id = ${orderId} AND payment.status = 'succeeded' AND settled_to <> 'operator'
    ORDER BY settled_to = 'order' DESC, payment.id DESC LIMIT 1`)

interface OrderMoney {
  /** By card, with the fee, and from the balance, for the order; money that went to the wallet counts as refunded. */
  paid: number
  /** What the shop refunded itself of what was bought, and of the fee. */
  refunded: number
  fee_refunded: number
  /** What banks have charged back so far. */
  charged_back: number
  is_disputed: boolean
  /** Whether a dispute was lost in a currency the ledger does not have. */
  is_lost_unbooked: boolean
}

/** In minor units of the order's currency. The caller has locked the order. */
export const readOrderMoney = (tx: Tx, orderId: string) =>
  tx.one<OrderMoney>(sql`
    WITH paid AS (
      SELECT id, ${bookedAmount} AS amount FROM payment WHERE order_id = ${orderId} AND status = 'succeeded' AND settled_to = 'order'),
    said AS (SELECT dispute.* FROM dispute JOIN paid ON paid.id = payment_id WHERE kind = 'dispute')
    SELECT (SELECT coalesce(sum(amount), 0)::bigint FROM paid)
        + (SELECT coalesce(sum(wallet_amount), 0)::bigint FROM orders WHERE id = ${orderId} AND EXISTS (SELECT FROM paid)) AS paid,
      (SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE order_id = ${orderId} AND NOT by_chargeback) AS refunded,
      (SELECT coalesce(sum(fee_amount), 0)::bigint FROM card_refund JOIN paid ON paid.id = payment_id)
        + (SELECT coalesce(sum(transfer.amount), 0)::bigint FROM paid JOIN transfer ON key = 'fee-refund:' || paid.id)
        AS fee_refunded,
      (SELECT coalesce(sum(covered), 0)::bigint FROM said WHERE transfers % 2 = 1) AS charged_back,
      EXISTS (SELECT FROM said WHERE status = 'open') AS is_disputed,
      EXISTS (SELECT FROM said WHERE status = 'lost' AND transfers = 0) AS is_lost_unbooked`)

/** Lists the disputes of an order for an operator. */
export const readDisputes = async (queries: Queries, orderId: string): Promise<Dispute[]> =>
  shownDisputes(queries, await readOrderDisputes(queries, orderId))

export async function shownDisputes(queries: Queries, rows: readonly DisputeRow[]): Promise<Dispute[]> {
  if (rows.length === 0) return []
  const changes = await readDisputeChanges(
    queries,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    order_id: row.order_id,
    payment_id: row.payment_id,
    provider: row.provider,
    provider_dispute_id: row.provider_dispute_id,
    kind: row.kind,
    status: row.status,
    funds: toFunds(row),
    amount: toMajor(row.amount),
    currency: row.currency,
    reason: row.reason,
    due_by: row.due_by?.toISOString() ?? null,
    is_holding: row.released_at === null && isFreezing(row.status),
    made_by: row.made_by,
    released_at: row.released_at?.toISOString() ?? null,
    released_by: row.released_by,
    created_at: row.created_at.toISOString(),
    history: changes
      .filter((change) => change.dispute_id === row.id)
      .map(({ dispute_id: _, at, ...change }) => ({ ...change, at: at.toISOString() })),
  }))
}

/**
 * Where the money is by the shop's own books, or, in a foreign currency they do not have, by the provider's statement.
 */
const toFunds = ({ transfers, funds }: DisputeRow): DisputeFunds =>
  transfers === 0 ? funds : transfers % 2 === 1 ? 'withdrawn' : 'reinstated'

/** Computes what of an order's money neither the shop has refunded nor a bank has taken back. */
export const moneyLeft = ({ paid, refunded, fee_refunded, charged_back }: OrderMoney): number =>
  paid - refunded - fee_refunded - charged_back

export type RefundBarrier = 'disputed' | 'charged_back'

/**
 * Finds why this much of a locked order, in minor units, can't be refunded: its money is being disputed, or was charged
 * back. Undefined when it can.
 */
export async function refundBarrier(
  tx: Tx,
  order: { id: string; payment_method: string },
  amount: number,
): Promise<RefundBarrier | undefined> {
  if (order.payment_method !== 'card') return undefined
  const money = await readOrderMoney(tx, order.id)
  if (money.is_disputed) return 'disputed'
  return amount > (money.is_lost_unbooked ? 0 : moneyLeft(money)) ? 'charged_back' : undefined
}

interface TakenPayment {
  is_disputed: boolean
  /** Whether its customer has more than was paid, counting every refund that has not failed. */
  is_twice: boolean
}

/**
 * Finds why a refund of a payment that was asked for before must not be sent to the card any more: a bank may be about to
 * take the money back, or has, so that the customer would have it twice.
 */
export async function cardBarrier(tx: Tx, paymentId: number): Promise<RefundBarrier | undefined> {
  const { is_disputed, is_twice } = await tx.one<TakenPayment>(sql`
    SELECT coalesce(bool_or(dispute.status = 'open'), false) AS is_disputed,
      coalesce(bool_or(dispute.status = 'lost' AND transfers = 0), false)
        OR settled_to = 'order' AND coalesce(sum(excess) FILTER (WHERE transfers % 2 = 1), 0) > 0
        OR coalesce(sum(covered + excess) FILTER (WHERE transfers % 2 = 1), 0) + (
          SELECT coalesce(sum(amount), 0) FROM card_refund WHERE payment_id = payment.id AND status <> 'failed')
          > ${bookedAmount} AS is_twice
    FROM payment LEFT JOIN dispute ON dispute.payment_id = payment.id AND kind = 'dispute'
    WHERE payment.id = ${paymentId} GROUP BY payment.id`)
  if (is_disputed) return 'disputed'
  return is_twice ? 'charged_back' : undefined
}

/** Refuses a refund of what a bank has charged back, or is about to: STATE_CONFLICT. */
export async function requireRefundable(
  tx: Tx,
  order: { id: string; payment_method: string },
  amount: number,
): Promise<void> {
  const reason = await refundBarrier(tx, order, amount)
  if (reason) throw new Failure('STATE_CONFLICT', { reason })
}
