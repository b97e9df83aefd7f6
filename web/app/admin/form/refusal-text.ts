import type { TFunction } from 'i18next'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'

/** What the store says it is about, and why: `{ user: 'last_admin' }` is `user_last_admin`. */
const toReasons = ({ details }: ApiError): string[] =>
  Object.entries(details).flatMap(([what, why]) => (typeof why === 'string' ? [`${what}_${why}`] : []))

/** What to tell an operator about a refused call: why, and what can be done instead. */
export function refusalText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return failureText(t, error)
  const isConflict = error.code === 'STATE_CONFLICT'
  const isNamed = isConflict || error.code === 'RATE_LIMITED'
  const minutes = Math.ceil(Number(error.details.retryAfterSeconds ?? 0) / 60)
  const [known] = (isNamed ? toReasons(error) : [error.code])
    .map((reason) => t(`admin.refused.${reason}`, { ...error.details, minutes, defaultValue: '' }))
    .filter((text) => text !== '')
  // Lists ask anew after every refusal, so what is shown then is what the store has.
  return known ?? (isConflict ? t('admin.conflict.refused') : failureText(t, error))
}
