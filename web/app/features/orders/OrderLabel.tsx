import { Group, Text } from '@mantine/core'
import type { ListedOrder, Receipt } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { OrderBadge } from './OrderBadge.tsx'
import { itemTones, readDelivery, toLabel } from './order.rules.ts'

const deliveryTexts = { pending: 'topups.steps.now.delivered', unknown: 'topups.steps.name.unknown' } as const

/**
 * How an order stands for its customer. While top-ups are on their way their state leads, and the label of the order, which
 * is completed as it is paid, stands quietly beside it.
 */
export function OrderLabel({ order }: { order: ListedOrder | Receipt }) {
  const { t } = useTranslation()
  const delivery = readDelivery(order)
  return (
    <Group gap={8} component="span">
      {delivery ? (
        <>
          <StatusBadge tone={itemTones[delivery]} text={t(deliveryTexts[delivery])} />
          <Text component="span" size="sm" c="dimmed">
            {t(`orders.status.${toLabel(order)}`)}
          </Text>
        </>
      ) : (
        <OrderBadge status={order.status} isDeclined={order.is_declined} />
      )}
    </Group>
  )
}
