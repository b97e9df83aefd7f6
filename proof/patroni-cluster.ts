import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../scripts/run.mjs'
import { Database } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/queries.ts'
import { freePort } from '../server/src/platform/embedded/supervisor.ts'
import { type Closers, StartupError } from '../server/src/platform/process.ts'
import { type Machine, openMachines } from './machines.ts'
import { endProcess, makeDataFolder } from './process.ts'

const runFile = promisify(execFile)
const haproxyPath = '/usr/sbin/haproxy'
/** Debian's packages, and a program of each. */
const programs = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: haproxyPath,
  postgresql: '/usr/lib/postgresql/*/bin/postgres',
  iproute2: '/usr/sbin/ip',
}
const machineCount = 3
const openWithinMs = 120_000

export interface Node extends Machine {
  /** Starts etcd and Patroni, which starts PostgreSQL. */
  open(): Promise<void>
  /** What Patroni says of it: primary, replica, or undefined while it says nothing. */
  readRole(): Promise<string | undefined>
}

/** Three PostgreSQL under Patroni, with the files of deploy/patroni, and HAProxy in front of them. */
export interface Cluster {
  nodes: readonly Node[]
  /** As the owner of the database, through HAProxy. */
  url: string
  /** As the role that the servers have, through HAProxy. */
  serverUrl: string
  /** The addresses again, with the three hosts themselves. */
  hosts: { url: string; serverUrl: string }
  /** This process's own connection, through HAProxy. */
  database: Database
  /** Where logs go. */
  folder: string
  /** Ends all of it at once; more often than once does nothing more. */
  stop(): Promise<void>
  readPrimary(): Promise<Node>
  /** Waits until there are a primary and two replicas that follow it, synchronously if that is asked for. */
  untilWhole(timeoutMs: number): Promise<void>
  /** Waits until another machine than this one is primary. */
  untilMoved(from: Node, timeoutMs: number): Promise<void>
  /** Counts the orders that each machine has at this moment; undefined for one whose PostgreSQL does not answer. */
  countOrders(): Promise<Map<string, number | undefined>>
}

interface ClusterOptions {
  /** Whether an order is acknowledged only once two machines have it. */
  isSynchronous: boolean
}

/** Throws a sentence for who lacks the programs or the rights. Whatever it starts is in `closers` first. */
export async function startCluster({ isSynchronous }: ClusterOptions, closers: Closers): Promise<Cluster> {
  const postgres = requirePrograms()
  const folder = await makeDataFolder('failover')
  const own: Closers = [() => rm(folder, { recursive: true, force: true, maxRetries: 3 })]
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      for (const close of own.toReversed()) await close()
    })()
    return stopped
  }
  closers.push(stop)
  const machines = await openMachines(machineCount, own)
  const passwords = {
    SUPERUSER_PASSWORD: randomBytes(12).toString('hex'),
    REPLICATION_PASSWORD: randomBytes(12).toString('hex'),
  }
  const nodes = await Promise.all(
    machines.map((machine) => prepareNode(machine, { machines, folder, passwords, postgres, isSynchronous })),
  )
  await Promise.all(nodes.map((node) => node.open()))
  const port = await startHaproxy(machines, folder, own)

  const superUrl = toUrl('postgres', passwords.SUPERUSER_PASSWORD, [`127.0.0.1:${port}`], 'postgres')
  const setUp = new Database({ url: superUrl, connections: 1, onIdleError: () => {} })
  const rolePassword = randomBytes(12).toString('hex')
  try {
    await untilTrue('The cluster is not whole', openWithinMs, () => isWhole(setUp, isSynchronous))
    for (const statement of [
      `CREATE ROLE olmos LOGIN PASSWORD '${rolePassword}'`,
      `CREATE ROLE olmos_server LOGIN PASSWORD '${rolePassword}'`,
      'CREATE DATABASE olmos OWNER olmos',
    ])
      await setUp.pool.query(statement)
  } finally {
    await setUp.close()
  }

  const ofSuperuser = (address: string) => toUrl('postgres', passwords.SUPERUSER_PASSWORD, [address], 'olmos')
  const database = new Database({ url: ofSuperuser(`127.0.0.1:${port}`), connections: 4, onIdleError: () => {} })
  own.push(() => void database.close())
  const addresses = (hosts: readonly string[]) => ({
    url: toUrl('olmos', rolePassword, hosts, 'olmos'),
    serverUrl: toUrl('olmos_server', rolePassword, hosts, 'olmos'),
  })
  const cluster: Cluster = {
    nodes,
    ...addresses([`127.0.0.1:${port}`]),
    hosts: addresses(nodes.map(({ address }) => `${address}:5432`)),
    database,
    folder,
    stop,
    readPrimary: async () => {
      const roles = await Promise.all(nodes.map(async (node) => ({ node, role: await node.readRole() })))
      const primaries = roles.filter(({ role }) => role === 'primary')
      if (primaries[0] && primaries.length === 1) return primaries[0].node
      throw new Error(`there are ${primaries.length} primaries`)
    },
    untilWhole: (timeoutMs) => untilTrue('The cluster is not whole', timeoutMs, () => isWhole(database, isSynchronous)),
    untilMoved: (from, timeoutMs) =>
      untilTrue(`No other machine than ${from.name} is primary`, timeoutMs, async () => {
        const roles = await Promise.all(nodes.filter((node) => node.name !== from.name).map((node) => node.readRole()))
        return roles.includes('primary')
      }),
    countOrders: async () => {
      const counts = new Map<string, number | undefined>()
      for (const { name, address } of nodes) {
        // The store's own connections refuse a replica.
        const asked = [
          ofSuperuser(`${address}:5432`),
          '--tuples-only',
          '--no-align',
          '--command',
          'SELECT count(*) FROM orders',
        ]
        const said = runFile(join(postgres, 'psql'), asked, { timeout: openWithinMs / 10 })
        counts.set(
          name,
          await said.then(
            ({ stdout }) => Number(stdout),
            () => undefined,
          ),
        )
      }
      return counts
    },
  }
  return cluster
}

