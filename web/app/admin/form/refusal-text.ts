import type { TFunction } from 'i18next'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'

/** Makes text keys from the details of a refusal: `{ user: 'last_admin' }` is `user_last_admin`. */
const toReasons = ({ details }: ApiError): string[] =>
  Object.entries(details).flatMap(([what, why]) => (typeof why === 'string' ? [`${what}_${why}`] : []))

/** Tells an operator why a call was refused, and what can be done instead. */
export function refusalText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return failureText(t, error)
  const isConflict = error.code === 'STATE_CONFLICT'
  const isNamed = isConflict || error.code === 'RATE_LIMITED'
  const minutes = Math.ceil(Number(error.details.retryAfterSeconds ?? 0) / 60)
  const [known] = (isNamed ? toReasons(error) : [error.code])
    .map((reason) => t(`admin.refused.${reason}`, { ...error.details, minutes, defaultValue: '' }))
    .filter((text) => text !== '')
  // Lists are refetched after every refusal, so they show what the store has.
  return known ?? (isConflict ? t('admin.conflict.refused') : failureText(t, error))
}
