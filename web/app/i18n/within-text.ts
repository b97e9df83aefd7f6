import { BUSINESS } from '@olmos/contract/business'
import type { DeliveryMinutes } from '@olmos/contract/catalogue'
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

/** Says a span of time shortly, in minutes or in hours. */
export const spanText = (t: TFunction, minutes: number): string =>
  minutes < minutesInWords
    ? t('product.spanMinutes', { minutes })
    : t('product.spanHours', { hours: Math.ceil(minutes / 60) })

/** What `product.took` and `product.tookCodes` say of how long deliveries really took. */
export const toTook = (t: TFunction, { p50, p95 }: DeliveryMinutes) => ({
  count: BUSINESS.measuredDays,
  half: spanText(t, p50),
  most: spanText(t, p95),
})
