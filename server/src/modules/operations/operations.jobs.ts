import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import type { Resources } from '../../platform/context.ts'
import { checkInvariants } from './invariants.ts'
import { keepChecks, keepProof } from './ledger-proof.store.ts'
import { proveLedger } from './ledger-proof.ts'

/** Hourly, and when an admin wants it: looks at every invariant and adds the ledger up, keeps what it found, and calls the operator for each broken one. */
export async function proveInvariants({ database, log }: Pick<Resources, 'database' | 'log'>): Promise<void> {
  const { results, proof } = await database.snapshot(async (queries) => ({
    results: await checkInvariants(queries),
    proof: await proveLedger(queries),
  }))
  const broken = results.filter((result) => result.offenders > 0)
  await database.transaction(async (tx) => {
    await keepProof(tx, proof)
    await keepChecks(tx, results)
    for (const { name: subject, ...details } of results) {
      if (details.offenders > 0) await raiseAlert(tx, { kind: 'invariant', subject, details })
      else await resolveAlert(tx, 'invariant', subject)
    }
  })
  for (const { sentence, ...invariant } of broken) log.error({ invariant }, `an invariant is broken: ${sentence}`)
}
