import { randomUUID } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { type FiscalSettings, type FiscalTrial, fiscalApi } from '@olmos/contract/fiscal-settings'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import { makeReceipt } from './fiscal-receipt.rules.ts'
import {
  type FiscalSettingsRow,
  lockFiscalSettings,
  readFiscalSettings,
  toDefaults,
  writeFiscalSettings,
} from './fiscal-receipts.ts'
import type { PaymentShop } from './open-payment.ts'
import type { PaymentProvider, ProviderName, ReceiptName, ReceiptState, ReportedReceipt } from './provider.ts'
import { type Providers, providerNamed } from './providers.ts'

/** Named in the provider's cabinet, and on the receipt that is never printed. */
const trialName = 'Проверка чека'

const listAvailable = ({ configured }: Providers): PaymentProvider[] =>
  configured.filter(({ needsContact }) => needsContact !== undefined)

const shownSettings = (row: FiscalSettingsRow, providers: Providers): FiscalSettings => ({
  ...row,
  available: listAvailable(providers).map(({ name, needsTaxSystem, least }) => ({
    name,
    needs_tax_system: needsTaxSystem === true,
    least: toMajor(least?.RUB ?? 1),
  })),
})

/**
 * Refuses receipts at a provider that takes none, at one that must know a tax system without one, and one of two codes that
 * belong together: VALIDATION_FAILED.
 */
function requireAble(before: FiscalSettingsRow, after: FiscalSettingsRow, providers: Providers): void {
  const available = listAvailable(providers)
  const added = after.providers.filter((name) => !before.providers.includes(name))
  if (added.some((name) => !available.some((provider) => provider.name === name)))
    throw new Failure('VALIDATION_FAILED', { providers: 'invalid' })
  const mustSay = available.some(({ name, needsTaxSystem }) => needsTaxSystem && after.providers.includes(name))
  if (mustSay && after.tax_system === null) throw new Failure('VALIDATION_FAILED', { tax_system: 'required' })
  if (after.ikpu !== null && after.package_code === null)
    throw new Failure('VALIDATION_FAILED', { package_code: 'required' })
  if (after.package_code !== null && after.ikpu === null) throw new Failure('VALIDATION_FAILED', { ikpu: 'required' })
}

const shownTrial = (outcome: Outcome<'canceled' | 'expires'>): FiscalTrial => {
  if (outcome.kind === 'done') return { outcome: 'accepted', code: null, parameter: null, payment: outcome.value }
  if (outcome.kind === 'unknown') return { outcome: 'unknown', code: outcome.why, parameter: null, payment: null }
  return { outcome: 'refused', code: outcome.code, parameter: outcome.parameter ?? null, payment: null }
}

export function fiscalAdmin(context: Context & { providers: Providers }): void {
  const { serve, database, providers, config, clock } = context

  serve(fiscalApi.settings, async () => ({ data: shownSettings(await readFiscalSettings(database), providers) }))

  serve(fiscalApi.change, ({ user, body: { version, ...change } }) =>
    database.transaction(async (tx) => {
      const before = await lockFiscalSettings(tx)
      requireVersion(shownSettings(before, providers), version)
      const wanted = { ...before, ...change, providers: [...new Set(change.providers ?? before.providers)] }
      requireAble(before, wanted, providers)
      const after = await writeFiscalSettings(tx, wanted)
      await writeAudit(tx, { actorId: user.id, action: 'fiscal.settings', subject: 'fiscal_settings', before, after })
      return { data: shownSettings(after, providers) }
    }),
  )

  /** Asks the provider to take a receipt of one line that says what the settings say. */
  const tryReceipt = async (
    provider: PaymentProvider,
    { amount, email }: { amount: number; email: string },
  ): Promise<Outcome<'canceled' | 'expires'>> => {
    const receipt = makeReceipt({
      contact: { email },
      items: [{ name: trialName, quantity: 1, amount }],
      charged: amount,
      defaults: toDefaults(await readFiscalSettings(database)),
    })
    const key = randomUUID()
    const request = {
      key,
      orderId: 'TRIAL',
      method: provider.methods[0].name,
      amount,
      currency: 'RUB',
      description: trialName,
      language: 'ru',
      returnUrl: config.publicUrl,
      expiresAt: new Date(clock.now().getTime() + firstNumbers.reservation_minutes * 60_000),
      receipt,
    } as const
    return provider.tryReceipt?.(request) ?? unknown('not_supported')
  }

  serve(fiscalApi.try, async ({ user, body: { provider: name, amount, email } }) => {
    const provider = providerNamed(providers, name)
    if (!provider?.needsContact)
      throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', provider: name })
    const least = provider.least?.RUB ?? 1
    if (toMinor(amount) < least) throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(least), currency: 'RUB' })
    const trial = shownTrial(await tryReceipt(provider, { amount: toMinor(amount), email }))
    await database.transaction((tx) =>
      writeAudit(tx, {
        actorId: user.id,
        action: 'fiscal.try',
        subject: 'fiscal_settings',
        after: { provider: name, amount, ...trial },
      }),
    )
    return { data: trial }
  })
}

