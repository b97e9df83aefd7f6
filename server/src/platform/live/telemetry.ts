import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import { build, toReason } from '../process.ts'
import type { Meters, PromMetrics } from './metrics.ts'
import type { StartSpan } from './tracing.ts'

/** Sends spans and metrics to a collector. */
export interface Telemetry {
  start: StartSpan
  /** Sends once a minute what `read` answers. */
  pushMetrics(read: () => Promise<PromMetrics>): void
  /** Sends what is left, and gives up after a few seconds. */
  close(): Promise<void>
}

/** The numbers that OpenTelemetry's SpanKind gives these. */
const kinds = { internal: 0, server: 1, client: 2, consumer: 4 } as const

interface TelemetrySettings {
  /** Where the collector takes OTLP over HTTP, without a slash at the end. */
  endpoint: string
  /** What it is sent with each request; may be secret. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Which part of the traces that begin here is recorded, from 0 to 1. */
  ratio: number
  /** Whether metrics are sent too. */
  metrics: boolean
  /** Tells the nodes of one machine apart. */
  port: number
}

interface TelemetryMeans {
  log: FastifyBaseLogger
  meters: Pick<Meters, 'spansLost'>
  metricsEveryMs?: number
}

const warnAgainMs = 5 * 60_000
const sendMs = 5_000
const closeMs = 3_000
/** So many spans wait for a collector that is slow or away; later ones are lost. */
const spansAtMost = 2_048

/**
 * Loads OpenTelemetry and begins to send to the collector of the settings. Nothing waits for the collector: what it does not
 * take is lost and counted, and a line of the log says so every few minutes.
 */
export async function startTelemetry(
  { endpoint, headers, serviceName, ratio, metrics, port }: TelemetrySettings,
  { log, meters, metricsEveryMs = 60_000 }: TelemetryMeans,
): Promise<Telemetry> {
  const { ROOT_CONTEXT, trace } = await import('@opentelemetry/api')
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = await import(
    '@opentelemetry/sdk-trace'
  )
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')

  // Batches and their failures belong to no request, though a request's span may have set their timer.
  const outside = AsyncLocalStorage.snapshot()
  let warnedAt = Number.NEGATIVE_INFINITY
  const complain = (reason: string) => {
    if (Date.now() - warnedAt < warnAgainMs) return
    warnedAt = Date.now()
    log.warn({ reason }, 'the collector at OTEL_EXPORTER_OTLP_ENDPOINT does not take everything')
  }
  const lose = (spans: number, reason: string) => {
    meters.spansLost.inc(spans)
    complain(reason)
  }

  const identity = {
    'service.name': serviceName,
    'service.version': build.version,
    'service.instance.id': `${hostname()}:${port}`,
  }
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: sendMs,
  })
  let waiting = 0
  const batches = new BatchSpanProcessor({
    maxQueueSize: spansAtMost,
    exporter: {
      export(spans, onResult) {
        waiting -= spans.length
        outside(() =>
          exporter.export(spans, (result) => {
            if (result.error) lose(spans.length, toReason(result.error))
            onResult(result)
          }),
        )
      },
      shutdown: () => exporter.shutdown(),
    },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes(identity),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      {
        onStart() {},
        onEnd(span: ReadableSpan) {
          if (waiting >= spansAtMost) return lose(1, 'more spans than it takes')
          waiting++
          batches.onEnd(span)
        },
        forceFlush: () => batches.forceFlush(),
        shutdown: () => batches.shutdown(),
      },
    ],
  })
  const tracer = provider.getTracer('olmos', build.version)

  let push = async () => {}
  let pushing: NodeJS.Timeout | undefined
  return {
    start: (name, { kind = 'internal', attributes = {}, parent }) =>
      tracer.startSpan(
        name,
        { kind: kinds[kind], attributes },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      ),
    pushMetrics(read) {
      if (!metrics) return
      push = async () => {
        try {
          const answer = await fetch(`${endpoint}/v1/metrics`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(toOtlp(await read(), identity)),
            signal: AbortSignal.timeout(sendMs),
            redirect: 'error',
          })
          await answer.body?.cancel()
          if (!answer.ok) complain(`metrics are answered with ${answer.status}`)
        } catch (error) {
          complain(toReason(error instanceof Error ? (error.cause ?? error) : error))
        }
      }
      pushing = setInterval(() => void push(), metricsEveryMs).unref()
    },
    async close() {
      clearInterval(pushing)
      // Spans that do not arrive have been counted and mentioned in the log.
      const sent = Promise.all([push(), provider.shutdown().catch(() => {})])
      await Promise.race([sent, sleep(closeMs, undefined, { ref: false })])
    },
  }
}

/** Cumulative: counters and histograms say what happened since the process began. */
const aggregationTemporality = 2
const startTimeUnixNano = String(Math.round(performance.timeOrigin) * 1_000_000)

/** Writes metrics as a request of OTLP/HTTP in JSON: opentelemetry.io/docs/specs/otlp, and metrics.proto for its fields. */
function toOtlp(metrics: PromMetrics, identity: Record<string, string>) {
  const times = { startTimeUnixNano, timeUnixNano: `${Date.now()}000000` }
  const resource = { attributes: toAttributes(identity) }
  const scope = { name: 'olmos', version: build.version }
  const written = metrics.map(({ name, help: description, type, values }) => {
    // The types of prom-client call a number what is a word.
    const kind = String(type)
    if (kind === 'histogram')
      return { name, description, histogram: { aggregationTemporality, dataPoints: toHistograms(values, times) } }
    const dataPoints = values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ value, labels }) => ({ attributes: toAttributes(labels), ...times, asDouble: value }))
    return kind === 'counter'
      ? { name, description, sum: { aggregationTemporality, isMonotonic: true, dataPoints } }
      : { name, description, gauge: { dataPoints } }
  })
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: written }] }] }
}

const toAttributes = (labels: Partial<Record<string, string | number>>) =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: String(value) } }))

/** Puts the lines of each histogram together. Prometheus counts what is below each bound, OTLP what lies between two. */
function toHistograms(values: PromMetrics[number]['values'], times: object) {
  const points = new Map<string, { labels: object; upTo: number[]; bounds: number[]; sum: number; count: number }>()
  for (const { value, labels: all, metricName = '' } of values as ((typeof values)[number] & {
    metricName?: string
  })[]) {
    const { le, ...labels } = all
    const key = JSON.stringify(Object.entries(labels).toSorted())
    const point = points.get(key) ?? { labels, upTo: [], bounds: [], sum: 0, count: 0 }
    points.set(key, point)
    if (metricName.endsWith('_sum')) point.sum = value
    else if (metricName.endsWith('_count')) point.count = value
    else {
      point.upTo.push(value)
      if (le !== '+Inf') point.bounds.push(Number(le))
    }
  }
  return [...points.values()].map(({ labels, upTo, bounds, sum, count }) => ({
    attributes: toAttributes(labels as Record<string, string>),
    ...times,
    count: String(count),
    sum,
    bucketCounts: upTo.map((value, at) => String(value - (upTo[at - 1] ?? 0))),
    explicitBounds: bounds,
  }))
}
