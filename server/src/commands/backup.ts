import { join } from 'node:path'
import { toMajor } from '@olmos/contract/minor-units'
import { z } from 'zod'
import { type Config, readConfig } from '../config.ts'
import { archiveCalls, readArchive } from '../modules/operations/archive.ts'
import {
  listBackups,
  readVerdict,
  requireBackupKey,
  restoreBackup,
  takeBackup,
  toTime,
  verifyNewest,
} from '../modules/operations/backup.ts'
import {
  Copies,
  copyBackups,
  copyWal,
  fetchBackup,
  keepReporting,
  readBackupReport,
  reportBackup,
  reportLook,
  secondsSince,
} from '../modules/operations/backup-copies.ts'
import { keepWal, type RestoreTarget } from '../modules/operations/keep-wal.ts'
import { askSuppliers, reconcileSales } from '../modules/operations/reconcile-sales.ts'
import { dateIn, toDays } from '../modules/operations/summary.ts'
import { readTimeZone } from '../modules/shop/shop.ts'
import type { Database } from '../platform/database/database.ts'
import { readPendingMigrations } from '../platform/database/migrate.ts'
import { raiseAlert, resolveAlert } from '../platform/live/alert.ts'
import { openLog, StartupError, toReason, untilEnding } from '../platform/process.ts'
import { reconcilePayments } from './books.ts'
import { type Command, openStore, openSuppliers, openVault, type Terminal, UsageError } from './command.ts'

/** Longer than all tries of a night, and shorter than until the next one. */
const onlyCopiedWithinSeconds = 12 * 3_600

/** Takes a backup, or restores the newest one for a look at it. */
export const backup = {
  summary:
    'backs the database up while the store serves; --verify restores the newest one into a scratch database instead',
  options: '[--to DIR] [--verify]',
  async run({ config, database, url, closers, print, progress }, _argument, options) {
    const folder = options.to ?? config.backupDir
    if (folder === undefined) throw new UsageError('Say where: --to DIR, or the setting BACKUP_DIR.')
    if (!options.verify) {
      const uncopied = await findUncopied(config, { database, folder })
      if (uncopied) print(`${uncopied} is complete, and still has to be copied; no other one is taken for some hours.`)
      if (uncopied) return copy({ config, database, print, progress }, folder)
      const taken = await takeBackup({ config, database, url, progress }, folder)
      print(`${taken} is complete.`)
      await reportBackup(database, taken, { keepsWal: config.backupWal })
      return copy({ config, database, print, progress }, folder)
    }
    const { path, manifest, codes, whyNot } = await untilEnding(closers, (ending) =>
      verifyNewest(config, folder, ending),
    )
    await reportLook(database, whyNot)
    if (whyNot === undefined) {
      await resolveAlert(database, 'backup.failed')
      const { orders, sold_codes, transfers } = manifest.at_least
      print(
        `${path} was restored: the invariants hold, ${codes} codes open, at least ${orders} orders, ${sold_codes} sold codes and ${transfers} transfers.`,
      )
      return 0
    }
    await raiseAlert(database, {
      kind: 'backup.failed',
      subject: 'backup',
      details: { since: manifest.taken_at, why: whyNot },
    })
    print(`${path} is no backup to rely on: ${whyNot}`)
    return 1
  },
} satisfies Command

/**
 * Finds the newest backup where it is young and only its copy is missing: whoever tries again after a copy that failed would
 * fill the folder with new ones, and the older ones would go. What is known to be wrong with it is no reason to keep to it.
 */
async function findUncopied(
  { backupBucket }: Config,
  { database, folder }: { database: Database; folder: string },
): Promise<string | undefined> {
  const [newest] = await listBackups(folder)
  if (!backupBucket || newest === undefined || secondsSince(toTime(newest)) > onlyCopiedWithinSeconds) return undefined
  const path = join(folder, newest)
  const report = await readBackupReport(database)
  if ((await readVerdict(path)) || (report?.keeps_wal && report.has_wal_gap)) return undefined
  const copied = await new Copies(backupBucket).listBackups().catch((): string[] => [])
  return copied.includes(newest) ? undefined : path
}

