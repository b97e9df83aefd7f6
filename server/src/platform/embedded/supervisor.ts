import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../process.ts'
import { type Cluster, clusterFolder, type Place, runAs, type Settings, superuser } from './cluster.ts'

// A run that was just told to end, or whose launcher was killed, needs a moment to exit.
const timeoutMs = 5_000

/**
 * Makes this process the only user of `folder` until `release` or its death. The lock is a listening socket, because
 * the kernel releases it however the process ends, and no process id can be mistaken for another.
 */
export async function lockFolder(folder: string, inUse: string): Promise<{ release(): void }> {
  const { dev, ino } = await stat(folder)
  const name = `olmos-${dev}-${ino}`
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const server = process.platform === 'linux' ? await listen(`\0${name}`) : await listenOnFile(join(tmpdir(), name))
    if (server !== undefined) return { release: () => void server.close() }
    if (Date.now() > deadline) throw new StartupError(inUse)
    await sleep(100)
  }
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(path, () => resolve(server))
  })
}

/** Outside Linux the socket is a file, which stays behind when its process is killed. */
async function listenOnFile(path: string): Promise<Server | undefined> {
  const server = await listen(path)
  if (server !== undefined || (await answers(path))) return server
  await rm(path, { force: true })
  return listen(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })
}

const fastShutdown = 'SIGINT'
const immediateShutdown = 'SIGQUIT'
const shutdownMs = 20_000

/** Starts PostgreSQL in its own session: a Ctrl-C in the terminal must not end it before the server has drained. */
async function spawnPostmaster(
  { place, binaries, log }: Cluster,
  settings: Settings,
  port: number,
): Promise<ChildProcess> {
  const chosen = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const postmaster = spawn(binaries.postgres, ['-D', clusterFolder(place), ...chosen], {
    ...runAs(place),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  postmaster.unref()
  const endWithThisProcess = () => void postmaster.kill(fastShutdown)
  process.once('exit', endWithThisProcess)
  postmaster.once('exit', () => process.off('exit', endWithThisProcess))
  await once(postmaster, 'spawn')
  return postmaster
}

/** Rolls back open transactions and shuts PostgreSQL down; one that hangs is killed, which it recovers from. */
async function stopPostmaster(postmaster: ChildProcess): Promise<void> {
  if (hasExited(postmaster)) return
  postmaster.ref()
  const gone = once(postmaster, 'exit')
  postmaster.kill(fastShutdown)
  const hanging = setTimeout(() => postmaster.kill(immediateShutdown), shutdownMs)
  await gone
  clearTimeout(hanging)
}

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/**
 * Ends the PostgreSQL that a killed run left behind in this folder, and clears what would keep the next one from
 * starting.
 */
export async function stopOrphan(place: Place, log: (line: string) => void): Promise<void> {
  const cluster = clusterFolder(place)
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = await pidIn(pidFile)
  if (pid === undefined || !isAlive(pid)) return
  if (!(await readCommand(pid)).includes(cluster)) {
    // Some other process has this id now; PostgreSQL can't tell and would refuse to start.
    await rm(pidFile)
    return
  }
  log(`stopping the PostgreSQL of a run that was killed (process ${pid})`)
  for (const signal of [fastShutdown, immediateShutdown]) {
    process.kill(pid, signal)
    const deadline = Date.now() + shutdownMs
    while (Date.now() < deadline) {
      // Its pid file goes with it. In a container where nobody reaps it, the process itself may look alive for ever.
      if ((await pidIn(pidFile)) !== pid || !isAlive(pid)) return
      await sleep(50)
    }
  }
}

/** Finds a port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no TCP port')
  return address.port
}

async function pidIn(pidFile: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(pidFile, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
}

interface Running {
  port: number
  stop(): Promise<void>
}

// Replaying the log after a crash takes seconds, or minutes on a slow disk.
const recoveryMs = 300_000
const retryForMs = 15_000
const pauseMs = 1_000

// These pass: backends that outlive a killed PostgreSQL for a moment, and a port that was free a moment ago.
const passing = /shared memory|could not bind|could not create any TCP|lock file/

/** Starts PostgreSQL, and restarts it on the same port if it dies before `stop`. */
export async function keepRunning(cluster: Cluster, settings: Settings, log: (line: string) => void): Promise<Running> {
  const first = await startPatiently(cluster, settings)
  let postmaster = first.postmaster
  let stopping = false
  let revival = Promise.resolve()

  const watch = () => {
    postmaster.once('exit', () => {
      if (!stopping) revival = revive()
    })
  }
  const revive = async () => {
    while (!stopping) {
      log('PostgreSQL ended unexpectedly; starting it again')
      try {
        postmaster = await start(cluster, settings, first.port)
        return watch()
      } catch {
        await sleep(pauseMs)
      }
    }
  }
  watch()

  return {
    port: first.port,
    stop: async () => {
      stopping = true
      await revival
      await stopPostmaster(postmaster)
    },
  }
}

async function startPatiently(cluster: Cluster, settings: Settings) {
  const deadline = Date.now() + retryForMs
  for (;;) {
    const port = await freePort()
    try {
      return { port, postmaster: await start(cluster, settings, port) }
    } catch (error) {
      const isPassing = error instanceof StartupError && passing.test(error.message)
      if (!isPassing || Date.now() > deadline) throw error
      await sleep(pauseMs / 2)
    }
  }
}

async function start(cluster: Cluster, settings: Settings, port: number): Promise<ChildProcess> {
  const postmaster = await spawnPostmaster(cluster, settings, port)
  try {
    await untilReady(postmaster, cluster, port)
    return postmaster
  } catch (error) {
    await stopPostmaster(postmaster)
    throw error
  }
}

async function untilReady(postmaster: ChildProcess, cluster: Cluster, port: number): Promise<void> {
  const deadline = Date.now() + recoveryMs
  while (Date.now() < deadline) {
    if (hasExited(postmaster)) {
      throw new StartupError(`PostgreSQL does not start: ${await cluster.log.lastComplaint()}.`)
    }
    const client = superuserClient(cluster, port)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if ((error as { code?: string }).code === '28P01') {
        throw new StartupError(
          `The database in ${cluster.place.folder} has another password than postgres-password says.`,
        )
      }
      await sleep(20)
    }
  }
  throw new StartupError('PostgreSQL has been recovering for five minutes; see postgres.log in DATA_DIR.')
}

/** Connects as superuser, for work that comes before the store has its own connection. */
export function superuserClient({ password }: Cluster, port: number): pg.Client {
  const client = new pg.Client({ host: '127.0.0.1', port, user: superuser, password, database: 'postgres' })
  // An error of an idle connection; a query that is under way is rejected anyway.
  client.on('error', () => {})
  return client
}
