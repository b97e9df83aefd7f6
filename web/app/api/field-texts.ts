import type { TFunction } from 'i18next'
import { ApiError } from './api-error.ts'

/** Translates errors of fields: field -> text. */
export const fieldTexts = (t: TFunction, errors: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, key]) => [field, t(`field.${key}`, { defaultValue: t('field.invalid') })]),
  )

const fieldRefusals = ['VALIDATION_FAILED', 'DUPLICATE']

/** Reads the errors of a form's fields from a refusal: field -> key. */
export function toFieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || !fieldRefusals.includes(error.code)) return {}
  const entries = Object.entries(error.details).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}
