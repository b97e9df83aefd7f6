import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { AnswerTo, Endpoint, PathParams } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import {
  begin,
  forgetAnswer,
  forgetCall,
  type KeyedCall,
  keepAnswer,
  keptAnswer,
  once,
  type StoredAnswer,
} from '../database/idempotency.ts'
import type { Sql, Tx } from '../database/queries.ts'
import type { HttpReply } from '../vendor/adapters.ts'
import { refusalBody } from './http.ts'
import {
  type Call,
  type Caller,
  createRegister,
  type Register,
  type RouteOptions,
  readLanguage,
  toSchema,
} from './route.ts'
import { createSharedAnswers, sendKept, sendShared } from './shared-answers.ts'

/** Registers calls that must not happen twice: the first answer is stored under the caller's Idempotency-Key. */
interface ServeOnce {
  /**
   * Registers an endpoint that moves money or codes: it runs in a transaction, and once per Idempotency-Key. What only a
   * vendor knows the handler asks for by throwing `CheckNeeded`: `check` finds out, outside any transaction, and the
   * handler runs again with those names in `checked`. With `expectsNew` a repetition runs the handler too, and is undone:
   * for what is called often, and harms nobody while it is undone.
   */
  once<Row extends Endpoint & { idempotent: true }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>, tx: Tx, checked: ReadonlySet<string>) => Promise<AnswerTo<NoInfer<Row>>>,
    options?: OnceOptions<NoInfer<Row>>,
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
}

interface OnceOptions<Row extends Endpoint> {
  check?: (call: Call<Row>, names: readonly string[]) => Promise<void>
  expectsNew?: boolean
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
  /**
   * A refusal of `finish` ends what was started, and its key starts again. Never where `start` moves money: there a repeat
   * finishes what was started, whatever went wrong.
   */
  startsAgain?: boolean
  /** Whether what a kept answer leads to is over, so that its key starts again. Never where `start` moves money. */
  isOver?(answer: AnswerTo<Row>): Promise<boolean>
}

function createServeOnce(
  registerRoute: Register,
  { database, whenRefused }: Pick<ServeOptions, 'database' | 'whenRefused'>,
): ServeOnce {
  const runOnce = (
    keyed: KeyedCall | undefined,
    effect: (tx: Tx) => Promise<StoredAnswer>,
    options?: { expectsNew: boolean },
  ) => (keyed ? once(database, keyed, effect, options) : database.transaction(effect))

  // What a refusal leaves behind is there once as well, and whoever repeats the call is answered with it, whatever became of
  // it meanwhile.
  const register: Register = (row, answer) =>
    registerRoute(row, (call, request, reply) =>
      answer(call, request, reply).catch(async (error) => {
        const keep = error instanceof Failure ? whenRefused?.(row, call as Call<Endpoint>, error) : undefined
        if (!keep) throw error
        const keyed = keyedCall(row, call as Call<Endpoint>, request)
        const refused = await runOnce(keyed, async (tx) => storedRefusal(await keep(tx)))
        reply.refusal = error.code
        return sendStored(reply, refused)
      }),
    )

  const serveOnce: ServeOnce['once'] = (row, handler, { check, expectsNew = false } = {}) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const checked = new Set<string>()
      while (true) {
        try {
          const effect = async (tx: Tx) => stored(row, await handler(call, tx, checked))
          return sendStored(reply, await runOnce(keyed, effect, { expectsNew }))
        } catch (error) {
          if (!(error instanceof CheckNeeded && check) || error.names.every((name) => checked.has(name))) throw error
          await check(call, error.names)
          for (const name of error.names) checked.add(name)
        }
      }
    })

  const afterCheck: ServeOnce['afterCheck'] = (row, { check, work }) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const first = keyed && (await keptAnswer(database, keyed))
      if (first) return sendStored(reply, first)
      const checked = await check(call)
      return sendStored(reply, await runOnce(keyed, async (tx) => stored(row, await work(call, tx, checked))))
    })

  const inPhases = <Row extends Endpoint, Checked>(
    row: Row,
    { check, start, finish, startsAgain, isOver }: Phases<Row, Checked>,
  ) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const first = check && keyed && (await keptAnswer(database, keyed))
      if (first && !(await isOver?.(JSON.parse(first.body)))) return sendStored(reply, first)
      if (first) await forgetAnswer(database, keyed, first)
      const checked = (await check?.(call)) as Checked
      const outcome = await database.transaction(async (tx) =>
        keyed ? begin(tx, keyed, () => start(call, tx, checked)) : { started: await start(call, tx, checked) },
      )
      if ('answer' in outcome) return sendStored(reply, outcome.answer)
      try {
        const answer = stored(row, await finish(call, outcome.started))
        return sendStored(reply, keyed ? await keepAnswer(database, keyed, answer) : answer)
      } catch (error) {
        if (keyed && startsAgain && error instanceof Failure) await forgetCall(database, keyed)
        throw error
      }
    })

  return { once: serveOnce, afterCheck, inPhases }
}

