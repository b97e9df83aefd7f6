import type { Endpoint } from '@olmos/contract/endpoint'
import type { Failure } from '@olmos/contract/failure'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from './database/database.ts'
import type { Serve } from './http/serve.ts'
import type { LiveEvents } from './live/live-events.ts'
import type { SecurityLog } from './security/security-log.ts'
import type { Vault } from './security/vault.ts'

/** The time of day as the store sees it. Money and holds go by the database's clock instead. */
interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** What the store runs on. Built once in main.ts, or by a test, and passed by hand. */
export interface Resources {
  config: Config
  database: Database
  vault: Vault
  clock: Clock
  log: FastifyBaseLogger
  /** Who listens at this node. */
  live: LiveEvents
  /** Whether this node works on the job queue. */
  isQueueRunning(): boolean
  /** Whether this node was told to end, and serves only until its proxy has noticed. */
  isLeaving(): boolean
  /** Hears every refusal of a call. Tests hold it against the contract. */
  onRefusal?: (row: Endpoint, failure: Failure) => void
}

/** The same for the routes, with the way they are registered. */
export interface Context extends Resources {
  serve: Serve
  /** Where logins and refusals are written down. */
  security: SecurityLog
}
