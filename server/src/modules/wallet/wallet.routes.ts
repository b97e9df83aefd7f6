import { toMajor } from '@olmos/contract/minor-units'
import { lowerCurrency } from '@olmos/contract/money'
import { walletApi } from '@olmos/contract/wallet'
import type { Context } from '../../platform/context.ts'
import type { Queries } from '../../platform/database/queries.ts'
import { countHistory, type HistoryRow, readBalancesReserved, readHistory } from './wallet.ts'

export const shownBalances = async (queries: Queries, userId: number) =>
  (await readBalancesReserved(queries, userId)).map(({ currency, balance, reserved }) => ({
    currency: lowerCurrency(currency),
    amount: toMajor(balance),
    reserved: toMajor(reserved),
  }))

export const shownEntry = (row: HistoryRow) => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  kind: row.kind,
  currency: lowerCurrency(row.currency),
  amount: toMajor(row.amount),
  balance_after: toMajor(row.balance_after),
  order_id: row.order_id,
  order_purpose: row.order_purpose,
})

export function walletRoutes({ serve, database }: Context): void {
  serve(walletApi.balance, ({ user }) => shownBalances(database, user.id))

  serve(walletApi.history, async ({ user, query }) => {
    const [rows, total] = await Promise.all([
      readHistory(database, user.id, query),
      countHistory(database, user.id, query.currency),
    ])
    return { data: rows.map(shownEntry), total }
  })
}
