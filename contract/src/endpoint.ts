import type { z } from 'zod'

export type Access =
  /** No token needed; one that is sent is not looked at, unless the row says `knowsCaller`. */
  'visitor' | 'customer' | 'admin'

/** One call of the store: the server registers its route from this row, the web's client is typed by it, OpenAPI is made of it. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /api, with `:name` for path parameters. */
  path: `/${string}`
  access: Access
  /** Of a visitor's call: who is logged in is known to the handler all the same. A dead token is nobody's. */
  knowsCaller?: true
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Answer of a success; `nothing` for 204. */
  answer: z.ZodType
  /** 200 unless said otherwise. */
  status?: 201 | 204
  /** Must not happen twice: honours the Idempotency-Key header. */
  idempotent?: true
  /** Money, roles, codes in bulk: an admin with a second factor is asked for it again, unless it was given a moment ago. */
  confirmed?: true
  /** Goes on answering: server-sent events, each of whose data is an `answer`. */
  stream?: true
  /** Bytes; the common limit unless said otherwise. */
  bodyLimit?: number
  /** The group it stands under in the API reference. */
  tag: string
}

/** Keeps the row's exact type. */
export const endpoint = <const Row extends Endpoint>(row: Row): Row => row

type Input<T> = T extends z.ZodType ? z.input<T> : undefined
type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Schema<Row extends Endpoint, Part extends 'params' | 'query' | 'body'> =
  Row extends Record<Part, infer S> ? S : undefined

/** What a handler receives, after validation. */
export type ParamsOf<Row extends Endpoint> = Output<Schema<Row, 'params'>>
export type QueryOf<Row extends Endpoint> = Output<Schema<Row, 'query'>>
export type BodyOf<Row extends Endpoint> = Output<Schema<Row, 'body'>>

/** What a caller sends. */
export type SentParams<Row extends Endpoint> = Input<Schema<Row, 'params'>>
export type SentQuery<Row extends Endpoint> = Input<Schema<Row, 'query'>>
export type SentBody<Row extends Endpoint> = Input<Schema<Row, 'body'>>

/** What the call answers. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing returns void
export type AnswerOf<Row extends Endpoint> = Row['status'] extends 204 ? void : z.input<Row['answer']>
