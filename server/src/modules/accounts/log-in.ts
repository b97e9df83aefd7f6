import { Failure } from '@olmos/contract/failure'
import type { Database } from '../../platform/database.ts'
import { nicknameKey } from './accounts.rules.ts'
import { findUserByNickname, type User } from './accounts.store.ts'
import type { Passwords } from './password.ts'

/**
 * Who these credentials belong to. An unknown nickname is 404, as registering would tell as much. That a user is blocked
 * is told to who knows the password only.
 */
export async function checkCredentials(
  database: Database,
  passwords: Passwords,
  credentials: { nickname: string; password: string },
): Promise<User> {
  const user = await findUserByNickname(database, nicknameKey(credentials.nickname))
  if (!user) throw new Failure('USER_NOT_FOUND')
  if (!(await passwords.verify(user.password_hash, credentials.password))) throw new Failure('INVALID_CREDENTIALS')
  if (user.is_blocked) throw new Failure('FORBIDDEN', { user: 'blocked' })
  return user
}
