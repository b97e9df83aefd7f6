import type { Currency } from '@olmos/contract/money'
import type { PaymentStatus } from '@olmos/contract/orders'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Database, type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { done, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import type { PaymentShop } from './open-payment.ts'
import type { PaymentProvider, ProviderName, ProviderRefund } from './provider.ts'
import { providerNamed } from './providers.ts'

export interface CardRefundRow {
  id: number
  order_id: string
  user_id: number
  provider: ProviderName
  provider_payment_id: string
  provider_refund_id: string | null
  payment_id: number
  /** Where the money of the payment had gone. */
  settled_to: 'order' | 'wallet' | 'operator'
  key: string
  amount: number
  /** Of what was paid; where it went to the operator not one that a wallet holds. */
  currency: Currency
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
  /** Who made it: the store, or somebody at the provider's. */
  origin: 'store' | 'provider'
  /** How often the provider was asked to make it, this time included. */
  attempts: number
  is_stuck: boolean
  /** Somebody speaks with the provider about it at the moment. */
  is_asked: boolean
}

const selectRefund = sql`
  SELECT card_refund.id, payment.order_id, orders.user_id, provider, provider_payment_id, provider_refund_id,
    card_refund.key, card_refund.amount, payment.paid_currency AS currency, card_refund.status, payment_id, settled_to,
    origin, attempts, stuck_since IS NOT NULL AS is_stuck,
    coalesce(card_refund.attempt_until > now(), false) AS is_asked
  FROM card_refund JOIN payment ON payment.id = card_refund.payment_id JOIN orders ON orders.id = payment.order_id`

/** What was paid for an order by card, if it was. */
export const findOrderPayment = (tx: Tx, orderId: string) =>
  tx.maybe<{ id: number; provider: ProviderName }>(sql`
    SELECT id, provider FROM payment WHERE order_id = ${orderId} AND status = 'succeeded' AND settled_to = 'order'`)

/** Writes down that this much goes back to the card, with the key that every attempt will send. */
export async function insertCardRefund(tx: Tx, paymentId: number, amount: number): Promise<number> {
  const { id } = await tx.one<{ id: number }>(
    sql`INSERT INTO card_refund (payment_id, amount, attempts) VALUES (${paymentId}, ${amount}, 0) RETURNING id`,
  )
  return id
}

/** Made at the provider's by somebody else. Answers none when it was told of before. The caller holds the order. */
export const insertOutsideRefund = (tx: Tx, paymentId: number, refund: { providerRefundId: string; amount: number }) =>
  tx.maybe<{ id: number }>(sql`
    INSERT INTO card_refund (payment_id, amount, origin, attempts, status, provider_refund_id)
    VALUES (${paymentId}, ${refund.amount}, 'provider', 0, 'sent', ${refund.providerRefundId})
    ON CONFLICT (payment_id, provider_refund_id) DO NOTHING RETURNING id`)

const isFree = sql`(attempt_until IS NULL OR attempt_until < now()) AND (next_at IS NULL OR next_at < now())`

/**
 * Makes the caller the only one who speaks with the provider about the refund, for a while. That it is about to be
 * sent is written down here, before the call: whoever comes after a crash must not take it for never sent.
 */
const claimCardRefund = async (queries: Queries, id: number): Promise<CardRefundRow | undefined> => {
  const claimed = await queries.run(sql`
    UPDATE card_refund SET attempt_until = now() + make_interval(secs => ${SERVER_LIMITS.attemptSeconds}),
      attempts = attempts + CASE WHEN status = 'sending' THEN 1 ELSE 0 END
    WHERE id = ${id} AND status IN ('sending', 'sent') AND ${isFree}`)
  return claimed === 1 ? queries.one<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id}`) : undefined
}

/** Lets others try, after the pause the provider asked for. */
const endRefundAttempt = (
  queries: Queries,
  id: number,
  { retryAfterSeconds, isUnsent }: { retryAfterSeconds: number | undefined; isUnsent: boolean },
) =>
  queries.run(sql`
    UPDATE card_refund SET attempt_until = NULL, attempts = CASE WHEN ${isUnsent} THEN attempts - 1 ELSE attempts END,
      next_at = now() + make_interval(secs => ${retryAfterSeconds ?? null}::float8)
    WHERE id = ${id}`)

export const markRefundStuck = (queries: Queries, id: number) =>
  queries.run(sql`UPDATE card_refund SET stuck_since = coalesce(stuck_since, now()) WHERE id = ${id}`)

export const readCardRefund = (queries: Queries, id: number) =>
  queries.maybe<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id}`)

