import { raiseAlert } from '../../platform/alert.ts'
import type { Resources } from '../../platform/context.ts'
import { checkInvariants } from './invariants.ts'
import { keepChecks } from './ledger-proof.store.ts'

/** Hourly: looks at every invariant, keeps what it found for the proof, and calls the operator for each broken one. */
export async function proveInvariants({ database, log }: Pick<Resources, 'database' | 'log'>): Promise<void> {
  const results = await database.snapshot(checkInvariants)
  const broken = results.filter((result) => result.offenders > 0)
  await database.transaction(async (tx) => {
    await keepChecks(tx, results)
    for (const { name: subject, ...details } of broken) await raiseAlert(tx, { kind: 'invariant', subject, details })
  })
  for (const { sentence, ...invariant } of broken) log.error({ invariant }, `an invariant is broken: ${sentence}`)
}
