import { useLanguage } from '../i18n/use-language.ts'
import type { Currency } from './currency.ts'
import { type AmountStyle, formatAmount } from './format.ts'

interface AmountProps extends AmountStyle {
  value: number | null | undefined
  currency: Currency
}

/** An amount in major units. */
export function Amount({ value, currency, ...style }: AmountProps) {
  return <span style={{ whiteSpace: 'nowrap' }}>{formatAmount(value, currency, useLanguage(), style)}</span>
}
