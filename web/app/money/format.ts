import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'

const narrowSpace = '\u202F'

export interface AmountStyle {
  /** Without kopecks, as the cart shows roubles. */
  isRounded?: boolean
}

/**
 * An amount in major units as it is shown: `$12.50` in every language, `1 234,50 ₽` in Russian and Uzbek, `₽1,234.50` in
 * English. What is not a number shows as zero.
 */
export function formatAmount(
  amount: number | null | undefined,
  currency: Currency,
  language: Language,
  { isRounded = false }: AmountStyle = {},
): string {
  const value = Number.isFinite(amount) ? (amount as number) : 0
  const sign = value < 0 ? '−' : ''
  const digits = currency === 'RUB' && isRounded ? 0 : 2
  const english = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Math.abs(value))
  if (currency === 'USD') return `${sign}$${english}`
  if (language === 'en') return `${sign}₽${english}`
  const [whole = '0', fraction] = english.split('.')
  const grouped = whole.replaceAll(',', narrowSpace)
  return `${sign}${fraction === undefined ? grouped : `${grouped},${fraction}`}${narrowSpace}₽`
}
