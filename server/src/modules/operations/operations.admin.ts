import { currencies, toMajor } from '@olmos/contract/money'
import { operationsApi } from '@olmos/contract/operations'
import type { Context } from '../../platform/context.ts'
import type { BrokenTransfer } from './ledger-proof.store.ts'
import { proveLedger } from './ledger-proof.ts'

const majorOrNull = (minor: number | null) => (minor === null ? null : toMajor(minor))

const shownTransfer = ({ expected, ...transfer }: BrokenTransfer) => ({
  ...transfer,
  amount: toMajor(transfer.amount),
  balance_after: majorOrNull(transfer.balance_after),
  balance_expected: toMajor(expected),
  created_at: transfer.created_at.toISOString(),
})

export function operationsAdmin({ serve, database }: Context): void {
  serve(operationsApi.ledgerProof, async () => {
    const { sums, accounts, firstBroken, checks } = await database.snapshot(proveLedger)
    const isBalanced = currencies.every((currency) => sums[currency] === 0)
    return {
      is_sound: isBalanced && !firstBroken && checks.every(({ found }) => !found?.offenders),
      sums: currencies.map((currency) => ({ currency, sum: toMajor(sums[currency]) })),
      accounts: accounts.map((account) => ({ ...account, balance: toMajor(account.balance) })),
      first_broken_transfer: firstBroken ? shownTransfer(firstBroken) : null,
      invariants: checks.map(({ found, ...invariant }) => ({
        ...invariant,
        offenders: found?.offenders ?? null,
        sample: found?.sample ?? [],
        checked_at: found?.checked_at.toISOString() ?? null,
      })),
    }
  })
}
