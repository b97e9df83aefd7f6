import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import type { Context } from '../../platform/context.ts'
import { countPayments, listPayments } from './admin-payments.store.ts'
import { shownPayment } from './show-payment.ts'

export function paymentsAdmin({ serve, database }: Context): void {
  serve(adminPaymentsApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const [rows, total] = await Promise.all([listPayments(database, list), countPayments(database, list)])
    return { data: rows.map(shownPayment), total }
  })
}
