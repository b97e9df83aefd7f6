import { Group, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ItemState } from './OrderBadge.tsx'
import { PartialRefunds, refundTexts } from './PartialRefunds.tsx'

interface ItemOutcomeProps {
  item: Receipt['items'][number]
  currency: Receipt['currency']
}

/** Shows how an item stands, and where its money, or a part of it, was refunded to. */
export function ItemOutcome({ item, currency }: ItemOutcomeProps) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <ItemState status={item.status} />
      {item.refunded_to && (
        <Text size="sm" c="dimmed">
          {t(refundTexts[item.refunded_to])}
        </Text>
      )}
      <PartialRefunds refunds={item.partial_refunds} currency={currency} />
    </Group>
  )
}
