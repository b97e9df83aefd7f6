import { Failure } from '@olmos/contract/failure'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { nicknameKey } from './accounts.rules.ts'
import { deleteSessions, findUserByNickname } from './accounts.store.ts'
import { deleteSecondFactor } from './second-factor.store.ts'

/**
 * Takes away a second factor that was lost, recovery codes and all, and ends every session of its owner, for whoever
 * holds the database. Refuses with USER_NOT_FOUND, or with STATE_CONFLICT where there is no second factor.
 */
export async function resetSecondFactor(tx: Tx, nickname: string): Promise<void> {
  const user = await findUserByNickname(tx, nicknameKey(nickname))
  if (!user) throw new Failure('USER_NOT_FOUND')
  if ((await deleteSecondFactor(tx, user.id)) === 0) throw new Failure('STATE_CONFLICT', { second_factor: 'none' })
  await deleteSessions(tx, user.id)
  await record(tx, { actorId: null, action: 'second_factor.reset', subject: `user:${user.id}` })
}