/** Copies what lies in a folder of backups to the bucket, where there is one; an alert says when that can't be done. */
async function copy(
  { config, database, print, progress }: Omit<Terminal, 'url' | 'closers'>,
  backupDir: string,
): Promise<number> {
  if (!config.backupBucket) return 0
  try {
    const sent = await copyBackups({ copies: new Copies(config.backupBucket), backupDir }, { progress })
    await resolveAlert(database, 'backup.not_copied', 'backup')
    print(`${sent} files were copied to ${config.backupBucket.url}.`)
    return 0
  } catch (error) {
    const why = toReason(error)
    await raiseAlert(database, { kind: 'backup.not_copied', subject: 'backup', details: { why } })
    print(`It could not be copied to ${config.backupBucket.url}: ${why}`)
    return 1
  }
}

export const fetchBackupCommand = {
  summary: 'fetches the newest backup, and what was written after it, from the bucket into a folder',
  options: '--into DIR [--before MOMENT]',
  details: ['With --before 2026-11-24T02:40:00Z it is the newest backup that was begun before that moment.'],
  async runAlone({ environment, print, progress }, _argument, { into, before }) {
    const { backupBucket } = readConfig(environment)
    if (backupBucket === undefined) throw new StartupError('The setting BACKUP_S3_URL is missing: it names the bucket.')
    if (into === undefined) throw new UsageError('Say where: --into DIR, a folder that is new or empty.')
    const moment = before === undefined ? undefined : toMoment('--before is', before)
    const path = await fetchBackup(new Copies(backupBucket), { into, before: moment, progress })
    print(`${path} is there. Then: olmos restore ${path} --into DIR --to latest.`)
    return 0
  },
} satisfies Command

export const restore = {
  summary: 'restores a backup into a new folder, which becomes DATA_DIR, or the data folder of your own PostgreSQL',
  argument: 'FILE',
  options: '--into DIR [--to MOMENT|latest]',
  details: [
    'With --to 2026-11-24T02:40:00Z the WAL beside the backup is replayed up to that moment, with --to latest all of it.',
    "That needs the server programs of the backup's release of PostgreSQL on this machine.",
  ],
  async runAlone({ environment, closers, print, progress }, file, { into, to }) {
    const config = readConfig(environment)
    if (into === undefined) throw new UsageError('Say where: --into DIR, a folder that is new or empty.')
    const target = readTarget(to)
    const key = requireBackupKey(config)
    const restored = await untilEnding(closers, (ending) =>
      restoreBackup(file, key, { into, to: target, progress, ending }),
    )
    const { isEmbedded, folder, rolled } = restored
    print(`Restored into ${folder}${rolled?.lastAt ? `, up to what was committed at ${time(rolled.lastAt)}` : ''}.`)
    if (target !== undefined && !rolled?.isWhole)
      print('WAL that was written after that is missing: what was sold since is known to reconcile-sales alone.')
    if (isEmbedded) {
      print(`Put the secret-key of the store, which is in no backup, into ${into} (or set SECRET_KEY).`)
      print(`Then: DATA_DIR=${into} npm run olmos -- reconcile-sales, and DATA_DIR=${into} npm start.`)
    } else {
      print(`See that it belongs to PostgreSQL's user (chown -R postgres: ${into}), and start that PostgreSQL on it;`)
      print('then npm run olmos -- reconcile-sales with DATABASE_URL and SECRET_KEY as before, and npm start.')
    }
    return 0
  },
} satisfies Command

/** Parses a moment; without a time zone it could be an hour off. */
function toMoment(option: string, text: string): Date {
  const moment = z.iso.datetime({ offset: true }).safeParse(text)
  if (moment.success) return new Date(moment.data)
  throw new UsageError(`${option} a moment with its time zone, like 2026-11-24T02:40:00Z.`)
}

