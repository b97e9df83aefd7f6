import type { Endpoint } from '@olmos/contract/endpoint'
import type { Failure } from '@olmos/contract/failure'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { SERVER_LIMITS } from '../limits.ts'
import type { Database } from './database/database.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import type { Serve } from './http/serve.ts'
import type { LiveEvents } from './live/live-events.ts'
import type { Telemetry } from './live/telemetry.ts'
import type { SecurityLog } from './security/audit.ts'
import type { Vault } from './security/vault.ts'

/** The time of day as the store sees it. Money and reservations use the database's clock instead. */
interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Everything the store runs on. It is built once, in main.ts or by a test, and passed by hand. */
export interface Resources {
  config: Config
  database: Database
  vault: Vault
  clock: Clock
  log: FastifyBaseLogger
  /** The event streams that are open at this node. */
  live: LiveEvents
  /**
   * A number that is another one after each change of the catalogue, or of what is in stock, that this node heard of;
   * undefined while it may miss some.
   */
  catalogueVersion(): number | undefined
  /** Makes one of the limits in `SERVER_LIMITS.rates`, which all nodes count together. */
  rateLimiter(name: keyof typeof SERVER_LIMITS.rates): RateLimiter
  /** Where traces and metrics go; undefined without a collector. */
  telemetry?: Telemetry | undefined
  /** Whether this node works on the job queue. */
  isQueueRunning(): boolean
  /** Whether this node was told to end and only serves until its proxy has noticed. */
  isDraining(): boolean
  /** Whether it is about to close, and closes connections on reads for proxies that do not ask whether it is ready. */
  isDroppingReads?(): boolean
  /** Sees every refusal of a call; tests compare it with the contract. */
  onRefusal?: (row: Endpoint, failure: Failure) => void
}

/** The resources plus the way routes are registered. */
export interface Context extends Resources {
  serve: Serve
  /** The log of logins and refusals. */
  security: SecurityLog
}
