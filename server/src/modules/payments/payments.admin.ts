import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/database/lists.ts'
import { findFewUsers } from '../accounts/profile.ts'
import { countPayments, listPayments, shownPayment } from './admin-payments.ts'

export function paymentsAdmin({ serve, database }: Context): void {
  serve(adminPaymentsApi.list, async ({ query }) => {
    const users = query.search ? await findFewUsers(database, query.search) : undefined
    const list = { ...query, sort: query.sort ?? 'id', users }
    const { rows, total } = await withTotal(list, listPayments(database, list), () => countPayments(database, list))
    return { data: rows.map(shownPayment), total }
  })
}
