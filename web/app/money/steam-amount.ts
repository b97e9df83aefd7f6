import type { DetailsFor } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import type { TFunction } from 'i18next'
import { formatAmount } from './format.ts'

/** Formats an amount in the currency it was given in. Tenge are written like roubles, with their own sign. */
export function formatSteamAmount(amount: number, currency: SteamCurrency, language: Language): string {
  if (currency === 'usd') return formatAmount(amount, 'USD', language)
  const text = formatAmount(amount, 'RUB', language)
  return currency === 'rub' ? text : text.replace('₽', '₸')
}

/** Formats an amount for a button or a hint: one that is whole goes without its decimals. */
export const formatShortAmount = (amount: number, currency: SteamCurrency, language: Language): string =>
  formatSteamAmount(amount, currency, language).replace(/[.,]00(?!\d)/, '')

/** How little is sold in each currency, and how much in dollars, in major units. */
export type AmountRange = Record<`least_${SteamCurrency}` | 'most_usd', number>

/** The least amount that is sold. */
export const toLeast = (range: AmountRange | null, currency: SteamCurrency): number => range?.[`least_${currency}`] ?? 0

/** The most, where it does not follow from rates that only the store knows. */
export const toMost = (range: AmountRange | null, currency: SteamCurrency): number | undefined =>
  currency === 'usd' ? range?.most_usd : undefined

/**
 * Says how little and how much is sold. In roubles and tenge the most follows from rates that only the store knows, so it
 * is given in dollars.
 */
export function rangeText(t: TFunction, language: Language, range: AmountRange, currency: SteamCurrency): string {
  const least = formatShortAmount(toLeast(range, currency), currency, language)
  const most = formatShortAmount(range.most_usd, 'usd', language)
  return t(currency === 'usd' ? 'topups.steam.range' : 'topups.steam.rangeWorth', { least, most })
}

const lowerCode = { USD: 'usd', RUB: 'rub', KZT: 'kzt' } as const

/** Says which range the store named when it refused an amount; undefined where it named none. */
export function refusedRangeText(
  t: TFunction,
  language: Language,
  details: DetailsFor<'INVALID_AMOUNT'>,
): string | undefined {
  if (!('least' in details)) return undefined
  const shown = (amount: number) => formatSteamAmount(amount, lowerCode[details.currency], language)
  return t('topups.steam.range', { least: shown(details.least), most: shown(details.most) })
}
