import { hash } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { Failure } from '@olmos/contract/failure'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import { removeInBatches } from '../database/jobs.ts'
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

export interface RateLimiter {
  /** Counts one more for `key`. Refuses with RATE_LIMITED and the seconds to wait once there are too many. */
  count(key: string): Promise<void>
  forget(key: string): Promise<void>
  /** Takes one count back, because what was counted did not happen. */
  releaseTry(key: string): Promise<void>
}

/** Short enough for the table whatever is counted, and free of personal data. */
const digest = (key: string): string => hash('sha256', key, 'base64url')

const unlimited: RateLimiter = { count: async () => {}, forget: async () => {}, releaseTry: async () => {} }

/** Behind a pooler a prepared statement's name would be looked up in another session. */
const unnamedBehindPooler = ({ isPooled }: Database, { name, ...query }: pg.QueryConfig): pg.QueryConfig =>
  isPooled || name === undefined ? query : { ...query, name }

/** Deletes expired counts; a crowd of guessers leaves a row for every name and address. */
export const forgetOldCounts = (database: Database): Promise<number> =>
  removeInBatches(database, 'rate_limit', sql`expire < extract(epoch FROM now()) * 1000`)

/** Counts in the database, so that all nodes share the count and a restart forgets nothing. */
export function createRateLimiter(
  database: Database,
  { rateLimits }: { rateLimits: boolean },
  name: keyof typeof SERVER_LIMITS.rates,
): RateLimiter {
  if (!rateLimits) return unlimited
  const { points, seconds } = SERVER_LIMITS.rates[name]
  const limiter = new RateLimiterPostgres({
    storeClient: { query: (query: pg.QueryConfig) => database.pool.query(unnamedBehindPooler(database, query)) },
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false,
  })
  return {
    async count(key) {
      try {
        await limiter.consume(digest(key))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        database.meters.rateLimits.inc({ limit: name })
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

interface PageGateLimits {
  /** How many pages a client may request per second in the long run, and at once after a pause. */
  perSecond: number
  burst: number
  /** How many pages a page rendered for its request counts as. */
  renderCost: number
  /** How many clients are remembered; the one that has been silent longest is forgotten first. */
  clientsAtMost: number
  /** How late a request over the limit is answered, and how much later for each other waiting request of its client. */
  lateMs: number
  lateMsPerDelayed: number
  /** How many answers may be delayed, per client and in all. */
  delayedOfClientAtMost: number
  delayedAtMost: number
  /** When a refused client should retry. */
  retryAfterSeconds: number
}

interface PageGate {
  /**
   * A hook for the routes of pages. A request over its client's limit waits, is tried once more, and is then refused
   * with 503.
   */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
  /** Charges a render to the client that caused it, which may put it in debt. */
  chargeRender(request: FastifyRequest): void
  /** Ends all delays. */
  releaseAll(): void
}

interface Client {
  tokens: number
  refilledAt: number
  delayed: number
}

const warnAgainMs = 60_000
const refusal = JSON.stringify({ success: false, error: { code: 'OVERLOADED', message: 'too many pages at once' } })

/**
 * Limits the pages of each client address by a token bucket in memory. Refusals are late on purpose: a client that
 * retries as soon as it is answered would only ask faster, and take the event loop from those who buy.
 */
export function createPageGate(limits: PageGateLimits, now: () => number = () => performance.now()): PageGate {
  /** In the order of requests, so that the first is the one to forget. */
  const clients = new Map<string, Client>()
  /** Ends the delay of the answer on a connection. */
  const delayed = new Map<Socket, () => void>()
  let warnedAt = Number.NEGATIVE_INFINITY

  const findClient = (address: string): Client => {
    const key = toClient(address)
    const client = clients.get(key) ?? { tokens: limits.burst, refilledAt: now(), delayed: 0 }
    clients.delete(key)
    clients.set(key, client)
    const [first] = clients.keys()
    if (first !== undefined && clients.size > limits.clientsAtMost) clients.delete(first)
    return client
  }

  /** One token is enough to enter, so that expensive pages are not crowded out by cheap ones. */
  const takeToken = (client: Client): boolean => {
    const at = now()
    client.tokens = Math.min(limits.burst, client.tokens + ((at - client.refilledAt) / 1_000) * limits.perSecond)
    client.refilledAt = at
    if (client.tokens < 1) return false
    client.tokens--
    return true
  }

  /** A caller who leaves meanwhile keeps its place: leaving must not be a way to ask faster. */
  const delayAnswer = async (client: Client, socket: Socket): Promise<void> => {
    const lateMs = limits.lateMs + client.delayed * limits.lateMsPerDelayed
    client.delayed++
    await new Promise<void>((release) => {
      const timer = setTimeout(release, lateMs).unref()
      delayed.set(socket, () => {
        clearTimeout(timer)
        release()
      })
    })
    delayed.delete(socket)
    client.delayed--
  }

  const warn = ({ log, ip }: FastifyRequest): void => {
    if (now() - warnedAt < warnAgainMs) return
    warnedAt = now()
    log.warn({ client: toClient(ip) }, 'a client asks for more pages than it may; its pages are late or refused')
  }

  const refuse = (reply: FastifyReply): FastifyReply => refusePage(reply, limits.retryAfterSeconds)

  return {
    async enter(request, reply) {
      const { socket } = request
      // Browsers and proxies wait for an answer before they send the next request over its connection.
      if (socket.destroyed || delayed.has(socket)) return hangUp(socket, reply)
      const client = findClient(request.ip)
      if (takeToken(client)) return undefined

      warn(request)
      if (client.delayed >= limits.delayedOfClientAtMost || delayed.size >= limits.delayedAtMost) {
        // A proxy would mistake a closed connection for a broken store, and it is not the one who asks.
        return request.ip === socket.remoteAddress ? hangUp(socket, reply) : refuse(reply)
      }
      await delayAnswer(client, socket)
      if (socket.destroyed) return hangUp(socket, reply)
      return takeToken(client) ? undefined : refuse(reply)
    },
    chargeRender({ ip }) {
      findClient(ip).tokens -= limits.renderCost - 1
    },
    releaseAll() {
      for (const release of delayed.values()) release()
    },
  }
}

const toRefusalHead = (retryAfterSeconds: number) => ({
  'retry-after': String(retryAfterSeconds),
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
})

/** A refusal that costs nearly nothing: no error is made, and no line is logged but that of the request. */
function refusePage(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  reply.refusal = 'OVERLOADED'
  return reply.code(503).headers(toRefusalHead(retryAfterSeconds)).send(refusal)
}

function hangUp(socket: Socket, reply: FastifyReply): FastifyReply {
  socket.destroy()
  return reply.hijack()
}

interface TurnLimits {
  atOnce: number
  /** How many may wait; further ones are refused with OVERLOADED. */
  waitingAtMost: number
  /** How long one may wait, before it is refused as well. */
  waitAtMostMs?: number
  /** The log's message about a refusal. */
  refusal: string
  /** How long a place stays empty after work that took `workMs`, which leaves the processor to others. */
  restAfterMs?(workMs: number): number
}

/** `placesKept` places in the queue stay reserved for other work, which passes none. */
type InTurn = <T>(work: () => Promise<T>, placesKept?: number) => Promise<T>

/**
 * Runs a few pieces of work at a time, in the order they came, so that a flood of them does not take the whole
 * processor.
 */
export function createTurns(limits: TurnLimits): InTurn {
  const { atOnce, waitingAtMost, waitAtMostMs, refusal, restAfterMs = () => 0 } = limits
  let running = 0
  const waiting: (() => void)[] = []
  const refused = () => new Failure('OVERLOADED', undefined, refusal)
  const passOn = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async (work, placesKept = 0) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost - placesKept) throw refused()
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(turn), 1)
          reject(refused())
        }
        const patience = waitAtMostMs === undefined ? undefined : setTimeout(leave, waitAtMostMs)
        const turn = () => {
          clearTimeout(patience)
          resolve()
        }
        waiting.push(turn)
      })
    } else {
      running++
    }
    const began = performance.now()
    try {
      return await work()
    } finally {
      const restMs = restAfterMs(performance.now() - began)
      // Waiting requests keep the process alive by their connections; a rest alone must not.
      if (restMs > 0) setTimeout(passOn, restMs).unref()
      else passOn()
    }
  }
}

