import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { forEachAtOnce, isUuid, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import { readTimeZone } from '../shop/shop.ts'
import type { PaymentProvider, PaymentSnapshot, ProviderName, ProviderRefund } from './provider.ts'
import type { Providers } from './providers.ts'
import {
  type BookedRow,
  type Comparison,
  comparePayment,
  compareRefunds,
  createTally,
  findBooked,
  findBookedById,
  listBookedRefunds,
  listRefundedPayments,
  listSettled,
  listUnsettled,
  type Maker,
  pageRows,
  type Reconciliation,
  readReconciliation,
  readSpan,
  readYesterday,
  type Span,
  setReconciliation,
  type Tally,
} from './reconciliation.ts'

async function* pages(read: (after: number) => Promise<BookedRow[]>): AsyncGenerator<BookedRow[]> {
  for (let after = 0; ; ) {
    const rows = await read(after)
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Ends the comparison of a provider that did not answer. */
class NotCompared extends Error {}

type Ask = <T>(call: () => Promise<Outcome<T>>) => Promise<Outcome<T>>

const triesAtMost = 2
const pauseMsMax = 30_000
const { reconciledReadsAtOnce: atOnce } = SERVER_LIMITS

/** Asks again once, after the pause that the provider wants, and no more once the time is over. */
const createAsk = (): Ask => {
  const until = Date.now() + SERVER_LIMITS.reconcileMs
  return async (call) => {
    for (let attempt = 1; ; attempt++) {
      if (Date.now() > until) return unknown('time_out')
      const answer = await call()
      if (answer.kind !== 'unknown' || attempt === triesAtMost) return answer
      if (answer.retryAfterSeconds) await sleep(Math.min(answer.retryAfterSeconds * 1_000, pauseMsMax))
    }
  }
}

function requireDone<T>(answer: Outcome<T>): T {
  if (answer.kind === 'done') return answer.value
  throw new NotCompared(answer.kind === 'rejected' ? answer.code : answer.why)
}

interface Work {
  database: Database
  provider: PaymentProvider
  span: Span
  ask: Ask
  tally: Tally
}

/** Reads a payment at its provider; undefined where that does not know it. */
async function readThere({ provider, ask }: Work, id: string): Promise<PaymentSnapshot | undefined> {
  const read = await ask(async () => provider.readPayment?.(id) ?? unknown('no_read'))
  return read.kind === 'rejected' && read.code !== 'not_allowed' ? undefined : requireDone(read)
}

const listPaid = async ({ provider, ask }: Work, from: Date, to: Date): Promise<PaymentSnapshot[]> => {
  const listed = requireDone(await ask(async () => provider.listPayments?.(from, to) ?? unknown('no_list')))
  if (listed.length > SERVER_LIMITS.reconciledPaymentsMax) throw new NotCompared('too_many_payments')
  // Pages that move while they are read may name one twice.
  return [...new Map(listed.map((snapshot) => [snapshot.providerPaymentId, snapshot])).values()].filter(
    ({ status }) => status === 'succeeded',
  )
}

/**
 * Compares what the provider lists for the day with the books, both ways. Answers the store's payments that both sides have.
 */
async function compareList(work: Work): Promise<Set<number>> {
  const { database, provider, span, tally } = work
  const listed = await listPaid(work, span.from, span.to)
  const both = new Set<number>()
  for (let start = 0; start < listed.length; start += pageRows) {
    const chunk = listed.slice(start, start + pageRows)
    const ids = chunk.map(({ providerPaymentId }) => providerPaymentId)
    const rows = await findBooked(database, provider.name, ids, chunk.map(({ reference }) => reference).filter(isUuid))
    const byId = new Map(rows.map((row) => [row.provider_payment_id, row]))
    const byKey = new Map(rows.map((row) => [row.key, row]))
    for (const there of chunk) {
      const sameKey = there.reference === undefined ? undefined : byKey.get(there.reference)
      const here = byId.get(there.providerPaymentId) ?? (sameKey?.provider_payment_id === null ? sameKey : undefined)
      tally.there(there)
      tally.differ(comparePayment(there, here, sameKey))
      if (here?.status !== 'succeeded') continue
      tally.here(here)
      both.add(here.id)
    }
  }
  const missing: BookedRow[] = []
  for await (const rows of pages((after) => listSettled(database, provider.name, span, after))) {
    missing.push(...rows.filter(({ id }) => !both.has(id)))
    if (missing.length > SERVER_LIMITS.reconciledPaymentsMax) throw new NotCompared('too_many_payments')
  }
  await lookAround(work, missing, both)
  return both
}

/**
 * Looks for payments that were booked on the day and are not in its list: they may have been captured on another day and
 * told on this one. What is not listed around the day is asked for by itself.
 */
async function lookAround(work: Work, missing: readonly BookedRow[], both: Set<number>): Promise<void> {
  if (missing.length === 0) return
  const { provider, span, tally } = work
  const marginMs = SERVER_LIMITS.reconcileMarginHours * 3_600_000
  const around = [
    ...(await listPaid(work, new Date(span.from.getTime() - marginMs), span.from)),
    ...(await listPaid(work, span.to, new Date(span.to.getTime() + marginMs))),
  ]
  const elsewhere = new Set(around.map(({ providerPaymentId }) => providerPaymentId))
  const lost = missing.filter(({ provider_payment_id: id }) => id === null || !elsewhere.has(id))
  // So many that nobody finds are missing, and need no call for each to say so.
  const isAsked = provider.readPayment !== undefined && lost.length <= SERVER_LIMITS.reconciledReadsMax
  await forEachAtOnce(lost, atOnce, async (here) => {
    const { provider_payment_id: id } = here
    const there = id !== null && isAsked ? await readThere(work, id) : undefined
    tally.differ(comparePayment(there, here))
    if (there?.status === 'succeeded') both.add(here.id)
    else tally.here(here)
  })
}

/**
 * Compares the payments that the store knows with a provider that lists none, by reading each: those booked on the day, and
 * those begun on it that the books don't have as paid. Answers the store's payments that both sides have.
 */
async function compareEach(work: Work): Promise<Set<number>> {
  const { database, provider, span, tally } = work
  const both = new Set<number>()
  let reads = 0
  const compare = async (here: BookedRow) => {
    const { provider_payment_id: id } = here
    if (id === null) return
    reads += 1
    if (reads > SERVER_LIMITS.reconciledReadsMax) throw new NotCompared('too_many_payments')
    const there = await readThere(work, id)
    if (there?.status === 'succeeded') tally.there(there)
    tally.here(here)
    tally.differ(comparePayment(there, here))
    if (there?.status === 'succeeded' && here.status === 'succeeded') both.add(here.id)
  }
  for (const list of [listSettled, listUnsettled]) {
    for await (const rows of pages((after) => list(database, provider.name, span, after)))
      await forEachAtOnce(rows, atOnce, compare)
  }
  return both
}

/** Compares the refunds of the day's payments, and of those of which money was refunded on the day. */
async function compareAllRefunds({ database, provider, span, ask, tally }: Work, both: Set<number>): Promise<void> {
  if (!provider.listRefunds) return
  const limit = SERVER_LIMITS.reconciledReadsMax
  const refunded = await listRefundedPayments(database, provider.name, span, limit)
  const ids = [...new Set([...both, ...refunded.map(({ id }) => id)])]
  if (ids.length > limit) throw new NotCompared('too_many_payments')
  for (let start = 0; start < ids.length; start += pageRows) {
    await forEachAtOnce(await findBookedById(database, ids.slice(start, start + pageRows)), atOnce, async (payment) => {
      const { provider_payment_id: id } = payment
      if (id === null) return
      const read = async () => {
        const there = requireDone(
          await ask<readonly ProviderRefund[]>(async () => provider.listRefunds?.(id) ?? unknown('no_list')),
        )
        return compareRefunds(payment, there, await listBookedRefunds(database, payment.id))
      }
      // A refund that is made or told meanwhile is on one side only for a moment.
      const first = await read()
      for (const difference of first.length > 0 ? await read() : []) tally.differ(difference)
    })
  }
}

/** Adds up what the books have of a provider that can't be asked. */
async function readOnlyBooks({ database, provider, span, tally }: Work): Promise<void> {
  for await (const rows of pages((after) => listSettled(database, provider.name, span, after))) rows.map(tally.here)
}

async function compare(database: Database, provider: PaymentProvider, span: Span): Promise<Comparison> {
  const tally = createTally()
  const work: Work = { database, provider, span, ask: createAsk(), tally }
  const asked = provider.listPayments ? 'list' : provider.readPayment ? 'each' : 'nothing'
  if (asked === 'nothing') {
    await readOnlyBooks(work)
    return { state: 'cabinet_only', why: null, asked, ...tally.end(false) }
  }
  let both: Set<number> | undefined
  let why: string | null = null
  try {
    both = await (asked === 'list' ? compareList(work) : compareEach(work))
    await compareAllRefunds(work, both)
  } catch (error) {
    if (!(error instanceof NotCompared)) throw error
    // Half of a list says nothing; payments that were compared count, whatever became of their refunds.
    if (!both) return { state: 'not_compared', why: error.message, asked, ...createTally().end(false) }
    why = `refunds: ${error.message}`
  }
  const ended = tally.end(true)
  const state = ended.difference_count > 0 ? 'different' : why === null ? 'equal' : 'not_compared'
  return { state, why, asked, ...ended }
}

/** Raises the alert of a day that has differences, and ends it once there are none. While a day lasts nothing is late. */
async function judgeDay(tx: Tx, span: Span, provider: ProviderName, result: Comparison): Promise<void> {
  if (!span.is_over) return
  const subject = `${provider}:${span.day}`
  const { difference_count: differences, state } = result
  if (state === 'equal') await resolveAlert(tx, 'payment.difference', subject)
  if (state === 'different')
    await raiseAlert(tx, { kind: 'payment.difference', subject, details: { provider, day: span.day, differences } })
}

type ReconciledShop = Pick<Resources, 'database'> & { providers: Providers; config: { timeZone: string } }

/**
 * Asks each provider of the shop what it has for a day, compares it with the books to the unit, both ways, stores what
 * came of it and raises an alert for what differs. A day begins at midnight in the shop's time zone; one that is not over
 * is compared as far as it is. Refuses a day to come with VALIDATION_FAILED. Call it outside any transaction.
 */
export async function reconcileDay(
  { database, providers, config }: ReconciledShop,
  day: string,
  maker: Maker,
): Promise<Reconciliation[]> {
  const span = await readSpan(database, day, await readTimeZone(database, config))
  if (span.from >= span.to) throw new Failure('VALIDATION_FAILED', { day: 'in_future' })
  await Promise.all(
    providers.configured.map(async (provider) => {
      const result = await compare(database, provider, span)
      await database.transaction(async (tx) => {
        await setReconciliation(tx, span, provider.name, result, maker)
        await judgeDay(tx, span, provider.name, result)
      })
    }),
  )
  return readReconciliation(database, day)
}

/** Compares the day before this one, or tells which it is. Runs once a day. */
export async function reconcileYesterday(
  shop: ReconciledShop,
  maker: Maker = { origin: 'job' },
): Promise<Reconciliation[]> {
  const { day } = await readYesterday(shop.database, await readTimeZone(shop.database, shop.config))
  return reconcileDay(shop, day, maker)
}
