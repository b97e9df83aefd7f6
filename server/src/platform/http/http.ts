import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { Failure } from '@olmos/contract/failure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { SERVER_LIMITS } from '../../limits.ts'
import { toDatabaseFailure } from '../database/failures.ts'
import { type Answered, type StartSpan, toRoute, watchRequests } from '../live/tracing.ts'
import { StartupError } from '../process.ts'
import { nameRequests, proxyTrust, warnOfLongChains } from './headers.ts'

const keyLike = /^[a-z][a-z0-9_]*$/

/** How often Node.js looks for requests that have timed out. */
const checkEveryMs = 10_000

interface HttpOptions {
  /** Which proxies to believe about a caller's address: none, the nearest so many, or these addresses. */
  trustProxy: false | number | string[]
  /** How long a request may take to arrive in full. */
  requestTimeoutMs?: number
  /** Whether each request gets a line in the log. */
  requestLog?: boolean
  /** What records a span for each request; undefined: nothing does. */
  tracer?: { start: StartSpan } | undefined
  /** As in `Resources`. */
  isDroppingReads?: (() => boolean) | undefined
}

/**
 * Answers a request as it came over its connection, before Fastify sees it, and says what was answered; undefined where it
 * does not, and then it must have sent nothing. `name` names the request, as every answer has to.
 */
type EarlyHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  name: () => string,
) => Pick<Answered, 'route' | 'status' | 'refusal'> | undefined

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the refusal that was answered, for the log and the metrics. */
    refusal: string | null
  }
  interface FastifyInstance {
    /** Answer for less than a route costs: asked in turn for each request that comes over a connection. */
    earlyHandlers: EarlyHandler[]
  }
}

/** Makes a Fastify that checks bodies and answers by zod schemas and answers every error in one shape. */
export function createHttp(
  logger: FastifyBaseLogger,
  {
    trustProxy,
    requestTimeoutMs = SERVER_LIMITS.requestTimeoutMs,
    requestLog = false,
    tracer,
    isDroppingReads,
  }: HttpOptions,
): FastifyInstance {
  const isTrusted = proxyTrust(trustProxy)
  const nameRequest = nameRequests(isTrusted)
  const app = Fastify({
    loggerInstance: logger,
    genReqId: nameRequest,
    bodyLimit: SERVER_LIMITS.bodyBytes,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    // A body that never ends occupies memory and a connection.
    requestTimeout: requestTimeoutMs,
    // Node.js applies the longer of the two to the whole request.
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: Math.min(checkEveryMs, requestTimeoutMs) },
    // A logger of its own for each request is work and garbage for what is seldom used.
    childLoggerFactory: (own) => own,
    // Fastify would write two lines a request, with raw addresses in them.
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      const reqId = nameRequest({ headers: {}, socket })
      logger.debug({ reqId, why: error.code }, 'not a request')
      refuseBrokenRequest(error, socket, reqId)
    },
    rewriteUrl: ({ url = '' }) => rewriteMalformedPath(url),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    // Set later, these would take the place of Fastify's own, which had been loaded for nothing. Its types know only such as
    // are made for JSON Schema.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
  })
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerError(new Failure('NOT_FOUND'), request, reply))
  acceptEmptyJson(app)
  app.decorateReply('refusal', null)
  watchRequests(app, { isLogged: requestLog, isTrusted, tracer })
  if (isDroppingReads) dropReadsWhileDraining(app, isDroppingReads)
  answerEarly(app, nameRequest, isDroppingReads)
  ignoreExpectHeader(app)
  closeUnusedConnections(app)
  lingerOnClose(app)
  if (typeof trustProxy === 'number') warnOfLongChains(app, trustProxy)
  return app
}

const callUrl = /^(?:https?:\/\/[^/?]*)?\/api(?:[/?]|$)/i

/**
 * Sends addresses that no link or browser produces to the not-found page: a leading `//` or `http://` would be taken
 * for another host, dots, `#` and backslashes for a different page, and an incomplete percent escape for nothing at
 * all. API calls refuse such addresses themselves.
 */
function rewriteMalformedPath(url: string): string {
  if (callUrl.test(url)) return url
  const [path = '', ...queries] = url.split('?')
  return isWellFormed(path) ? url : `/malformed?${queries.join('?')}`
}

