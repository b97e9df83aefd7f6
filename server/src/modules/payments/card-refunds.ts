import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import type { PaymentStatus } from '@olmos/contract/orders'
import type { RefundDestination } from '@olmos/contract/payments'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { bookedForRefund, chargeToRefund, type FeePosition, feeInOutsideRefund } from './charge.rules.ts'
import { type FrozenReceipt, makeRefundReceipt, type RefundedPart, withFee } from './fiscal-receipt.rules.ts'
import { bookedAmount, bookedCurrency } from './payments.ts'
import type { FiscalReceipt, ProviderName, ProviderRefund } from './provider.ts'

export interface CardRefundRow {
  id: number
  order_id: string
  user_id: number
  provider: ProviderName
  provider_payment_id: string
  provider_refund_id: string | null
  payment_id: number
  /** Where the money of the payment went. */
  settled_to: 'order' | 'wallet' | 'operator'
  key: string
  /** What it is in the books, in minor units, the fee included. */
  amount: number
  /** How much of the amount is of the payment's fee. */
  fee_amount: number
  /** The currency of the books; for `operator` the one that was paid, which no wallet has. */
  currency: Currency
  /** What goes back to the card, in minor units of what was charged. */
  charge_amount: number
  charge_currency: ChargeCurrency
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
  /** Who made it: the store, or somebody at the provider. */
  origin: 'store' | 'provider'
  /** How often the provider was asked to make it, including this time. */
  attempts: number
  is_stuck: boolean
  /** Whether it was stored so long ago that the provider may have forgotten its key, had it been sent then. */
  is_too_old: boolean
  /** What every attempt sends to the tax office, where the payment had a receipt. */
  receipt: FiscalReceipt | null
  /** Whether a call to the provider about it is under way. */
  is_asked: boolean
}

const selectRefund = sql`
  SELECT card_refund.id, payment.order_id, orders.user_id, provider, provider_payment_id, provider_refund_id,
    card_refund.key, card_refund.amount, card_refund.fee_amount, ${bookedCurrency} AS currency,
    coalesce(card_refund.charge_amount, card_refund.amount) AS charge_amount, payment.paid_currency AS charge_currency,
    card_refund.status, payment_id, settled_to, origin, attempts, card_refund.receipt, stuck_since IS NOT NULL AS is_stuck,
    card_refund.created_at < now() - make_interval(hours => ${SERVER_LIMITS.refundResendHours}) AS is_too_old,
    coalesce(card_refund.attempt_until > now(), false) AS is_asked
  FROM card_refund JOIN payment ON payment.id = card_refund.payment_id JOIN orders ON orders.id = payment.order_id`

/** Finds the card payment that paid an order, if one did. */
export const findOrderPayment = (queries: Queries, orderId: string) =>
  queries.maybe<{ id: number; provider: ProviderName; is_fee_refunded: boolean }>(sql`
    SELECT id, provider, is_fee_refunded FROM payment WHERE order_id = ${orderId} AND status = 'succeeded' AND settled_to = 'order'`)

/** Returns how much of a payment's charge went back by refunds that the provider has named. The caller has locked the order. */
export const sumNamedRefunds = async (tx: Tx, paymentId: number): Promise<number> =>
  (
    await tx.one<{ amount: number }>(sql`
      SELECT coalesce(sum(coalesce(charge_amount, amount)), 0)::bigint AS amount FROM card_refund
      WHERE payment_id = ${paymentId} AND status <> 'failed' AND provider_refund_id IS NOT NULL`)
  ).amount

interface RefundablePayment {
  paid_booked: number
  paid_fee: number
  paid_charged: number
  charge_currency: ChargeCurrency
  /** What was refunded of it so far, and what is being refunded. */
  refunded_booked: number
  refunded_charged: number
  refunded_fee: number
  /** Those that the provider has made for certain, whoever asked for them. */
  certain_booked: number
  certain_fee: number
  /** Fee already returned another way: by a failed card refund that went to the wallet, or to the wallet directly. */
  fee_in_wallet: number
  receipt: FrozenReceipt | null
}

/**
 * Reads what came by a payment that was made, and how much of it went back: of the goods and of the fee, in the books and as it
 * was charged. A further refund follows from all of it. The caller has locked the order.
 */