/** The refund, held until the transaction ends. The caller holds its order. */
export const lockCardRefund = (tx: Tx, id: number) =>
  tx.one<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id} FOR UPDATE OF card_refund`)

const setCardRefund = (
  tx: Tx,
  id: number,
  { status, providerRefundId }: { status: CardRefundRow['status']; providerRefundId: string | null },
) =>
  tx.run(sql`
    UPDATE card_refund SET status = ${status}, attempt_until = NULL, next_at = NULL, stuck_since = NULL,
      provider_refund_id = coalesce(${providerRefundId}, provider_refund_id)
    WHERE id = ${id}`)

export const findCardRefund = (queries: Queries, provider: ProviderName, providerRefundId: string) =>
  queries.maybe<{ id: number }>(sql`
    SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment.provider = ${provider} AND card_refund.provider_refund_id = ${providerRefundId}`)

/** Asked for by the store with this key, whatever has become of it. */
export const findRefundByKey = (queries: Queries, provider: ProviderName, key: string) =>
  queries.maybe<CardRefundRow>(sql`${selectRefund} WHERE payment.provider = ${provider} AND card_refund.key = ${key}`)

/** Refunds of the store that may be the one the provider speaks of: sent, of this amount, and without a name there yet. */
export const findNamelessRefunds = (queries: Queries, paymentId: number, amount: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT id FROM card_refund
    WHERE payment_id = ${paymentId} AND amount = ${amount} AND status = 'sending' AND attempts > 0
      AND provider_refund_id IS NULL
    ORDER BY id`)

/** The payment the provider gave something back of, as far as the store knows it. */
export const findRefundedPayment = (queries: Queries, provider: ProviderName, providerPaymentId: string) =>
  queries.maybe<{ id: number; order_id: string; status: PaymentStatus; paid_currency: string | null }>(sql`
    SELECT id, order_id, status, paid_currency FROM payment
    WHERE provider = ${provider} AND provider_payment_id = ${providerPaymentId}`)

