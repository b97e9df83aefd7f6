import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../src/platform/embedded/supervisor.ts'

export interface RealStore {
  url: string
  call(method: string, path: string, options?: { token?: string; body?: object; key?: string }): Promise<RealAnswer>
  /** Returns the exit code; null when it had to be killed. */
  end(): Promise<number | null>
}

export interface RealAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are there to find out
  body: any
  ms: number
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const readyWithinMs = 50_000
/** A little longer than the store gives itself. */
const endsWithinMs = 30_000

interface RealStoreOptions {
  /** Runs before it. */
  preload?: URL | undefined
  /** The file or pipe that its log goes to. */
  log?: number
}

/** Starts the server in a process of its own, with exactly these settings, and resolves once it is ready. */
export async function startRealStore(
  settings: Record<string, string>,
  { preload, log }: RealStoreOptions = {},
): Promise<RealStore> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { PATH: process.env.PATH, PORT: String(port), PUBLIC_URL: url, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const server = spawn(process.execPath, [...(preload ? ['--import', preload.href] : []), main], {
    env: { ...env, ...settings },
    stdio: ['ignore', log ?? 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (output += text))
  const store: RealStore = {
    url,
    async call(method, path, { token, body, key } = {}) {
      const began = performance.now()
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { 'idempotency-key': key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json(), ms: performance.now() - began }
    },
    end: () => endProcess(server),
  }
  const deadline = Date.now() + readyWithinMs
  for (;;) {
    const isReady = await store.call('GET', '/ready').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isReady) return store
    if (server.exitCode !== null || Date.now() > deadline) {
      await endProcess(server)
      throw new Error(`The store did not open:\n${output}`)
    }
    await sleep(50)
  }
}

async function endProcess(server: ChildProcess): Promise<number | null> {
  if (server.exitCode !== null || server.signalCode !== null) return server.exitCode
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  const late = setTimeout(() => server.kill('SIGKILL'), endsWithinMs)
  await gone
  clearTimeout(late)
  return server.exitCode
}
