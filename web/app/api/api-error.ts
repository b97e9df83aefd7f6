import type { DetailsFor } from '@olmos/contract/failure'
import type { FailureCode } from '@olmos/contract/failure-codes'
import type { ConflictReason } from '@olmos/contract/refusal-details'

/** Every failed call, in one shape. */
export class ApiError extends Error {
  readonly code: string
  readonly details: Record<string, unknown>
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The store's name for a request that failed there, by which its log has it. */
  requestId: string | undefined

  constructor(code: string, message: string, details: Record<string, unknown>, status: number) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.details = details
    this.status = status
  }
}

/** Whether a retry may succeed: a refusal is final, a lost connection or an error of the server is not. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** What comes with a code; one that may come without has every field in doubt. */
type Received<Details> = undefined extends Details ? Partial<NonNullable<Details>> : Details

/** A refusal with one code of the contract, whose details are typed by it. */
export type Refusal<Code extends FailureCode> = Omit<ApiError, 'code' | 'details'> & {
  readonly code: Code
  readonly details: Received<DetailsFor<Code>>
}

export const isRefusal = <Code extends FailureCode>(error: unknown, code: Code): error is Refusal<Code> =>
  error instanceof ApiError && error.code === code

export type StateConflict<Reason extends ConflictReason> = Refusal<'STATE_CONFLICT'> & {
  readonly details: Extract<DetailsFor<'STATE_CONFLICT'>, { reason: Reason }>
}

/** Whether the store refused with STATE_CONFLICT for one of these reasons. */
export const isConflict = <Reason extends ConflictReason>(
  error: unknown,
  ...reasons: readonly Reason[]
): error is StateConflict<Reason> =>
  isRefusal(error, 'STATE_CONFLICT') && reasons.some((reason) => reason === error.details.reason)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads whatever a failed call answered; `requestId` is the answer's header. */
export function toApiError(status: number, body: unknown, requestId: string | null = null): ApiError {
  const answer = isRecord(body) ? body : {}
  const error = isRecord(answer.error) ? answer.error : {}
  const code = typeof error.code === 'string' ? error.code : 'UNEXPECTED_ERROR'
  const text = typeof answer.error === 'string' ? answer.error : undefined
  const message = typeof error.message === 'string' ? error.message : (text ?? 'Unexpected error')
  const details = isRecord(error.details) ? error.details : isRecord(answer.errors) ? answer.errors : {}
  const failure = new ApiError(code, message, details, status)
  // Other refusals say themselves what to do.
  if (status >= 500) failure.requestId = requestId ?? undefined
  return failure
}

/** The network did not carry the call, or the answer took too long. */
export const toNetworkError = (error: unknown): ApiError =>
  new ApiError('NETWORK_ERROR', error instanceof Error ? error.message : 'Unexpected error', {}, 0)
