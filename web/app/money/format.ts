import type { Language } from '@olmos/contract/fields'
import type { ChargeCurrency } from '@olmos/contract/money'
import { groupThousands, noBreakSpace } from '../i18n/digit-grouping.ts'
import { isConvertedCurrency } from './currency.ts'

export interface AmountStyle {
  /** Without kopecks, as the cart shows roubles. */
  isRounded?: boolean
}

/**
 * An amount in major units as it is shown: `$12.50` in every language, `1 234,50 ₽` in Russian and Uzbek, `₽1,234.50` in
 * English. Soums and tenge have no decimals unless there are some, and soums a word for a sign. What is not a number shows as
 * zero.
 */
export function formatAmount(
  amount: number | null | undefined,
  currency: ChargeCurrency,
  language: Language,
  { isRounded = false }: AmountStyle = {},
): string {
  const value = Number.isFinite(amount) ? (amount as number) : 0
  const sign = value < 0 ? '−' : ''
  const isWhole = isConvertedCurrency(currency) ? Number.isInteger(value) : currency === 'RUB' && isRounded
  const digits = isWhole ? 0 : 2
  const isEnglish = currency === 'USD' || language === 'en'
  const [whole = '', ...fraction] = Math.abs(value).toFixed(digits).split('.')
  const number = [groupThousands(whole, isEnglish ? ',' : noBreakSpace), ...fraction].join(isEnglish ? '.' : ',')
  const symbol = currencySign(currency, language)
  if (!isEnglish) return `${sign}${number}${noBreakSpace}${symbol}`
  return `${sign}${symbol}${symbol === currency ? noBreakSpace : ''}${number}`
}

const soums: Record<Language, string> = { ru: 'сум', en: 'UZS', uz: 'soʻm' }
const signs: Record<Exclude<ChargeCurrency, 'UZS'>, string> = { RUB: '₽', USD: '$', KZT: '₸' }

/** Returns the sign of a currency; soums have a word instead, and in English their code. */
export const currencySign = (currency: ChargeCurrency, language: Language): string =>
  currency === 'UZS' ? soums[language] : signs[currency]
