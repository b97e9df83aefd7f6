import { Failure } from '@olmos/contract/failure'

const toCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

// Deadlock detected; serialization failure.
const conflicts = new Set(['40P01', '40001'])

/**
 * Whether two transactions blocked each other, or wrote the answer of one call; running one of them again succeeds.
 */
export function isConflict(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error
  return conflicts.has(toCode(cause) ?? '') || violatedUnique(cause) === 'idempotent_call_pkey'
}

/** Whether a statement only failed because an earlier one of its transaction did; it does not know why. */
export const isAborted = (error: unknown): boolean => toCode(error) === '25P02'

/** Reads the name of the unique constraint that a write violated. */
export function violatedUnique(error: unknown): string | undefined {
  if (toCode(error) !== '23505') return undefined
  return (error as { constraint?: string }).constraint
}

/** Whether a row could not be deleted because others reference it. */
export const isStillReferenced = (error: unknown): boolean => toCode(error) === '23503'

const lostConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
// Statement and lock time-outs, idle transaction ended, too many connections, out of memory or disk.
const exhausted = new Set(['57014', '55P03', '25P03', '53300', '53400', '53100', '53200', '53000'])
// Shutting down, crashed, starting up, cannot connect now.
const restarting = new Set(['57P01', '57P02', '57P03', '57P05'])
const withoutCode =
  /connection terminated|timeout exceeded when trying to connect|connection error|query read timeout|Cannot use a pool after/i

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
  return Object.assign(new Failure('OVERLOADED', undefined, 'the database does not answer'), { cause: error })
}
