import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { readCurrency, shownCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { useDisputeReason } from '../disputes/use-dispute-reason.ts'

type Facts = Record<string, unknown>

/** Lists the details of an alert: order, supplier, amounts, the reason. Details without a text keep their names. */
export function AlertFacts({ subject, details: { sentence: _, amount, currency, ...details } }: AlertFactsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const reasonText = useReasonText()
  const disputeReason = useDisputeReason()
  const money = (of: Facts): string | undefined =>
    typeof of.amount === 'number' && shownCurrencies.some((known) => known === of.currency)
      ? formatAmount(of.amount / 100, readCurrency(String(of.currency)), language)
      : undefined
  const shown = (value: unknown): string => {
    if (Array.isArray(value)) return value.join(', ')
    if (typeof value === 'object' && value !== null) return money(value as Facts) ?? JSON.stringify(value)
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))) return formatMoment(String(value), language)
    // Rates come with all their decimals.
    return /^\d+\.\d+$/.test(String(value)) ? String(Number(value)) : disputeReason(reasonText(String(value)))
  }
  const sourceText = (name: string) => t(`admin.rates.origin.${name}`, { defaultValue: name })
  const toName = (fact: string) => t(`admin.alerts.fact.${fact}`, { defaultValue: '' }) || fact
  const toText = (fact: string, value: unknown) => (fact === 'source' ? sourceText(String(value)) : shown(value))
  const total = money({ amount, currency }) ?? amount
  const facts = { ...details, ...(total !== undefined && { amount: total }) }
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {[
        sourceText(subject),
        ...Object.entries(facts).map(([fact, value]) => `${toName(fact)}: ${toText(fact, value)}`),
      ].join(' · ')}
    </Text>
  )
}

interface AlertFactsProps {
  subject: string
  details: Facts
}
