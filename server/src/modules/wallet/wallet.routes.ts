import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { lowerCurrency } from '@olmos/contract/money'
import { walletApi } from '@olmos/contract/wallet'
import type { Context } from '../../platform/context.ts'
import type { Queries } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { spendLimit } from '../accounts/staff.ts'
import {
  countHistory,
  countLedger,
  credit,
  type HistoryRow,
  readBalances,
  readBalancesReserved,
  readHistory,
  readLedger,
  setBalance,
  toWantedBalance,
} from './wallet.ts'

const shownBalances = async (queries: Queries, userId: number) =>
  (await readBalancesReserved(queries, userId)).map(({ currency, balance, reserved }) => ({
    currency: lowerCurrency(currency),
    amount: toMajor(balance),
    reserved: toMajor(reserved),
  }))

const shownEntry = (row: HistoryRow) => ({
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

export function walletAdmin({ serve, database }: Context): void {
  serve(walletApi.ledger, async ({ params, query }) => {
    const [rows, total, wallets] = await Promise.all([
      readLedger(database, params.id, query),
      countLedger(database, params.id, query),
      readBalances(database, params.id),
    ])
    if (wallets.length === 0) throw new Failure('USER_NOT_FOUND')
    return { data: rows.map((row) => ({ ...shownEntry(row), reason: row.reason, made_by: row.made_by })), total }
  })

  serve.once(walletApi.setBalance, async ({ user, params, body }, tx) => {
    const after = await setBalance(tx, { userId: params.id, ...toWantedBalance(body), adminId: user.id })
    return { data: { id: params.id, balanceUsd: toMajor(after.USD), balanceRub: toMajor(after.RUB) } }
  })

  serve.once(walletApi.topUp, async ({ user, body }, tx) => {
    const amount = toMinor(body.amount)
    await credit(tx, {
      userId: user.id,
      currency: body.currency,
      amount,
      kind: 'topup',
      shopAccount: 'adjustments',
      madeBy: user.id,
    })
    await spendLimit(tx, user.id, { amount, currency: body.currency })
    await writeAudit(tx, {
      actorId: user.id,
      action: 'user.topup',
      subject: `user:${user.id}`,
      after: { currency: body.currency, amount },
    })
    return { success: true as const, balances: await shownBalances(tx, user.id) }
  })
}
