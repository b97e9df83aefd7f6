import type { AnswerTo, Endpoint } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import {
  begin,
  forgetCall,
  type KeyedCall,
  keepAnswer,
  keptAnswer,
  once,
  type StoredAnswer,
} from '../database/idempotency.ts'
import type { Tx } from '../database/queries.ts'
import type { Call, Caller, Register } from './route.ts'

/** Registers calls that must not happen twice: the first answer is stored under the caller's Idempotency-Key. */
export interface ServeOnce {
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

export function createServeOnce(register: Register, database: Database): ServeOnce {
  const runOnce = (keyed: KeyedCall | undefined, effect: (tx: Tx) => Promise<StoredAnswer>) =>
    keyed ? once(database, keyed, effect) : database.transaction(effect)

  const serveOnce: ServeOnce['once'] = (row, handler, check) =>
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

  const afterCheck: ServeOnce['afterCheck'] = (row, { check, work }) =>
    register(row, async (call, request, reply) => {
      const keyed = keyedCall(row, call, request)
      const first = keyed && (await keptAnswer(database, keyed))
      if (first) return sendStored(reply, first)
      const checked = await check(call)
      return sendStored(reply, await runOnce(keyed, async (tx) => stored(row, await work(call, tx, checked))))
    })

  const inPhases = <Row extends Endpoint, Checked>(row: Row, { check, start, finish }: Phases<Row, Checked>) =>
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

  return { once: serveOnce, afterCheck, inPhases }
}

/** Reads a request's Idempotency-Key together with what it stands for; undefined without a key. */
function keyedCall(row: Endpoint, { user, body }: Call<Endpoint>, request: FastifyRequest): KeyedCall | undefined {
  const key = idempotencyKey(request)
  if (key === undefined) return undefined
  const { id: userId } = user as Caller
  return { userId, key, request: `${row.method} ${request.url} ${JSON.stringify(body)}` }
}

export const stored = (row: Endpoint, result: unknown): StoredAnswer => ({
  status: row.status ?? 200,
  body: JSON.stringify(z.encode(row.answer, result)),
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
