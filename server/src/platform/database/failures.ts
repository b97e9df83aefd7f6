import { Failure } from '@olmos/contract/failure'
import pg from 'pg'

const toCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

// Deadlock detected; serialization failure.
const conflicts = new Set(['40P01', '40001'])

const answerUnderKey = 'idempotent_call_pkey'

/** What two transactions may both have found missing: the answer of a call, and a code that is imported. */
const writtenOnce = new Set([answerUnderKey, 'code_fingerprint_key'])

/** Whether a call was made under its key already. */
export const isRepetition = (error: unknown): boolean => violatedUnique(error) === answerUnderKey

/** Whether two transactions blocked each other, or wrote what is written once; one of them that runs again finds the other's. */
export function isConflict(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error
  return conflicts.has(toCode(cause) ?? '') || writtenOnce.has(violatedUnique(cause) ?? '')
}

/** Whether it was the database that failed, and not the work that asked it something. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof Failure && error.is('OVERLOADED') && error.cause !== undefined && !isConflict(error)

/** What whoever met others again and again is told: a 503 that may be retried. */
export const toConflictFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : Object.assign(new Failure('OVERLOADED', undefined, 'others were quicker again and again'), { cause: error })

/** What a statement sent with COMMIT found less of than its sale needs. */
export interface Lack {
  what: 'balance' | 'codes'
  /** Which of several it is, and how many of it there were, where that was counted. */
  place: number | null
  had: number | null
}

/** What `refuse_sale` of migration 291 raised. It has no code: a sale that lacks something is no fault of the database. */
export class SaleLacks extends Error {
  readonly lack: Lack

  constructor({ message, detail }: pg.DatabaseError & { detail: string }) {
    super(message)
    this.lack = JSON.parse(detail) as Lack
  }
}

/** Turns what `refuse_sale` raised into `SaleLacks`; any other error is returned unchanged. */
export const toSaleLacks = (error: unknown): unknown =>
  error instanceof pg.DatabaseError && error.code === 'OL001' && error.detail !== undefined
    ? new SaleLacks(Object.assign(error, { detail: error.detail }))
    : error

/** Whether a write met a database that takes none: a replica, or a primary that became one. */
export const isReadOnly = (error: unknown): boolean =>
  toCode(error instanceof Failure ? error.cause : error) === '25006'

/** Whether a statement was given up because no answer came in time; the database may still be at it. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && /query read timeout/i.test(error.message)

/** Whether a statement only failed because an earlier one of its transaction did; it does not know why. */
export const isAborted = (error: unknown): boolean => toCode(error) === '25P02'

/** Reads the name of the unique constraint that a write violated. */
export function violatedUnique(error: unknown): string | undefined {
  if (toCode(error) !== '23505') return undefined
  return (error as { constraint?: string }).constraint
}

/** Whether a row could not be deleted because others reference it. */
export const isStillReferenced = (error: unknown): boolean => toCode(error) === '23503'

const lostConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// Statement and lock time-outs, idle transaction ended, too many connections, out of memory or disk.
const exhausted = new Set(['57014', '55P03', '25P03', '53300', '53400', '53100', '53200', '53000'])
// Shutting down, crashed, starting up, cannot connect now; a replica, from where the primary moved.
const restarting = new Set(['57P01', '57P02', '57P03', '57P05', '25006'])
/** What whoever looks after the store is told by /api/ready; of all else it is enough that the database does not answer. */
const reasons: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database is full',
  '25006': 'the database takes no writes',
}
const withoutCode =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|connection error|query read timeout|Cannot use a pool after/i

/**
 * Turns an unreachable or overloaded database into a 503 the customer may retry; any other error is returned unchanged.
 */
export function toDatabaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error
  const code = toCode(error)
  const isTrouble = code
    ? [lostConnection, exhausted, restarting, conflicts].some((codes) => codes.has(code)) || code.startsWith('08')
    : withoutCode.test(error.message)
  if (!isTrouble) return error
  const reason = reasons[code ?? ''] ?? 'the database does not answer'
  return Object.assign(new Failure('OVERLOADED', undefined, reason), { cause: error })
}
