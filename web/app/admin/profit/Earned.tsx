import { Text } from '@mantine/core'
import type { Profit, Profits } from '@olmos/contract/costs'
import type { Currency } from '@olmos/contract/money'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'

interface EarnedProps {
  profit: Profit
  currency: Currency
}

/** What was earned, red where it was a loss; what is unknown of it is said below. */
export function Margin({ profit, currency }: EarnedProps) {
  const { t } = useTranslation()
  const { margin, units, known_units } = profit
  if (margin === null) return <Unknown />
  return (
    <>
      <Text span inherit c={margin < 0 ? 'var(--olmos-bad)' : undefined}>
        <Amount value={margin} currency={currency} />
      </Text>
      {known_units < units && (
        <Text size="xs" c="dimmed">
          {t('admin.profit.partly', { known: known_units, units })}
        </Text>
      )}
    </>
  )
}

/** What something cost, as far as it is known. */
export function Cost({ profit: { cost }, currency }: EarnedProps) {
  return cost === null ? <Unknown /> : <Amount value={cost} currency={currency} />
}

function Unknown() {
  const { t } = useTranslation()
  return (
    <Text span inherit c="dimmed">
      {t('admin.profit.unknown')}
    </Text>
  )
}

/** Cost and margin in one line, under what was paid. */
export function CostLine({ profit, currency }: EarnedProps) {
  const { t } = useTranslation()
  return (
    <Text size="sm" c="dimmed" component="div">
      {t('admin.profit.cost')}: <Cost profit={profit} currency={currency} /> · {t('admin.profit.margin')}:{' '}
      <Margin profit={profit} currency={currency} />
    </Text>
  )
}

/** Margins in each currency in which something was sold, one below the other. */
export function Margins({ profits }: { profits: Profits | undefined }) {
  const sold = (['rub', 'usd'] as const).filter((currency) => (profits?.[currency].units ?? 0) > 0)
  if (!profits || sold.length === 0) return '—'
  return sold.map((currency) => (
    <div key={currency}>
      <Margin profit={profits[currency]} currency={currency === 'usd' ? 'USD' : 'RUB'} />
    </div>
  ))
}
