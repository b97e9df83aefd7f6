import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root as checkout } from '../../scripts/run.mjs'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { type DatabaseServer, startDatabaseServer } from '../database-server.ts'
import { count, type Line } from '../verdict.ts'
import { runProgram } from './clean-root.ts'
import { type Compose, openCompose, port, restoredPort, volumeFolder } from './compose.ts'
import type { Image } from './containerfile.ts'
import { runPackedCommand, startPackedCommand, startPackedStore } from './packed-store.ts'

const mostWords = 1_500
const withinMs = 120_000
const everyMs = 250

/** Starts the images as deploy/compose.yaml does, and restores what they backed up as docs/deploy/compose.md does. */
export async function tryCompose(
  images: ReadonlyMap<string, Image>,
  folder: string,
  closers: Closers,
): Promise<Line[]> {
  const postgres = await startDatabaseServer()
  closers.push(() => postgres.stop())
  const compose = openCompose(images, postgres, folder)
  compose.mount(['store-1'])
  compose.mount(['backup', 'wal'], ['database:/database'])
  const stored = await tryStore(compose)
  const kept = await tryKeepers(compose, postgres)
  const lines = [...stored, ...kept]
  if (lines.some(({ broken = [] }) => broken.length > 0)) return lines
  return [...lines, ...(await tryRestore(compose, postgres, folder, closers))]
}

const exited = (text: string, { code, output }: { code: number; output: string }): Line => ({
  text,
  value: `exit code ${code}`,
  broken: code === 0 ? [] : [output.slice(-mostWords)],
})

async function tryStore(compose: Compose): Promise<Line[]> {
  const [store, image] = [compose.service('store-1'), compose.image('store-1')]
  const migrate = compose.service('migrate').command ?? []
  const migrated = await runPackedCommand(compose.launch('migrate'), migrate)
  const serve = store.command ?? image.command
  const node = await startPackedStore(compose.launch('store-1'), serve)
  const status = node.readyMs === undefined ? '' : readFileSync(`/proc/${node.pid}/status`, 'utf8')
  const mounted = [...store.tmpfs, ...(store.volumes ?? []).map((volume) => volume.split(':')[1] ?? '')]
  const [health, unwritable, writable, checked] = await Promise.all([
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      async (answer) => `${answer.status} ${await answer.text()}`,
      (error: Error) => `no answer: ${error.message}`,
    ),
    tryToWrite(compose, 'store-1', ['/', image.workdir, '/etc']),
    tryToWrite(compose, 'store-1', mounted),
    runPackedCommand(compose.launch('store-1', []), image.health),
  ])
  const { code, ms } = await node.end()
  const words = node.output().slice(-mostWords)
  const wrong = readPrivileges(compose, 'store-1', status)
  return [
    exited(`${image.entrypoint} ${migrate.join(' ')}`, migrated),
    {
      text: `${image.entrypoint} ${serve.join(' ')} as ${store.user}, read-only`,
      value: node.readyMs === undefined ? 'NOT READY' : `ready after ${(node.readyMs / 1_000).toFixed(2)} s`,
      broken: node.readyMs === undefined ? [words] : [],
    },
    {
      text: 'a user without capabilities, as compose.yaml has it',
      value: wrong.length === 0 ? 'yes' : 'NO',
      broken: wrong,
    },
    { text: 'GET /api/health', value: health.slice(0, 100), broken: health.startsWith('200 ') ? [] : [words] },
    exited('HEALTHCHECK', checked),
    {
      text: 'folders it can write, of tmpfs and volumes',
      value: writable.join(' '),
      broken: writable.length === mounted.length ? [] : [`it should write to ${mounted.join(' ')}`],
    },
    { text: 'folders it can write beside them', value: count(unwritable.length), broken: unwritable },
    {
      text: image.stopSignal,
      value: `exit code ${code} after ${(ms / 1_000).toFixed(2)} s`,
      broken: code === 0 ? [] : [words],
    },
  ]
}

