import { adminOrdersApi, type OrderRow } from '@olmos/contract/admin-orders'
import type { Profit } from '@olmos/contract/costs'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/database/lists.ts'
import type { Providers } from '../payments/providers.ts'
import {
  countAllOrders,
  isUserKnown,
  type ListedOrderRow,
  listAllOrders,
  type OrderList,
  readCardRefundPlace,
  readOrder,
} from './admin-orders.ts'
import { readOrderProfits } from './profit.ts'

const shownRow = ({ total, wallet_amount, created_at, ...row }: ListedOrderRow, profit: Profit | null): OrderRow => ({
  ...row,
  created_at: created_at.toISOString(),
  total_amount: toMajor(total),
  from_balance: toMajor(wallet_amount),
  profit,
})

export function ordersAdmin(context: Context & { providers: Providers }): void {
  const { serve, database } = context
  const answer = async (list: OrderList, language: Language) => {
    const { rows, total } = await withTotal(list, listAllOrders(database, list, language), () =>
      countAllOrders(database, list),
    )
    const profits = await readOrderProfits(database, rows)
    return { data: rows.map((row) => shownRow(row, profits.get(row.id) ?? null)), total }
  }

  serve(adminOrdersApi.list, ({ query, language }) => answer({ ...query, sort: query.sort ?? 'created_at' }, language))

  serve(adminOrdersApi.ofUser, async ({ params, query, language }) => {
    if (!(await isUserKnown(database, params.id))) throw new Failure('USER_NOT_FOUND')
    return answer({ ...query, sort: query.sort ?? 'created_at', userId: params.id }, language)
  })

  serve(adminOrdersApi.one, async ({ params, language }) => {
    const { data } = await readOrder(context, params.id, language)
    return { data: { ...data, card_refunds: await readCardRefundPlace(context, data.id) } }
  })
}
