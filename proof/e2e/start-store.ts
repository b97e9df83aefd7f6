import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import { endProcess, isAnswering, makeDataFolder, storeMain } from '../process.ts'

export const admin = { nickname: 'admin', password: 'journeys-only-1' }

export interface Store {
  url: string
  /** Where its database is, for a journey that has to reach into it. */
  dataDir: string
  /** Ends the store and starts it again, on the same address and data. */
  restart(): Promise<void>
  /** Ends the store and throws its data away. */
  stop(): Promise<void>
}

// Far more than it takes, for machines that are busy with other tests.
const readyWithinMs = 50_000

/** Starts the built store with the demo catalogue, an empty data folder and its own port; `settings` go before its own. */
export async function startStore(settings: Record<string, string> = {}): Promise<Store> {
  const dataDir = await makeDataFolder('journeys')
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    DEMO: 'on',
    ADMIN_NICKNAME: admin.nickname,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  }

  const { url, place, opened } = await openAnywhere(environment)
  let server = opened
  return {
    url,
    dataDir,
    restart: async () => {
      await endProcess(server)
      server = await open(url, { ...environment, ...place })
    },
    stop: async () => {
      await endProcess(server)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Opens the store on a port that is free; one that somebody else takes before the store listens is given up for another. */
async function openAnywhere(environment: NodeJS.ProcessEnv, tries = 3) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const place = { PORT: String(port), PUBLIC_URL: url }
  try {
    return { url, place, opened: await open(url, { ...environment, ...place }) }
  } catch (error) {
    if (tries === 1 || !/Port \d+ is taken/.test(String(error))) throw error
    return openAnywhere(environment, tries - 1)
  }
}

async function open(url: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  // The channel tells the store to end when the browser tests are killed.
  const server = spawn(process.execPath, [storeMain], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const deadline = Date.now() + readyWithinMs
  while (!(await isAnswering(`${url}/api/ready`))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await endProcess(server)
      throw new Error(`The store did not open:\n${output}`)
    }
    await sleep(50)
  }
  return server
}
