import { Group } from '@mantine/core'
import type { ListedOrder, Receipt } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { OrderBadge } from './OrderBadge.tsx'
import { itemTones, readDelivery, toLabel } from './order.rules.ts'

const deliveryTexts = { pending: 'topups.steps.now.delivered', unknown: 'topups.steps.name.unknown' } as const

/** How an order stands for its customer, and beside it how far its top-ups are while they are on their way. */
export function OrderLabel({ order }: { order: ListedOrder | Receipt }) {
  const { t } = useTranslation()
  const delivery = readDelivery(order)
  return (
    <Group gap={6} component="span">
      <OrderBadge status={toLabel(order)} isDeclined={order.is_declined} />
      {delivery && <StatusBadge tone={itemTones[delivery]} text={t(deliveryTexts[delivery])} />}
    </Group>
  )
}
