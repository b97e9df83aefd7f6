import { Failure } from '@olmos/contract/failure'
import { languages } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import { currencies } from '@olmos/contract/money'
import { operationsApi } from '@olmos/contract/operations'
import { paymentMethods } from '@olmos/contract/orders'
import { type PaymentDifference, type ReconciledDay, reconciliationApi } from '@olmos/contract/reconciliation'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context, Resources } from '../../platform/context.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { serveMetrics } from '../../platform/live/metrics.ts'
import { build } from '../../platform/process.ts'
import { type SecurityLog, writeAudit } from '../../platform/security/audit.ts'
import { isSecret } from '../../platform/security/tokens.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type AuditHead, checkSeals, sealTrail } from '../audit/audit.ts'
import type { Providers } from '../payments/providers.ts'
import { reconcileDay } from '../payments/reconcile.ts'
import { listReconciliations, type Reconciliation, readReconciliation } from '../payments/reconciliation.ts'
import { checkClosedDays, closeDays, closedDays, passWatermark } from '../proof/closed-days.ts'
import {
  checkInvariants,
  type InvariantResult,
  type KeptTransfer,
  type LastProof,
  lookSinceClosing,
  neverNegative,
  proveLedger,
  readProof,
  toSums,
} from '../proof/ledger-proof.ts'
import { readTimeZone } from '../shop/shop.ts'
import { readBackupFigures } from './backup-copies.ts'
import { dateIn, readDoneJobs, readShelves, readShopFigures, toDays, toRange } from './summary.ts'

const keepProof = (tx: Tx, { accounts, firstBroken }: Awaited<ReturnType<typeof proveLedger>>) =>
  tx.run(sql`
    INSERT INTO ledger_proof (accounts, first_broken, proved_at)
    VALUES (${JSON.stringify(accounts)}, ${firstBroken ? JSON.stringify(firstBroken) : null}, now())
    ON CONFLICT (is_only_row) DO UPDATE
    SET accounts = excluded.accounts, first_broken = excluded.first_broken, proved_at = excluded.proved_at`)

async function keepChecks(tx: Tx, results: readonly InvariantResult[]): Promise<void> {
  for (const { number, offenders, sample } of results) {
    await tx.run(sql`
      INSERT INTO invariant_check (number, offenders, sample) VALUES (${number}, ${offenders}, ${sample})
      ON CONFLICT (number) DO UPDATE
      SET offenders = excluded.offenders, sample = excluded.sample, checked_at = excluded.checked_at`)
  }
}

type Means = Pick<Resources, 'database' | 'vault' | 'log'>

/** Violations that keep the trail from being sealed: a seal would endorse what was changed. */
const ofTrail = ['audit-chain', 'audit-seals']

/**
 * Runs daily, and when an admin asks: checks every invariant and adds the ledger up, stores the result, and raises an
 * alert for each violation. Seals the audit trail as far as it is intact.
 */
export const proveInvariants = (means: Means): Promise<void> => prove(means, 'whole')

/**
 * Runs hourly: the same for what changed since the last closed day, and for what was broken before. Then closes the days
 * that are over. While no day is closed it looks at everything.
 */
export async function proveLately(means: Means): Promise<void> {
  const mark = await passWatermark(means.database)
  await prove(means, 'lately')
  for (const day of mark ? await closeDays(means, mark) : []) means.log.info({ day }, 'the books of a day were closed')
}

/**
 * Reads which invariants a whole walk has found broken while this run was looking at the open span alone, where it can't have
 * seen the fault. Locks what is stored of all of them until the transaction ends.
 */
async function findBrokenMeanwhile(tx: Tx, looked: ReadonlySet<number> | undefined): Promise<Set<number>> {
  const broken = await tx.rows<{ number: number; offenders: number }>(sql`
    SELECT number, offenders FROM invariant_check ORDER BY number FOR UPDATE`)
  const isNews = ({ number, offenders }: { number: number; offenders: number }) =>
    looked !== undefined && offenders > 0 && !looked.has(number)
  return new Set(broken.filter(isNews).map(({ number }) => number))
}

async function prove(means: Means, walk: 'whole' | 'lately'): Promise<void> {
  const { database, vault, log } = means
  const { results, proof, head, looked } = await database.snapshot(async (queries) => {
    const lately = walk === 'lately' ? await lookSinceClosing(queries) : undefined
    const areDaysBroken = lately?.broken.has(closedDays.number)
    const days = await checkClosedDays(queries, vault, areDaysBroken ? 'whole' : walk)
    const seals = await checkSeals(queries, vault)
    return {
      results: [...(await checkInvariants(queries, lately)), seals.result, days],
      proof: await proveLedger(queries, lately),
      head: seals.head,
      /** Undefined: everything was looked at. */
      looked: lately?.broken,
    }
  })
  const broken = results.filter((result) => result.offenders > 0)
  const foundMeanwhile = await database.transaction(async (tx) => {
    const brokenMeanwhile = await findBrokenMeanwhile(tx, looked)
    const known = results.filter(({ number }) => !brokenMeanwhile.has(number))
    if (!brokenMeanwhile.has(neverNegative)) await keepProof(tx, proof)
    await keepChecks(tx, known)
    for (const { name: subject, ...details } of known) {
      if (details.offenders > 0) await raiseAlert(tx, { kind: 'invariant', subject, details })
      else await resolveAlert(tx, 'invariant', subject)
    }
    return brokenMeanwhile
  })
  for (const { sentence, ...invariant } of broken) log.error({ invariant }, `an invariant is broken: ${sentence}`)
  const isTrailBroken = results.some(
    ({ name, number, offenders }) => ofTrail.includes(name) && (offenders > 0 || foundMeanwhile.has(number)),
  )
  if (head && !isTrailBroken) await seal(means, head)
}

