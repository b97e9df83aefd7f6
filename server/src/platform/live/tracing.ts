import { AsyncLocalStorage } from 'node:async_hooks'
import { Failure } from '@olmos/contract/failure'
import type { Attributes, Span, SpanContext } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent } from '../http/headers.ts'

/** What is being worked on: what its log lines carry, and its span where it is traced. */
interface Running {
  fields: { reqId?: string; page?: string; traceId?: string }
  trace?: { span: Span; start: StartSpan }
}

const current = new AsyncLocalStorage<Running>()

/** What every log line of a request or a delivery carries, for the `mixin` of the log: a new object each time, as pino wants it. */
export const logFields = (): Running['fields'] => ({ ...current.getStore()?.fields })

/** What a span is set to when its work failed: the number is OpenTelemetry's, whose package is loaded only for a collector. */
const failed = { code: 2 } as const

interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** Codes, routes and names that the program knows: never what a person typed, a token or a code. */
  attributes?: Attributes
}

/** Begins a span, which is the first of its trace without a parent. */
export type StartSpan = (name: string, options: SpanOptions & { parent?: SpanContext | undefined }) => Span

interface Tracer {
  start: StartSpan
}

/**
 * Runs `work` as a span of the trace that is under way, and only runs it where there is none; work that answers no promise is
 * not worth a span. `toOutcome` reads from a result what came of it. With a `traceparent` the span belongs to that earlier
 * trace, and is linked with the one under way.
 */
export function inSpan<T>(
  name: string,
  work: () => Promise<T>,
  options: SpanOptions & { traceparent?: string | null; toOutcome?: (result: T) => string | undefined } = {},
): Promise<T> {
  const running = current.getStore()
  if (!running?.trace) return work()
  const { traceparent, toOutcome, ...rest } = options
  const above = running.trace.span.spanContext()
  const earlier = readTraceparent(traceparent)
  const span = running.trace.start(name, { ...rest, parent: earlier ?? above })
  if (earlier && earlier.traceId !== above.traceId) span.addLink({ context: above })
  const answer = current.run({ ...running, trace: { ...running.trace, span } }, work)
  return answer instanceof Promise ? finish(span, answer, toOutcome) : answer
}

/**
 * Runs `work` as a span of the trace that a request began, on this node or another, as `currentTrace` wrote it down; only
 * runs it where none was written down, or nothing is traced here.
 */
export function resumeTrace<T>(
  tracer: Tracer | undefined,
  { traceparent, name, ...options }: SpanOptions & { traceparent: string | null; name: string },
  work: () => Promise<T>,
): Promise<T> {
  const parent = readTraceparent(traceparent)
  if (!tracer || !parent) return work()
  const { start } = tracer
  const span = start(name, { ...options, parent })
  return finish(span, current.run({ fields: { traceId: parent.traceId }, trace: { span, start } }, work))
}

async function finish<T>(span: Span, answer: Promise<T>, toOutcome?: (result: T) => string | undefined): Promise<T> {
  try {
    const result = await answer
    const outcome = toOutcome?.(result)
    if (outcome !== undefined) span.setAttribute('olmos.outcome', outcome)
    if (outcome === 'unknown') span.setStatus(failed)
    return result
  } catch (error) {
    const code = readCode(error)
    span.setAttribute('error.type', code ?? (error instanceof Error ? error.constructor.name : typeof error))
    // A refusal is no fault, and what has no code may only steer the work: a bug makes the request itself a failed one.
    if (code !== undefined && !(error instanceof Failure && error.status < 500)) span.setStatus(failed)
    throw error
  } finally {
    span.end()
  }
}

/** Reads the code of an error. Its message may have values of a statement in it, and stays here. */
const readCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Writes down the span under way as W3C Trace Context has it, for what is finished later or elsewhere; null without one. */
export function currentTrace(): string | null {
  const context = current.getStore()?.trace?.span.spanContext()
  return context ? `00-${context.traceId}-${context.spanId}-01` : null
}

interface KnownRoute {
  route: string
  /** What machines ask all day, and files, which nobody reads lines about. */
  isQuiet: boolean
}

const fileRoute = /^\/(?:assets|art)\/|\.(?:js|png|svg|webmanifest)$/
const quietRoute = /^\/(?:api\/(?:health|ready)|metrics|assets\/\*)$/

/** By the pattern as Fastify has it: every request asks several times. */
const knownRoutes = new Map<string, KnownRoute>()

