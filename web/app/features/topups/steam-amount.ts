import type { SteamCurrency } from '@olmos/contract/topups'
import type { Language } from '../../i18n/languages.ts'
import { formatAmount } from '../../money/format.ts'

/** An amount as the customer named it. Tenge are written as roubles are, with their own sign. */
export function formatSteamAmount(amount: number, currency: SteamCurrency, language: Language): string {
  if (currency === 'usd') return formatAmount(amount, 'USD', language)
  const text = formatAmount(amount, 'RUB', language)
  return currency === 'rub' ? text : text.replace('₽', '₸')
}