/** Logs each seal: where the log is kept elsewhere, a deleted seal is missed there. */
async function seal({ database, vault, log }: Means, head: AuditHead): Promise<void> {
  const made = await database.transaction((tx) => sealTrail(tx, vault, head))
  if (!made) return
  const { id, entry_id: entry } = made
  log.info({ seal: id, entry, value: made.seal.toString('hex') }, 'the audit trail was sealed')
}

/** Serves the metrics outside /api, because they are no call of the API and have the format of Prometheus. */
export function metricsRoutes(
  app: FastifyInstance,
  { config, database, isQueueRunning, isDraining, telemetry }: Resources,
  security: SecurityLog,
): void {
  // A counter that begins with its first sale would hide that sale from those who watch its growth.
  for (const method of paymentMethods) database.meters.orders.inc({ change: 'paid', method, purpose: 'goods' }, 0)
  serveMetrics(app, {
    database,
    token: config.metricsToken,
    isProduction: config.isProduction,
    isReady: () => isQueueRunning() && !isDraining(),
    readFigures: async () => ({
      ...(await readShopFigures(database)),
      ...(await readBackupFigures(database)),
      database_writable: await database.prove().then(
        (writes) => Number(writes === 'ok'),
        () => 0,
      ),
    }),
    readSlowFigures: async () => ({ stock: await readShelves(database), jobs: await readDoneJobs(database) }),
    readEvents: () => security.counts(),
    push: telemetry?.pushMetrics,
  })
}

/** A probe older than this is not answered, so that one that was overheard is soon worth nothing. */
const probeMs = 60_000

/**
 * How `olmos doctor` learns whom the store takes a caller for. Only the owner of the secret key can sign a probe;
 * everybody else finds nothing there.
 */
export const callerProbe = {
  path: '/.well-known/olmos-caller',
  header: 'x-olmos-probe',
  answer: z.object({ address: z.string(), forwarded_for: z.string() }),
  sign: (vault: Vault, at: number) => `${at}.${vault.fingerprint(`caller probe ${at}`).toString('hex')}`,
}

const contactDays = 180

/** Serves what stands under /.well-known: whom to tell about a weakness (RFC 9116), and the answer to the doctor's probe. */
export function wellKnownRoutes(
  app: FastifyInstance,
  { config, vault, clock }: Pick<Resources, 'config' | 'vault' | 'clock'>,
): void {
  app.get('/.well-known/security.txt', { schema: { hide: true } }, (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600')
    if (config.securityContact === undefined)
      return reply.code(404).send('This shop names nobody for reports: its operator sets SECURITY_CONTACT.\n')
    const expires = new Date(clock.now().getTime() + contactDays * 24 * 3_600_000)
    expires.setUTCHours(0, 0, 0, 0)
    const lines = [
      `Contact: ${config.securityContact}`,
      `Expires: ${expires.toISOString()}`,
      `Preferred-Languages: ${languages.join(', ')}`,
      `Canonical: ${new URL('/.well-known/security.txt', config.publicUrl)}`,
    ]
    return reply.send(`${lines.join('\n')}\n`)
  })

  app.get(callerProbe.path, { schema: { hide: true } }, (request, reply) => {
    const given = String(request.headers[callerProbe.header] ?? '')
    const at = Number(given.split('.')[0])
    const isFresh = Math.abs(clock.now().getTime() - at) < probeMs
    if (!isFresh || !isSecret(callerProbe.sign(vault, at), given)) throw new Failure('NOT_FOUND')
    const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    return reply.header('cache-control', 'no-store').send({ address: request.ip, forwarded_for: forwarded })
  })
}

export function operationsRoutes({ serve, database, isQueueRunning, isDraining }: Context): void {
  // Both are public: monitors and rolling updates need them where no admin logs in, and the names of the assets tell
  // builds of an open program apart anyway.
  serve(operationsApi.health, async () => ({ status: 'ok', version: build.version, build: build.commit }) as const)

  serve(operationsApi.ready, async () => {
    if (isDraining()) throw new Failure('OVERLOADED', undefined, 'the store is closing')
    // Migrations run before the server listens, so a database that answers this query has them.
    const writes = await database.prove()
    if (!isQueueRunning()) throw new Failure('STARTING', { queue: 'down' })
    return { status: 'ready', database: 'ok', writes, migrations: 'ok', queue: 'ok' } as const
  })
}