/** Parses `--to`. */
function readTarget(to: string | undefined): RestoreTarget | undefined {
  if (to === undefined || to === 'latest') return to
  return toMoment('--to is latest, or', to)
}

export const keepWalCommand = {
  summary: 'keeps the WAL in BACKUP_DIR until SIGTERM, where the store itself does not (BACKUP_WAL=on)',
  details: ['One process at a time keeps it; another one waits until it is gone.'],
  runsUntilEnded: true,
  async runAlone({ environment, closers }) {
    const config = readConfig(environment)
    const { backupDir, backupDatabaseUrl } = config
    if (backupDir === undefined) throw new StartupError('The setting BACKUP_DIR is missing: the WAL goes there.')
    const key = requireBackupKey(config)
    const store = await openStore(config, closers)
    const log = openLog(config.logLevel, closers)
    const wal = keepWal({ url: backupDatabaseUrl ?? store.url, backupDir, key, log })
    closers.push(() => wal.stop())
    const copies = config.backupBucket && new Copies(config.backupBucket)
    const copying = copies && copyWal({ copies, backupDir }, log)
    closers.push(() => void copying?.stop())
    const watched = { database: store.database, backupDir, keepsWal: true, copiesWal: copies !== undefined }
    const reporting = keepReporting(watched, log)
    closers.push(() => reporting.stop())
    // A signal ends the process.
    return new Promise<never>(() => {})
  },
} satisfies Command

export const reconcileSalesCommand = {
  summary:
    'after a restore, before the start: takes codes off the shelf that left meanwhile, lists what is lost, and asks suppliers and payment providers',
  options: '[--margin CODES] [--json]',
  async run(terminal, _argument, { margin = '0', json }) {
    const { config, database, print } = terminal
    if (!config.salesLogDir)
      throw new StartupError('The setting SALES_LOG_DIR is missing: it leads to the log of sales.')
    if (!/^\d{1,4}$/.test(margin)) throw new UsageError('--margin is a number of codes up to 9999.')
    const log = { dir: config.salesLogDir, key: requireBackupKey(config), margin: Number(margin) }
    // A backup of an earlier version, or of the middle of an update, may not know its codes yet.
    const { names } = await readPendingMigrations(terminal.url)
    if (names.length > 0)
      throw new StartupError(
        `The database lacks ${names.length} migrations: run olmos migrate first, which sells nothing.`,
      )
    // A wrong key is told before anything is changed, not when the providers are to be asked.
    const vault = await openVault(config, database)
    const span = await reconcileSales(database, log)
    // A supplier whose account can't be read is not asked: this says why.
    const toldLog = { error: (told: object) => json || print(JSON.stringify(told)) }
    const words = await askSuppliers(await openSuppliers(config, { database, vault, log: toldLog }), span.deliveries)
    if (!json) for (const line of toLines(span, words)) print(line)
    const payments = await comparePayments(terminal, span.from, json)
    if (json) {
      const deliveries = span.deliveries.map((one) => ({ ...one, supplier_says: words.get(one.key) ?? null }))
      print(JSON.stringify({ ...span, deliveries, payments: payments.rows }, undefined, 2))
    }
    return span.sold_again.length > 0 || span.unreadable > 0 || payments.code > 0 ? 1 : 0
  },
} satisfies Command

/**
 * Compares each day since then with the providers, who know what was paid in the lost span, also what nothing was sold for
 * yet. Where nothing is missing, the job of every night looks at the rest.
 */
