import { LIMITS } from '@olmos/contract/limits'
import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import type { Queries, Tx } from '../../platform/database.ts'
import type { Outcome } from '../../platform/outcome.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import { admit, noteAnswered, noteFailed, readOut, setCodeSellers, setQuiet } from './supplier-health.store.ts'

export const suppliersOut = async (tx: Tx): Promise<Set<string>> =>
  new Set((await readOut(tx)).map(({ supplier }) => supplier))

export const isAdmitted = (tx: Tx, supplier: string): Promise<boolean> => admit(tx, supplier)

/** Tells the shelves, which know no settings, at whom codes can be bought. Once when the store starts. */
export const noteCodeSellers = (queries: Queries, { configured }: Suppliers) =>
  setCodeSellers(
    queries,
    configured.filter(({ sells }) => sells.includes('code')).map(({ name }) => name),
  )

/**
 * Remembers how a supplier answered, whatever it said. Too many submits in a row without a clear answer take it out for
 * a while; any clear answer lets it back. A look-up that is not answered counts nothing: it may be that one order.
 */
export async function noteHealth(
  queries: Queries,
  supplier: string,
  kind: 'submit' | 'look_up',
  answer: Outcome<unknown>,
): Promise<void> {
  if (answer.kind !== 'done' && answer.retryAfterSeconds) await setQuiet(queries, supplier, answer.retryAfterSeconds)
  if (answer.kind !== 'unknown') {
    const { failures } = await noteAnswered(queries, supplier)
    if (failures >= LIMITS.breakerFailures) await resolveAlert(queries, 'supplier.out', supplier)
    return
  }
  if (kind === 'look_up') return
  const { failures } = await noteFailed(queries, supplier, answer.why)
  if (failures !== LIMITS.breakerFailures) return
  const details = { failures, why: answer.why }
  await raiseAlert(queries, { kind: 'supplier.out', subject: supplier, details, whenChanged: 'refresh' })
}
