import { Group, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ItemState } from './OrderBadge.tsx'
import { PartialRefunds, refundTexts } from './PartialRefunds.tsx'

interface ItemOutcomeProps {
  item: Receipt['items'][number]
  currency: Receipt['currency']
  /** False where the order says it for its only item. */
  hasState?: boolean
}

/** Shows how an item stands, and where its money, or a part of it, was refunded to. */
export function ItemOutcome({ item, currency, hasState = true }: ItemOutcomeProps) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      {hasState && <ItemState status={item.status} />}
      {item.refunded_to && (
        <Text size="sm" c="dimmed">
          {t(refundTexts[item.refunded_to])}
        </Text>
      )}
      <PartialRefunds refunds={item.partial_refunds} currency={currency} />
    </Group>
  )
}
