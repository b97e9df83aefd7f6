import { toMajor } from '@olmos/contract/minor-units'
import { lowerCurrency } from '@olmos/contract/money'
import { walletApi } from '@olmos/contract/wallet'
import type { Context } from '../../platform/context.ts'
import { countHistory, type HistoryRow, readBalances, readHistory, type WalletBalance } from './wallet.ts'

export const shownBalance = ({ currency, balance }: WalletBalance) => ({
  currency: lowerCurrency(currency),
  amount: toMajor(balance),
})

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
  serve(walletApi.balance, async ({ user }) => (await readBalances(database, user.id)).map(shownBalance))

  serve(walletApi.history, async ({ user, query }) => {
    const [rows, total] = await Promise.all([
      readHistory(database, user.id, query),
      countHistory(database, user.id, query.currency),
    ])
    return { data: rows.map(shownEntry), total }
  })
}
