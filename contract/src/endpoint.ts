import type { z } from 'zod'
import type { FailureCode } from './failure-codes.ts'
import type { CallPermission } from './permissions.ts'

export type Access =
  /** No token is needed; one that is sent is ignored, unless the row has `knowsCaller`. */
  'visitor' | 'customer' | 'admin'

/** Who may call: whoever has the access and, of the staff, the permission, without which no call of admins compiles. */
type Callers<A extends Access = Access> = A extends 'admin'
  ? { access: A; permission: CallPermission }
  : { access: A; permission?: never }

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /api, with `:name` for path parameters. */
  path: `/${string}`
  /** A generated client's name for it: a verb and its noun in trade words, unique in the contract. */
  operationId: string
  /** For a visitor's call: the handler learns who is logged in all the same. A dead token counts as none. */
  knowsCaller?: true
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The answer of a success; `nothing` for 204. */
  answer: z.ZodType
  /** 200 by default. */
  status?: 201 | 204
  /** Must not happen twice: honours the Idempotency-Key header. */
  idempotent?: true
  /** Nothing but its Idempotency-Key tells a repetition from another purchase, so it is refused without one. */
  needsKey?: true
  /**
   * Protects what a stolen session would take: an admin with a second factor is asked for it again, unless it was given
   * a moment ago. Every call of admins that writes has it, or is listed in a table of the tests with a reason.
   */
  confirmed?: true
  /**
   * The step the caller may still have to take: choose another password than the temporary one, or, for admins, enrol a
   * second factor. All other calls are refused until then.
   */
  openBefore?: 'password change' | 'enrolment'
  /** Takes any bytes and answers text: body, answer and refusals have the vendor's format. */
  raw?: true
  /** Keeps answering: server-sent events, each with an `answer` as data. */
  stream?: true
  /** Answers a file, piece by piece as it is read. */
  file?: true
  /**
   * The codes it refuses with that do not follow from the rest of the row; `listRefusals` adds those that do. A code
   * that is thrown and is in neither fails the tests.
   */
  refusals?: readonly FailureCode[]
  /** In bytes; the common limit by default. */
  bodyLimit?: number
  /** Its group in the API reference. */
  tag: string
}

/**
 * One call of the store: the server registers its route from this row, the web's client is typed by it, OpenAPI is
 * generated from it.
 */
export type Endpoint = Call & Callers

type Method = Endpoint['method']
type Path = Endpoint['path']

/** Makes a row from its call, `GET /orders/:id`, and all else there is to say of it; keeps the exact types. */
export function endpoint<
  const M extends Method,
  const P extends Path,
  const Row extends Omit<Call, 'method' | 'path'> & Callers,
>(call: `${M} ${P}`, row: Row) {
  const [method, path] = call.split(' ') as [M, P]
  return { method, path, ...row }
}

/** Makes a maker of rows that share who may call them and their group; each call of admins names its permission itself. */
export const endpointsFor =
  <const Shared extends Pick<Call, 'tag' | 'raw'> & { access: Access }>(shared: Shared) =>
  <
    const M extends Method,
    const P extends Path,
    const Row extends Omit<Call, 'method' | 'path' | 'tag' | 'raw'> & Omit<Callers<Shared['access']>, 'access'>,
  >(
    call: `${M} ${P}`,
    row: Row,
  ) => {
    const [method, path] = call.split(' ') as [M, P]
    return { method, path, ...shared, ...row }
  }

export const adminEndpoint = endpointsFor({ access: 'admin', tag: 'admin' })

/** Makes a row that a vendor calls. */
export const webhookEndpoint = endpointsFor({ access: 'visitor', tag: 'webhooks', raw: true })

type Input<T> = T extends z.ZodType ? z.input<T> : undefined
type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Schema<Row extends Endpoint, Part extends 'params' | 'query' | 'body'> =
  Row extends Record<Part, infer S> ? S : undefined

/** What a handler receives, after validation. */
export type PathParams<Row extends Endpoint> = Output<Schema<Row, 'params'>>
export type QueryParams<Row extends Endpoint> = Output<Schema<Row, 'query'>>
export type RequestBody<Row extends Endpoint> = Output<Schema<Row, 'body'>>

/** What a caller sends. */
export type SentParams<Row extends Endpoint> = Input<Schema<Row, 'params'>>
export type SentQuery<Row extends Endpoint> = Input<Schema<Row, 'query'>>
export type SentBody<Row extends Endpoint> = Input<Schema<Row, 'body'>>

/** What the call answers. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing returns void
export type AnswerTo<Row extends Endpoint> = Row['status'] extends 204 ? void : z.input<Row['answer']>

/** Lists every code the call may be refused with: those that follow from its row, and its own. */
export function listRefusals(row: Endpoint): FailureCode[] {
  const own = row.refusals ?? []
  const isNamedMissing = own.some((code) => code.endsWith('_NOT_FOUND'))
  const codes: FailureCode[] = [
    'VALIDATION_FAILED',
    ...(row.access === 'visitor' ? [] : (['UNAUTHENTICATED'] as const)),
    ...(row.access === 'admin' ? (['FORBIDDEN'] as const) : []),
    ...(row.access !== 'visitor' && row.openBefore !== 'password change' ? (['PASSWORD_CHANGE_NEEDED'] as const) : []),
    ...(row.access === 'admin' && row.openBefore === undefined ? (['SECOND_FACTOR_NEEDED_FIRST'] as const) : []),
    ...(row.confirmed ? (['SECOND_FACTOR_REQUIRED'] as const) : []),
    ...(row.params && !isNamedMissing ? (['NOT_FOUND'] as const) : []),
    ...(row.idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(row.method === 'GET' ? [] : (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...own,
    'UNEXPECTED_ERROR',
    'OVERLOADED',
  ]
  return [...new Set(codes)]
}
