import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface OtlpAttribute {
  key: string
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
}

interface OtlpSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: OtlpAttribute[]
  status: { code: number }
  links?: { traceId: string; spanId: string }[]
}

/** A span that arrived. */
export interface CollectedSpan extends Omit<OtlpSpan, 'attributes'> {
  attributes: Record<string, unknown>
  /** The node that sent it, as it calls itself. */
  node: unknown
}

interface OtlpPoint {
  attributes: OtlpAttribute[]
  asDouble?: number
  count?: string
  sum?: number
  bucketCounts?: string[]
  explicitBounds?: number[]
}

type OtlpMetric = { name: string } & Partial<
  Record<'sum' | 'gauge' | 'histogram', { dataPoints: OtlpPoint[]; isMonotonic?: boolean }>
>

export interface Collector {
  url: string
  /** Whatever arrived, in order. */
  received: { path: string; headers: IncomingHttpHeaders; body: string }[]
  /** What it does with a request. */
  mood: 'takes' | 'refuses' | 'is silent'
  spans(): CollectedSpan[]
  /** The metrics as they were sent last. */
  metrics(): OtlpMetric[]
  close(): Promise<void>
}

const toRecord = (attributes: readonly OtlpAttribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Starts a collector that takes OTLP over HTTP in JSON, and keeps what it was sent. */
export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    collector.received.push({ path: request.url ?? '', headers: request.headers, body })
    if (collector.mood === 'is silent') return
    response.writeHead(collector.mood === 'takes' ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bodies = (path: string) =>
    collector.received.filter((request) => request.path === path).map(({ body }) => JSON.parse(body))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    mood: 'takes',
    spans: () =>
      bodies('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(
          (sent: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }) =>
            sent.scopeSpans.flatMap(({ spans }) =>
              spans.map((span) => ({
                ...span,
                attributes: toRecord(span.attributes),
                node: toRecord(sent.resource.attributes)['service.instance.id'],
              })),
            ),
        ),
      ),
    metrics: () => bodies('/v1/metrics').at(-1)?.resourceMetrics[0].scopeMetrics[0].metrics ?? [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return collector
}

/** The names of a span and of all it is part of, the span itself first; `?` for one that never arrived. */
export function pathUp(spans: readonly CollectedSpan[], span: CollectedSpan): string[] {
  if (!span.parentSpanId) return [span.name]
  const parent = spans.find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId)
  return [span.name, ...(parent ? pathUp(spans, parent) : ['?'])]
}
