import { Failure } from '@olmos/contract/failure'

const toCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

// A deadlock, and what could not be put in an order.
const conflicts = new Set(['40P01', '40001'])

/** Two transactions stood in each other's way; running one again succeeds. */
export const isConflict = (error: unknown): boolean =>
  conflicts.has(toCode(error instanceof Failure ? error.cause : error) ?? '')

/** A statement of a transaction that had failed before: it says nothing of why. */
export const isAborted = (error: unknown): boolean => toCode(error) === '25P02'

/** The name of the unique constraint that a write ran into. */
export function violatedUnique(error: unknown): string | undefined {
  if (toCode(error) !== '23505') return undefined
  return (error as { constraint?: string }).constraint
}

/** A row could not be deleted, because others point at it. */
export const isStillReferenced = (error: unknown): boolean => toCode(error) === '23503'

const lostConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
// Statement and lock time-outs, idle transaction ended, too many connections, out of memory or disk.
const exhausted = new Set(['57014', '55P03', '25P03', '53300', '53400', '53100', '53200', '53000'])
// Shutting down, crashed, starting up, cannot connect now.
const restarting = new Set(['57P01', '57P02', '57P03', '57P05'])
const withoutCode =
  /connection terminated|timeout exceeded when trying to connect|connection error|query read timeout|Cannot use a pool after/i

/** A database that can't be reached or can't cope is a 503 the customer may retry; anything else is returned as it is. */
export function toTrouble(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error
  const code = toCode(error)
  const isTrouble = code
    ? [lostConnection, exhausted, restarting, conflicts].some((codes) => codes.has(code)) || code.startsWith('08')
    : withoutCode.test(error.message)
  if (!isTrouble) return error
  return Object.assign(new Failure('OVERLOADED', undefined, 'the database does not answer'), { cause: error })
}