/** What is not as it should be, by what the kernel says of the process and compose.yaml of its service. */
function readPrivileges(compose: Compose, name: string, status: string): string[] {
  const { user, read_only, cap_drop, security_opt } = compose.service(name)
  const uid = user.split(':')[0]
  const isBare = new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$[^]*^CapEff:\\t0+$[^]*^NoNewPrivs:\\t1$`, 'm')
  return [
    ...(isBare.test(status) ? [] : [status || 'it does not run']),
    ...(user === compose.image(name).user ? [] : ["the service's user is not that of the image"]),
    ...(read_only && `${cap_drop}` === 'ALL' && `${security_opt}` === 'no-new-privileges:true'
      ? []
      : ['compose.yaml leaves it privileges']),
  ]
}

/** In which of these folders the user of the service can make a file. */
async function tryToWrite(compose: Compose, name: string, folders: readonly string[]): Promise<string[]> {
  const tried = await Promise.all(
    folders.map(async (folder) => {
      const { code } = await runPackedCommand(compose.launch(name, []), ['touch', `${folder}/a-file`])
      return code === 0 ? [folder] : []
    }),
  )
  return tried.flat()
}

/** The services beside the store that keep what it loses when its database does. */
async function tryKeepers(compose: Compose, postgres: DatabaseServer): Promise<Line[]> {
  const [wal, backup] = ['wal', 'backup'].map((name) => {
    const { child, output, end } = startPackedCommand(compose.launch(name), compose.service(name).command ?? [])
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    return { name, output, end, isOver }
  })
  if (!wal || !backup) throw new Error('there are two of them')
  const began = performance.now()
  const looked = await until(() => /was restored|no backup to rely on|failed/.test(backup.output()) || backup.isOver())
  const isSound = backup.output().includes('was restored: the invariants hold')
  const health = await Promise.all([wal, backup].map(({ name }) => untilHealthy(compose, name)))
  // What is written after the backup, for the restore to bring back.
  await postgres.database.run(sql`CREATE TABLE written_since AS SELECT now() AS at`)
  const isKept = await until(async () => {
    const [kept] = await postgres.database.rows<{ isWhole: boolean }>(
      sql`SELECT coalesce(bool_and(flush_lsn >= pg_current_wal_flush_lsn()), false) AS "isWhole" FROM pg_stat_replication`,
    )
    return kept?.isWhole ?? false
  })
  const [{ code }] = await Promise.all([wal.end(), backup.end()])
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  return [
    {
      text: `backup as ${compose.service('backup').user}, read-only, with its look`,
      value: isSound ? `sound after ${seconds} s` : looked ? 'NOT SOUND' : 'NOT DONE',
      broken: isSound ? [] : [backup.output().slice(-mostWords)],
    },
    { text: 'wal keeps what is written since', value: isKept ? 'yes' : 'NO', broken: isKept ? [] : [wal.output()] },
    {
      text: 'healthchecks of both',
      value: health.every(Boolean) ? 'healthy' : 'UNHEALTHY',
      broken: health.every(Boolean) ? [] : [wal.output().slice(-mostWords)],
    },
    { text: 'SIGTERM to wal', value: `exit code ${code}`, broken: code === 0 ? [] : [wal.output().slice(-mostWords)] },
  ]
}

async function untilHealthy(compose: Compose, name: string): Promise<boolean> {
  const [kind, ...test] = compose.service(name).healthcheck?.test ?? []
  const command = kind === 'CMD-SHELL' ? ['/bin/sh', '-c', ...test] : test
  return until(async () => (await runPackedCommand(compose.launch(name, []), command)).code === 0)
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs
  while (performance.now() < giveUpAt) {
    if (await isSo()) return true
    await sleep(everyMs)
  }
  return false
}

/** Loses the disk of the database and carries out what docs/deploy/compose.md says then, line by line. */
async function tryRestore(
  compose: Compose,
  postgres: DatabaseServer,
  folder: string,
  closers: Closers,
): Promise<Line[]> {
  await postgres.destroy()
  compose.useRestored()
  const [file = ''] = readdirSync(volumeFolder(folder, 'backups')).filter((name) => name.endsWith('.backup'))
  const lines: Line[] = []
  for (const words of readDockerLines('4. Restore')) {
    const text = `docker compose ${words.join(' ').replaceAll(/\s+/g, ' ')}`
    const line = await carryOut(
      compose,
      words.map((word) => word.replace(/\bFILE\b/, file)),
      closers,
    )
    lines.push({ ...line, text: text.length > 90 ? `${text.slice(0, 87)}...` : text })
    if ((line.broken ?? []).length > 0) break
  }
  return lines
}

/** The words after `docker compose -f deploy/compose.yaml` on each line below a heading, as a shell reads them. */
function readDockerLines(heading: string): string[][] {
  const page = readFileSync(join(checkout, 'docs/deploy/compose.md'), 'utf8')
  const section = page.split(`## ${heading}\n`)[1] ?? ''
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? []
  const said = runProgram('bash', '-euc', `docker() { printf '%s\\0' "$@" ''; }\n${block}`)
  const prefix = 'compose\0-f\0deploy/compose.yaml\0'
  return said
    .split('\0\0')
    .filter(Boolean)
    .map((line) => {
      if (!line.startsWith(prefix)) throw new Error(`docs/deploy/compose.md: this run does not know ${line}`)
      return line.slice(prefix.length).split('\0')
    })
}

