import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { AnswerTo, Endpoint, PathParams, QueryParams, RequestBody } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { FailureCode } from '@olmos/contract/failure-codes'
import { type Language, languages } from '@olmos/contract/fields'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database, Tx } from '../database/database.ts'
import {
  begin,
  forgetCall,
  type KeyedCall,
  keepAnswer,
  keptAnswer,
  once,
  type StoredAnswer,
} from '../database/idempotency.ts'
import type { SecurityLog } from '../security/security-log.ts'
import { isTagKnown } from './headers.ts'
import { answerError } from './http.ts'
import { toClient, toNetwork } from './rate-limit.ts'
import { createSharedAnswers } from './shared-answers.ts'

/** The user who sent a request. */
export interface Caller {
  id: number
  nickname: string
  role: 'customer' | 'admin'
  /** Identifies the session the request came with. */
  tokenHash: Buffer
  /** Whether the caller has a second factor and did not give it lately. */
  mustConfirm: boolean
  /** Whether the caller logged in with a password that somebody else set. */
  mustChangePassword: boolean
  /** Whether the caller is an admin without a second factor where every admin needs one. */
  mustEnrol: boolean
}

/** What a route's handler gets: everything validated by the endpoint's schemas. */
interface Call<Row extends Endpoint> {
  user: Row['access'] extends 'visitor' ? (Row extends { knowsCaller: true } ? Caller | undefined : undefined) : Caller
  params: PathParams<Row>
  query: QueryParams<Row>
  body: RequestBody<Row>
  /** The language of the texts the caller reads. */
  language: Language
  /** Anonymous calls are counted by this: the IPv4 address, or the network of an IPv6 address. */
  address: string
  /** The User-Agent header, or an empty text. */
  userAgent: string
}

export interface Serve {
  /** Every row that has a route so far. */
  rows: readonly Endpoint[]
  /**
   * Registers the route of an endpoint: it checks who may call, validates the request, makes one call and validates the
   * answer.
   */
  <Row extends Endpoint>(row: Row, handler: (call: Call<NoInfer<Row>>) => Promise<AnswerTo<NoInfer<Row>>>): void
  /**
   * Registers an endpoint that moves money or codes: it runs in a transaction, and once per Idempotency-Key. What only a
   * vendor knows the handler asks for by throwing `CheckNeeded`: `check` finds out, outside any transaction, and the
   * handler runs again with those names in `checked`.
   */
  once<Row extends Endpoint & { idempotent: true }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>, tx: Tx, checked: ReadonlySet<string>) => Promise<AnswerTo<NoInfer<Row>>>,
    check?: (call: Call<NoInfer<Row>>, names: readonly string[]) => Promise<void>,
  ): void
  /** Registers a read that is alike for all who use one language: simultaneous callers share the answer. */
  shared<Row extends Endpoint & { access: 'visitor' }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<AnswerTo<NoInfer<Row>>>,
  ): void
  /**
   * Registers an idempotent endpoint that asks a vendor first, because no transaction may wait for one. A stored answer
   * needs no check.
   */
  afterCheck<Row extends Endpoint & { idempotent: true }, Checked>(
    row: Row,
    steps: CheckedSteps<NoInfer<Row>, Checked>,
  ): void
  /** Registers an idempotent endpoint that asks a vendor midway, and maybe first as well. */
  inPhases<Row extends Endpoint & { idempotent: true }, Checked = undefined>(
    row: Row,
    phases: Phases<NoInfer<Row>, Checked>,
  ): void
  /** Registers an endpoint that keeps answering until the caller, or the store, ends it. */
  stream<Row extends Endpoint & { stream: true }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<Readable>,
  ): void
  /**
   * Registers an endpoint for vendors that sign the bytes they send: it gets the body as it came and answers in their
   * format.
   */
  raw<Row extends Endpoint & { access: 'visitor'; raw: true }>(
    row: Row,
    handler: (call: RawCall<NoInfer<Row>>) => Promise<{ status: number; body: string }>,
  ): void
}

/** Thrown inside a transaction that can't go further before a vendor was asked about these names. */
export class CheckNeeded extends Error {
  readonly names: readonly string[]

  constructor(names: readonly string[]) {
    super(`to be checked first: ${names.length}`)
    this.names = names
  }
}

