import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import type { Resources } from '../../platform/context.ts'
import type { Job } from '../../platform/database/jobs.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { listBackups, readWalStart, toTime } from './backup.ts'
import { readLateCopy } from './backup-copies.ts'
import { isWalWhole, readWalMark } from './kept-wal.ts'

const oldAfterHours = 26

/** Reads the age of the newest backup in seconds; undefined where there is none, or no BACKUP_DIR. */
export async function readBackupAge({ backupDir }: Pick<Config, 'backupDir'>): Promise<number | undefined> {
  const [newest] = backupDir === undefined ? [] : await listBackups(backupDir)
  return newest === undefined ? undefined : (Date.now() - toTime(newest).getTime()) / 1_000
}

/** Raises an alert while the newest backup is older than 26 hours. */
export async function watchBackups({ config, database }: Pick<Resources, 'config' | 'database'>): Promise<void> {
  const age = await readBackupAge(config)
  if (age !== undefined && age < oldAfterHours * 3_600) {
    await resolveAlert(database, 'backup.old')
    return
  }
  const details =
    age === undefined ? {} : { since: new Date(Math.floor(Date.now() / 1_000 - age) * 1_000).toISOString() }
  await raiseAlert(database, { kind: 'backup.old', subject: 'backup', details, whenChanged: 'refresh' })
}

const lateAfterSeconds = 300

/** Reads how many seconds ago the WAL was last kept as a whole; undefined where none is. */
export async function readWalAge({
  backupDir,
  backupWal,
}: Pick<Config, 'backupDir' | 'backupWal'>): Promise<number | undefined> {
  const mark = backupDir !== undefined && backupWal ? await readWalMark(backupDir) : undefined
  return mark && Math.max(0, (Date.now() - mark.until.getTime()) / 1_000)
}

/** Raises an alert while the WAL of the last five minutes is not kept or not copied, and one while there is a gap since the newest backup. */
export async function watchWal({ config, database }: Pick<Resources, 'config' | 'database'>): Promise<void> {
  const { backupDir = '', backupBucket } = config
  const lateCopy = backupBucket && (await readLateCopy(backupDir))
  const notCopied = { kind: 'backup.not_copied', subject: 'wal' } as const
  if (lateCopy) await raiseAlert(database, { ...notCopied, details: lateCopy, whenChanged: 'refresh' })
  else await resolveAlert(database, notCopied.kind, notCopied.subject)
  const mark = await readWalMark(backupDir)
  if (mark && Date.now() - mark.until.getTime() < lateAfterSeconds * 1_000)
    await resolveAlert(database, 'backup.wal_late')
  else {
    const details = mark ? { since: mark.until.toISOString() } : {}
    await raiseAlert(database, { kind: 'backup.wal_late', subject: 'backup', details, whenChanged: 'refresh' })
  }
  const [newest] = await listBackups(backupDir)
  const start = newest === undefined ? undefined : await readWalStart(backupDir, newest)
  // That there is no backup is another alert.
  if (newest === undefined || (start && (await isWalWhole(backupDir, start))))
    await resolveAlert(database, 'backup.wal_gap')
  else {
    const details = { since: toTime(newest).toISOString() }
    await raiseAlert(database, { kind: 'backup.wal_gap', subject: 'backup', details, whenChanged: 'refresh' })
  }
}

/** A process of its own, so that buyers share neither an event loop nor a priority with a backup. */
async function runCommand(...options: string[]): Promise<void> {
  const program = fileURLToPath(new URL('../../cli.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'backup', ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  const endWithThisProcess = () => void child.kill()
  process.once('exit', endWithThisProcess)
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text))
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const [code] = await once(child, 'close')
  process.off('exit', endWithThisProcess)
  if (code !== 0) throw new Error(`olmos backup ${options.join(' ')} failed: ${said.trim()}`)
}

/** The timed work around backups; none without BACKUP_DIR. */
export function backupJobs(resources: Pick<Resources, 'config' | 'database'>): Job[] {
  const { backupDir, backupWal, timeZone } = resources.config
  if (backupDir === undefined) return []
  return [
    { name: 'back-up', cron: '40 2 * * *', timeZone, run: () => runCommand() },
    { name: 'verify-backup', cron: '10 5 * * *', timeZone, run: () => runCommand('--verify') },
    { name: 'watch-backups', cron: '50 * * * *', timeZone: 'UTC', run: () => watchBackups(resources) },
    ...(backupWal ? [{ name: 'watch-wal', cron: '* * * * *', timeZone: 'UTC', run: () => watchWal(resources) }] : []),
  ]
}
