import type { ChargeCurrency } from '@olmos/contract/money'
import { useLanguage } from '../i18n/use-language.ts'
import { type AmountStyle, formatAmount } from './format.ts'

interface AmountProps extends AmountStyle {
  value: number | null | undefined
  currency: ChargeCurrency
}

/**
 * An amount in major units, its kopecks small. Its no-break spaces keep it in one piece, unless that piece would leave the
 * screen.
 */
export function Amount({ value, currency, ...style }: AmountProps) {
  const text = formatAmount(value, currency, useLanguage(), style)
  const [, whole = text, fraction, sign = ''] = /^(.*\d)([.,]\d\d)(\D*)$/.exec(text) ?? []
  return (
    <span style={{ overflowWrap: 'break-word' }}>
      {whole}
      {fraction && <span style={{ fontSize: '0.72em' }}>{fraction}</span>}
      {sign}
    </span>
  )
}
