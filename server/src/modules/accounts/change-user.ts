import type { AuditAction } from '@olmos/contract/audit'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { ListedUser, usersApi } from '@olmos/contract/users'
import {
  allConditions,
  countAll,
  direction,
  isOn,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { hasContact, isNamed, toUserId } from './accounts.store.ts'
import { deleteOwnSession, deleteSessions, deleteUserDeadSessions } from './sessions.ts'
import { type ActingAdmin, findGivableRole, type LockedStaff, lockStaff, roleNameColumn } from './staff.ts'

interface UserRow extends Omit<ListedUser, 'balanceUsd' | 'balanceRub' | 'created_at'> {
  /** In minor units. */
  balance_usd: number
  balance_rub: number
  created_at: Date
}

const columns = sql`
  users.id, users.nickname, users.role, ${roleNameColumn}, users.created_at, users.blocked_at IS NOT NULL AS is_blocked,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'USD' AND kind = 'wallet') AS balance_usd,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'RUB' AND kind = 'wallet') AS balance_rub`

const toColumn = { id: sql`users.id`, nickname: sql`users.nickname_key`, created_at: sql`users.created_at` }

interface UserList extends SortedList<typeof usersApi.list> {
  /** That of the days. */
  timeZone: string
}

const toOrderBy = ({ sort, order }: UserList) =>
  sql`${toColumn[sort]} ${direction(order)}, users.id ${direction(order)}`

/** A contact is looked for in its index once: to be read of each user it would take longer than the nickname. */
const isListed = ({ search, role, blocked, from, to, timeZone }: UserList) =>
  allConditions(
    isOn(sql`users.created_at`, { from, to, timeZone }),
    search
      ? sql`(${isNamed(search)} OR users.id = ${toUserId(search)}::int
          OR users.id = ANY (ARRAY(SELECT users.id FROM users WHERE ${hasContact(search)})))`
      : undefined,
    role && sql`users.role = ${role}`,
    blocked && sql`(users.blocked_at IS NOT NULL) = ${blocked === 'true'}`,
  )

/** Reads a page of users as the admin area shows them, and how many there are in all. */
export async function listUsers(queries: Queries, list: UserList): Promise<{ data: ListedUser[]; total: number }> {
  const read = queries.rows<UserRow>(sql`
    SELECT ${columns} FROM (
      SELECT id FROM users WHERE ${isListed(list)} ORDER BY ${toOrderBy(list)} ${toPage(list)}) AS found
    JOIN users USING (id) ORDER BY ${toOrderBy(list)}`)
  const count = () => countAll(queries, sql`SELECT FROM users WHERE ${isListed(list)}`, list.search)
  const { rows, total } = await withTotal(list, read, count)
  return { data: rows.map(shownUser), total }
}

const findUserRow = (queries: Queries, userId: number) =>
  queries.maybe<UserRow>(sql`SELECT ${columns} FROM users WHERE users.id = ${userId}`)

/** Takes a shared lock: others may read the user at the same time, a change waits. */
const lockUser = (tx: Tx, userId: number) =>
  tx.maybe<{ is_blocked: boolean }>(
    sql`SELECT blocked_at IS NOT NULL AS is_blocked FROM users WHERE id = ${userId} FOR SHARE`,
  )

export const setBlocked = (tx: Tx, userId: number, isBlocked: boolean) =>
  tx.run(sql`
    UPDATE users SET blocked_at = CASE WHEN ${isBlocked} THEN coalesce(blocked_at, now()) END WHERE id = ${userId}`)

/**
 * Whether the customer's balance and unseen codes are frozen until a dispute ends. The answer stays true until the
 * transaction ends, because freezing and unfreezing wait for it.
 */
export async function isCustomerFrozen(tx: Tx, userId: number): Promise<boolean> {
  const { is_frozen } = await tx.one<{ is_frozen: boolean }>(
    sql`SELECT held_since IS NOT NULL AS is_frozen FROM users WHERE id = ${userId} FOR SHARE`,
  )
  return is_frozen
}

/** Reads the date for a refusal that has been decided already. */
export const readFrozenSince = (queries: Queries, userId: number) =>
  queries.one<{ held_since: Date | null }>(sql`SELECT held_since FROM users WHERE id = ${userId}`)

/** Freezes or unfreezes the customer; returns whether that changed anything. */
export const setCustomerFrozen = async (tx: Tx, userId: number, isFrozen: boolean): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE users SET held_since = CASE WHEN ${isFrozen} THEN now() END
    WHERE id = ${userId} AND (held_since IS NOT NULL) <> ${isFrozen}`)) === 1

const shownUser = ({ balance_usd, balance_rub, ...row }: UserRow): ListedUser => ({
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

interface GivenRole {
  /** Null for none any more. */
  roleId: number | null
  /** The role that the admin saw; undefined where nobody looked. */
  seen?: number | undefined
}

/**
 * Gives a user a role, and keeps the last owner and the own role. Sessions stay, because the role is read at every call; but
 * a session that has ended, as an admin's ends sooner, does not revive. Refuses with STATE_CONFLICT who has another role
 * than was seen.
 */
export async function giveRole(
  tx: Tx,
  admin: ActingAdmin,
  userId: number,
  { roleId, seen }: GivenRole,
): Promise<ListedUser> {
  const staff = await lockStaff(tx, admin, userId, 'staff.write')
  const before = await readUser(tx, userId)
  const { staff_role } = before
  if (seen !== undefined && seen !== staff_role?.id)
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: { id: userId, staff_role } })
  const role = roleId === null ? undefined : await findGivableRole(tx, staff, roleId)
  if (role?.built_in !== 'owner') requireOwnerLeft(staff)
  if (userId === admin.id && role?.id !== staff_role?.id) throw ownAccount()
  await deleteUserDeadSessions(tx, userId)
  await tx.run(sql`
    UPDATE users SET role = ${role ? 'admin' : 'customer'}, staff_role_id = ${role?.id ?? null} WHERE id = ${userId}`)
  return auditedUser(tx, admin, 'user.role', before)
}

/** Blocks a user, ending every session, or unblocks one. */
export async function blockUser(tx: Tx, admin: ActingAdmin, userId: number, isBlocked: boolean): Promise<ListedUser> {
  const staff = await lockStaff(tx, admin, userId, 'customers.write')
  const before = await readUser(tx, userId)
  if (isBlocked) requireOwnerLeft(staff)
  if (isBlocked && userId === admin.id) throw ownAccount()
  await setBlocked(tx, userId, isBlocked)
  if (isBlocked) await deleteSessions(tx, userId)
  return auditedUser(tx, admin, 'user.blocked', before)
}

/** Ends one session of a colleague, or all of them. Refuses one that has ended, and the own ones, which the profile lists. */
export async function endColleaguesSessions(
  tx: Tx,
  admin: ActingAdmin,
  userId: number,
  sessionId: number | undefined,
): Promise<void> {
  const { person } = await lockStaff(tx, admin, userId, 'staff.write')
  if (!person?.role_id) throw new Failure('USER_NOT_FOUND')
  if (userId === admin.id) throw ownAccount()
  const ended =
    sessionId === undefined ? await deleteSessions(tx, userId) : await deleteOwnSession(tx, userId, sessionId)
  if (sessionId !== undefined && ended === 0) throw new Failure('NOT_FOUND')
  await writeAudit(tx, { actorId: admin.id, action: 'staff.sessions', subject: `user:${userId}`, after: { ended } })
}

const ownAccount = () => new Failure('STATE_CONFLICT', { reason: 'own_account', user: 'self' })

function requireOwnerLeft({ isLastOwner }: LockedStaff): void {
  if (isLastOwner) throw new Failure('STATE_CONFLICT', { reason: 'last_admin', user: 'last_admin' })
}

async function auditedUser(tx: Tx, admin: ActingAdmin, action: AuditAction, before: ListedUser): Promise<ListedUser> {
  const after = await readUser(tx, before.id)
  await writeAuditChange(tx, { actorId: admin.id, action, subject: `user:${before.id}` }, before, after)
  return after
}

/** Whether the user is blocked, which does not change until the transaction ends. */
export async function lockBlocked(tx: Tx, userId: number): Promise<boolean> {
  const user = await lockUser(tx, userId)
  if (!user) throw new Failure('USER_NOT_FOUND')
  return user.is_blocked
}
