import type { PaymentStatus } from '@olmos/contract/orders'
import type {
  DifferenceKind,
  PaymentDifference,
  ReconciliationOrigin,
  ReconciliationState,
} from '@olmos/contract/reconciliation'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { chargeColumns } from './payments.ts'
import type { PaymentSnapshot, ProviderName, ProviderRefund } from './provider.ts'

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
interface Difference extends Omit<PaymentDifference, 'there' | 'here'> {
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

interface CurrencyTotal {
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

/** A day in the time zone of the shop, as far as it has passed. */
export interface Span {
  day: string
  from: Date
  /** Left out; the present moment while the day lasts. */
  to: Date
  is_over: boolean
}

export interface Comparison {
  state: ReconciliationState
  /** Why something was not compared. */
  why: string | null
  asked: 'list' | 'each' | 'nothing'
  totals: CurrencyTotal[]
  /** The first of them. */
  differences: Difference[]
  difference_count: number
}

/** What came of comparing one day of one provider with the books. */
export interface Reconciliation extends Comparison {
  day: string
  provider: ProviderName
  is_over: boolean
  made_at: Date
  /** The admin's nickname. */
  made_by: string | null
  origin: ReconciliationOrigin
}

export interface Maker {
  origin: ReconciliationOrigin
  /** The admin who asked for it. */
  actorId?: number | undefined
}

export const readSpan = (queries: Queries, day: string, timeZone: string) =>
  queries.one<Span>(sql`
    SELECT ${day}::text AS day, begins AS "from", least(ends, now()) AS "to", ends <= now() AS is_over
    FROM (SELECT ${day}::timestamp AT TIME ZONE ${timeZone} AS begins,
      (${day}::timestamp + interval '1 day') AT TIME ZONE ${timeZone} AS ends) AS bounds`)

export const readYesterday = (queries: Queries, timeZone: string) =>
  queries.one<{ day: string }>(sql`SELECT ((now() AT TIME ZONE ${timeZone})::date - 1)::text AS day`)

const booked = sql`
  payment.id, payment.order_id, payment.key, payment.provider_payment_id, payment.status, payment.paid_amount,
  payment.paid_currency, ${chargeColumns}`
export type BookedRow = StoredPayment & { charge_rate: string | null }

/** How many payments of the books are read at a time. */
export const pageRows = 1_000

/** Finds the payments with these ids at the provider, or with these keys. */
export const findBooked = (queries: Queries, provider: ProviderName, ids: string[], keys: string[]) =>
  queries.rows<BookedRow>(sql`
    SELECT ${booked} FROM payment WHERE provider = ${provider} AND provider_payment_id = ANY (${ids}::text[])
    UNION SELECT ${booked} FROM payment WHERE provider = ${provider} AND key = ANY (${keys}::uuid[])`)

/** Lists payments that were booked in the span, a page after an id. */
export const listSettled = (queries: Queries, provider: ProviderName, { from, to }: Span, after: number) =>
  queries.rows<BookedRow>(sql`
    SELECT ${booked} FROM payment
    WHERE provider = ${provider} AND status = 'succeeded' AND settled_at >= ${from} AND settled_at < ${to} AND id > ${after}
    ORDER BY id LIMIT ${pageRows}`)

/** Lists payments that were begun in the span and that the books don't have as paid, a page after an id. */
export const listUnsettled = (queries: Queries, provider: ProviderName, { from, to }: Span, after: number) =>
  queries.rows<BookedRow>(sql`
    SELECT ${booked} FROM payment
    WHERE provider = ${provider} AND status <> 'succeeded' AND created_at >= ${from} AND created_at < ${to}
      AND provider_payment_id IS NOT NULL AND id > ${after}
    ORDER BY id LIMIT ${pageRows}`)

/** Finds the payments of which money was refunded on the day, whenever they were made. */
export const listRefundedPayments = (queries: Queries, provider: ProviderName, { from, to }: Span, limit: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT DISTINCT payment.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE card_refund.created_at >= ${from} AND card_refund.created_at < ${to} AND provider = ${provider}
      AND payment.status = 'succeeded' ORDER BY payment.id LIMIT ${limit}`)

export const findBookedById = (queries: Queries, ids: readonly number[]) =>
  queries.rows<BookedRow>(sql`SELECT ${booked} FROM payment WHERE id = ANY (${ids}::bigint[]) ORDER BY id`)

export const listBookedRefunds = (queries: Queries, paymentId: number) =>
  queries.rows<BookedCardRefund>(sql`
    SELECT payment_id, card_refund.key, provider_refund_id, card_refund.status,
      coalesce(card_refund.charge_amount, card_refund.amount) AS amount, coalesce(paid_currency, currency) AS currency
    FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment_id = ${paymentId} ORDER BY card_refund.id`)

export const setReconciliation = (
  tx: Tx,
  { day, is_over }: Span,
  provider: ProviderName,
  { state, why, asked, totals, differences, difference_count }: Comparison,
  { origin, actorId }: Maker,
) =>
  tx.run(sql`
    INSERT INTO payment_reconciliation (day, provider, state, why, asked, is_over, totals, differences, difference_count,
      made_by, origin)
    VALUES (${day}, ${provider}, ${state}, ${why}, ${asked}, ${is_over}, ${JSON.stringify(totals)},
      ${JSON.stringify(differences)}, ${difference_count}, ${actorId ?? null}, ${origin})
    ON CONFLICT (day, provider) DO UPDATE SET state = excluded.state, why = excluded.why, asked = excluded.asked,
      is_over = excluded.is_over, totals = excluded.totals, differences = excluded.differences,
      difference_count = excluded.difference_count, made_at = now(), made_by = excluded.made_by, origin = excluded.origin`)

/** Reads what came of comparing a day with each provider, in the order of their names. */
export const readReconciliation = (queries: Queries, day: string) =>
  queries.rows<Reconciliation>(sql`
    SELECT day::text, provider, state, why, asked, is_over, totals, differences, difference_count, made_at,
      users.nickname AS made_by, origin
    FROM payment_reconciliation LEFT JOIN users ON users.id = made_by WHERE day = ${day} ORDER BY provider`)

/** Reads the states of the days of a range, both ends included. */
export const listReconciliations = (queries: Queries, from: string, to: string) =>
  queries.rows<Pick<Reconciliation, 'day' | 'provider' | 'state' | 'is_over' | 'difference_count'>>(sql`
    SELECT day::text, provider, state, is_over, difference_count FROM payment_reconciliation
    WHERE day BETWEEN ${from} AND ${to} ORDER BY payment_reconciliation.day DESC, provider`)