interface CheckedSteps<Row extends Endpoint, Checked> {
  check(call: Call<Row>): Promise<Checked>
  work(call: Call<Row>, tx: Tx, checked: Checked): Promise<AnswerTo<Row>>
}

interface Phases<Row extends Endpoint, Checked = undefined> {
  /** Finds out what has to be known first. */
  check?(call: Call<Row>): Promise<Checked>
  /** Decides and stores what shall happen, and returns what to finish. Runs once per Idempotency-Key. */
  start(call: Call<Row>, tx: Tx, checked: Checked): Promise<string>
  /** Makes it happen. It may run again for what was started: by a retry, or because the first attempt died. */
  finish(call: Call<Row>, started: string): Promise<AnswerTo<Row>>
}

interface RawCall<Row extends Endpoint> {
  params: PathParams<Row>
  headers: IncomingHttpHeaders
  body: Buffer
  address: string
}

interface ServeOptions {
  app: FastifyInstance
  database: Database
  security: SecurityLog
  /** Finds the user whose live session the token opens. */
  authenticate(token: string): Promise<Caller | undefined>
  /** Sees every refusal of a call before it is answered; tests compare it with the row. */
  onRefusal?: ((row: Endpoint, failure: Failure) => void) | undefined
}

export function createServe({ app, database, security, authenticate, onRefusal }: ServeOptions): Serve {
  const callerFor = async (row: Endpoint, request: FastifyRequest): Promise<Caller | undefined> => {
    if (row.access === 'visitor' && !row.knowsCaller) return undefined
    const token = bearerToken(request)
    const caller = token === undefined ? undefined : await authenticate(token)
    // Users who still have to choose a password count as anonymous until then.
    if (row.access === 'visitor') return caller?.mustChangePassword ? undefined : caller
    if (!caller) throw new Failure('UNAUTHENTICATED')
    const refuse = (code: FailureCode) => {
      const call = `${row.method} ${row.path}`
      security.note('call_refused', { user: caller.id, network: toNetwork(request.ip), call, reason: code })
      return new Failure(code)
    }
    if (caller.mustChangePassword && row.openBefore !== 'password change') throw refuse('PASSWORD_CHANGE_NEEDED')
    if (row.access === 'admin' && caller.role !== 'admin') throw refuse('FORBIDDEN')
    if (row.access === 'admin' && caller.mustEnrol && row.openBefore !== 'enrolment') {
      throw refuse('SECOND_FACTOR_NEEDED_FIRST')
    }
    if (row.confirmed && caller.mustConfirm) throw refuse('SECOND_FACTOR_REQUIRED')
    return caller
  }

  const rows: Endpoint[] = []
  const register = <Row extends Endpoint>(
    row: Row,
    answer: (call: Call<Row>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    { scope = app, schema = toSchema(row) } = {},
  ) => {
    rows.push(row)
    const callers = new WeakMap<FastifyRequest, Caller>()
    scope.route({
      method: row.method,
      url: `/api${row.path}`,
      schema,
      bodyLimit: row.bodyLimit ?? SERVER_LIMITS.bodyBytes,
      // HEAD runs the handler: it would open a stream that nobody reads, or record that a code was shown.
      exposeHeadRoute: row.access === 'visitor' && !row.stream,
      errorHandler: (error, request, reply) =>
        answerError(error, request.log, reply, (failure) => onRefusal?.(row, failure)),
      // Runs before the body is read: a stranger learns nothing about what it should contain.
      onRequest: async (request) => {
        const caller = await callerFor(row, request)
        if (caller) callers.set(request, caller)
      },
      handler: (request, reply) => {
        if (row.access !== 'visitor') reply.header('cache-control', 'no-store')
        const call = {
          user: callers.get(request),
          params: request.params,
          query: request.query,
          body: request.body,
          language: readLanguage(request),
          address: toClient(request.ip),
          userAgent: request.headers['user-agent'] ?? '',
        } as Call<Row>
        return answer(call, request, reply)
      },
    })
  }

  const serve = ((row, handler) =>
    register(row, async (call, _request, reply) => {
      const result = await handler(call)
      return reply.code(row.status ?? 200).send(result)
    })) as Serve
  serve.rows = rows

  const runOnce = (keyed: KeyedCall | undefined, effect: (tx: Tx) => Promise<StoredAnswer>) =>
    database.transaction((tx) => (keyed ? once(tx, keyed, () => effect(tx)) : effect(tx)))

  serve.once = (row, handler, check) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const checked = new Set<string>()
      while (true) {
        try {
          return sendStored(reply, await runOnce(keyed, async (tx) => stored(row, await handler(call, tx, checked))))
        } catch (error) {
          if (!(error instanceof CheckNeeded && check) || error.names.every((name) => checked.has(name))) throw error
          await check(call, error.names)
          for (const name of error.names) checked.add(name)
        }
      }
    })

  serve.afterCheck = (row, { check, work }) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const first = keyed && (await keptAnswer(database, keyed))
      if (first) return sendStored(reply, first)
      const checked = await check(call)
      return sendStored(reply, await runOnce(keyed, async (tx) => stored(row, await work(call, tx, checked))))
    })

  const shareAnswer = createSharedAnswers()
  serve.shared = (row, handler) =>
    register(row, async (call, request, reply) => {
      const make = async () => stored(row, await handler(call)).body
      const { body, etag } = await shareAnswer(`${call.language} ${request.url}`, make)
      reply.header('cache-control', 'no-cache').header('vary', 'accept-language').header('etag', etag)
      if (isTagKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return sendStored(reply, { status: 200, body })
    })

  serve.inPhases = <Row extends Endpoint, Checked>(row: Row, { check, start, finish }: Phases<Row, Checked>) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const first = check && keyed && (await keptAnswer(database, keyed))
      if (first) return sendStored(reply, first)
      const checked = (await check?.(call)) as Checked
      const outcome = await database.transaction(async (tx) =>
        keyed ? begin(tx, keyed, () => start(call, tx, checked)) : { started: await start(call, tx, checked) },
      )
      if ('answer' in outcome) return sendStored(reply, outcome.answer)
      try {
        const answer = stored(row, await finish(call, outcome.started))
        return sendStored(reply, keyed ? await keepAnswer(database, keyed, answer) : answer)
      } catch (error) {
        if (keyed && error instanceof Failure) await forgetCall(database, keyed)
        throw error
      }
    })

  serve.stream = (row, handler) =>
    register(row, async (call, request, reply) => {
      const stream = await handler(call)
      // A caller who is gone by now, or leaves before the first event, leaves nothing open.
      reply.raw.once('close', () => stream.destroy())
      if (reply.raw.destroyed || request.raw.socket.destroyed) stream.destroy()
      // A proxy that buffers would delay every event.
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
    })

  serve.raw = (row, handler) =>
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      const { response: _, ...schema } = toSchema(row)
      register(
        row,
        async ({ params }, { headers, body, ip }, reply) => {
          const answer = await handler({
            params,
            headers,
            address: ip,
            body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          })
          return reply.code(answer.status).type('text/plain; charset=utf-8').send(answer.body)
        },
        { scope, schema },
      )
    })

  return serve
}