interface LoadLimits {
  /** How late the event loop may come to its work before fewer pages are let in. */
  lateMs: number
  /** How often that is looked at. */
  everyMs: number
  /** Pages a second that are let in however late it is, and at most. */
  perSecondLeast: number
  perSecondMost: number
  /** How many may come at once after a pause. */
  burst: number
  /** When a refused visitor should retry. */
  retryAfterSeconds: number
}

interface LoadSigns {
  /** Whether those who buy wait for the database; asked at each look. */
  isDatabaseCrowded?(): boolean
  now?(): number
}

interface LoadGate {
  /** A hook for the routes of pages, which refuses with 503 what the node can't serve beside those who buy. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
  /** Refuses pages before Fastify sees them, while `enter` would let none in. */
  refuse: FastifyInstance['earlyHandlers'][number]
  /** Stops looking. */
  stop(): void
}

/** What is no page: calls, and files that pages need, some of which lie beside the pages. */
const noPage =
  /^\/(?:api|assets|art|metrics|pictures|\.well-known)(?:[/?]|$)|^[^?]*\.(?:js|png|svg|txt|webmanifest)(?:\?|$)/i

/** A late look takes the pace to this share of the pages that were let in; a good one raises it by a twentieth. */
const slower = 0.7
const faster = 1.05

