import type { ListedOrder, Receipt } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'

interface MethodNameProps {
  order: Pick<ListedOrder | Receipt, 'payment_method' | 'paid_by'>
}

/** How an order is paid: from the balance, with a code, or by which method. A method that is gone was some card. */
export function MethodName({ order: { payment_method, paid_by } }: MethodNameProps) {
  const { t } = useTranslation()
  const mark = payment_method === 'card' ? paid_by?.mark : undefined
  return <>{mark ? t(`payMark.${mark}`) : t(`receipt.methods.${payment_method}`)}</>
}
