import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import type { Resources } from '../../platform/context.ts'
import type { Job } from '../../platform/database/jobs.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { listBackups, toTime } from './backup.ts'

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
  const { backupDir, timeZone } = resources.config
  if (backupDir === undefined) return []
  return [
    { name: 'back-up', cron: '40 2 * * *', timeZone, run: () => runCommand() },
    { name: 'verify-backup', cron: '10 5 * * *', timeZone, run: () => runCommand('--verify') },
    { name: 'watch-backups', cron: '50 * * * *', timeZone: 'UTC', run: () => watchBackups(resources) },
  ]
}
