import type { ItemStatus, OrderStatus as Status } from '@olmos/contract/orders'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { itemStatusTexts, itemTones, orderStatusTexts, orderTones } from './order.rules.ts'

export function OrderStatus({ status }: { status: Status }) {
  const { t } = useTranslation()
  return <StatusBadge tone={orderTones[status]} text={t(orderStatusTexts[status])} />
}

export function ItemState({ status }: { status: ItemStatus }) {
  const { t } = useTranslation()
  return <StatusBadge tone={itemTones[status]} text={t(itemStatusTexts[status])} />
}
