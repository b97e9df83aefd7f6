import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { Failure } from '@olmos/contract/failure'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type Database, sql } from '../database/database.ts'

/**
 * What one customer of a provider has to himself: an address of version 4, or the 64 leading bits of one of version 6, which
 * every household may vary the rest of. Counting single addresses there would count nothing.
 */
export function toClient(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  return isIP(address) === 6 ? `${leadingGroups(address, 4).join(':')}::/64` : address
}

/** The network an address is of, as large as one household, school or mobile operator's pool is likely to have: /24 or /64. */
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
  /** What is counted; a name of its own for every limit. */
  name: string
  /** How many are allowed within the seconds. */
  points: number
  seconds: number
}

export interface RateLimiter {
  /** Counts one more for `key`. Refuses with RATE_LIMITED and the seconds to wait once there are too many. */
  count(key: string): Promise<void>
  forget(key: string): Promise<void>
  /** Takes one count back: what was counted did not come about. */
  releaseTry(key: string): Promise<void>
}

/** As short as the table wants it, whatever is counted, and nobody's name in it. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')

const unlimited: RateLimiter = { count: async () => {}, forget: async () => {}, releaseTry: async () => {} }

/** A name would be looked up in whatever session a pooler gives. */
const unnamedBehindPooler = ({ isPooled }: Database, { name, ...query }: pg.QueryConfig): pg.QueryConfig =>
  isPooled || name === undefined ? query : { ...query, name }

/** Deletes counts that ran out; a crowd of guessers leaves a row for every name and address. */
export const forgetOldCounts = (database: Database): Promise<number> =>
  database.run(sql`DELETE FROM rate_limit WHERE expire < extract(epoch FROM now()) * 1000`)

/** Counts in the database, so that every node sees the same count and a restart forgets nothing. */
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
      // Not by the library's own reward, which leaves a count below none where the time has run out in between.
      const counted = limiter.getKey(digest(key))
      await database.run(sql`
        UPDATE rate_limit SET points = points - 1
        WHERE key = ${counted} AND points > 0 AND expire > extract(epoch FROM now()) * 1000`)
    },
  }
}
