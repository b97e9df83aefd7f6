import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/run.mjs'
import type * as launcher from '../../scripts/server.mjs'
import type * as embedded from '../../server/src/platform/embedded/embedded-postgres.ts'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import { endProcess, isAnswering, makeDataFolder } from '../process.ts'
import { processorMs, residentMb } from './processor-time.ts'

const startWithinMs = 60_000

export interface Store {
  /** The owner's address, by the same way as the store's: what is measured beside it should have it no worse. */
  databaseUrl: string
  settings: Record<string, string>
  /** Starts the server as `npm start` does, in a process of its own. */
  open(how?: Opening): Promise<RunningServer>
  /** Ends PostgreSQL and throws its data away. */
  remove(): Promise<void>
}

interface Opening {
  /** Runs before the server. */
  preload?: URL
  /** Besides those of the store, or instead of them. */
  settings?: Record<string, string>
  /** Where a profile of the processor time is written when the server ends. */
  profile?: string
}

export interface RunningServer {
  url: string
  /** From the command to the first answer. */
  startMs: number
  memoryMb(): number
  /** Its processor time so far, in milliseconds. */
  processorMs(): number
  stop(): Promise<void>
}

/**
 * A store on a PostgreSQL of its own with the settings of every Olmos, durable ones among them. PostgreSQL is started as
 * `checkout` starts its own, and the servers run the sources of it.
 */
export async function makeStore(checkout = root): Promise<Store> {
  const dataDir = await makeDataFolder('bench')
  const { startEmbeddedPostgres }: typeof embedded = await import(
    join(checkout, 'server/src/platform/embedded/embedded-postgres.ts')
  )
  const postgres = await startEmbeddedPostgres({ dataDir })
  return storeOn(dataDir, postgres, checkout)
}

interface Postgres {
  url: string
  serverUrl: string
  nearUrl?: string
  stop(): Promise<void>
}

/** A store on this PostgreSQL, whose data is in `dataDir`. */
export function storeOn(dataDir: string, postgres: Postgres, checkout = root): Store {
  // An earlier store listens on no socket file.
  const nearUrl = postgres.nearUrl ?? postgres.serverUrl
  const settings = {
    DATABASE_URL: nearUrl,
    DATABASE_DIRECT_URL: postgres.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    DEMO: 'on',
    // All clients of the bench have one address.
    RATE_LIMITS: 'off',
    DATA_DIR: dataDir,
  }
  return {
    databaseUrl: postgres.url + new URL(nearUrl).search,
    settings,
    open: (how = {}) => openServer(checkout, settings, how),
    async remove() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function openServer(
  checkout: string,
  settings: Record<string, string>,
  { preload, profile, ...more }: Opening,
): Promise<RunningServer> {
  const { memoryOptions, memorySettings }: typeof launcher = await import(join(checkout, 'scripts/server.mjs'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const options = [
    ...memoryOptions,
    ...(preload ? ['--import', preload.href] : []),
    ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
  ]
  const server = spawn(process.execPath, [...options, join(checkout, 'server/src/main.ts')], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...memorySettings, ...settings, ...more.settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(`${url}/api/health`, server)
  return {
    url,
    startMs: performance.now() - begun,
    memoryMb: () => residentMb(server.pid ?? 0),
    processorMs: () => processorMs(server.pid ?? 0),
    stop: () => endProcess(server),
  }
}

/** Waits for the first answer of a server. Ends one that does not answer, and throws. */
export async function untilAnswered(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + startWithinMs
  while (performance.now() < deadline && server.exitCode === null) {
    if (await isAnswering(url)) return
    await sleep(10)
  }
  server.kill('SIGKILL')
  throw new Error('the server does not start')
}
