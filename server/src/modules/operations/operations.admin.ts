import { toMajor } from '@olmos/contract/minor-units'
import { currencies } from '@olmos/contract/money'
import { operationsApi } from '@olmos/contract/operations'
import type { Context } from '../../platform/context.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { type KeptTransfer, type LastProof, readProof, toSums } from '../proof/ledger-proof.ts'
import { proveInvariants } from './operations.jobs.ts'

const majorOrNull = (minor: number | null) => (minor === null ? null : toMajor(minor))

const shownTransfer = ({ expected, ...transfer }: KeptTransfer) => ({
  ...transfer,
  amount: toMajor(transfer.amount),
  balance_after: majorOrNull(transfer.balance_after),
  balance_expected: toMajor(expected),
})

function shownProof({ ledger, checks }: LastProof) {
  const accounts = ledger?.accounts ?? []
  const sums = toSums(accounts)
  const isBalanced = currencies.every((currency) => sums[currency] === 0)
  return {
    proved_at: ledger?.proved_at.toISOString() ?? null,
    is_sound: ledger ? isBalanced && !ledger.first_broken && checks.every(({ found }) => !found?.offenders) : null,
    sums: currencies.map((currency) => ({ currency, sum: toMajor(sums[currency]) })),
    accounts: accounts.map((account) => ({ ...account, balance: toMajor(account.balance) })),
    first_broken_transfer: ledger?.first_broken ? shownTransfer(ledger.first_broken) : null,
    invariants: checks.map(({ found, ...invariant }) => ({
      ...invariant,
      offenders: found?.offenders ?? null,
      sample: found?.sample ?? [],
      checked_at: found?.checked_at.toISOString() ?? null,
    })),
  }
}

export function operationsAdmin({ serve, database, vault, log }: Context): void {
  serve(operationsApi.ledgerProof, async () => shownProof(await readProof(database)))

  // A proof reads every transfer, so admins who ask at once wait for one run.
  let run: Promise<void> | undefined
  serve(operationsApi.proveLedger, async ({ user }) => {
    run ??= proveInvariants({ database, vault, log }).finally(() => {
      run = undefined
    })
    await run
    const proof = shownProof(await readProof(database))
    const after = { is_sound: proof.is_sound }
    await database.transaction((tx) =>
      writeAudit(tx, { actorId: user.id, action: 'ledger.prove', subject: 'ledger', after }),
    )
    return proof
  })
}
