import { Failure } from '@olmos/contract/failure'
import { toDigest } from '../security/tokens.ts'
import type { Database } from './database.ts'
import { isTrouble } from './failures.ts'
import { removeInBatches } from './jobs.ts'
import { type Queries, sql, type Tx } from './queries.ts'

export interface StoredAnswer {
  status: number
  /** The JSON text as it was sent. */
  body: string
}

export interface KeyedCall {
  userId: number
  key: string
  /** Method, path and body, which must not differ between calls with one key. */
  request: string
}

/**
 * Runs `effect` in a transaction, at most once per key: the first answer is stored in that transaction and repeated, byte
 * for byte, to every later call. A second call at the same moment waits for the first. A different request under the key
 * is refused with IDEMPOTENCY_KEY_REUSED. A refused effect stores nothing, so its key may be used again. What the effect
 * sends first travels together with the look at the key, and is undone if the key was answered before.
 *
 * `expectsNew`: the effect is run without a look at the key, which is nearly always new. A repetition is undone at its
 * COMMIT, where the answer is stored before anything else, or by what stops it before; then the first answer is looked for.
 */
export async function once(
  database: Database,
  call: KeyedCall,
  effect: (tx: Tx) => Promise<StoredAnswer>,
  { expectsNew = false } = {},
): Promise<StoredAnswer> {
  // Whether the key was looked for, and is free.
  let isFree = false
  try {
    return await database.transaction(async (tx) => {
      isFree = false
      const claimed =
        expectsNew && tx.isOptimistic
          ? lockKey(tx, call)
          : claim(tx, call).then((first) => {
              if (first) throw new Error(`the call under ${call.key} was answered before`)
              isFree = true
            })
      // An effect that ends before it has sent anything waits for nothing, and its end is told first.
      claimed.catch(() => {})
      const { status, body } = await effect(tx.behind(claimed))
      await claimed
      // Its primary key decides should anybody write it without a look: one of the two is undone, before it takes anything.
      tx.firstAtCommit(sql`
        INSERT INTO idempotent_call (user_id, key, request_hash, status, answer)
        VALUES (${call.userId}, ${call.key}, ${toDigest(call.request)}, ${status}, ${body})`)
      return { status, body }
    })
  } catch (error) {
    // A database in trouble is not asked again: who waits is told soon.
    if (isFree || isTrouble(error)) throw error
    // Whatever stopped a repetition, such as a name that the first call has taken, the first answer is its answer.
    const first = await keptAnswer(database, call)
    if (first) return first
    throw error
  }
}

/** Makes other calls with the key wait until the transaction ends. */
const lockKey = (tx: Tx, { key, userId }: KeyedCall): Promise<unknown> =>
  tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, ${userId}))`)

/** Locks the key, and reads what an earlier call has left under it. */
async function claim(tx: Tx, call: KeyedCall): Promise<CallRow | undefined> {
  const { call: first } = await tx.pipeline({
    lock: (tx) => lockKey(tx, call),
    // A statement of its own, so that it sees what was committed while this one waited.
    call: (tx) => readCall(tx, call),
  })
  return first
}

/** A call that has no answer yet was begun. */
type CallRow = { request_hash: Buffer } & (
  | { status: number; answer: string; started: string | null }
  | { status: null; answer: null; started: string }
)

async function readCall(queries: Queries, call: KeyedCall) {
  const known = await queries.maybe<CallRow>(sql`
    SELECT request_hash, status, answer, started FROM idempotent_call
    WHERE user_id = ${call.userId} AND key = ${call.key}`)
  if (known && !known.request_hash.equals(toDigest(call.request))) throw new Failure('IDEMPOTENCY_KEY_REUSED')
  return known
}

/**
 * Reads the answer of an earlier call with this key, if it has one. A key used for another request is refused. What is
 * answered survives the loss of the machine, as at the first time.
 */
export async function keptAnswer(queries: Queries, call: KeyedCall): Promise<StoredAnswer | undefined> {
  const known = await readCall(queries, call)
  if (known?.answer == null) return undefined
  await queries.run(confirmed)
  return { status: known.status, body: known.answer }
}

/**
 * A commit of its own, which waits until the standbys have it, and so whatever was committed before. Without it a primary
 * whose standbys are gone, or a machine that was one until a moment ago, would answer for what nobody else has: there the
 * first call ended while it waited, and left its commit behind. It takes no place in any table, and a standby refuses it.
 */
const confirmed = sql`SELECT pg_logical_emit_message(true, 'olmos', '')`

/**
 * The first half of a call that asks a vendor midway, and so can't be one transaction: runs `start` once per key and
 * stores what it began, in its own transaction. A later call gets the stored answer, or, while there is none, what was
 * begun, in order to finish it: the first call may have died.
 */
export async function begin(
  tx: Tx,
  call: KeyedCall,
  start: () => Promise<string>,
): Promise<{ answer: StoredAnswer } | { started: string }> {
  const first = await claim(tx, call)
  if (first) {
    const { status, answer: body, started } = first
    if (body === null) return { started }
    await tx.run(confirmed)
    return { answer: { status, body } }
  }
  const started = await start()
  tx.atCommit(sql`
    INSERT INTO idempotent_call (user_id, key, request_hash, started)
    VALUES (${call.userId}, ${call.key}, ${toDigest(call.request)}, ${started})`)
  return { started }
}

/**
 * The second half: stores the answer, unless another call with the key was quicker, and returns the one that is stored.
 */
export async function keepAnswer(queries: Queries, call: KeyedCall, answer: StoredAnswer): Promise<StoredAnswer> {
  await queries.run(sql`
    UPDATE idempotent_call SET status = ${answer.status}, answer = ${answer.body}
    WHERE user_id = ${call.userId} AND key = ${call.key} AND answer IS NULL`)
  return (await keptAnswer(queries, call)) ?? answer
}

/** Deletes the key of a call that came to nothing, so that it may be used again. */
export async function forgetCall(queries: Queries, call: KeyedCall): Promise<void> {
  await queries.run(sql`
    DELETE FROM idempotent_call WHERE user_id = ${call.userId} AND key = ${call.key} AND answer IS NULL`)
}

/** Deletes the key of a call whose answer leads nowhere any more, unless it was used again meanwhile. */
export async function forgetAnswer(queries: Queries, call: KeyedCall, { body }: StoredAnswer): Promise<void> {
  await queries.run(sql`
    DELETE FROM idempotent_call WHERE user_id = ${call.userId} AND key = ${call.key} AND answer = ${body}`)
}

/** Deletes keys older than `days`. */
export const forgetOldCalls = (database: Database, days: number): Promise<number> =>
  removeInBatches(database, 'idempotent_call', sql`created_at < now() - make_interval(days => ${days})`)