function isWellFormed(path: string): boolean {
  if (!/^\/(?!\/)[^#\\]*$/.test(path)) return false
  try {
    return !hasDotSegment(path)
  } catch {
    return false
  }
}

/**
 * Whether a path has a segment of dots, also in the path that the pages' router requests data from. Throws on an
 * invalid percent escape.
 */
export const hasDotSegment = (path: string): boolean =>
  decodeURIComponent(path)
    .split('/')
    .some((segment) => /^\.\.?(?:\.data)?$/.test(segment))

/**
 * nginx and other proxies without health checks stop using a node only when a connection fails. Closing connections on
 * reads makes them retry elsewhere before the node stops accepting purchases, which proxies do not retry. Reads that the
 * store sends itself have no connection.
 */
function dropReadsWhileDraining(app: FastifyInstance, isDroppingReads: () => boolean): void {
  app.addHook('onRequest', ({ method, raw: { socket } }, reply, done) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || !isDroppingReads() || !(socket instanceof Socket)) return done()
    reply.hijack()
    socket.destroy()
  })
}

/**
 * Asks `earlyHandlers` before Fastify, which makes two objects of each request and takes it through the hooks of all
 * routes: that costs more than many an answer. Requests that the store sends itself do not come by here, and what a node
 * answers while it closes is Fastify's, which says that the connection ends.
 */
function answerEarly(
  app: FastifyInstance,
  nameRequest: ReturnType<typeof nameRequests>,
  isDroppingReads: () => boolean = () => false,
): void {
  const { server } = app
  const handlers: EarlyHandler[] = []
  let isClosing = false
  app.decorate('earlyHandlers', handlers)
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (isClosing || isDroppingReads()) return false
    const began = performance.now()
    let reqId: string | undefined
    const name = () => {
      reqId ??= nameRequest(request)
      return reqId
    }
    for (const handleEarly of handlers) {
      const answered = handleEarly(request, response, name)
      if (!answered) continue
      const { method = 'GET' } = request
      const { route, status, refusal } = answered
      const told = { reqId: name(), method, route, isQuiet: false, status, ms: performance.now() - began, refusal }
      for (const hear of app.onAnswered) hear(told)
      return true
    }
    return false
  }
  const [handle] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!answer(request, response)) handle?.call(server, request, response)
  })
}

/**
 * Node would answer every `Expect` header except `100-continue` with a bare 417. A server may ignore it and answer as
 * usual.
 */
