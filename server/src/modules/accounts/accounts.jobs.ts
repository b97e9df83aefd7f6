import { LIMITS } from '@olmos/contract/limits'
import type { Resources } from '../../platform/context.ts'
import { forgetOldCalls } from '../../platform/idempotency.ts'
import { forgetOldCounts } from '../../platform/rate-limit.ts'
import { deleteDeadSessions } from './accounts.store.ts'
import { forgetOldGates } from './login-gate.store.ts'

/** Nightly: forgets sessions, idempotency keys and counts of calls that ran out. */
export async function forgetTheExpired({ database }: Resources): Promise<void> {
  await deleteDeadSessions(database)
  await forgetOldCalls(database, LIMITS.idempotencyKeyDays)
  await forgetOldCounts(database)
  await forgetOldGates(database)
}