const readRefundable = async (tx: Tx, paymentId: number) => {
  const row = await tx.one<RefundablePayment>(sql`
    SELECT ${bookedAmount} AS paid_booked, payment.booked_fee AS paid_fee, payment.paid_amount AS paid_charged,
      payment.paid_currency AS charge_currency, payment.receipt,
      coalesce(sum(refund.amount) FILTER (WHERE is_live), 0)::bigint AS refunded_booked,
      coalesce(sum(refund.charge_amount) FILTER (WHERE is_live), 0)::bigint AS refunded_charged,
      coalesce(sum(refund.fee_amount) FILTER (WHERE is_live), 0)::bigint AS refunded_fee,
      coalesce(sum(refund.amount) FILTER (WHERE is_certain), 0)::bigint AS certain_booked,
      coalesce(sum(refund.fee_amount) FILTER (WHERE is_certain), 0)::bigint AS certain_fee,
      (coalesce(sum(refund.fee_amount) FILTER (WHERE NOT is_live), 0)
        + coalesce((SELECT amount FROM transfer WHERE key = 'fee-refund:' || payment.id), 0))::bigint AS fee_in_wallet
    FROM payment LEFT JOIN (
      SELECT payment_id, amount, coalesce(charge_amount, amount) AS charge_amount, fee_amount, status <> 'failed' AS is_live,
        status = 'succeeded' OR status = 'sent' AND origin = 'provider' AS is_certain
      FROM card_refund) AS refund ON refund.payment_id = payment.id
    WHERE payment.id = ${paymentId} GROUP BY payment.id`)
  return {
    paid: { booked: row.paid_booked, charged: row.paid_charged, currency: row.charge_currency },
    before: { booked: row.refunded_booked, charged: row.refunded_charged },
    fee: {
      booked: row.paid_booked,
      fee: row.paid_fee,
      feeLeft: row.paid_fee - row.refunded_fee - row.fee_in_wallet,
      refunded: { all: row.refunded_booked, fee: row.refunded_fee },
      certain: { all: row.certain_booked, fee: row.certain_fee },
    } satisfies FeePosition,
    receipt: row.receipt,
  }
}

/** What goes back to a card, in minor units of the books. */
interface NewCardRefund {
  /** How much of it was paid for what was bought. */
  amount: number
  /** How much of it is a part of the payment's fee. */
  fee: number
  currency: Currency
  parts: readonly RefundedPart[]
}

/**
 * Stores a refund to the card of so much of the books, and of the fee, with the key and the receipt that every attempt will
 * send. Refuses with STATE_CONFLICT what would be less than the smallest unit of what was charged. The caller has locked the
 * order.
 */
