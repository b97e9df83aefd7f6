import type { CodeBatch } from '@olmos/contract/code-batches'
import { Failure } from '@olmos/contract/failure'
import { announce } from '../../platform/announce.ts'
import { record } from '../../platform/audit.ts'
import type { Queries, Tx } from '../../platform/database.ts'
import { type BatchRow, lockBatch, markRecalled, quarantineBatch, readBatch } from './batches.store.ts'

const shownBatch = ({ created_at, recalled_at, ...batch }: BatchRow): CodeBatch => ({
  ...batch,
  created_at: created_at.toISOString(),
  recalled_at: recalled_at?.toISOString() ?? null,
})

/** An import of codes. Refuses one that never was: NOT_FOUND. */
export async function findCodeBatch(queries: Queries, batchId: number): Promise<CodeBatch> {
  const batch = await readBatch(queries, batchId)
  if (!batch) throw new Failure('NOT_FOUND')
  return shownBatch(batch)
}

export interface Recall {
  batchId: number
  reason: string
  adminId: number
}

/**
 * Takes what is left of an import off the shelf, for good: its codes are not sold again when they come back either, nor
 * from a reservation. What was sold and seen stays with its buyers until it is replaced or refunded; what was not seen
 * is withheld from them.
 */
export async function recallBatch(tx: Tx, { batchId, reason, adminId }: Recall): Promise<CodeBatch> {
  const locked = await lockBatch(tx, batchId)
  if (!locked || locked.is_recalled) return refuseSecond(await findCodeBatch(tx, batchId))
  const quarantined = await quarantineBatch(tx, batchId)
  await markRecalled(tx, batchId, reason)
  const batch = await findCodeBatch(tx, batchId)
  const entry = { actorId: adminId, action: 'codes.recall', subject: `batch:${batchId}` } as const
  await record(tx, { ...entry, after: { reason, quarantined, counts: batch.counts } })
  await announce(tx, 'catalogue', `product:${batch.product_id}`)
  return batch
}

function refuseSecond({ recalled_at, recall_reason }: CodeBatch): never {
  throw new Failure('STATE_CONFLICT', { batch: 'recalled', recalled_at, recall_reason })
}
