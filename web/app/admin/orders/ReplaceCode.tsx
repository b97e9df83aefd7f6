import type { OrderCode } from '@olmos/contract/admin-orders'
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { replaceCode } from './orders.queries.ts'

export function ReplaceCode({ orderId, code, onClose }: { orderId: string; code: OrderCode; onClose(): void }) {
  const { t } = useTranslation()
  const replace = useAdminAction({
    noun: 'orders',
    send: (reason: string) => replaceCode(orderId, code.id, reason),
    done: t('admin.orders.replaced'),
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={t('admin.orders.replaceTitle')}
      text={t('admin.orders.replaceText', { code: code.code })}
      confirmLabel={t('admin.orders.replace')}
      isBusy={replace.isPending}
      refusal={replace.refusal}
      onConfirm={replace.mutate}
      onClose={onClose}
    />
  )
}