function ignoreExpectHeader(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

const forceCloseMs = 10_000
const unusedMs = 1_000

/**
 * Browsers and probes open connections without sending a request; closing waits neither for these nor for a request
 * that never ends. What a proxy has just opened for a purchase looks alike until its request is there, a moment later, and
 * no proxy sends a purchase again that was cut; so requests are answered as long as there are connections.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const socket of unused) socket.destroy()
    }, unusedMs).unref()
    setTimeout(() => app.server.closeAllConnections(), forceCloseMs).unref()
  })
}

const lingerMs = 10_000

/**
 * Closes a connection whose body was refused only once its caller has had time to read why. A socket that is closed
 * with bytes unread resets the connection, and the caller's machine then throws away the answer it had received. So the
 * store says that it is done, and drops whatever still comes for a while: callers that have read the answer hang up.
 */
function lingerOnClose(app: FastifyInstance): void {
  app.server.on('request', (request) => {
    const { socket, headers } = request
    if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
    // Node.js calls it after an answer that ends the connection.
    socket.destroySoon = () => {
      if (request.complete) return Socket.prototype.destroySoon.call(socket)
      // Nothing that follows is taken for a request.
      socket
        .removeAllListeners('data')
        .on('data', () => {})
        .end()
      const lingering = setTimeout(() => socket.destroy(), lingerMs).unref()
      socket.once('close', () => clearTimeout(lingering))
    }
  })
}

/** Answers what is not HTTP, or has far too many headers, and closes the connection. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, reqId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(refusalBody(new Failure('VALIDATION_FAILED', undefined, 'this is no request')))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nconnection: close\r\nx-request-id: ${reqId}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Treats an empty body declared as JSON as a request without a body. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    parse(request, body as string, done)
  })
}

/** Turns anything thrown into the answer the caller may see; internal details only go to the log. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  onRefusal?: (failure: Failure) => void,
): FastifyReply {
  const { id: reqId, log } = request
  const failure = toFailure(toDatabaseFailure(error))
  onRefusal?.(failure)
  reply.refusal = failure.code
  // An address that could not be read at all is refused before any hook.
  reply.header('x-request-id', reqId)
  // A flood of visitors who are turned away is not our error, and needs no flood of stacks in the log.
  if (failure.code === 'OVERLOADED' && failure.cause === undefined)
    log.warn({ reqId, route: toRoute(request), why: failure.message }, 'turned away')
  else if (failure.status >= 500) {
    log.error({ reqId, route: toRoute(request), err: failure.cause ?? error }, 'request failed')
  }
  if (failure.is('RATE_LIMITED') && failure.details) {
    reply.header('retry-after', String(failure.details.retryAfterSeconds))
  }
  if (failure.status === 503) reply.header('retry-after', '1')
  return reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(refusalBody(failure))
}

/** The body of every refusal. */
export const refusalBody = ({ code, status, message, details }: Failure) => ({
  success: false,
  error: { code, message: message === code ? STATUS_CODES[status] : message, details },
})

type WithoutDetails = 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'OVERLOADED'

const fastifyFailure: Record<string, [WithoutDetails, details?: undefined, message?: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['BODY_TOO_LARGE', undefined, 'more than this call takes at once: send it in parts'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE'],
  FST_ERR_REOPENED_CLOSE_SERVER: ['OVERLOADED'],
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (hasZodFastifySchemaValidationErrors(error)) return new Failure('VALIDATION_FAILED', fieldErrors(error.validation))
  const { code, statusCode, message } = error as Partial<FastifyError>
  const known = code === undefined ? undefined : fastifyFailure[code]
  if (known) return new Failure(...known)
  if (statusCode === 404) return new Failure('NOT_FOUND')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Failure('VALIDATION_FAILED', undefined, message)
  }
  return new Failure('UNEXPECTED_ERROR')
}

interface Issue {
  keyword: string
  instancePath: string
  message?: string
  params: Record<string, unknown>
}

/** What zod says of one shape of several. */
type Misfit = { code: string; path: PropertyKey[]; message?: string; errors?: Misfit[][] } & Record<string, unknown>

/** Where several shapes are allowed, the complaints are about the one that was meant: the one with the fewest. */
function toMeant({ keyword, instancePath, params, ...issue }: Issue): Issue[] {
  const isNamed = issue.message !== undefined && keyLike.test(issue.message)
  const shapes = keyword === 'invalid_union' && !isNamed ? ((params.errors ?? []) as Misfit[][]) : []
  // A shape that is not even named by what tells the shapes apart was not meant.
  const named = shapes.filter((misfits) => misfits.length > 0 && !misfits.some(({ code }) => code === 'invalid_union'))
  const [meant] = named.toSorted((a, b) => a.length - b.length)
  if (!meant) return [{ ...issue, keyword, instancePath, params }]
  return meant.map(({ code, path, message, ...params }) => ({
    keyword: code,
    instancePath: [instancePath === '/' ? '' : instancePath, ...path].join('/'),
    ...(message !== undefined && { message }),
    params,
  }))
}

/** Maps each field to the key of its first complaint, `invalid` where a schema names no key. */
function fieldErrors(issues: readonly Issue[]): Record<string, string> {
  const details: Record<string, string> = {}
  for (const issue of issues.flatMap(toMeant)) {
    if (issue.keyword === 'unrecognized_keys') {
      for (const field of issue.params.keys as string[]) details[field] ??= 'unknown_field'
      continue
    }
    const field = issue.instancePath.slice(1).replaceAll('/', '.') || 'body'
    details[field] ??= issue.message && keyLike.test(issue.message) ? issue.message : 'invalid'
  }
  return details
}

const listenFailures: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is taken; end what uses it or set another PORT.`,
  EACCES: (port) => `Port ${port} may not be used by this user; set a PORT above 1023.`,
  EADDRNOTAVAIL: (_port, host) => `This machine has no address ${host}; set another HOST.`,
  ENOTFOUND: (_port, host) => `This machine has no address ${host}; set another HOST.`,
}

/** Starts to accept requests. A fault the operator can fix is thrown as a StartupError. */
export async function listen(app: FastifyInstance, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    await app.listen({ port, host, backlog: SERVER_LIMITS.connectionsToAccept })
  } catch (error) {
    const reason = listenFailures[(error as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw error
    throw new StartupError(reason(port, host))
  }
}
