import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { type AppResources, createApp, openVendors } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createPasswords } from '../src/modules/accounts/accounts.ts'
import { systemClock } from '../src/platform/context.ts'
import { Database } from '../src/platform/database/database.ts'
import { createRateLimiter } from '../src/platform/http/rate-limit.ts'
import { createLiveEvents } from '../src/platform/live/live-events.ts'
import { startTelemetry } from '../src/platform/live/telemetry.ts'
import { logFields } from '../src/platform/live/tracing.ts'
import { Vault } from '../src/platform/security/vault.ts'
import { undocumentedRefusals } from './documented-refusals.ts'
import { inject } from './inject.ts'

export interface Answer {
  status: number
  // What an answer holds is what the tests are there to find out.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  text: string
  headers: Record<string, unknown>
}

export interface CallOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface TestShop extends AppResources {
  /** For requests that `call` can't make. */
  app: FastifyInstance
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

export interface ShopOptions {
  /** Collects what the store logs, at every level. */
  logLines?: string[]
  /** How the store reaches its database, if not directly. */
  reach?(databaseUrl: string): Promise<string>
  isDraining?: () => boolean
  catalogueVersion?: () => number | undefined
}

/** Starts the store without its pages, on a database of its own. */
export async function startShop(
  settings: Record<string, string> = {},
  { reach = async (url) => url, ...options }: ShopOptions = {},
): Promise<TestShop> {
  // Imported late, because it asks Vitest where PostgreSQL is, and `openShop` is used without Vitest too.
  const { cloneDatabase } = await import('./database.ts')
  const own = await cloneDatabase()
  const shop = await openShop(settings, { ...options, url: await reach(own.url), secretKey: randomBytes(32) })
  return {
    ...shop,
    async close() {
      await shop.close()
      await own.drop()
    },
  }
}

export interface Ground extends Pick<ShopOptions, 'logLines' | 'isDraining' | 'catalogueVersion'> {
  url: string
  secretKey: Buffer
}

/** Starts the store without its pages on an existing migrated database, beside whatever else runs on it. */
export async function openShop(
  settings: Record<string, string>,
  { url, secretKey, logLines, isDraining = () => false, catalogueVersion = () => undefined }: Ground,
): Promise<TestShop> {
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_KEY: secretKey.toString('hex'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...settings,
  })
  const database = new Database({ url, connections: config.databaseConnections, onIdleError: () => {} })
  // On a busy machine a race of hundreds waits longer for its turn than a customer should.
  database.pool.options.connectionTimeoutMillis = 60_000
  const vault = await Vault.open(database, secretKey)
  const log = logLines
    ? pino({ level: 'trace', mixin: logFields }, { write: (line: string) => void logLines.push(line) })
    : pino({ level: config.logLevel })
  const telemetry = config.telemetry && (await startTelemetry(config.telemetry, { log, meters: database.meters }))
  const refusals = undocumentedRefusals()
  const resources: AppResources = {
    config,
    database,
    vault,
    clock: systemClock,
    log,
    live: createLiveEvents(),
    rateLimiter: (name) => createRateLimiter(database, config, name),
    telemetry,
    catalogueVersion,
    isQueueRunning: () => true,
    isDraining,
    onRefusal: refusals.note,
    ...openVendors(config, { database, vault, log }),
  }
  const app = await createApp(resources, createPasswords())

  return {
    ...resources,
    app,
    async call(method, path, { token, body, headers } = {}) {
      const request: InjectOptions = { method, url: `/api${path}`, headers: { ...headers } }
      if (token !== undefined) request.headers = { ...request.headers, authorization: `Bearer ${token}` }
      if (body !== undefined) request.payload = body as object
      const answer = await inject(app, request)
      const isJson = String(answer.headers['content-type']).includes('json')
      return {
        status: answer.statusCode,
        body: isJson ? JSON.parse(answer.body) : undefined,
        text: answer.body,
        headers: answer.headers,
      }
    },
    async close() {
      await app.close()
      await telemetry?.close()
      await database.close()
      refusals.requireNone()
    },
  }
}