export async function insertCardRefund(
  tx: Tx,
  paymentId: number,
  { amount, fee, currency, parts }: NewCardRefund,
): Promise<number> {
  const { paid, before, receipt } = await readRefundable(tx, paymentId)
  const inAll = amount + fee
  const charged = chargeToRefund(paid, before, inAll)
  if (charged === 0)
    throw new Failure('STATE_CONFLICT', { reason: 'too_small_for_card', amount: toMajor(inAll), currency })
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO card_refund (payment_id, amount, fee_amount, charge_amount, attempts, receipt)
    VALUES (${paymentId}, ${inAll}, ${fee}, ${charged}, 0,
      ${receipt && JSON.stringify(makeRefundReceipt({ ...receipt, parts: withFee(receipt, parts, fee), charged }))}) RETURNING id`)
  return id
}

/**
 * Stores a refund made at the provider by somebody else, of so much of what was charged. Returns undefined when it is known
 * already. The caller has locked the order.
 */
export async function insertOutsideRefund(
  tx: Tx,
  paymentId: number,
  { providerRefundId, amount: charged }: { providerRefundId: string; amount: number },
): Promise<{ id: number } | undefined> {
  const { paid, before } = await readRefundable(tx, paymentId)
  const amount = bookedForRefund(paid, before, charged)
  return tx.maybe<{ id: number }>(sql`
    INSERT INTO card_refund (payment_id, amount, charge_amount, origin, attempts, status, provider_refund_id)
    VALUES (${paymentId}, ${amount}, ${charged}, 'provider', 0, 'sent', ${providerRefundId})
    ON CONFLICT (payment_id, provider_refund_id) DO NOTHING RETURNING id`)
}

/**
 * Returns how much of what a payment bought went back, or is on its way back, to the card, in the books. The caller has
 * locked the order.
 */
export const sumCardRefunds = async (tx: Tx, paymentId: number): Promise<number> => {
  const { refunded } = (await readRefundable(tx, paymentId)).fee
  return refunded.all - refunded.fee
}

/** Returns how much of a payment's fee the customer has not got back. The caller has locked the order. */
export const readFeeLeft = async (tx: Tx, paymentId: number): Promise<number> =>
  (await readRefundable(tx, paymentId)).fee.feeLeft

/** Sets how much of a refund is the payment's fee. */
export const setRefundedFee = (tx: Tx, id: number, fee: number) =>
  tx.run(sql`UPDATE card_refund SET fee_amount = ${fee} WHERE id = ${id}`)

/**
 * Decides how much of a refund that somebody made at the provider is of the payment's fee, as the provider confirms it: what
 * was withheld from the customer because of it, and what exceeds the goods, but no more than `atMost`. The caller has locked
 * the order.
 */
export async function settleOutsideFee(
  tx: Tx,
  { id, payment_id, amount, fee_amount }: Pick<CardRefundRow, 'id' | 'payment_id' | 'amount' | 'fee_amount'>,
  atMost: number,
): Promise<number> {
  // It is not counted among the others.
  await setRefundedFee(tx, id, 0)
  const { fee } = await readRefundable(tx, payment_id)
  const others = { all: fee.refunded.all - amount, fee: fee.refunded.fee }
  const certain = { all: fee.certain.all - amount, fee: fee.certain.fee }
  const beyondGoods = feeInOutsideRefund({ ...fee, refunded: others, certain }, amount)
  const settled = Math.max(fee_amount, Math.min(atMost, beyondGoods))
  await setRefundedFee(tx, id, settled)
  return settled
}

/** Money refunded at the provider that has not been charged to an item yet. */
export interface OutsideMoney {
  card_refund_id: number
  left: number
  destination: RefundDestination
  /** Whether the ledger has it, which is once the provider has confirmed the refund. */
  is_booked: boolean
}

/**
 * Reads refunds of a locked order made at the provider that are not yet fully assigned to items, oldest first, without the
 * fee part. A failed one counts with the amount the wallet received instead.
 */
export const readOutsideMoney = (tx: Tx, orderId: string) =>
  tx.rows<OutsideMoney>(sql`
    SELECT card_refund_id, is_booked, destination, amount - assigned AS left FROM (
      SELECT card_refund.id AS card_refund_id,
          card_refund.status = 'succeeded' OR num_nonnulls(payout.amount, of_fee.amount) > 0 AS is_booked,
        CASE card_refund.status WHEN 'failed' THEN 'wallet' ELSE 'card' END AS destination,
        CASE card_refund.status WHEN 'failed' THEN coalesce(payout.amount, 0) + coalesce(of_fee.amount, 0)
          ELSE card_refund.amount END - card_refund.fee_amount AS amount,
        (SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE card_refund_id = card_refund.id) AS assigned
      FROM payment JOIN card_refund ON card_refund.payment_id = payment.id AND origin = 'provider'
      LEFT JOIN transfer AS payout ON payout.key = 'card-refund:' || card_refund.id
      LEFT JOIN transfer AS of_fee ON of_fee.key = 'card-refund-fee:' || card_refund.id
      WHERE payment.order_id = ${orderId} AND payment.settled_to = 'order') AS outside
    WHERE amount > assigned ORDER BY card_refund_id`)

export const sumOutside = (money: readonly OutsideMoney[]): number => money.reduce((sum, { left }) => sum + left, 0)

/** Reads how much of a locked order's money was refunded at the provider for certain, and is not charged to an item. */
export const outsideBooked = async (tx: Tx, orderId: string): Promise<number> =>
  sumOutside((await readOutsideMoney(tx, orderId)).filter((money) => money.is_booked))

const isUnasked = sql`(attempt_until IS NULL OR attempt_until < now())`
const isDue = sql`(next_at IS NULL OR next_at < now())`
const leaseEnd = sql`now() + make_interval(secs => ${SERVER_LIMITS.refundAttemptSeconds})`

/**
 * Leases the refund to the caller, so that nobody else calls the provider about it. It stores that the refund is about
 * to be sent, before the call: after a crash it must not be taken for never sent. Whatever comes of it, the others have
 * their turn first. The pause of a stuck one is the job's alone: whoever has news of it, or has to know how it stands, asks.
 */
export const claimCardRefund = async (queries: Queries, id: number): Promise<CardRefundRow | undefined> => {
  const claimed = await queries.run(sql`
    UPDATE card_refund SET attempt_until = ${leaseEnd}, next_at = now(),
      attempts = attempts + CASE WHEN status = 'sending' THEN 1 ELSE 0 END
    WHERE id = ${id} AND status IN ('sending', 'sent') AND ${isUnasked} AND (${isDue} OR stuck_since IS NOT NULL)`)
  return claimed === 1 ? queries.one<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id}`) : undefined
}

export type Attempt = Pick<CardRefundRow, 'id' | 'attempts'>

/** Renews the lease before something is sent. Returns false when another call has the refund by now, or somebody decided it. */
export const renewLease = async (queries: Queries, { id, attempts }: Attempt): Promise<boolean> =>
  (await queries.run(sql`
    UPDATE card_refund SET attempt_until = ${leaseEnd}
    WHERE id = ${id} AND status = 'sending' AND attempts = ${attempts}`)) === 1

