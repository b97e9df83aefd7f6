import type { TFunction } from 'i18next'
import { ApiError } from './api-error.ts'

/** What to tell the customer about a failed call. */
export function failureText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('failure.UNEXPECTED_ERROR')
  return t(`failure.${error.code}`, { ...error.details, defaultValue: t('failure.UNEXPECTED_ERROR') })
}
