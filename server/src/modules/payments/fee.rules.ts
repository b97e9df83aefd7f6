/** What a customer pays for a way to pay: percents of what it pays, and a sum. */
export interface FeeTerms {
  /** In hundredths of a percent: 250 is 2.5 %. */
  percent: number
  /** In minor units of the order's currency. */
  fixed: number
  /** Whether it goes back when all of an order does, although something was delivered. */
  isRefunded: boolean
}

/** A fee as a payment freezes it, with the terms it follows from. */
export interface FrozenFee extends FeeTerms {
  /** In minor units of the order's currency. */
  amount: number
}

const hundredths = 10_000n

/** Computes the fee for an amount, both in minor units, with the percents rounded up. Without terms there is none. */
export function toFee(
  { percent, fixed, isRefunded }: FeeTerms = { percent: 0, fixed: 0, isRefunded: false },
  amount: number,
): FrozenFee {
  const share = (BigInt(amount) * BigInt(percent) + hundredths - 1n) / hundredths
  return { amount: Number(share) + fixed, percent, fixed, isRefunded }
}

/** A payment that was made, and what of it has gone back, in minor units of the books. */
export interface FeePosition {
  /** What the books have of it, the fee included. */
  booked: number
  /** What of that is the fee, and what of the fee has not gone back yet. */
  fee: number
  feeLeft: number
  /** What its other refunds are that did not fail, and how much of them is of the fee. */
  refunded: { all: number; fee: number }
  /** Those among them that the provider has made. */
  certain: { all: number; fee: number }
}

/**
 * Computes how much of a refund that somebody made at the provider is of the fee: nothing as long as any of the goods is
 * left, and at most what is left of the fee. Where the refunds exceed the payment, those of the store that are not certain
 * are not going to be made.
 */
export function feeInOutsideRefund(position: FeePosition, amount: number): number {
  const { booked, fee, feeLeft, refunded, certain } = position
  const others = refunded.all + amount > booked ? certain : refunded
  const goodsLeft = Math.max(0, booked - fee - (others.all - others.fee))
  return Math.min(feeLeft, Math.max(0, amount - goodsLeft))
}