/** A payment that was sent a receipt, or one of its refunds, whose document the provider has said nothing final about. */
interface OpenReceipt {
  provider: ProviderName
  order_id: string
  payment_id: number
  refund_id: number | null
  provider_payment_id: string
  provider_refund_id: string | null
  amount: number
  currency: string
  /** Whether a cash register has had all the time that providers leave it. */
  is_late: boolean
}

const days = (count: number) => sql`make_interval(days => ${count})`
const isDue = sql`(receipt_asked_at IS NULL OR receipt_asked_at < now() - interval '1 hour')`
const isFresh = sql`now() - ${days(SERVER_LIMITS.receiptForgottenDays)}`
const isLate = sql`now() - ${days(SERVER_LIMITS.receiptLateDays)}`
const atOnce = 100

/** Takes payments whose receipt is to be asked about now; each of them comes again in an hour. */
const takeDuePaymentReceipts = (queries: Queries, providers: readonly ProviderName[]) =>
  queries.rows<OpenReceipt>(sql`
    UPDATE payment SET receipt_asked_at = now() WHERE id IN (
      SELECT id FROM payment
      WHERE receipt IS NOT NULL AND receipt_state IS NULL AND status = 'succeeded' AND provider = ANY (${providers})
        AND settled_at > ${isFresh} AND ${isDue}
      ORDER BY receipt_asked_at NULLS FIRST, settled_at, id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)
    RETURNING provider, order_id, id AS payment_id, NULL::bigint AS refund_id, provider_payment_id,
      NULL::text AS provider_refund_id, paid_amount AS amount, paid_currency AS currency, settled_at < ${isLate} AS is_late`)

/** A refund may have waited for its provider long after it was asked for. */
const refundMadeAt = sql`coalesce(card_refund.settled_at, card_refund.created_at)`

/** Takes refunds likewise. */
const takeDueRefundReceipts = (queries: Queries, providers: readonly ProviderName[]) =>
  queries.rows<OpenReceipt>(sql`
    UPDATE card_refund SET receipt_asked_at = now() FROM payment
    WHERE payment.id = card_refund.payment_id AND card_refund.id IN (
      SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
      WHERE card_refund.receipt IS NOT NULL AND card_refund.receipt_state IS NULL AND card_refund.status = 'succeeded'
        AND card_refund.provider_refund_id IS NOT NULL AND payment.provider = ANY (${providers})
        AND ${refundMadeAt} > ${isFresh}
        AND (card_refund.receipt_asked_at IS NULL OR card_refund.receipt_asked_at < now() - interval '1 hour')
      ORDER BY card_refund.receipt_asked_at NULLS FIRST, ${refundMadeAt}, card_refund.id
      LIMIT ${atOnce} FOR UPDATE OF card_refund SKIP LOCKED)
    RETURNING payment.provider, payment.order_id, payment.id AS payment_id, card_refund.id AS refund_id,
      payment.provider_payment_id, card_refund.provider_refund_id,
      coalesce(card_refund.charge_amount, card_refund.amount) AS amount, payment.paid_currency AS currency,
      ${refundMadeAt} < ${isLate} AS is_late`)

const setPaymentReceipt = (queries: Queries, id: number, state: 'registered' | 'failed') =>
  queries.run(sql`UPDATE payment SET receipt_state = ${state} WHERE id = ${id}`)

const setRefundReceipt = (queries: Queries, id: number, state: 'registered' | 'failed') =>
  queries.run(sql`UPDATE card_refund SET receipt_state = ${state} WHERE id = ${id}`)

const findPaymentByName = (queries: Queries, provider: ProviderName, providerPaymentId: string) =>
  queries.maybe<{ id: number; order_id: string; amount: number | null; currency: string | null }>(sql`
    SELECT id, order_id, paid_amount AS amount, paid_currency AS currency FROM payment
    WHERE provider = ${provider} AND provider_payment_id = ${providerPaymentId}`)