/** Reads a request's Idempotency-Key together with what it stands for; undefined without a key. */
function keyedCall(row: Endpoint, { user, body }: Call<Endpoint>, request: FastifyRequest): KeyedCall | undefined {
  const key = idempotencyKey(request)
  if (key === undefined && row.needsKey) throw new Failure('VALIDATION_FAILED', { 'idempotency-key': 'required' })
  if (key === undefined) return undefined
  const { id: userId } = user as Caller
  return { userId, key, request: `${row.method} ${request.url} ${JSON.stringify(body)}` }
}

const stored = (row: Endpoint, result: unknown): StoredAnswer => ({
  status: row.status ?? 200,
  body: JSON.stringify(z.encode(row.answer, result)),
})

const storedRefusal = (failure: Failure): StoredAnswer => ({
  status: failure.status,
  body: JSON.stringify(refusalBody(failure)),
})

const sendStored = (reply: FastifyReply, { status, body }: StoredAnswer): FastifyReply =>
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length >= 1 && key.length <= SERVER_LIMITS.idempotencyKeyLength) return key
  throw new Failure('VALIDATION_FAILED', { 'idempotency-key': 'invalid' })
}

export interface Serve extends ServeOnce {
  /** Every row that has a route so far. */
  rows: readonly Endpoint[]
  /**
   * Registers the route of an endpoint: it checks who may call, validates the request, makes one call and validates the
   * answer.
   */
  <Row extends Endpoint>(row: Row, handler: (call: Call<NoInfer<Row>>) => Promise<AnswerTo<NoInfer<Row>>>): void
  /**
   * Registers a read of one number that is the caller's: an expression over the row of `users`, which is read in one
   * statement with the session, after the call came.
   */
  ownNumber<Row extends Endpoint>(row: Row, number: Sql, toAnswer: (number: number) => AnswerTo<NoInfer<Row>>): void
  /**
   * Registers a read of the catalogue that is alike for all who use one language: callers share the answer, those of one
   * moment always, and later ones while nothing changes that this node would hear of.
   */
  shared<Row extends Endpoint & { access: 'visitor' }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<AnswerTo<NoInfer<Row>>>,
  ): void
  /** Registers an endpoint that keeps answering until the caller, or the store, ends it. */
  stream<Row extends Endpoint & { stream: true }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<Readable>,
  ): void
  /** Registers an endpoint that answers a file while it is still being read. */
  file<Row extends Endpoint & { file: true }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<ServedFile>,
  ): void
  /**
   * Registers an endpoint for vendors that sign the bytes they send: it gets the body as it came and answers in their
   * format. A body that is too long is refused, unless `whenTooLong` answers it, which gets an empty one.
   */
  raw<Row extends Endpoint & { access: 'visitor'; raw: true }>(
    row: Row,
    handler: (call: RawCall<NoInfer<Row>>) => Promise<HttpReply>,
    whenTooLong?: (call: RawCall<NoInfer<Row>>) => Promise<HttpReply> | undefined,
  ): void
}

/** A file that is being read. When its content ends early, so does the download, which browsers tell from a whole one. */
export interface ServedFile {
  name: string
  type: string
  content: Readable
}

interface ServeOptions extends RouteOptions {
  database: Database
  /**
   * Sees what was refused of a call that must not happen twice, once that is undone: what is to be left behind instead, in a
   * transaction of its own, which answers the refusal to be given; undefined for nothing.
   */
  whenRefused?:
    | ((row: Endpoint, call: Call<Endpoint>, failure: Failure) => ((tx: Tx) => Promise<Failure>) | undefined)
    | undefined
  /** As in `Resources`. */
  catalogueVersion?: () => number | undefined
  /** Whether each request has a span, which an early answer has not. */
  isTraced?: boolean
}

