import type { InvariantName } from '@olmos/contract/operations'
import { type Queries, sql } from '../../platform/database/queries.ts'
import type { Invariant } from './invariant.ts'
import { codeInvariants } from './invariants-of-codes.ts'
import { moneyInvariants } from './invariants-of-money.ts'
import { paymentInvariants } from './invariants-of-payments.ts'
import { stateInvariants } from './invariants-of-states.ts'

export interface InvariantResult {
  number: number
  name: InvariantName
  sentence: string
  /** How many rows violate it. */
  offenders: number
  /** Some of them, such as 'transfer 17'. */
  sample: string[]
}

const sampleSize = 5

export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...codeInvariants,
  ...paymentInvariants,
  ...stateInvariants,
].sort((a, b) => a.number - b.number)

/** Counts what violates each invariant. For a consistent answer, call it in `database.snapshot`. */
export async function checkInvariants(queries: Queries): Promise<InvariantResult[]> {
  const results: InvariantResult[] = []
  for (const { offenders: breaking, ...invariant } of invariants) {
    const found = await queries.one<{ offenders: number; sample: string[] }>(sql`
      WITH offender AS MATERIALIZED (${breaking})
      SELECT (SELECT count(*)::int FROM offender) AS offenders,
        ARRAY(SELECT subject FROM offender ORDER BY subject LIMIT ${sampleSize}) AS sample`)
    results.push({ ...invariant, ...found })
  }
  return results
}
