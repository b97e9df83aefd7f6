import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@olmos/contract/failure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { build } from '../process.ts'
import { isSecret } from '../security/tokens.ts'
import { inSpan } from './tracing.ts'

/** In seconds. A page from memory takes a millisecond, a purchase in a rush a second, a vendor up to its time-out. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const vendorBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]

/**
 * Makes what this process counts, for its metrics. Labels are codes, names and currencies that the store knows: never
 * ids, or what a stranger makes up.
 */
export function createMeters() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers })
  // Numbers, which the library hears of when somebody looks: counting with it costs a kept answer as much as its head.
  const cacheReads = { answers: { hit: 0, miss: 0 }, pages: { hit: 0, stale: 0, miss: 0 } }
  new Counter({
    name: 'olmos_cache_reads_total',
    help: 'Pages and shared answers: kept (hit), old (stale), made (miss)',
    labelNames: ['cache', 'result'],
    registers,
    collect() {
      this.reset()
      for (const [cache, reads] of Object.entries(cacheReads))
        for (const [result, count] of Object.entries(reads)) this.inc({ cache, result }, count)
    },
  })
  return {
    registry,
    orders: counter('olmos_orders_total', 'What became of orders: placed, paid, completed, and so on', [
      'change',
      'method',
      'purpose',
    ]),
    taken: counter('olmos_money_taken_minor_total', 'Money that paid, in minor units', ['method', 'currency']),
    refunded: counter('olmos_money_refunded_minor_total', 'Money that was booked to go back, in minor units', [
      'method',
      'currency',
    ]),
    refusals: counter('olmos_refusals_total', 'Refused requests by the code of the refusal', ['code']),
    rateLimits: counter('olmos_rate_limited_total', 'Calls beyond a limit, by the limit', ['limit']),
    cacheReads,
    vendorCalls: new Histogram({
      name: 'olmos_vendor_call_seconds',
      help: 'Time that calls to payment providers and suppliers took, by what came of them',
      labelNames: ['kind', 'vendor', 'call', 'outcome'] as const,
      buckets: vendorBuckets,
      registers,
    }),
    spansLost: counter('olmos_spans_lost_total', 'Spans of traces that the collector did not take', []),
    jobFailures: counter('olmos_job_failures_total', 'Timed jobs that failed on this node', ['name']),
    jobSuccess: new Gauge({
      name: 'olmos_job_last_success_timestamp_seconds',
      help: 'When a timed job was last done, by any node as far as this one knows',
      labelNames: ['name'] as const,
      registers,
    }),
    jobInterval: new Gauge({
      name: 'olmos_job_interval_seconds',
      help: 'How often a timed job is due',
      labelNames: ['name'] as const,
      registers,
    }),
  }
}

export type Meters = ReturnType<typeof createMeters>
/** The figures of a registry, as prom-client lists them. */
export type PromMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * Measures every call of a vendor that answers an outcome: how long it took, and whether it was done, rejected or unknown;
 * one that threw is an error. In a trace each is a span.
 */
export function measureCalls<Vendor extends { readonly name: string }>(
  vendor: Vendor,
  kind: 'provider' | 'supplier',
  { vendorCalls }: Meters,
): Vendor {
  const note = (call: string, began: number, outcome: unknown) => {
    if (outcome !== 'done' && outcome !== 'rejected' && outcome !== 'unknown' && outcome !== 'error') return
    vendorCalls.observe({ kind, vendor: vendor.name, call, outcome }, (performance.now() - began) / 1000)
  }
  return new Proxy(vendor, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function' || typeof property !== 'string') return value
      return (...given: unknown[]) => {
        const began = performance.now()
        const answer: unknown = inSpan(`${vendor.name} ${property}`, () => value.apply(target, given), {
          kind: 'client',
          attributes: { 'olmos.vendor': vendor.name, 'olmos.vendor_kind': kind },
          toOutcome: (outcome: { kind?: unknown } | undefined) =>
            typeof outcome?.kind === 'string' ? outcome.kind : undefined,
        })
        if (answer instanceof Promise) {
          answer.then(
            (outcome) => note(property, began, outcome?.kind),
            () => note(property, began, 'error'),
          )
        }
        return answer
      }
    },
  })
}

/** What the database knows that is worth a line, but not a statement at each scrape. */
interface SlowFigures {
  /** How many codes are left of products, the emptiest first; no more products than a scrape should have lines. */
  stock: readonly { product: string; codes: number }[]
  /** The latest time of each job that was done. */
  jobs: readonly { job: string; due: number }[]
}

