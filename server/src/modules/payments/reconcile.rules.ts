import type { PaymentStatus } from '@olmos/contract/orders'
import type { DifferenceKind } from '@olmos/contract/reconciliation'
import { SERVER_LIMITS } from '../../limits.ts'
import type { PaymentSnapshot, ProviderRefund } from './provider.ts'

/** In minor units of a charge. */
interface ChargedMoney {
  amount: number
  /** In capitals; a provider may have one that the store does not take. */
  currency: string
}

/** A payment as the store's books have it. */
export interface StoredPayment {
  id: number
  order_id: string
  key: string
  provider_payment_id: string | null
  status: PaymentStatus
  charge_amount: number
  charge_currency: string
  /** What came; null until it is paid. */
  paid_amount: number | null
  paid_currency: string | null
}

/** A refund to the card as the store's books have it, in what was charged. */
export interface BookedCardRefund extends ChargedMoney {
  payment_id: number
  key: string
  provider_refund_id: string | null
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
}

/** One thing that a provider and the books don't agree on. Money is in minor units. */
export interface Difference {
  kind: DifferenceKind
  provider_payment_id: string | null
  provider_refund_id: string | null
  payment_id: number | null
  order_id: string | null
  there: ChargedMoney | null
  here: ChargedMoney | null
}

const toMoney = ({ amount, currency }: ChargedMoney): ChargedMoney => ({ amount, currency })

/** What the books have of a payment that was made. */
const toPaid = ({ paid_amount, paid_currency }: StoredPayment): ChargedMoney | null =>
  paid_amount === null || paid_currency === null ? null : { amount: paid_amount, currency: paid_currency }

const isEqual = (one: ChargedMoney, other: ChargedMoney): boolean =>
  one.amount === other.amount && one.currency === other.currency

/** Names the difference of a payment that is paid at the provider; undefined for none. */
function judgePaidThere(there: ChargedMoney, here: StoredPayment | undefined): DifferenceKind | undefined {
  if (!here) return 'only_there'
  if (here.status === 'canceled') return 'canceled_here'
  const paid = toPaid(here)
  if (here.status !== 'succeeded' || !paid) return 'unpaid_here'
  return isEqual(there, paid) ? undefined : 'amount'
}

/**
 * Compares a payment as the provider and the books have it, where at least one side has it; undefined where both agree.
 * `sibling` is the store's payment with the key of one that the books don't have: a second charge for one bill.
 */
export function comparePayment(
  there: PaymentSnapshot | undefined,
  here: StoredPayment | undefined,
  sibling?: StoredPayment,
): Difference | undefined {
  const isPaidThere = there?.status === 'succeeded'
  const kind = isPaidThere
    ? judgePaidThere(there, here)
    : here?.status === 'succeeded'
      ? ('only_here' as const)
      : undefined
  if (!kind) return undefined
  return {
    kind,
    provider_payment_id: there?.providerPaymentId ?? here?.provider_payment_id ?? null,
    provider_refund_id: null,
    payment_id: here?.id ?? null,
    order_id: (here ?? sibling)?.order_id ?? null,
    there: isPaidThere ? toMoney(there) : null,
    here: here ? toPaid(here) : null,
  }
}

/** Whether the money of a refund has left, or is on its way, as the books have it. */
const isBooked = ({ status }: BookedCardRefund) => status === 'sent' || status === 'succeeded'

/** Pairs each refund of the provider with the one of the books that it is: by its id, by its key, else by its amount. */
function pairRefunds(there: readonly ProviderRefund[], here: readonly BookedCardRefund[]) {
  const left = new Set(here)
  const pairs = new Map<ProviderRefund, BookedCardRefund>()
  const rules: ((refund: ProviderRefund, booked: BookedCardRefund) => boolean)[] = [
    (refund, booked) => booked.provider_refund_id === refund.providerRefundId,
    (refund, booked) => refund.reference === booked.key,
    // Its answer was lost, so that the books have no id of it yet.
    (refund, booked) => booked.provider_refund_id === null && booked.status !== 'failed' && isEqual(refund, booked),
  ]
  for (const isPair of rules) {
    for (const refund of there) {
      const booked = pairs.has(refund) ? undefined : [...left].find((candidate) => isPair(refund, candidate))
      if (!booked) continue
      pairs.set(refund, booked)
      left.delete(booked)
    }
  }
  return { pairs, left: [...left] }
}

/**
 * Compares the refunds of one payment. One that the store is only about to send is not missed at the provider, and one that
 * failed there is not missed in the books.
 */
export function compareRefunds(
  payment: Pick<StoredPayment, 'id' | 'order_id' | 'provider_payment_id'>,
  there: readonly ProviderRefund[],
  here: readonly BookedCardRefund[],
): Difference[] {
  const { pairs, left } = pairRefunds(there, here)
  const differ = (kind: DifferenceKind, refund: ProviderRefund | undefined, booked: BookedCardRefund | undefined) => ({
    kind,
    provider_payment_id: payment.provider_payment_id,
    provider_refund_id: refund?.providerRefundId ?? booked?.provider_refund_id ?? null,
    payment_id: payment.id,
    order_id: payment.order_id,
    there: refund && refund.status !== 'failed' ? toMoney(refund) : null,
    here: booked && booked.status !== 'failed' ? toMoney(booked) : null,
  })
  const judged = there.flatMap((refund) => {
    const booked = pairs.get(refund)
    const isMade = refund.status !== 'failed'
    if (isMade && (!booked || booked.status === 'failed')) return [differ('refund_only_there', refund, booked)]
    if (!isMade && booked?.status === 'succeeded') return [differ('refund_only_here', refund, booked)]
    return isMade && booked && !isEqual(refund, booked) ? [differ('refund_amount', refund, booked)] : []
  })
  return [...judged, ...left.filter(isBooked).map((booked) => differ('refund_only_here', undefined, booked))]
}

/** Counts and sums, in minor units. */
interface Sum {
  count: number
  amount: number
}

export interface CurrencyTotal {
  currency: string
  /** Null where the provider told no sums. */
  there: Sum | null
  here: Sum
}

/** Counts what both sides have, and keeps the first differences. */
export function createTally() {
  const totals = new Map<string, CurrencyTotal>()
  const differences: Difference[] = []
  let count = 0
  const at = (currency: string) => {
    const known = totals.get(currency)
    if (known) return known
    const total = { currency, there: { count: 0, amount: 0 }, here: { count: 0, amount: 0 } }
    totals.set(currency, total)
    return total
  }
  const add = (sum: Sum | null, amount: number) => {
    if (sum) Object.assign(sum, { count: sum.count + 1, amount: sum.amount + amount })
  }
  return {
    there: ({ amount, currency }: Pick<PaymentSnapshot, 'amount' | 'currency'>) => add(at(currency).there, amount),
    here(payment: StoredPayment) {
      const paid = toPaid(payment)
      if (paid) add(at(paid.currency).here, paid.amount)
    },
    differ(difference: Difference | undefined) {
      if (!difference) return
      count += 1
      if (differences.length < SERVER_LIMITS.differencesKept) differences.push(difference)
    },
    end: (isTold: boolean) => ({
      totals: [...totals.values()].map((total) => (isTold ? total : { ...total, there: null })),
      differences,
      difference_count: count,
    }),
  }
}
export type Tally = ReturnType<typeof createTally>
