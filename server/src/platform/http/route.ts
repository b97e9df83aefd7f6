import type { Endpoint, PathParams, QueryParams, RequestBody } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import { type Language, languages } from '@olmos/contract/fields'
import type { Permission } from '@olmos/contract/permissions'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, onRequestHookHandler } from 'fastify'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Sql } from '../database/queries.ts'
import type { SecurityLog } from '../security/audit.ts'
import { answerError } from './http.ts'
import { toClient, toNetwork } from './rate-limit.ts'

/** The user who sent a request. */
export interface Caller {
  id: number
  nickname: string
  role: 'customer' | 'admin'
  /** What an admin may do, by the role the session was found with; nothing for customers. */
  permissions: ReadonlySet<Permission>
  /** Identifies the session the request came with. */
  tokenHash: Buffer
  /** Whether the caller has a second factor and did not give it lately. */
  mustConfirm: boolean
  /** Whether the caller logged in with a password that somebody else set. */
  mustChangePassword: boolean
  /** Whether the caller is an admin without a second factor where every admin needs one. */
  mustEnrol: boolean
  /** The number that the route reads beside the session; 0 where it reads none. */
  ownNumber: number
}

/** What a route's handler gets: everything validated by the endpoint's schemas. */
export interface Call<Row extends Endpoint> {
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

/**
 * Makes the function that finds the user whose live session a token opens. `ownNumber` is a whole number to read in the same
 * round trip: an expression over the caller's row of `users`.
 */
export type Authenticate = (ownNumber?: Sql) => (token: string) => Promise<Caller | undefined>

export interface RouteOptions {
  app: FastifyInstance
  security: SecurityLog
  authenticate: Authenticate
  /** Sees every refusal of a call before it is answered; tests compare it with the row. */
  onRefusal?: ((row: Endpoint, failure: Failure) => void) | undefined
}

interface Registered {
  scope?: FastifyInstance
  schema?: FastifySchema
  /** False for what compresses its answers itself. */
  compress?: false
  /** A number of the caller's that is read together with the session. */
  ownNumber?: Sql
  /** Runs first, for a call that every visitor may make. It answers, or calls `done`. */
  onRequest?: onRequestHookHandler
  /** Answers what failed before the call could be made; undefined where it is a refusal like any other. */
  rescue?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined
}

/**
 * Makes the function that registers a route, which checks who may call and then validates the request by the row's
 * schemas. `rows` are those that have a route so far.
 */
export function createRegister({ app, security, authenticate, onRefusal }: RouteOptions) {
  const findCaller = authenticate()
  const callerFor = async (
    row: Endpoint,
    request: FastifyRequest,
    find: typeof findCaller,
  ): Promise<Caller | undefined> => {
    const token = bearerToken(request)
    const caller = token === undefined ? undefined : await find(token)
    // Users who still have to choose a password count as anonymous until then.
    if (row.access === 'visitor') return caller?.mustChangePassword ? undefined : caller
    if (!caller) throw new Failure('UNAUTHENTICATED')
    const refuse = (failure: Failure) => {
      const call = `${row.method} ${row.path}`
      security.note('call_refused', { user: caller.id, network: toNetwork(request.ip), call, reason: failure.code })
      return failure
    }
    if (caller.mustChangePassword && row.openBefore !== 'password change') {
      throw refuse(new Failure('PASSWORD_CHANGE_NEEDED'))
    }
    if (row.access === 'admin' && caller.role !== 'admin') throw refuse(new Failure('FORBIDDEN'))
    if (row.access === 'admin' && row.permission !== 'own' && !caller.permissions.has(row.permission)) {
      throw refuse(new Failure('FORBIDDEN', { permission: row.permission }))
    }
    if (row.access === 'admin' && caller.mustEnrol && row.openBefore !== 'enrolment') {
      throw refuse(new Failure('SECOND_FACTOR_NEEDED_FIRST'))
    }
    if (row.confirmed && caller.mustConfirm) throw refuse(new Failure('SECOND_FACTOR_REQUIRED'))
    return caller
  }

  const rows: Endpoint[] = []
  const callers = new WeakMap<FastifyRequest, Caller>()
  const register = <Row extends Endpoint>(
    row: Row,
    answer: (call: Call<Row>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    { scope = app, schema = toSchema(row), rescue, ownNumber, ...options }: Registered = {},
  ) => {
    rows.push(row)
    const find = ownNumber ? authenticate(ownNumber) : findCaller
    const recogniseCaller = async (request: FastifyRequest) => {
      const caller = await callerFor(row, request, find)
      if (caller) callers.set(request, caller)
    }
    scope.route({
      method: row.method,
      url: `/api${row.path}`,
      schema,
      ...options,
      bodyLimit: row.bodyLimit ?? SERVER_LIMITS.bodyBytes,
      // HEAD runs the handler: it would open a stream that nobody reads, use up the address of a file, or record that a code was shown.
      exposeHeadRoute: row.access === 'visitor' && !row.stream && !row.file,
      errorHandler: (error, request, reply) =>
        rescue?.(error, request, reply) ?? answerError(error, request, reply, (failure) => onRefusal?.(row, failure)),
      // Runs before the body is read: a stranger learns nothing about what it should contain.
      ...(row.access === 'visitor' && !row.knowsCaller ? {} : { onRequest: recogniseCaller }),
      handler: (request, reply) => {
        if (row.access !== 'visitor') reply.header('cache-control', 'no-store')
        const call = {
          user: callers.get(request),
          params: request.params,
          query: request.query,
          body: request.body,
          language: readLanguage(request),
          get address() {
            return toClient(request.ip)
          },
          userAgent: request.headers['user-agent'] ?? '',
        } as Call<Row>
        return answer(call, request, reply)
      },
    })
  }
  return { register, rows }
}

export type Register = ReturnType<typeof createRegister>['register']

export function toSchema(row: Endpoint): FastifySchema {
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

export function readLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  const wanted = headers['accept-language']?.slice(0, 2).toLowerCase()
  return languages.find((language) => language === wanted) ?? 'ru'
}
