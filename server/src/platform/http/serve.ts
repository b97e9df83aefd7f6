import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { AnswerTo, Endpoint, PathParams } from '@olmos/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import type { HttpReply } from '../vendor/webhooks.ts'
import { chooseEncoding, isTagKnown } from './headers.ts'
import { type Call, createRegister, type RouteOptions, toSchema } from './route.ts'
import { createServeOnce, type ServeOnce, stored } from './serve-once.ts'
import { createSharedAnswers } from './shared-answers.ts'

export interface Serve extends ServeOnce {
  /** Every row that has a route so far. */
  rows: readonly Endpoint[]
  /**
   * Registers the route of an endpoint: it checks who may call, validates the request, makes one call and validates the
   * answer.
   */
  <Row extends Endpoint>(row: Row, handler: (call: Call<NoInfer<Row>>) => Promise<AnswerTo<NoInfer<Row>>>): void
  /** Registers a read that is alike for all who use one language: simultaneous callers share the answer. */
  shared<Row extends Endpoint & { access: 'visitor' }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<AnswerTo<NoInfer<Row>>>,
  ): void
  /** Registers an endpoint that keeps answering until the caller, or the store, ends it. */
  stream<Row extends Endpoint & { stream: true }>(
    row: Row,
    handler: (call: Call<NoInfer<Row>>) => Promise<Readable>,
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

interface RawCall<Row extends Endpoint> {
  params: PathParams<Row>
  headers: IncomingHttpHeaders
  body: Buffer
  address: string
}

export function createServe({ database, ...options }: RouteOptions & { database: Database }): Serve {
  const { register, rows } = createRegister(options)
  const serve = ((row, handler) =>
    register(row, async (call, _request, reply) => {
      const result = await handler(call)
      return reply.code(row.status ?? 200).send(result)
    })) as Serve
  serve.rows = rows
  Object.assign(serve, createServeOnce(register, database))

  const shareAnswer = createSharedAnswers()
  serve.shared = (row, handler) => {
    const answerShared = async (call: Call<typeof row>, request: FastifyRequest, reply: FastifyReply) => {
      const make = async () => stored(row, await handler(call)).body
      const { etag, pack, encodingFor } = await shareAnswer(`${call.language} ${request.url}`, make)
      reply.headers({ 'cache-control': 'no-cache', vary: 'accept-language, accept-encoding', etag })
      if (isTagKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const encoding = encodingFor(chooseEncoding(String(request.headers['accept-encoding'] ?? '')))
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return reply.type('application/json; charset=utf-8').send(await pack(encoding))
    }
    register(row, answerShared, { compress: false })
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