async function comparePayments(terminal: Terminal, from: Date | undefined, json = false) {
  const timeZone = await readTimeZone(terminal.database, terminal.config)
  const days = from ? toDays({ from: dateIn(timeZone, from), to: dateIn(timeZone, new Date()) }) : []
  const rows: unknown[] = []
  const print = json ? (line: string) => void rows.push(...JSON.parse(line)) : terminal.print
  if (days.length > 0 && !json) print('What payment providers have of these days, compared with the database:')
  let code = 0
  for (const day of days) code = Math.max(code, await reconcilePayments.run({ ...terminal, print }, '', { day, json }))
  return { code, rows }
}

export const archive = {
  summary:
    'moves calls to suppliers of deliveries that were decided before a month into a sealed file; --show reads one',
  options: '--before YYYY-MM --into DIR | --show FILE',
  details: [
    'The file is compressed, and encrypted under BACKUP_KEY. Nothing is deleted before it was read to its end.',
    'What is younger than a year and a half stays, because it is evidence in disputes.',
  ],
  async run({ config, database, print }, _argument, { before, into, show }) {
    const key = requireBackupKey(config)
    if (show !== undefined) {
      for await (const call of readArchive(show, key)) print(JSON.stringify(call))
      return 0
    }
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(before ?? '') || into === undefined)
      throw new UsageError('Say before which month, and where to: --before 2025-01 --into DIR.')
    const { path, calls } = await archiveCalls(database, { month: before ?? '', into, key })
    print(path === undefined ? `Nothing was decided before ${before}.` : `${calls} calls went into ${path}.`)
    return 0
  },
} satisfies Command

const time = (moment: Date) => moment.toISOString()

const becameSentences = {
  looked_up: 'the store looks it up once it is started',
  with_operator: 'waits for you among the deliveries',
  replaced: 'came to nothing, and another one was sent',
  decided: 'is decided here',
  lost: 'its order is lost',
} as const

type Span = Awaited<ReturnType<typeof reconcileSales>>

function toLines(span: Span, words: Awaited<ReturnType<typeof askSuppliers>>): string[] {
  const unreadable =
    span.unreadable > 0
      ? [`${span.unreadable} lines of the log don't open: they were changed, or are of another key.`]
      : []
  if (!span.from || !span.until) {
    const margin = span.margin > 0 ? [`${span.margin} codes that may have left since were taken off the shelf.`] : []
    return ['Everything in the log of sales is in the database.', ...margin, ...unreadable]
  }
  const sum = ({ currency, amount }: { currency: string; amount: number }) =>
    `${toMajor(amount).toFixed(2)} ${currency}`
  return [
    `The database lacks what happened from ${time(span.from)} to ${time(span.until)}.`,
    `${span.taken} codes that had left were taken off the shelf, ${span.margin} more that may have.`,
    ...(span.unknown > 0
      ? [`${span.unknown} codes that had left are not in the database: after importing them again, run this again.`]
      : []),
    ...span.sold_again.map(
      ({ code_id, order_id }) => `SOLD TWICE: code ${code_id}, first to the lost order ${order_id}`,
    ),
    ...[...Map.groupBy(span.awaited, ({ order_id }) => order_id)].map(
      ([order_id, codes]) =>
        `unpaid here    ${order_id}  its buyer has ${codes.length} codes and paid for them; paid once more here, it gets others`,
    ),
    ...span.orders.map(
      ({ order_id, at, codes, money }) =>
        `lost order     ${order_id}  ${time(at)}  ${codes} codes  ${money.map(sum).join(', ')}`,
    ),
    ...span.money.map(
      ({ at, kind, user_id, order_id, ...money }) =>
        `lost transfer  ${kind.padEnd(12)} ${time(at)}  ${sum(money)}  user ${user_id ?? '-'}  order ${order_id ?? '-'}`,
    ),
    ...span.deliveries.map(
      ({ at, supplier, key, order_id, became }) =>
        `lost delivery  ${supplier} was sent ${key} ${time(at)}  order ${order_id}  (${becameSentences[became]}${words.has(key) ? `; ${supplier} says: ${words.get(key)}` : ''})`,
    ),
    ...unreadable,
  ]
}