const undecidedRefunds = (queries: Queries, limit: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT id FROM card_refund WHERE status IN ('sending', 'sent') AND ${isFree} ORDER BY id LIMIT ${limit}`)

const listUndecidedRefunds = (queries: Queries, orderId: string) =>
  queries.rows<{ id: number }>(sql`
    SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment.order_id = ${orderId} AND card_refund.status IN ('sending', 'sent')`)

/** Refunds the provider was asked for so long ago that it may have forgotten their key. */
const isTooOldToSend = (queries: Queries, id: number) =>
  queries.one<{ is_too_old: boolean }>(sql`
    SELECT created_at < now() - make_interval(hours => ${SERVER_LIMITS.refundResendHours}) AS is_too_old
    FROM card_refund WHERE id = ${id}`)

const atOnce = 100

const toIds = (rows: readonly { id: number }[]) => rows.map((row) => row.id)

/** The refunds whose provider has not said its last word. */
export const cardRefundsToSend = async (database: Database) => toIds(await undecidedRefunds(database, atOnce))
export const readCardRefunds = async (queries: Queries, orderId: string) =>
  toIds(await listUndecidedRefunds(queries, orderId))

/** What a provider said of a refund, and what that says of the money. */
interface AskedRefund {
  refund: CardRefundRow
  outcome: Outcome<ProviderRefund>
  /** Nobody can tell without a person whether the money went back. */
  isStuck: boolean
}

/**
 * Sends a refund to its provider, or asks how one that was sent stands. Call it outside any transaction. None while
 * somebody else is at it, or nothing is left to ask. A no to a repeat says nothing of the attempt before it, whose
 * answer was lost: it leaves the refund unknown. `mustSend` is asked before a first attempt; where it says no, none is made.
 */
export async function askForRefund(
  { database, providers }: PaymentShop,
  id: number,
  mustSend: (refund: CardRefundRow) => Promise<boolean>,
): Promise<AskedRefund | undefined> {
  const refund = await claimCardRefund(database, id)
  if (!refund) return undefined
  const provider = providerNamed(providers, refund.provider)
  const answer = await toAnswer(database, provider, refund, mustSend)
  // With a wrong key nothing was done: whoever has the right one is the first to ask.
  const isUnsent = isFirst(refund) && (!provider || (answer.kind === 'rejected' && answer.code === 'not_allowed'))
  const isNoToRepeat = answer.kind === 'rejected' && !isFirst(refund)
  const outcome = answer.kind === 'rejected' && (isUnsent || isNoToRepeat) ? unknown(answer.code) : answer
  const isStuck = isNoToRepeat || (answer.kind === 'unknown' && answer.why === tooOld)
  if (outcome.kind === 'unknown') {
    await endRefundAttempt(database, id, { retryAfterSeconds: outcome.retryAfterSeconds, isUnsent })
  }
  return { refund, outcome, isStuck }
}

/** The provider certainly did nothing, and will be asked as if for the first time. */
export async function releaseUnsent(database: Database, id: number, retryAfterSeconds: number | undefined) {
  await endRefundAttempt(database, id, { retryAfterSeconds, isUnsent: true })
}

const tooOld = 'too_old'

/** It was never sent before. */
const isFirst = ({ status, attempts }: CardRefundRow) => status === 'sending' && attempts === 1

async function toAnswer(
  database: Database,
  provider: PaymentProvider | undefined,
  refund: CardRefundRow,
  mustSend: (refund: CardRefundRow) => Promise<boolean>,
): Promise<Outcome<ProviderRefund>> {
  if (!provider) return unknown('not_configured')
  if (refund.provider_refund_id !== null) return readAgain(provider, refund.provider_refund_id)
  if (isFirst(refund) && !(await mustSend(refund))) return { kind: 'rejected', code: 'given_back_outside' }
  const { is_too_old } = await isTooOldToSend(database, refund.id)
  if (is_too_old && !isFirst(refund)) return unknown(tooOld)
  const { provider_payment_id: providerPaymentId, amount, currency, key } = refund
  return provider.refund({ providerPaymentId, amount, currency, key })
}

async function readAgain(provider: PaymentProvider, providerRefundId: string): Promise<Outcome<ProviderRefund>> {
  const read = await provider.readRefund(providerRefundId)
  // It has taken the refund before: that it can't find it now proves nothing.
  return read.kind === 'rejected' ? unknown(read.code) : read
}

/** The refunds of a payment that the store's books don't have under their name yet. */
export async function unbookedRefunds(
  { database, providers }: PaymentShop,
  { provider: name, provider_payment_id }: Pick<CardRefundRow, 'provider' | 'provider_payment_id'>,
): Promise<Outcome<ProviderRefund[]>> {
  const provider = providerNamed(providers, name)
  if (!provider) return unknown('not_configured')
  const listed = await provider.listRefunds(provider_payment_id)
  if (listed.kind !== 'done') return listed
  const unbooked: ProviderRefund[] = []
  for (const refund of listed.value) {
    if (!(await findCardRefund(database, name, refund.providerRefundId))) unbooked.push(refund)
  }
  return done(unbooked)
}

const statusFor = { pending: 'sent', succeeded: 'succeeded', failed: 'failed' } as const

export const noteProviderRefund = (
  tx: Tx,
  id: number,
  { status, providerRefundId }: Pick<ProviderRefund, 'status' | 'providerRefundId'>,
) => setCardRefund(tx, id, { status: statusFor[status], providerRefundId })

/** The provider will not do it. */
export const failCardRefund = (tx: Tx, id: number) =>
  setCardRefund(tx, id, { status: 'failed', providerRefundId: null })
