import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOptions, memorySettings } from '../../scripts/server.mjs'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded-postgres.ts'

const root = join(import.meta.dirname, '../..')
const startWithinMs = 60_000

export interface Store {
  databaseUrl: string
  settings: Record<string, string>
  /** Starts the server as `npm start` does, in a process of its own. */
  open(): Promise<RunningServer>
  /** Ends PostgreSQL and throws its data away. */
  remove(): Promise<void>
}

export interface RunningServer {
  url: string
  /** From the command to the first answer. */
  startMs: number
  memoryMb(): number
  stop(): Promise<void>
}

/** A store on a PostgreSQL of its own with the settings of every Olmos, durable ones among them. */
export async function makeStore(): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), 'olmos-bench-'))
  // As root PostgreSQL runs as another user, who must be able to enter.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir })
  const settings = {
    DATABASE_URL: postgres.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    DEMO: 'on',
    // All clients of the bench have one address.
    RATE_LIMITS: 'off',
    DATA_DIR: dataDir,
  }
  return {
    databaseUrl: postgres.url,
    settings,
    open: () => openServer(settings),
    async remove() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function openServer(settings: Record<string, string>): Promise<RunningServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const server = spawn(process.execPath, [...memoryOptions, join(root, 'server/src/main.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...memorySettings, ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(`${url}/api/health`, server)
  return {
    url,
    startMs: performance.now() - begun,
    memoryMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' })) / 1024,
    stop: () => ended(server),
  }
}

async function untilAnswered(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + startWithinMs
  while (performance.now() < deadline && server.exitCode === null) {
    const isThere = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isThere) return
    await sleep(10)
  }
  server.kill('SIGKILL')
  throw new Error('the server does not start')
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}

function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