/** Reads a request's Idempotency-Key together with what it stands for; undefined without a key. */
function keyedCall(row: Endpoint, { user, body }: Call<Endpoint>, request: FastifyRequest): KeyedCall | undefined {
  const key = idempotencyKey(request)
  if (key === undefined) return undefined
  const { id: userId } = user as Caller
  return { userId, key, request: `${row.method} ${request.url} ${JSON.stringify(body)}` }
}

const stored = (row: Endpoint, result: unknown): StoredAnswer => ({
  status: row.status ?? 200,
  body: JSON.stringify(z.encode(row.answer, result)),
})

const sendStored = (reply: FastifyReply, { status, body }: StoredAnswer): FastifyReply =>
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)

function toSchema(row: Endpoint): FastifySchema {
  return {
    ...(row.params && { params: row.params }),
    querystring: row.query ?? z.object({}),
    ...(row.body && { body: row.body }),
    response: { [row.status ?? 200]: row.answer },
  } as FastifySchema
}

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length >= 1 && key.length <= SERVER_LIMITS.idempotencyKeyLength) return key
  throw new Failure('VALIDATION_FAILED', { 'idempotency-key': 'invalid' })
}

function readLanguage(request: FastifyRequest): Language {
  const wanted = request.headers['accept-language']?.slice(0, 2).toLowerCase()
  return languages.find((language) => language === wanted) ?? 'ru'
}