function findRoute({ routeOptions: { url = 'none' } }: Pick<FastifyRequest, 'routeOptions'>): KnownRoute {
  const known = knownRoutes.get(url)
  if (known) return known
  const route = fileRoute.test(url) ? '/assets/*' : url
  const found = { route, isQuiet: quietRoute.test(route) }
  knownRoutes.set(url, found)
  return found
}

/**
 * The pattern of a request's route, never its address, which has ids and tokens in it; files of the web are one, and what
 * has no route is `none`: strangers must not make up as many as they like.
 */
export const toRoute = (request: Pick<FastifyRequest, 'routeOptions'>): string => findRoute(request).route

/** What became of a request, for the log and the metrics. */
export interface Answered {
  reqId: string
  method: string
  /** As `toRoute` has it. */
  route: string
  /** Whether nobody reads lines about it. */
  isQuiet: boolean
  status: number
  ms: number
  /** The code of the refusal that was answered. */
  refusal: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the first hook. */
    running: Running | null
  }
  interface FastifyInstance {
    /** Hear of each request that was answered, also by an early handler. */
    onAnswered: ((answered: Answered, fields?: Running['fields']) => void)[]
  }
}

interface Watch {
  /** Whether each request is a line of the log. */
  isLogged: boolean
  /** Whether this address is a proxy's, whose traceparent a request's span may belong to. */
  isTrusted(address: string | undefined): boolean
  tracer?: Tracer | undefined
}

/**
 * Names every answer by its request's id, which all log lines carry that are written while it is served, and traces it. When
 * it `isLogged`, each request is one line as well: by its route, and without anything that a person typed.
 */
export function watchRequests(app: FastifyInstance, { isLogged, isTrusted, tracer }: Watch): void {
  const begin = (request: FastifyRequest): Running => {
    const { id: reqId, headers, method } = request
    const above = current.getStore()
    const given = readTraceparent(headers.traceparent)
    // A page reads calls of the store's own: their lines name the request of the page too.
    const fields = { reqId, ...(above?.fields.reqId && { page: above.fields.reqId }) }
    const untraced = { fields: given ? { ...fields, traceId: given.traceId } : fields }
    // What a page reads is recorded where the page is.
    if (!tracer || (above && !above.trace)) return untraced
    const { route, isQuiet } = findRoute(request)
    if (isQuiet) return untraced
    const parent = above?.trace?.span.spanContext() ?? (isTrusted(request.socket.remoteAddress) ? given : undefined)
    const attributes = { 'http.request.method': method, 'http.route': route, 'olmos.request_id': reqId }
    const span = tracer.start(`${method} ${route}`, { kind: 'server', parent, attributes })
    if (!span.isRecording()) return untraced
    return { fields: { ...fields, traceId: span.spanContext().traceId }, trace: { span, start: tracer.start } }
  }

  app.decorateRequest('running', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    request.running = begin(request)
    current.run(request.running, done)
  })
  // A body is read by events of the connection, which know nothing of the request.
  app.addHook('preValidation', ({ running }, _reply, done) => {
    if (!running || current.getStore() === running) done()
    else current.run(running, done)
  })
  app.decorate('onAnswered', [])
  app.addHook('onResponse', (request, { statusCode, elapsedTime, refusal }, done) => {
    const { id: reqId, method, running } = request
    const span = running?.trace?.span
    span?.setAttribute('http.response.status_code', statusCode)
    if (refusal !== null) span?.setAttribute('olmos.refusal', refusal)
    if (statusCode >= 500) span?.setStatus(failed)
    span?.end()
    const answered = { reqId, method, ...findRoute(request), status: statusCode, ms: elapsedTime, refusal }
    for (const hear of app.onAnswered) hear(answered, running?.fields)
    done()
  })
  app.addHook('onRequestAbort', ({ running }, done) => {
    running?.trace?.span.setAttribute('error.type', 'aborted').end()
    done()
  })
  if (!isLogged) return
  app.onAnswered.push(({ reqId, method, route, status, isQuiet, ms, refusal }, fields) => {
    // Field by field: the rest of an object is a tenth of what a kept answer costs.
    const line = { ...fields, reqId, method, route, status, ms: Math.round(ms) }
    app.log[isQuiet ? 'debug' : 'info'](refusal === null ? line : { ...line, refusal }, 'request')
  })
}