async function isWhole(database: Database, isSynchronous: boolean): Promise<boolean> {
  const rows = await database.rows<{ name: string; sync: string }>(sql`
    SELECT application_name AS name, sync_state AS sync FROM pg_stat_replication
    WHERE state = 'streaming' AND application_name LIKE 'db%'`)
  // A machine that came back streams for a moment before Patroni rewinds it, and is made synchronous only afterwards.
  const isSound = !isSynchronous || rows.every(({ sync }) => sync === 'sync')
  return isSound && new Set(rows.map(({ name }) => name)).size === machineCount - 1
}

/** Finds the newest PostgreSQL, or refuses in a sentence that says what is missing: a program below a folder, or rights. */
export function requirePrograms(below = '/', user = process.getuid?.()): string {
  const found = Object.entries(programs).map(([name, path]) => ({ name, paths: globSync(join(below, path)) }))
  const missing = found.filter(({ paths }) => paths.length === 0).map(({ name }) => name)
  if (missing.length > 0)
    throw new StartupError(
      `A failover needs programs of Debian that are not here: apt-get install ${missing.join(' ')}.`,
    )
  if (user !== 0) throw new StartupError('A failover needs root, for the networks of its three machines.')
  const newest = found
    .find(({ name }) => name === 'postgresql')
    ?.paths.toSorted()
    .at(-1) as string
  return dirname(newest)
}

const toUrl = (role: string, password: string, hosts: readonly string[], name: string): string =>
  `postgresql://${role}:${password}@${hosts.join(',')}/${name}${hosts.length > 1 ? '?target_session_attrs=read-write' : ''}`

/** Waits until `isSo` answers true; what it throws counts as no. */
async function untilTrue(complaint: string, timeoutMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let last = ''
  while (Date.now() < deadline) {
    const answer = await isSo().catch((error: Error) => {
      last = `: ${error.message}`
      return false
    })
    if (answer) return
    await sleep(250)
  }
  throw new Error(`${complaint} after ${timeoutMs / 1_000} s${last}`)
}

interface Plan extends ClusterOptions {
  machines: readonly Machine[]
  folder: string
  passwords: Record<string, string>
  /** The folder of PostgreSQL's programs. */
  postgres: string
}

async function prepareNode(machine: Machine, plan: Plan): Promise<Node> {
  const { name, address } = machine
  const folder = join(plan.folder, name)
  await mkdir(folder)
  await runFile('chown', ['postgres:postgres', folder])
  const read = async (file: string) => fillIn(await readFile(join(root, 'deploy/patroni', file), 'utf8'), plan.machines)
  const replaced = {
    ...plan.passwords,
    NODE_NAME: name,
    NODE_ADDRESS: address,
    '/usr/lib/postgresql/15/bin': plan.postgres,
    '/var/lib/postgresql/15/olmos': join(folder, 'data'),
    '/var/lib/postgresql/pgpass-patroni': join(folder, 'pgpass'),
    '/var/run/postgresql': folder,
    '/var/lib/etcd/olmos': join(folder, 'etcd'),
    ...(!plan.isSynchronous && { 'synchronous_mode: true': 'synchronous_mode: false' }),
    ...(!plan.isSynchronous && { 'synchronous_mode_strict: true': 'synchronous_mode_strict: false' }),
  }
  const settings = join(folder, 'patroni.yml')
  await writeFile(settings, replaceAll(await read('patroni.yml'), replaced))
  await chmod(settings, 0o644)
  const lines = replaceAll(await read('etcd.env'), replaced).matchAll(/^(ETCD_\w+)=(.*)$/gm)
  const etcd = Object.fromEntries([...lines].map(([, key, value]) => [key as string, value as string]))
  return {
    ...machine,
    open: async () => {
      machine.start('etcd', [], { folder, env: etcd })
      machine.start('patroni', [settings], { folder })
    },
    readRole: async () => {
      try {
        const answer = await fetch(`http://${address}:8008/patroni`, { signal: AbortSignal.timeout(1_000) })
        const { role } = (await answer.json()) as { role?: string }
        // Patroni 3.0 still says master.
        return role === 'master' ? 'primary' : role
      } catch {
        return undefined
      }
    },
  }
}

const replaceAll = (text: string, replaced: Readonly<Record<string, string>>): string =>
  Object.entries(replaced).reduce((result, [from, to]) => result.replaceAll(from, to), text)

/** Puts the machines of the run in the place of those of the example. */
const fillIn = (text: string, machines: readonly Machine[]): string =>
  machines
    .reduce((result, { address }, index) => result.replaceAll(`10.0.0.1${index + 1}`, address), text)
    .replaceAll('10.0.0.0/24', `${machines[0]?.address.replace(/\.\d+$/, '.0')}/24`)

async function startHaproxy(machines: readonly Machine[], folder: string, closers: Closers): Promise<number> {
  const port = await freePort()
  const example = await readFile(join(root, 'deploy/patroni/haproxy.cfg'), 'utf8')
  const settings = join(folder, 'haproxy.cfg')
  await writeFile(settings, fillIn(example, machines).replace('127.0.0.1:5432', `127.0.0.1:${port}`))
  const haproxy: ChildProcess = spawn(haproxyPath, ['-db', '-f', settings], { stdio: 'ignore' })
  closers.push(() => endProcess(haproxy, 'SIGKILL'))
  return port
}
