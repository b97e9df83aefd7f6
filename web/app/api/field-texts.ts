import type { TFunction } from 'i18next'

/** Field -> what to tell the customer about it. */
export const fieldTexts = (t: TFunction, errors: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, key]) => [field, t(`field.${key}`, { defaultValue: t('field.invalid') })]),
  )
