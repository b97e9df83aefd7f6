import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../closing.ts'
import { type Cluster, type Settings, superuser } from './cluster.ts'
import { freePort, hasExited, spawnPostmaster, stopPostmaster } from './postmaster.ts'

interface Running {
  port: number
  stop(): Promise<void>
}

// Replaying what a crash left in the log takes seconds, minutes on a slow disk.
const recoveryMs = 300_000
const retryForMs = 15_000
const pauseMs = 1_000

// Backends that outlive a killed PostgreSQL for a moment, and a port that was free a moment ago.
const passing = /shared memory|could not bind|could not create any TCP|lock file/

/** Starts PostgreSQL, and starts it again on the same port should it die before `stop`. */
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
    const client = clientOf(cluster, port)
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

/** A connection of the superuser, for what must be done before the store has its own. */
export function clientOf({ password }: Cluster, port: number): pg.Client {
  const client = new pg.Client({ host: '127.0.0.1', port, user: superuser, password, database: 'postgres' })
  // A connection lost while nobody waits for it; whoever does wait is told by the rejection.
  client.on('error', () => {})
  return client
}
