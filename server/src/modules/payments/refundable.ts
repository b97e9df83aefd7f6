import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import { sql, type Tx } from '../../platform/database/queries.ts'
import type { CardRefundRow } from './card-refunds.ts'
import { bookedForRefund, chargeToRefund, type FeePosition, feeInOutsideRefund } from './charge.rules.ts'
import { type FrozenReceipt, makeRefundReceipt, type RefundedPart, withFee } from './fiscal-receipt.rules.ts'
import { bookedAmount } from './payments.ts'

// A refund follows from what went back of its payment before: of the goods and of the fee, in the books and as it was charged.

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
  /** What of the fee went back by refunds that failed, or to the wallet: the customer has it all the same. */
  fee_in_wallet: number
  receipt: FrozenReceipt | null
}

/** Reads what came by a payment that was made, and what of it went back. The caller has locked the order. */
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
 * Stores a refund to the card of so much of the books, and of the fee, with the key and the receipt that every attempt will send. Refuses with
 * STATE_CONFLICT what would be less than the smallest unit of what was charged. The caller has locked the order.
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

/** Says how much of a refund is of the fee of its payment. */
export const setRefundedFee = (tx: Tx, id: number, fee: number) =>
  tx.run(sql`UPDATE card_refund SET fee_amount = ${fee} WHERE id = ${id}`)

/**
 * Decides how much of a refund that somebody made at the provider is of the payment's fee, as the provider confirms it: what
 * was withheld from the customer because of it, and what exceeds the goods. The caller has locked the order.
 */
export async function settleOutsideFee(
  tx: Tx,
  { id, payment_id, amount, fee_amount }: Pick<CardRefundRow, 'id' | 'payment_id' | 'amount' | 'fee_amount'>,
): Promise<number> {
  // It is not counted among the others.
  await setRefundedFee(tx, id, 0)
  const { fee } = await readRefundable(tx, payment_id)
  const others = { all: fee.refunded.all - amount, fee: fee.refunded.fee }
  const certain = { all: fee.certain.all - amount, fee: fee.certain.fee }
  const settled = Math.max(fee_amount, feeInOutsideRefund({ ...fee, refunded: others, certain }, amount))
  await setRefundedFee(tx, id, settled)
  return settled
}
