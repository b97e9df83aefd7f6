import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database.ts'
import { findActivated } from './spend.store.ts'

/** Refuses when one of these held codes was spent, and so can't be taken back: STATE_CONFLICT. */
export async function requireUnspent(tx: Tx, codeIds: number[]): Promise<void> {
  const spent = await findActivated(tx, codeIds)
  if (spent.length > 0) throw new Failure('STATE_CONFLICT', { code: 'activated', ids: spent.map(({ id }) => id) })
}
