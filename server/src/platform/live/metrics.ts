import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { build } from '../build.ts'
import type { Database } from '../database/database.ts'
import { readTraceId } from '../http/headers.ts'

/** What every log line of a request carries. */
interface RequestFields {
  reqId: string
  /** The trace that its caller counts it to. */
  traceId?: string
}

const current = new AsyncLocalStorage<RequestFields>()

/** The fields of the request that is being served, for the `mixin` of the log: a new object each time, as pino wants it. */
export const requestFields = (): Partial<RequestFields> => ({ ...current.getStore() })

function toFields({ id: reqId, headers }: FastifyRequest): RequestFields {
  const traceId = readTraceId(headers.traceparent)
  return traceId === undefined ? { reqId } : { reqId, traceId }
}

const fileRoute = /^\/(?:assets|art)\/|\.(?:js|png|svg|webmanifest)$/

/**
 * The pattern of a request's route, never its address, which has ids and tokens in it; files of the web are one, and what
 * has no route is `none`: strangers must not make up as many as they like.
 */
export function toRoute({ routeOptions: { url = 'none' } }: Pick<FastifyRequest, 'routeOptions'>): string {
  return fileRoute.test(url) ? '/assets/*' : url
}

/** What machines ask all day, and files, which nobody reads lines about. */
const isQuiet = (route: string) => /^\/(?:api\/(?:health|ready)|metrics|assets\/\*)$/.test(route)

/**
 * Names every answer by its request's id, which all log lines carry that are written while it is served. When it
 * `isLogged`, each request is one line as well: by its route, and without anything that a person typed.
 */
export function watchRequests(app: FastifyInstance, { isLogged }: { isLogged: boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    current.run(toFields(request), done)
  })
  // A body is read by events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (current.getStore()?.reqId === request.id) done()
    else current.run(toFields(request), done)
  })
  if (!isLogged) return
  app.addHook('onResponse', (request, { statusCode, elapsedTime, refusal }, done) => {
    const route = toRoute(request)
    const line = {
      ...toFields(request),
      method: request.method,
      route,
      status: statusCode,
      ms: Math.round(elapsedTime),
    }
    request.log[isQuiet(route) ? 'debug' : 'info'](refusal === null ? line : { ...line, refusal }, 'request')
    done()
  })
}

interface Measured {
  database: Database
  /**
   * With this bearer token the metrics may be read from anywhere; without a token only from this machine, and in
   * production by nobody.
   */
  token: string | undefined
  isProduction: boolean
  /** Reads the shop's figures of the moment, by their name after `olmos_`. Called at each scrape. */
  readFigures(): Promise<Record<string, number>>
  /** Reads how often each of these events happened since the start. */
  readEvents(): Record<string, number>
}

/** In seconds. A page from memory takes a millisecond, a purchase in a rush a second. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures every request from here on and serves GET /metrics in the text format of Prometheus. */
export function serveMetrics(
  app: FastifyInstance,
  { database, token, isProduction, readFigures, readEvents }: Measured,
): void {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'olmos_http_request_seconds',
    help: 'Time to answer, by route and kind of answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets,
    registers,
  })
  const connections = new Gauge({
    name: 'olmos_database_connections',
    help: 'Connections of the pool; waiting are requests that have none yet',
    labelNames: ['state'] as const,
    registers,
  })
  new Counter({
    name: 'olmos_security_events_total',
    help: 'Logins, refusals and changes of passwords since the start',
    labelNames: ['event'] as const,
    registers,
    collect() {
      this.reset()
      for (const [event, count] of Object.entries(readEvents())) this.inc({ event }, count)
    },
  })
  new Gauge({
    name: 'olmos_build_info',
    help: 'Always 1; the labels say which version this node runs',
    labelNames: ['version', 'commit'] as const,
    registers,
  }).set({ ...build }, 1)
  const figure = (name: string) =>
    (registry.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({ name, help: name.replaceAll('_', ' '), registers })

  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    requests.observe(
      { method, route: toRoute(request), status: `${Math.floor(reply.statusCode / 100)}xx` },
      reply.elapsedTime / 1000,
    )
    done()
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, token, isProduction)) throw new Failure('NOT_FOUND')
    const { totalCount, idleCount, waitingCount } = database.pool
    connections.set({ state: 'busy' }, totalCount - idleCount)
    connections.set({ state: 'idle' }, idleCount)
    connections.set({ state: 'waiting' }, waitingCount)
    for (const [name, value] of Object.entries(await readFigures())) figure(`olmos_${name}`).set(value)
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

function mayRead({ headers, socket }: FastifyRequest, token: string | undefined, isProduction: boolean): boolean {
  if (token !== undefined) return isSame(headers.authorization ?? '', `Bearer ${token}`)
  // A proxy on this machine forwards strangers from this machine too, and not every proxy says so.
  if (isProduction) return false
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => headers[name] !== undefined)
  return !isPassedOn && loopback.test(socket.remoteAddress ?? '')
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected))
