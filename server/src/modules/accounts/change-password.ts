import { Failure } from '@olmos/contract/failure'
import type { Database } from '../../platform/database.ts'
import type { Caller } from '../../platform/serve.ts'
import { requireUncommonPassword } from './accounts.rules.ts'
import { deleteOtherSessions, findUser, replacePasswordHash } from './accounts.store.ts'
import type { Passwords } from './password.ts'

/**
 * Sets a new password for who knows the old one, and ends every session but the one it came with. One that was temporary
 * is to be another afterwards: whoever set it knows it.
 */
export async function changePassword(
  database: Database,
  passwords: Passwords,
  caller: Caller,
  change: { currentPassword: string; password: string },
): Promise<void> {
  const user = await findUser(database, caller.id)
  if (!user) throw new Failure('UNAUTHENTICATED')
  // A 401 would make the browser throw its session away; a mistyped field is no reason to.
  if (!(await passwords.verifyOfUser(user.id, user.password_hash, change.currentPassword))) {
    throw new Failure('VALIDATION_FAILED', { currentPassword: 'invalid_credentials' })
  }
  if (user.is_password_temporary && change.password === change.currentPassword) {
    throw new Failure('VALIDATION_FAILED', { password: 'password_unchanged' })
  }
  requireUncommonPassword(change.password)
  const passwordHash = await passwords.hash(change.password)
  await database.transaction(async (tx) => {
    const isSet = await replacePasswordHash(tx, caller.id, user.password_hash, passwordHash)
    if (!isSet) throw new Failure('VALIDATION_FAILED', { currentPassword: 'invalid_credentials' })
    await deleteOtherSessions(tx, caller.id, caller.tokenHash)
  })
}
