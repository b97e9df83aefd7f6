import type { ItemStatus, OrderStatus } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { itemTones, orderTones } from './order.rules.ts'

/** `isDeclined`: the bank declined the payment that is still awaited. */
export function OrderBadge({ status, isDeclined = false }: { status: OrderStatus; isDeclined?: boolean }) {
  const { t } = useTranslation()
  if (isDeclined) return <StatusBadge tone="bad" text={t('orders.declined')} />
  return <StatusBadge tone={orderTones[status]} text={t(`orders.status.${status}`)} />
}

export function ItemState({ status }: { status: ItemStatus }) {
  const { t } = useTranslation()
  return <StatusBadge tone={itemTones[status]} text={t(`orders.item.${status}`)} />
}
