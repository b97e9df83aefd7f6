import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { build } from '../build.ts'
import type { Database } from '../database/database.ts'

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

  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    // An address without a route gets no line of its own: strangers must not add as many lines as they like.
    const route = routeOptions.url ?? 'none'
    requests.observe({ method, route, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1000)
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
