import type { TFunction } from 'i18next'

const minutesInWords = 120

/**
 * Says within how long a top-up is promised to arrive, counted from its payment: in hours, once they are easier to grasp.
 * Takes whole minutes.
 */
export const withinText = (t: TFunction, minutes: number): string =>
  minutes < minutesInWords
    ? t('topups.withinMinutes', { count: minutes })
    : t('topups.withinHours', { count: Math.ceil(minutes / 60) })

/** Says the longest of several promises; nothing where none is known. */
export const longestWithinText = (t: TFunction, minutes: readonly number[]): string =>
  minutes.length === 0 ? '' : withinText(t, Math.max(...minutes))
