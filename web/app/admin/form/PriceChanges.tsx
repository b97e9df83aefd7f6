import { List, Text } from '@mantine/core'
import type { PriceChange } from '@olmos/contract/offers'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'

/** Packages that would be made, or cost something else from now on: before and after, and what is odd about it. */
export function PriceChanges({ changes }: { changes: readonly PriceChange[] }) {
  const { t } = useTranslation()
  return (
    <List size="sm" spacing="xs" listStyleType="none">
      {changes.map((change) => (
        <List.Item key={change.game_amount}>
          <Text>
            <b>{gameNumber(change.game_amount)}</b>:{' '}
            {change.was_usd === null ? (
              t('admin.import.newPackage')
            ) : (
              <Text span inherit c="dimmed">
                <Amount value={change.was_usd} currency="USD" /> / <Amount value={change.was_rub} currency="RUB" />
              </Text>
            )}{' '}
            →{' '}
            <b>
              <Amount value={change.price_usd} currency="USD" /> / <Amount value={change.price_rub} currency="RUB" />
            </b>
          </Text>
          <Doubts {...change} />
        </List.Item>
      ))}
    </List>
  )
}

function Doubts({ doubts, rub_at_rate }: PriceChange) {
  const { t } = useTranslation()
  const language = useLanguage()
  const texts = {
    changed: t('admin.ask.changed'),
    jump: t('admin.ask.jump'),
    spread: t('admin.ask.spread', { expected: formatAmount(rub_at_rate, 'RUB', language) }),
  }
  return doubts.map((doubt) => (
    <Text key={doubt} size="sm" c={doubt === 'changed' ? undefined : 'var(--olmos-wait)'}>
      {texts[doubt]}
    </Text>
  ))
}
