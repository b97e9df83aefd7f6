import type { adminPaymentsApi, ListedPayment } from '@olmos/contract/admin-payments'
import { caller } from '../../api/client.ts'
import { withPurchaseKey } from '../../api/one-purchase.ts'
import { useAdminList } from '../list/use-admin-list.ts'

const list = caller<typeof adminPaymentsApi.list>('GET /admin/payments')
const confirm = caller<typeof adminPaymentsApi.confirm>('POST /admin/payments/:id/confirm')

export const usePayments = () =>
  useAdminList<ListedPayment>({ noun: 'payments', load: list, filters: ['status', 'provider', 'dispute'] })

export const confirmPayment = (payment: ListedPayment, body: { reason: string; reference?: string }) =>
  withPurchaseKey(`confirm:${payment.id}`, (idempotencyKey) =>
    confirm({ params: { id: String(payment.id) }, body }, { idempotencyKey }),
  )