interface RawCall<Row extends Endpoint> {
  params: PathParams<Row>
  headers: IncomingHttpHeaders
  body: Buffer
  address: string
}

/**
 * The address that stands for every way to ask for the same: what the row declares of its path and its query, as it was
 * read, and nothing else.
 */
function toAddress({ path }: Endpoint, params: unknown, query: unknown): string {
  const given = new Map(Object.entries(params as Record<string, string | number>))
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name) => encodeURIComponent(given.get(name) ?? ''))
  const search = new URLSearchParams(query as Record<string, string>).toString()
  return `/api${filled}${search && `?${search}`}`
}

export function createServe({
  database,
  whenRefused,
  catalogueVersion = () => undefined,
  isTraced = false,
  ...options
}: ServeOptions): Serve {
  const { register, rows } = createRegister(options)
  const serve = ((row, handler) =>
    register(row, async (call, _request, reply) => {
      const result = await handler(call)
      return reply.code(row.status ?? 200).send(result)
    })) as Serve
  serve.rows = rows
  Object.assign(serve, createServeOnce(register, { database, whenRefused }))

  serve.ownNumber = (row, ownNumber, toAnswer) =>
    register(row, async ({ user }, _request, reply) => reply.code(200).send(toAnswer(user?.ownNumber ?? 0)), {
      ownNumber,
    })

  const answers = createSharedAnswers(catalogueVersion)
  const reads = database.meters.cacheReads.answers
  const toKey = (request: Pick<FastifyRequest, 'headers'>, address: string) => `${readLanguage(request)} ${address}`
  const answerAgain = (key: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const kept = answers.kept(key)
    if (!kept) return undefined
    reads.hit++
    return sendShared(kept, request, reply)
  }
  // What is kept was asked for at the address that stands for all ways to write it. Who writes that one is answered before
  // anything of the request is read again.
  const answerKept: onRequestHookHandler = (request, reply, done) => {
    if (!answerAgain(toKey(request, request.url), request, reply)) done()
  }
  options.app.earlyHandlers.push((request, response, name) => {
    const { method, url } = request
    if (isTraced || method !== 'GET' || !url?.startsWith('/api/')) return undefined
    const answered = sendKept(answers.kept(toKey(request, url)), request, response, name)
    if (answered) reads.hit++
    return answered
  })
  serve.shared = (row, handler) => {
    const answerShared = async (call: Call<typeof row>, request: FastifyRequest, reply: FastifyReply) => {
      const key = toKey(request, toAddress(row, call.params, call.query))
      const again = answerAgain(key, request, reply)
      if (again) return again
      reads.miss++
      return sendShared(await answers.share(key, async () => stored(row, await handler(call)).body), request, reply)
    }
    register(row, answerShared, { compress: false, onRequest: answerKept })
  }

  serve.stream = (row, handler) =>
    register(row, async (call, request, reply) => {
      const stream = await handler(call)
      // A caller who is gone by now, or leaves before the first event, leaves nothing open.
      reply.raw.once('close', () => stream.destroy())
      if (reply.raw.destroyed || request.raw.socket.destroyed) stream.destroy()
      // A proxy that buffers would delay every event.
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
    })

  serve.file = (row, handler) =>
    register(row, async (call, _request, reply) => {
      const { name, type, content } = await handler(call)
      reply.raw.once('close', () => content.destroy())
      return reply
        .type(type)
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(content)
    })

  serve.raw = (row, handler, whenTooLong) =>
    void options.app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      const { response: _, ...schema } = toSchema(row)
      const toCall = ({ params, headers, ip, body }: FastifyRequest) => ({
        params: params as PathParams<typeof row>,
        headers,
        address: ip,
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      })
      const send = (reply: FastifyReply, { status, type, body }: HttpReply) =>
        reply
          .code(status)
          .type(`${type ?? 'text/plain'}; charset=utf-8`)
          .send(body)
      const rescue = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        isTooLong(error) ? whenTooLong?.(toCall(request))?.then((answer) => send(reply, answer)) : undefined
      register(row, async (_call, request, reply) => send(reply, await handler(toCall(request))), {
        scope,
        schema,
        rescue,
      })
    })

  return serve
}

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