const majorOrNull = (minor: number | null) => (minor === null ? null : toMajor(minor))

const shownTransfer = ({ expected, ...transfer }: KeptTransfer) => ({
  ...transfer,
  amount: toMajor(transfer.amount),
  balance_after: majorOrNull(transfer.balance_after),
  balance_expected: toMajor(expected),
})

function shownProof({ ledger, checks }: LastProof) {
  const accounts = ledger?.accounts ?? []
  const sums = toSums(accounts)
  const isBalanced = currencies.every((currency) => sums[currency] === 0)
  return {
    proved_at: ledger?.proved_at.toISOString() ?? null,
    is_sound: ledger ? isBalanced && !ledger.first_broken && checks.every(({ found }) => !found?.offenders) : null,
    sums: currencies.map((currency) => ({ currency, sum: toMajor(sums[currency]) })),
    accounts: accounts.map((account) => ({ ...account, balance: toMajor(account.balance) })),
    first_broken_transfer: ledger?.first_broken ? shownTransfer(ledger.first_broken) : null,
    invariants: checks.map(({ found, ...invariant }) => ({
      ...invariant,
      offenders: found?.offenders ?? null,
      sample: found?.sample ?? [],
      checked_at: found?.checked_at.toISOString() ?? null,
    })),
  }
}

export function operationsAdmin({ serve, database, vault, log }: Context): void {
  serve(operationsApi.ledgerProof, async () => shownProof(await readProof(database)))

  // A proof reads every transfer, so admins who ask at once wait for one run.
  let run: Promise<void> | undefined
  serve(operationsApi.proveLedger, async ({ user }) => {
    run ??= proveInvariants({ database, vault, log }).finally(() => {
      run = undefined
    })
    await run
    const proof = shownProof(await readProof(database))
    const after = { is_sound: proof.is_sound }
    await database.transaction((tx) =>
      writeAudit(tx, { actorId: user.id, action: 'ledger.prove', subject: 'ledger', after }),
    )
    return proof
  })
}

type StoredSum = Reconciliation['totals'][number]['here']
type StoredDifference = Reconciliation['differences'][number]

const shownSum = ({ count, amount }: StoredSum) => ({ count, amount: toMajor(amount) })

const shownMoney = (money: StoredDifference['here']) => money && { ...money, amount: toMajor(money.amount) }

const shownDifference = ({ there, here, ...difference }: StoredDifference): PaymentDifference => ({
  ...difference,
  there: shownMoney(there),
  here: shownMoney(here),
})

/** Formats what came of a day with each provider, in major units. */
const shownDay = (day: string, timezone: string, rows: readonly Reconciliation[]): ReconciledDay => ({
  day,
  timezone,
  providers: rows.map(({ day: _, totals, differences, made_at, ...row }) => ({
    ...row,
    totals: totals.map(({ currency, there, here }) => ({
      currency,
      there: there && shownSum(there),
      here: shownSum(here),
    })),
    differences: differences.map(shownDifference),
    made_at: made_at.toISOString(),
  })),
})

/** Nothing was compared before, and the database knows no year 0. */
const firstDay = '2000-01-01'
const notBefore = (day: string) => (day < firstDay ? firstDay : day)

/** The days of the shop, compared with its providers. */
export function reconciliationAdmin(context: Context & { providers: Providers }): void {
  const { serve, database, config, clock } = context
  serve(reconciliationApi.list, async ({ query }) => {
    const timeZone = await readTimeZone(database, config)
    const range = { ...toRange(query, dateIn(timeZone, clock.now())), timeZone }
    const rows = await listReconciliations(database, notBefore(range.from), notBefore(range.to))
    const byDay = Map.groupBy(rows, ({ day }) => day)
    const days = toDays(range)
      .reverse()
      .map((day) => ({ day, providers: (byDay.get(day) ?? []).map(({ day: _, ...provider }) => provider) }))
    return { data: { timezone: timeZone, days } }
  })

  serve(reconciliationApi.read, async ({ params: { day } }) => ({
    data: shownDay(day, await readTimeZone(database, config), await readReconciliation(database, day)),
  }))

  // Admins who ask for one day at once wait for one run.
  const runs = new Map<string, Promise<Reconciliation[]>>()
  serve(reconciliationApi.run, async ({ user, params: { day } }) => {
    const run =
      runs.get(day) ??
      reconcileDay(context, day, { origin: 'admin', actorId: user.id }).finally(() => void runs.delete(day))
    runs.set(day, run)
    const rows = await run
    const after = Object.fromEntries(
      rows.map(({ provider, state, difference_count }) => [provider, difference_count || state]),
    )
    await database.transaction((tx) =>
      writeAudit(tx, { actorId: user.id, action: 'payments.reconcile', subject: `day:${day}`, after }),
    )
    return { data: shownDay(day, await readTimeZone(database, config), rows) }
  })
}
