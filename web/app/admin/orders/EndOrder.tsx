import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { endOrder, type OrderDetail } from './orders.queries.ts'

/** An order that nobody pays gives its codes back before its time. */
export function EndOrder({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const { t } = useTranslation()
  const end = useAdminAction({
    noun: 'orders',
    send: (reason: string) => endOrder(order.id, reason),
    done: t('admin.orders.ended'),
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={t('admin.orders.endTitle')}
      text={t('admin.orders.endText')}
      confirmLabel={t('admin.orders.end')}
      color="red"
      isBusy={end.isPending}
      refusal={end.refusal}
      onConfirm={end.mutate}
      onClose={onClose}
    />
  )
}
