import { Text } from '@mantine/core'
import type { AuditEntry } from '@olmos/contract/audit'
import { useLanguage } from '../../i18n/use-language.ts'
import { readCurrency, shownCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'

type Fields = Record<string, unknown>

const toFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Each field that changed: what it was and what it became. */
export function Change({ entry }: { entry: AuditEntry }) {
  const before = toFields(entry.before)
  const after = toFields(entry.after)
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (fields.length === 0) return '—'
  return fields.map((field) => (
    <Text key={field} size="sm">
      <Text span c="dimmed" size="sm">
        {field}:{' '}
      </Text>
      {field in before && (
        <s>
          <Value field={field} of={before} />
        </s>
      )}{' '}
      {field in after && <Value field={field} of={after} />}
    </Text>
  ))
}

/** The log keeps money in minor units: under its currency's name, or as an amount beside one. */
function Value({ field, of }: { field: string; of: Fields }) {
  const language = useLanguage()
  const value = of[field]
  const currency = field === 'amount' ? of.currency : field
  if (typeof value === 'number' && shownCurrencies.some((known) => known === currency)) {
    return formatAmount(value / 100, readCurrency(String(currency)), language)
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