/** Throws an Error for a line that is none of those an engine was watched with. */
async function carryOut(compose: Compose, words: readonly string[], closers: Closers): Promise<Omit<Line, 'text'>> {
  const line = words.join(' ')
  // They were ended with the database.
  if (line === 'stop') return { value: 'done' }
  if (line === 'up -d --wait database') return startRestored(compose, closers)
  if (line === 'up -d') return startAgain(compose)
  const [, entrypoint, service = ''] =
    /^run --rm --no-deps (?:--entrypoint (\S+) )?(?:-v olmos_database:\/database )?([\w-]+) /.exec(line) ?? []
  if (service === '') throw new Error(`docs/deploy/compose.md: this run does not know ${line}`)
  const launch = compose.launch(service, entrypoint === undefined ? undefined : [entrypoint])
  return exited('', await runPackedCommand(launch, words.slice(words.indexOf(service) + 1)))
}

async function startRestored(compose: Compose, closers: Closers): Promise<Omit<Line, 'text'>> {
  const [program = '', ...settings] = compose.service('database').command ?? []
  const here = ['-D', '/database/18/docker', '-p', String(restoredPort), '-k', '/tmp']
  // In the root of the backup, whose base image is the database's.
  const launch = compose.launch('backup', [`/usr/lib/postgresql/18/bin/${program}`])
  const { child, output, end } = startPackedCommand(launch, [...here, ...settings])
  closers.push(() => end())
  const isUp = await until(() => output().includes('ready to accept connections') || child.exitCode !== null)
  if (!isUp || child.exitCode !== null) return { value: 'NOT RUNNING', broken: [output().slice(-mostWords)] }
  const database = new Database({
    url: compose.launch('backup').env.DATABASE_DIRECT_URL ?? '',
    connections: 1,
    onIdleError: () => {},
  })
  const found = await database.rows(sql`SELECT at FROM written_since`).catch(() => [])
  await database.close()
  return found.length > 0
    ? { value: 'running, with what was written after the backup', broken: [] }
    : { value: 'NOT WHOLE', broken: ['what was written after the backup is not there'] }
}

async function startAgain(compose: Compose): Promise<Omit<Line, 'text'>> {
  const node = await startPackedStore(compose.launch('store-1'), compose.image('store-1').command)
  await node.end()
  return {
    value: node.readyMs === undefined ? 'NOT READY' : `ready after ${(node.readyMs / 1_000).toFixed(2)} s`,
    broken: node.readyMs === undefined ? [node.output().slice(-mostWords)] : [],
  }
}
