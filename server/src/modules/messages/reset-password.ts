import { randomBytes } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { type ListedUser, usersApi } from '@olmos/contract/users'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { adminLimit } from '../../platform/security/admin-limit.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { findUserByNickname, setTemporaryPasswordHash } from '../accounts/accounts.store.ts'
import { nicknameKey, type Passwords, requireUncommonPassword } from '../accounts/accounts.ts'
import { readUser } from '../accounts/change-user.ts'
import { base32, hasSecondFactor } from '../accounts/second-factor.ts'
import { deleteSessions } from '../accounts/sessions.ts'
import { type ActingAdmin, lockStaff, requireNoSecondAccount } from '../accounts/staff.ts'
import { tellContacts } from './recovery.ts'

/** The call by which the staff give somebody a new password. Who could do it to everybody could spend every balance. */
export function resetPasswordAdmin(context: Context, passwords: Passwords): void {
  const { serve, database } = context
  const countReset = adminLimit(context, {
    limit: 'passwordResetsPerAdmin',
    code: 'many_resets',
    alert: 'security.resets',
    fact: 'passwords',
  })

  serve(usersApi.setPassword, async ({ user, params, body }) => {
    await requireUncommonPassword(body.password)
    await countReset(user)
    const passwordHash = await passwords.hash(body.password)
    return { data: await database.transaction((tx) => resetPassword(tx, user, params.id, passwordHash)) }
  })
}

/**
 * Gives a user a temporary password, which has to be replaced, and ends every session. Admins change their own in the
 * profile, which asks for it.
 */
async function resetPassword(tx: Tx, admin: ActingAdmin, userId: number, passwordHash: string): Promise<ListedUser> {
  if (userId === admin.id) throw new Failure('STATE_CONFLICT', { reason: 'own_password', password: 'own' })
  requireNoSecondAccount(await lockStaff(tx, admin, userId, 'customers.write'))
  const user = await readUser(tx, userId)
  await setTemporaryPassword(tx, admin.id, userId, passwordHash)
  return user
}

async function setTemporaryPassword(tx: Tx, actorId: number | null, userId: number, hash: string): Promise<void> {
  await tx.pipeline({
    password: (tx) => setTemporaryPasswordHash(tx, userId, hash),
    sessions: (tx) => deleteSessions(tx, userId),
    told: (tx) => tx.run(tellContacts(userId, 'recovery.reset')),
  })
  await writeAudit(tx, { actorId, action: 'user.password', subject: `user:${userId}` })
}

/**
 * Gives a user a random password, which has to be replaced, and ends every session: for the one who has access to the
 * database, when nobody can log in who could do it as an admin. Returns the password, which is stored nowhere, and what
 * else may keep the user out. Refuses with USER_NOT_FOUND.
 */
export async function resetForgottenPassword(
  database: Database,
  passwords: Passwords,
  nickname: string,
): Promise<{ password: string; nickname: string; isBlocked: boolean; hasSecondFactor: boolean }> {
  const password = base32(randomBytes(forgottenPasswordBytes)).toLowerCase()
  const hash = await passwords.hash(password)
  return database.transaction(async (tx) => {
    const user = await findUserByNickname(tx, nicknameKey(nickname))
    if (!user) throw new Failure('USER_NOT_FOUND')
    await setTemporaryPassword(tx, null, user.id, hash)
    const isEnrolled = await hasSecondFactor(tx, user.id)
    return { password, nickname: user.nickname, isBlocked: user.is_blocked, hasSecondFactor: isEnrolled }
  })
}

/** They make 16 letters and digits, none of which looks like another. */
const forgottenPasswordBytes = 10
