import type { Resources } from '../../platform/context.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { type AuditHead, checkSeals, sealTrail } from '../audit/audit.ts'
import { checkInvariants, type InvariantResult } from '../proof/invariants.ts'
import { proveLedger } from '../proof/ledger-proof.ts'

const keepProof = (tx: Tx, { accounts, firstBroken }: Awaited<ReturnType<typeof proveLedger>>) =>
  tx.run(sql`
    INSERT INTO ledger_proof (accounts, first_broken, proved_at)
    VALUES (${JSON.stringify(accounts)}, ${firstBroken ? JSON.stringify(firstBroken) : null}, now())
    ON CONFLICT (is_only_row) DO UPDATE
    SET accounts = excluded.accounts, first_broken = excluded.first_broken, proved_at = excluded.proved_at`)

async function keepChecks(tx: Tx, results: readonly InvariantResult[]): Promise<void> {
  for (const { number, offenders, sample } of results) {
    await tx.run(sql`
      INSERT INTO invariant_check (number, offenders, sample) VALUES (${number}, ${offenders}, ${sample})
      ON CONFLICT (number) DO UPDATE
      SET offenders = excluded.offenders, sample = excluded.sample, checked_at = excluded.checked_at`)
  }
}

type Means = Pick<Resources, 'database' | 'vault' | 'log'>

/** Violations that keep the trail from being sealed: a seal would endorse what was changed. */
const ofTrail = ['audit-chain', 'audit-seals']

/**
 * Runs hourly, and when an admin asks: checks every invariant and adds the ledger up, stores the result, and raises an
 * alert for each violation. Seals the audit trail as far as it is intact.
 */
export async function proveInvariants(means: Means): Promise<void> {
  const { database, vault, log } = means
  const { results, proof, head } = await database.snapshot(async (queries) => {
    const seals = await checkSeals(queries, vault)
    return {
      results: [...(await checkInvariants(queries)), seals.result],
      proof: await proveLedger(queries),
      head: seals.head,
    }
  })
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
  if (head && !broken.some(({ name }) => ofTrail.includes(name))) await seal(means, head)
}

/** Logs each seal: where the log is kept elsewhere, a deleted seal is missed there. */
async function seal({ database, vault, log }: Means, head: AuditHead): Promise<void> {
  const made = await database.transaction((tx) => sealTrail(tx, vault, head))
  if (!made) return
  const { id, entry_id: entry } = made
  log.info({ seal: id, entry, value: made.seal.toString('hex') }, 'the audit trail was sealed')
}