/** Ends the lease, after the pause the provider asked for, unless another call has the refund by now. */
export const endRefundAttempt = (
  queries: Queries,
  { id, attempts }: Attempt,
  { retryAfterSeconds, isUnsent }: { retryAfterSeconds: number | undefined; isUnsent: boolean },
) =>
  queries.run(sql`
    UPDATE card_refund SET attempt_until = NULL, attempts = CASE WHEN ${isUnsent} THEN attempts - 1 ELSE attempts END,
      next_at = now() + make_interval(secs => ${retryAfterSeconds ?? 0}::float8)
    WHERE id = ${id} AND attempts = ${attempts}`)

/** The job asks seldom about a refund that takes a person. */
const stuckPause = sql`interval '10 minutes'`

export const markRefundStuck = (queries: Queries, id: number) =>
  queries.run(sql`
    UPDATE card_refund SET stuck_since = coalesce(stuck_since, now()), next_at = greatest(next_at, now() + ${stuckPause})
    WHERE id = ${id}`)

export const readCardRefund = (queries: Queries, id: number) =>
  queries.maybe<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id}`)

/** Reads the refund and locks it until the transaction ends. The caller has locked its order. */
export const lockCardRefund = (tx: Tx, id: number) =>
  tx.one<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id} FOR UPDATE OF card_refund`)

/** Nothing is stuck any more of which somebody has found out how it stands, so the alert about it ends. */
async function setCardRefund(
  tx: Tx,
  id: number,
  { status, providerRefundId }: { status: CardRefundRow['status']; providerRefundId: string | null },
): Promise<void> {
  await tx.run(sql`
    UPDATE card_refund SET status = ${status}, attempt_until = NULL, next_at = now(), stuck_since = NULL,
      provider_refund_id = coalesce(${providerRefundId}, provider_refund_id),
      settled_at = CASE WHEN ${status} = 'succeeded' THEN now() END
    WHERE id = ${id}`)
  await resolveAlert(tx, 'refund.stuck', `card-refund:${id}`)
}

export const findCardRefund = (queries: Queries, provider: ProviderName, providerRefundId: string) =>
  queries.maybe<{ id: number }>(sql`
    SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment.provider = ${provider} AND card_refund.provider_refund_id = ${providerRefundId}`)

/** Finds the store's refund with this key, whatever its status. */
export const findRefundByKey = (queries: Queries, provider: ProviderName, key: string) =>
  queries.maybe<CardRefundRow>(sql`${selectRefund} WHERE payment.provider = ${provider} AND card_refund.key = ${key}`)

/**
 * Finds refunds of the store that may be the one the provider means: sent, of this amount of what was charged, and without
 * a provider's id yet.
 */
export const findNamelessRefunds = (queries: Queries, paymentId: number, amount: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT id FROM card_refund
    WHERE payment_id = ${paymentId} AND coalesce(charge_amount, amount) = ${amount} AND status = 'sending' AND attempts > 0
      AND provider_refund_id IS NULL
    ORDER BY id`)

/** Finds the payment a provider refunded, if the store knows it. */
export const findRefundedPayment = (queries: Queries, provider: ProviderName, providerPaymentId: string) =>
  queries.maybe<{ id: number; order_id: string; status: PaymentStatus; paid_currency: string | null }>(sql`
    SELECT id, order_id, status, paid_currency FROM payment
    WHERE provider = ${provider} AND provider_payment_id = ${providerPaymentId}`)

/** Those that were never asked about come first, then whichever waits longest: no number of others keeps one waiting. */
const undecidedRefunds = (queries: Queries, limit: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT id FROM card_refund WHERE status IN ('sending', 'sent') AND ${isUnasked} AND ${isDue}
    ORDER BY next_at NULLS FIRST, id LIMIT ${limit}`)

const listUndecidedRefunds = (queries: Queries, orderId: string) =>
  queries.rows<{ id: number }>(sql`
    SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment.order_id = ${orderId} AND card_refund.status IN ('sending', 'sent')`)

const atOnce = 100

const toIds = (rows: readonly { id: number }[]) => rows.map((row) => row.id)

/** Lists the refunds whose provider has not decided. */
export const cardRefundsToSend = async (database: Database) => toIds(await undecidedRefunds(database, atOnce))
export const readCardRefunds = async (queries: Queries, orderId: string) =>
  toIds(await listUndecidedRefunds(queries, orderId))

const statusFor = { pending: 'sent', succeeded: 'succeeded', failed: 'failed' } as const

export const noteProviderRefund = (
  tx: Tx,
  id: number,
  { status, providerRefundId }: Pick<ProviderRefund, 'status' | 'providerRefundId'>,
) => setCardRefund(tx, id, { status: statusFor[status], providerRefundId })

/** Marks a refund as finally rejected. */
export const failCardRefund = (tx: Tx, id: number) =>
  setCardRefund(tx, id, { status: 'failed', providerRefundId: null })