/**
 * Limits the pages of a whole node, whoever asks, while its event loop is late or its database crowded: a purchase comes to
 * the loop for each of its statements, and waits for a connection, and what makes it wait is the many who only look. Fewer
 * are let in each time it had to wait, a little more each time it had not.
 */
export function createLoadGate(
  log: FastifyBaseLogger,
  limits: LoadLimits,
  { isDatabaseCrowded = () => false, now = () => performance.now() }: LoadSigns = {},
): LoadGate {
  let perSecond = limits.perSecondMost
  let tokens = limits.burst
  let refilledAt = now()
  let lookedAt = now()
  let letIn = 0
  let warnedAt = Number.NEGATIVE_INFINITY

  const look = setInterval(() => {
    const tookMs = now() - lookedAt
    const letInPerSecond = (letIn / tookMs) * 1_000
    perSecond =
      tookMs - limits.everyMs > limits.lateMs || isDatabaseCrowded()
        ? Math.max(limits.perSecondLeast, Math.min(perSecond, letInPerSecond) * slower)
        : Math.min(limits.perSecondMost, perSecond * faster)
    lookedAt = now()
    letIn = 0
  }, limits.everyMs).unref()

  const head = Object.entries({
    ...toRefusalHead(limits.retryAfterSeconds),
    'content-length': String(Buffer.byteLength(refusal)),
    'x-content-type-options': 'nosniff',
  }).flat()

  const hasRoom = (): boolean => {
    const at = now()
    tokens = Math.min(limits.burst, tokens + ((at - refilledAt) / 1_000) * perSecond)
    refilledAt = at
    return tokens >= 1
  }

  const warn = (): void => {
    if (now() - warnedAt < warnAgainMs) return
    warnedAt = now()
    log.warn({ perSecond: Math.round(perSecond) }, 'the node is late with its work; further pages are refused')
  }

  return {
    async enter(_request, reply) {
      if (hasRoom()) {
        tokens--
        letIn++
        return undefined
      }
      warn()
      return refusePage(reply, limits.retryAfterSeconds)
    },
    refuse({ method, url = '' }, response, name) {
      if ((method !== 'GET' && method !== 'HEAD') || noPage.test(url) || hasRoom()) return undefined
      warn()
      response.writeHead(503, [...head, 'x-request-id', name()]).end(method === 'HEAD' ? '' : refusal)
      return { route: '/*', status: 503, refusal: 'OVERLOADED' }
    },
    stop: () => clearInterval(look),
  }
}