interface Measured {
  database: { pool: { totalCount: number; idleCount: number; waitingCount: number }; meters: Meters }
  /**
   * With this bearer token the metrics may be read from anywhere; without a token only from this machine, and in
   * production by nobody.
   */
  token: string | undefined
  isProduction: boolean
  /** Whether this node would serve, were the database there. */
  isReady(): boolean
  /** Reads the shop's figures of the moment, by their name after `olmos_`. Called at each scrape. */
  readFigures(): Promise<Record<string, number>>
  /** Called once a minute at most. */
  readSlowFigures(): Promise<SlowFigures>
  /** Reads how often each of these events happened since the start. */
  readEvents(): Record<string, number>
  /** Has what `read` answers sent to a collector, again and again; undefined where there is none. */
  push: ((read: () => Promise<PromMetrics>) => void) | undefined
}

/** A scrape waits no longer for the database: it says what the process knows. */
const waitMs = 1_000
/** How long a database that failed to answer a scrape is left alone. */
const restMs = 5_000
const slowEveryMs = 60_000

/** Makes the function that brings what the database knows into the metrics, as far as it answers in time. */
function createReader({ database: { meters }, readFigures, readSlowFigures }: Measured) {
  const { registry } = meters
  const registers = [registry]
  const isUp = new Gauge({ name: 'olmos_database_up', help: 'Whether the database answered last', registers })
  const readAt = new Gauge({
    name: 'olmos_figures_timestamp_seconds',
    help: 'When the figures that come from the database were read',
    registers,
  })
  const stock = new Gauge({
    name: 'olmos_stock_codes',
    help: 'Codes that are left, of the products that have the fewest',
    labelNames: ['product'] as const,
    registers,
  })
  const figure = (name: string) =>
    (registry.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({ name, help: name.replaceAll('_', ' '), registers })
  const lastSuccess = new Map<string, number>()
  let known: string[] = []
  let [reading, restsUntil, slowAfter]: [Promise<void> | undefined, number, number] = [undefined, 0, 0]

  const readSlow = async () => {
    const { stock: shelves, jobs } = await readSlowFigures()
    slowAfter = Date.now() + slowEveryMs
    stock.reset()
    for (const { product, codes } of shelves) stock.set({ product }, codes)
    for (const { job, due } of jobs) {
      if (due <= (lastSuccess.get(job) ?? 0)) continue
      lastSuccess.set(job, due)
      meters.jobSuccess.set({ name: job }, due)
    }
  }
  const read = async () => {
    try {
      const figures = await readFigures()
      for (const [name, value] of Object.entries(figures)) figure(`olmos_${name}`).set(value)
      // What is no longer known would stay as it was for ever.
      for (const name of known) if (!(name in figures)) registry.removeSingleMetric(`olmos_${name}`)
      known = Object.keys(figures)
      if (Date.now() >= slowAfter) await readSlow()
      isUp.set(1)
      readAt.set(Date.now() / 1000)
    } catch {
      // The next call that needs the database logs why; a scrape only says that it is away.
      isUp.set(0)
      restsUntil = Date.now() + restMs
    } finally {
      reading = undefined
    }
  }
  return async (): Promise<{ isUp: boolean }> => {
    if (Date.now() >= restsUntil) reading ??= read()
    if (reading) await Promise.race([reading, sleep(waitMs, undefined, { ref: false })])
    return { isUp: (await isUp.get()).values[0]?.value === 1 }
  }
}

/**
 * Measures every request from here on, serves GET /metrics in the text format of Prometheus, and has the same figures pushed
 * where there is a collector.
 */
export function serveMetrics(app: FastifyInstance, measured: Measured): void {
  const { database, token, isProduction, isReady, readEvents, push } = measured
  const { registry, refusals } = database.meters
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
  const ready = new Gauge({ name: 'olmos_ready', help: 'Whether this node can sell', registers })
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
  }).set({ version: build.version, commit: build.commit ?? 'unknown' }, 1)
  const readDatabase = createReader(measured)

  app.onAnswered.push(({ method, route, status, ms, refusal }) => {
    requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
    if (refusal !== null) refusals.inc({ code: refusal })
  })

  const collect = async () => {
    const { totalCount, idleCount, waitingCount } = database.pool
    connections.set({ state: 'busy' }, totalCount - idleCount)
    connections.set({ state: 'idle' }, idleCount)
    connections.set({ state: 'waiting' }, waitingCount)
    const { isUp } = await readDatabase()
    ready.set(Number(isUp && isReady()))
  }
  push?.(async () => {
    await collect()
    return registry.getMetricsAsJSON()
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, token, isProduction)) throw new Failure('NOT_FOUND')
    await collect()
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

function mayRead({ headers, socket }: FastifyRequest, token: string | undefined, isProduction: boolean): boolean {
  if (token !== undefined) return isSecret(`Bearer ${token}`, headers.authorization)
  // A proxy on this machine forwards strangers from this machine too, and not every proxy says so.
  if (isProduction) return false
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => headers[name] !== undefined)
  return !isPassedOn && loopback.test(socket.remoteAddress ?? '')
}
