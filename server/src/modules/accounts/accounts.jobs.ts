import { LIMITS } from '@olmos/contract/limits'
import type { Resources } from '../../platform/context.ts'
import { forgetOldCalls } from '../../platform/idempotency.ts'
import { deleteExpiredSessions } from './accounts.store.ts'

/** Nightly: forgets sessions and idempotency keys that ran out. */
export async function forgetTheExpired({ database }: Resources): Promise<void> {
  await deleteExpiredSessions(database)
  await forgetOldCalls(database, LIMITS.idempotencyKeyDays)
}
