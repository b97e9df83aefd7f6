import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endProcess, isAnswering, preload, storeMain } from './process.ts'

/** One node of the store: a real process on a port of its own. */
export interface ServerProcess {
  port: number
  /** Its last words, each time it ended on its own after it had been open: a store must survive its database. */
  readonly falls: readonly string[]
  /** The end of its log. */
  lastWords(): string
  untilOpen(): Promise<void>
  /** SIGKILL, and after `pauseMs` a new process on the same port. */
  kill(pauseMs: number): Promise<void>
  /** SIGTERM, and once the process is gone a new one on the same port, as systemd restarts a unit. Tells how the first one ended. */
  restart(): Promise<Ending>
  /** Ends it for good; more often than once does nothing more. */
  stop(): Promise<void>
}

export interface Ending {
  ms: number
  /** Null for a process that had to be killed. */
  code: number | null
}

export interface ServerOptions {
  port: number
  /** For its log. */
  folder: string
  env: Record<string, string>
  /** The program; that of this checkout unless another one is named. */
  main?: string | undefined
}

const openWithinMs = 120_000
/** TimeoutStopSec of deploy/systemd/olmos.service. */
const killAfterMs = 35_000

/** Starts it; `untilOpen` tells when it takes calls. */
export function launchServer(options: ServerOptions): ServerProcess {
  const logPath = join(options.folder, `server-${options.port}.log`)
  const log = openSync(logPath, 'a')
  const falls: string[] = []
  let node = launch(options, log)
  let isWanted = true
  let hasOpened = false
  let isLogOpen = true

  // A server that starts while PostgreSQL is down ends, as it should; whoever runs it starts it again.
  const watch = () => {
    const watched = node
    watched.once('exit', async () => {
      if (!isWanted || watched !== node) return
      if (hasOpened) falls.push(lastWords(logPath))
      hasOpened = false
      await sleep(300)
      if (isWanted && watched === node) {
        node = launch(options, log)
        watch()
      }
    })
  }
  watch()

  const untilOpen = async () => {
    const deadline = Date.now() + openWithinMs
    while (!(await isAnswering(`http://127.0.0.1:${options.port}/api/ready`))) {
      if (Date.now() > deadline)
        throw new Error(`The server on port ${options.port} did not open within two minutes. ${lastWords(logPath)}`)
      await sleep(100)
    }
    hasOpened = true
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    isWanted = false
    await endProcess(node, signal)
  }

  const startAgain = async () => {
    hasOpened = false
    isWanted = true
    node = launch(options, log)
    watch()
    await untilOpen()
  }

  return {
    port: options.port,
    falls,
    lastWords: () => lastWords(logPath),
    untilOpen,
    kill: async (pauseMs) => {
      await end('SIGKILL')
      await sleep(pauseMs)
      await startAgain()
    },
    restart: async () => {
      const [began, ended] = [performance.now(), node]
      const impatience = setTimeout(() => ended.kill('SIGKILL'), killAfterMs)
      await end('SIGTERM')
      clearTimeout(impatience)
      const ending = { ms: performance.now() - began, code: ended.exitCode }
      await startAgain()
      return ending
    },
    stop: async () => {
      await end('SIGTERM')
      if (isLogOpen) closeSync(log)
      isLogOpen = false
    },
  }
}

function launch({ port, env, main = storeMain }: ServerOptions, log: number): ChildProcess {
  return spawn(process.execPath, [...preload, main], {
    // What the machine needs stays; an operator's settings that lie about must not.
    env: { ...process.env, NODE_ENV: '', HOST: '', PUBLIC_URL: '', PORT: String(port), ...env },
    stdio: ['ignore', log, log, 'ipc'],
  })
}

const lastWords = (logPath: string): string => readFileSync(logPath, 'utf8').trimEnd().slice(-400)
