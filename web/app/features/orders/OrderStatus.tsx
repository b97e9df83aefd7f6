import type { ItemStatus, OrderStatus as Status } from '@olmos/contract/orders'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { itemTones, orderTones } from './order.rules.ts'

/** `isDeclined`: the bank said no to the payment that is still awaited. */
export function OrderStatus({ status, isDeclined = false }: { status: Status; isDeclined?: boolean }) {
  const { t } = useTranslation()
  if (isDeclined) return <StatusBadge tone="bad" text={t('orders.declined')} />
  return <StatusBadge tone={orderTones[status]} text={t(`orders.status.${status}`)} />
}

export function ItemState({ status }: { status: ItemStatus }) {
  const { t } = useTranslation()
  return <StatusBadge tone={itemTones[status]} text={t(`orders.item.${status}`)} />
}
