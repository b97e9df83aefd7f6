import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { walletApi } from '@olmos/contract/wallet'
import type { Context } from '../../platform/context.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { shownBalances, shownEntry } from './wallet.routes.ts'
import { countLedger, credit, readBalances, readLedger, setBalance } from './wallet.ts'

const parseMinor = ({
  balanceUsd,
  balanceRub,
}: {
  balanceUsd?: number | undefined
  balanceRub?: number | undefined
} = {}) => ({
  ...(balanceUsd !== undefined && { USD: toMinor(balanceUsd) }),
  ...(balanceRub !== undefined && { RUB: toMinor(balanceRub) }),
})

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
    const { reason, seen, ...wanted } = body
    const change = { wanted: parseMinor(wanted), seen: parseMinor(seen), reason, adminId: user.id }
    const after = await setBalance(tx, { userId: params.id, ...change })
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
    await writeAudit(tx, {
      actorId: user.id,
      action: 'user.topup',
      subject: `user:${user.id}`,
      after: { currency: body.currency, amount },
    })
    return { success: true as const, balances: await shownBalances(tx, user.id) }
  })
}
