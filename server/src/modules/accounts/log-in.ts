import { Failure } from '@olmos/contract/failure'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import type { RateLimiter } from '../../platform/rate-limit.ts'
import { nicknameKey } from './accounts.rules.ts'
import { findUserByNickname, type User } from './accounts.store.ts'
import type { Passwords } from './password.ts'
import { confirmSession, hasSecondFactor } from './second-factor.store.ts'
import { hashOf, openSession } from './sessions.ts'
import { takeCode } from './take-second-factor.ts'

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

/** Opens a session for who gave the password; whoever has a second factor must have given that too. */
export async function openSessionWith(
  { database, vault, clock }: Pick<Resources, 'database' | 'vault' | 'clock'>,
  tries: RateLimiter,
  userId: number,
  otp: string | undefined,
): Promise<string> {
  if (!(await hasSecondFactor(database, userId))) return openSession(database, userId)
  if (!otp) throw new Failure('SECOND_FACTOR_REQUIRED')
  await tries.count(String(userId))
  const token = await database.transaction(async (tx) => {
    if (!(await takeCode(tx, { vault, clock }, userId, otp))) {
      throw new Failure('INVALID_CREDENTIALS', { otp: 'wrong_code' })
    }
    const opened = await openSession(tx, userId)
    await confirmSession(tx, hashOf(opened))
    return opened
  })
  await tries.forget(String(userId))
  return token
}
