import type { Role } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { ListedUser } from '@olmos/contract/users'
import { record, recordChange } from '../../platform/audit.ts'
import type { Queries, Tx } from '../../platform/database.ts'
import { deleteSessions, setPasswordHash } from './accounts.store.ts'
import { findUserRow, lockAdminsAnd, lockUser, setBlocked, setRole, type UserRow } from './users.store.ts'

export const shownUser = ({ balance_usd, balance_rub, ...row }: UserRow): ListedUser => ({
  ...row,
  balanceUsd: toMajor(balance_usd),
  balanceRub: toMajor(balance_rub),
  created_at: row.created_at.toISOString(),
})

export async function readUser(queries: Queries, userId: number): Promise<ListedUser> {
  const row = await findUserRow(queries, userId)
  if (!row) throw new Failure('USER_NOT_FOUND')
  return shownUser(row)
}

/** Gives a user a password that an admin chose, and ends every session. The own one is changed in the profile, by who knows it. */
export async function resetPassword(
  tx: Tx,
  adminId: number,
  userId: number,
  passwordHash: string,
): Promise<ListedUser> {
  if (userId === adminId) throw new Failure('STATE_CONFLICT', { password: 'own' })
  const user = await readUser(tx, userId)
  await Promise.all([setPasswordHash(tx, userId, passwordHash), deleteSessions(tx, userId)])
  await record(tx, { actorId: adminId, action: 'user.password', subject: `user:${userId}` })
  return user
}

/** Makes a user an admin, or no longer one. Sessions stay: the role is looked up at every call. */
export const changeRole = (tx: Tx, adminId: number, userId: number, role: Role): Promise<ListedUser> =>
  change(tx, { adminId, userId, action: 'user.role', isAdminAfter: role === 'admin' }, () => setRole(tx, userId, role))

/** Shuts a user out, ending every session, or lets one in again. */
export const blockUser = (tx: Tx, adminId: number, userId: number, isBlocked: boolean): Promise<ListedUser> =>
  change(tx, { adminId, userId, action: 'user.blocked', isAdminAfter: !isBlocked }, async () => {
    await setBlocked(tx, userId, isBlocked)
    if (isBlocked) await deleteSessions(tx, userId)
  })

/** Whether the user is shut out. Nobody is shut out or let in until the transaction ends. */
export async function lockBlocked(tx: Tx, userId: number): Promise<boolean> {
  const user = await lockUser(tx, userId)
  if (!user) throw new Failure('USER_NOT_FOUND')
  return user.is_blocked
}

interface UserChange {
  adminId: number
  userId: number
  action: string
  isAdminAfter: boolean
}

async function change(
  tx: Tx,
  { adminId, userId, action, isAdminAfter }: UserChange,
  write: () => Promise<unknown>,
): Promise<ListedUser> {
  // Every change holds all admins, so that two of them can't take away each other's role at the same moment.
  const admins = await lockAdminsAnd(tx, userId)
  const before = await readUser(tx, userId)
  if (!isAdminAfter && admins.length === 1 && admins[0] === userId) {
    throw new Failure('STATE_CONFLICT', { user: 'last_admin' })
  }
  if (!isAdminAfter && userId === adminId) throw new Failure('STATE_CONFLICT', { user: 'self' })
  await write()
  const after = await readUser(tx, userId)
  await recordChange(tx, { actorId: adminId, action, subject: `user:${userId}` }, before, after)
  return after
}
