import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { Failure } from '@olmos/contract/failure'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../database/database.ts'
import { sql } from '../database/queries.ts'

/**
 * Identifies one customer of an internet provider: an IPv4 address, or the leading 64 bits of an IPv6 address, because
 * every household may vary the rest; counting single IPv6 addresses would count nothing.
 */
export function toClient(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  return isIP(address) === 6 ? `${leadingGroups(address, 4).join(':')}::/64` : address
}

/**
 * The network an address belongs to, as large as a household, a school or a mobile operator's pool is likely to be: /24
 * or /64.
 */
export function toNetwork(address: string): string {
  const client = toClient(address)
  return isIP(client) === 4 ? `${client.split('.').slice(0, 3).join('.')}.0/24` : client
}

function leadingGroups(address: string, count: number): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, count).map((group) => Number.parseInt(group, 16).toString(16))
}

interface Limit {
  /** What is counted; unique per limit. */
  name: string
  /** How many are allowed within `seconds`. */
  points: number
  seconds: number
}

export interface RateLimiter {
  /** Counts one more for `key`. Refuses with RATE_LIMITED and the seconds to wait once there are too many. */
  count(key: string): Promise<void>
  forget(key: string): Promise<void>
  /** Takes one count back, because what was counted did not happen. */
  releaseTry(key: string): Promise<void>
}

/** Short enough for the table whatever is counted, and free of personal data. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')

const unlimited: RateLimiter = { count: async () => {}, forget: async () => {}, releaseTry: async () => {} }

/** Behind a pooler a prepared statement's name would be looked up in another session. */
const unnamedBehindPooler = ({ isPooled }: Database, { name, ...query }: pg.QueryConfig): pg.QueryConfig =>
  isPooled || name === undefined ? query : { ...query, name }

/** Deletes expired counts; a crowd of guessers leaves a row for every name and address. */
export const forgetOldCounts = (database: Database): Promise<number> =>
  database.run(sql`DELETE FROM rate_limit WHERE expire < extract(epoch FROM now()) * 1000`)

/** Counts in the database, so that all nodes share the count and a restart forgets nothing. */
export function createRateLimiter(database: Database, limit: Limit, isOn: boolean): RateLimiter {
  if (!isOn) return unlimited
  const limiter = new RateLimiterPostgres({
    storeClient: { query: (query: pg.QueryConfig) => database.pool.query(unnamedBehindPooler(database, query)) },
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.seconds,
    clearExpiredByTimeout: false,
  })
  return {
    async count(key) {
      try {
        await limiter.consume(digest(key))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new Failure('RATE_LIMITED', { retryAfterSeconds: Math.ceil(refused.msBeforeNext / 1000) })
      }
    },
    async forget(key) {
      await limiter.delete(digest(key))
    },
    async releaseTry(key) {
      // The library's own `reward` would leave a negative count when the time has run out in between.
      const counted = limiter.getKey(digest(key))
      await database.run(sql`
        UPDATE rate_limit SET points = points - 1
        WHERE key = ${counted} AND points > 0 AND expire > extract(epoch FROM now()) * 1000`)
    },
  }
}