const countRefunds = async (queries: Queries, paymentId: number): Promise<number> =>
  (
    await queries.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM card_refund WHERE payment_id = ${paymentId}`,
    )
  ).count

const kind = 'payment.receipt_failed'
const unreadKind = 'payment.receipt_unread'

/**
 * Asks those providers that tell it to nobody whether they have registered the receipts of payments and refunds, until they
 * have an answer. One that failed raises an alert, and so does one that has none after days: the sale is made, and nobody
 * but a person can correct it in the cash register. One that can't be read by then raises another alert, and is asked about
 * until it is forgotten.
 */
export async function watchReceipts({ database, providers, log }: PaymentShop): Promise<void> {
  const names = providers.configured.filter(({ readReceipt }) => readReceipt).map(({ name }) => name)
  if (names.length === 0) return
  const due = [...(await takeDuePaymentReceipts(database, names)), ...(await takeDueRefundReceipts(database, names))]
  const silent = new Map<ProviderName, string>()
  const unread: UnreadReceipt[] = []
  for (const receipt of due) {
    const { provider, order_id: order } = receipt
    const silence = silent.get(provider)
    const answer = silence
      ? unknown(silence)
      : ((await providerNamed(providers, provider)?.readReceipt?.(toName(receipt))) ?? unknown('not_configured'))
    if (answer.kind !== 'done') {
      if (!silence) log.warn({ provider, order, answer }, 'receipt not read')
      // It answers nothing now: the others of it are asked about in an hour.
      if (answer.kind === 'unknown') silent.set(provider, answer.why)
      if (receipt.is_late) unread.push({ ...receipt, why: answer.kind === 'unknown' ? answer.why : answer.code })
      continue
    }
    const isGivenUp = answer.value.state === 'pending' && receipt.is_late
    const told: ReceiptState = isGivenUp ? { state: 'failed', why: 'no_answer' } : answer.value
    await database.transaction((tx) => noteRead(tx, receipt, told))
  }
  await raiseUnread(database, unread)
}

/** A late receipt that was not read this time; `why` is the provider's code. */
type UnreadReceipt = OpenReceipt & { why: string }

const toSubject = ({ payment_id, refund_id }: OpenReceipt): string =>
  refund_id === null ? `payment:${payment_id}` : `card-refund:${refund_id}`

/** Raises an alert about each of them, once: not again after an operator has ended it. */
async function raiseUnread(queries: Queries, receipts: readonly UnreadReceipt[]): Promise<void> {
  if (receipts.length === 0) return
  const alerts = await queries.rows<{ subject: string }>(
    sql`SELECT subject FROM alert WHERE kind = ${unreadKind} AND subject = ANY (${receipts.map(toSubject)})`,
  )
  const raised = new Set(alerts.map(({ subject }) => subject))
  for (const receipt of receipts.filter((receipt) => !raised.has(toSubject(receipt)))) {
    const { order_id: order, provider, amount, currency, provider_payment_id, provider_refund_id, why } = receipt
    const names = { provider_payment_id, ...(provider_refund_id !== null && { provider_refund_id }) }
    const details = { order, provider, amount, currency, ...names, why }
    await raiseAlert(queries, { kind: unreadKind, subject: toSubject(receipt), details })
  }
}

const toName = ({ provider_payment_id, provider_refund_id }: OpenReceipt): ReceiptName => ({
  providerPaymentId: provider_payment_id,
  providerRefundId: provider_refund_id,
})

async function noteRead(tx: Tx, receipt: OpenReceipt, told: ReceiptState): Promise<void> {
  if (told.state === 'pending') return
  const { refund_id, payment_id, provider, order_id: order, amount, currency } = receipt
  if (refund_id === null) await setPaymentReceipt(tx, payment_id, told.state)
  else await setRefundReceipt(tx, refund_id, told.state)
  const subject = toSubject(receipt)
  await resolveAlert(tx, unreadKind, subject)
  const details = { order, provider, amount, currency }
  if (told.state === 'failed') await raiseAlert(tx, { kind, subject, details: { ...details, ...toFacts(told) } })
}

const toFacts = ({ why, parameter }: ReceiptState & { state: 'failed' }) => ({ why, ...(parameter && { parameter }) })

/**
 * Notes what a provider reports of a fiscal document by itself: one that failed raises an alert, which ends when the provider
 * reports that it was registered after all; where that may be another refund's, a person ends it.
 */
export async function noteReceipt(
  queries: Queries,
  provider: ProviderName,
  { providerPaymentId, isRefund, told }: ReportedReceipt,
): Promise<void> {
  if (told.state === 'pending') return
  const payment = await findPaymentByName(queries, provider, providerPaymentId)
  if (payment && !isRefund) await setPaymentReceipt(queries, payment.id, told.state)
  const about = payment ? `payment:${payment.id}` : `${provider}:${providerPaymentId}`
  const subject = isRefund ? `${about}:refund` : about
  if (told.state !== 'failed') {
    // Nobody knows which of several refunds is meant: the one whose receipt failed may be another.
    const isSure = !isRefund || !payment || (await countRefunds(queries, payment.id)) <= 1
    if (isSure) await resolveAlert(queries, kind, subject)
    return
  }
  const paid = payment && { order: payment.order_id, amount: payment.amount, currency: payment.currency }
  await raiseAlert(queries, {
    kind,
    subject,
    details: { provider, provider_payment_id: providerPaymentId, ...paid, ...toFacts(told) },
  })
}
