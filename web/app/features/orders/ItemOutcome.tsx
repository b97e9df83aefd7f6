import { Group, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { useTranslation } from 'react-i18next'
import { ItemState } from './OrderStatus.tsx'

/** How an item stands, and where its money went when it was given back. */
export function ItemOutcome({ item }: { item: Receipt['items'][number] }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <ItemState status={item.status} />
      {item.refunded_to && (
        <Text size="sm" c="dimmed">
          {t(item.refunded_to === 'card' ? 'receipt.refundedToCard' : 'receipt.refundedToWallet')}
        </Text>
      )}
    </Group>
  )
}
