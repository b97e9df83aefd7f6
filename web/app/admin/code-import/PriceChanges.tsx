import { List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../money/Amount.tsx'
import { gameNumber } from '../../money/game-number.ts'
import type { PriceChange } from './send-lines.ts'

/** Packages that would be made, or cost something else from now on. */
export function PriceChanges({ changes }: { changes: readonly PriceChange[] }) {
  const { t } = useTranslation()
  if (changes.length === 0) return null
  return (
    <Stack gap={4}>
      <Text fw={600}>{t('admin.import.priceChanges')}</Text>
      <List size="sm">
        {changes.map((change) => (
          <List.Item key={change.game_amount}>
            <b>{gameNumber(change.game_amount)}</b>:{' '}
            {change.was_usd === null ? (
              t('admin.import.newPackage')
            ) : (
              <Text span inherit c="dimmed" td="line-through">
                <Amount value={change.was_usd} currency="USD" /> / <Amount value={change.was_rub} currency="RUB" />
              </Text>
            )}{' '}
            <Amount value={change.price_usd} currency="USD" /> / <Amount value={change.price_rub} currency="RUB" />
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
