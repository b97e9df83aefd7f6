import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import {
  type BuiltInRole,
  builtInRoles,
  limitedPermissions,
  type Permission,
  type StaffLimit,
  staffLimits,
} from '@olmos/contract/permissions'
import {
  type NewRole,
  type RoleChange,
  type RoleName,
  type StaffMember,
  type StaffRole,
  staffApi,
} from '@olmos/contract/staff'
import type { RemovedThing, RestoredVersion } from '@olmos/contract/versions'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import {
  allConditions,
  countAll,
  direction,
  exists,
  orDuplicate,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { Caller } from '../../platform/http/route.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { findOlder, keepLast, keepVersion, listRemoved, readAgain } from '../shop/versions.ts'
import { isNamed } from './accounts.store.ts'
import { hasSession, isAlive, toPermissions } from './sessions.ts'

/** In minor units; null is no limit. */
type Limits = Record<StaffLimit, number | null>

/** What somebody may do, and how much of it alone. */
interface Powers {
  permissions: ReadonlySet<Permission>
  limits: Limits
}

interface RoleRow extends Limits {
  id: number
  built_in: BuiltInRole | null
  name: string | null
  permissions: Permission[]
  people: number
  version: number
}

const roleColumns = sql`
  staff_role.id, staff_role.built_in, staff_role.name, staff_role.permissions, staff_role.rub_once, staff_role.rub_daily,
  staff_role.usd_once, staff_role.usd_daily, staff_role.version,
  (SELECT count(*) FROM users WHERE staff_role_id = staff_role.id)::int AS people`

/** Selects a user's role as it is named beside a person; null for customers. */
export const roleNameColumn = sql`
  (SELECT json_build_object('id', id, 'built_in', built_in, 'name', name) FROM staff_role
    WHERE staff_role.id = users.staff_role_id) AS staff_role`

const pickLimits = (row: Limits): Limits => ({
  rub_once: row.rub_once,
  rub_daily: row.rub_daily,
  usd_once: row.usd_once,
  usd_daily: row.usd_daily,
})

const eachLimit = (limits: Limits, change: (amount: number) => number): Limits => {
  const changed = { ...limits }
  for (const limit of staffLimits) changed[limit] = limits[limit] === null ? null : change(limits[limit])
  return changed
}

const isRaised = (before: Limits, after: Limits): boolean =>
  staffLimits.some((limit) => {
    const [was, is] = [before[limit], after[limit]]
    return was !== null && (is === null || is > was)
  })

const toPowers = (row: RoleRow): Powers => ({ permissions: toPermissions(row), limits: pickLimits(row) })

const shownRole = (row: RoleRow): StaffRole => ({
  id: row.id,
  built_in: row.built_in,
  name: row.name,
  permissions: [...toPermissions(row)],
  limits: eachLimit(pickLimits(row), toMajor),
  people: row.people,
  version: row.version,
})

const rank = (row: RoleRow): number => (row.built_in ? builtInRoles.indexOf(row.built_in) : builtInRoles.length)

/** Lists the roles, the built-in ones first. A shop has a few. */
export async function listRoles(queries: Queries): Promise<StaffRole[]> {
  const rows = await queries.rows<RoleRow>(sql`SELECT ${roleColumns} FROM staff_role ORDER BY lower(name), id`)
  return rows.toSorted((one, other) => rank(one) - rank(other)).map(shownRole)
}

/** Reads a role as it is until the transaction ends: those who change one lock all of the staff before. */
async function findRole(tx: Tx, roleId: number): Promise<RoleRow> {
  const row = await tx.maybe<RoleRow>(sql`SELECT ${roleColumns} FROM staff_role WHERE id = ${roleId}`)
  if (!row) throw new Failure('NOT_FOUND')
  return row
}

/** Refuses powers of which the acting one lacks some: nobody gives, takes or rules over what is beyond the own rights. */
function requireWithin(own: Powers, wanted: Powers): void {
  for (const permission of wanted.permissions) {
    if (!own.permissions.has(permission)) throw new Failure('FORBIDDEN', { permission })
  }
  for (const limit of staffLimits) {
    const [most, asked] = [own.limits[limit], wanted.limits[limit]]
    if (most !== null && (asked === null || asked > most)) throw new Failure('FORBIDDEN', { limit })
  }
}

/**
 * Refuses to let who has limits give what they bind: a second account of one's own would have the day's limit again, and could
 * say yes to what the first one asks for.
 */
function requireUnlimited({ limits }: Powers, given: readonly Permission[]): void {
  const limited = limitedPermissions.find((permission) => given.includes(permission))
  if (limited && staffLimits.some((limit) => limits[limit] !== null)) throw new Failure('FORBIDDEN', { limited })
}

/** The admin who changes something about people, identified by the session of the call. */
export type ActingAdmin = Pick<Caller, 'id' | 'tokenHash'>

interface LockedPerson {
  id: number
  /** Null for a customer. */
  role_id: number | null
  built_in: BuiltInRole | null
  permissions: Permission[] | null
  rub_once: number | null
  rub_daily: number | null
  usd_once: number | null
  usd_daily: number | null
  /** Whether the person is one of the staff and not blocked. */
  is_able: boolean
}

const noPowers: Powers = {
  permissions: new Set(),
  limits: { rub_once: 0, rub_daily: 0, usd_once: 0, usd_daily: 0 },
}

const powers = (one: LockedPerson): Powers =>
  one.role_id === null ? noPowers : { permissions: toPermissions(one), limits: pickLimits(one) }

export interface LockedStaff {
  acting: Powers
  /** The user who is to be changed; undefined when there is no such. */
  person: LockedPerson | undefined
  /** Whether there would be no owner who can log in without this user. */
  isLastOwner: boolean
}

/**
 * Locks all of the staff, so that two of them can't take away each other's rights at once, and looks again whether the acting
 * one still has the permission and is logged in: another may have been quicker while this call waited. Refuses to change
 * somebody who may do what the acting one may not, and one of the staff without `staff.write`.
 */
export async function lockStaff(
  tx: Tx,
  admin: ActingAdmin,
  userId: number,
  permission: Permission,
): Promise<LockedStaff> {
  await tx.run(sql`
    SELECT FROM users WHERE role = 'admin' OR id = ${userId} ORDER BY id FOR NO KEY UPDATE`)
  // A statement of its own: the one that waited for the locks would join the roles as they were before.
  const people = await tx.rows<LockedPerson>(sql`
    SELECT users.id, staff_role.id AS role_id, built_in, permissions, rub_once, rub_daily, usd_once, usd_daily,
      role = 'admin' AND blocked_at IS NULL AS is_able
    FROM users LEFT JOIN staff_role ON staff_role.id = staff_role_id
    WHERE role = 'admin' OR users.id = ${userId}`)
  const actor = people.find((one) => one.id === admin.id)
  if (!actor?.is_able) throw new Failure('FORBIDDEN')
  const acting = powers(actor)
  if (!acting.permissions.has(permission)) throw new Failure('FORBIDDEN', { permission })
  if (!(await hasSession(tx, admin.tokenHash))) throw new Failure('UNAUTHENTICATED')
  const person = people.find((one) => one.id === userId)
  if (person && person.role_id !== null && userId !== admin.id) {
    if (!acting.permissions.has('staff.write')) throw new Failure('FORBIDDEN', { permission: 'staff.write' })
    requireWithin(acting, powers(person))
  }
  const owners = people.filter((one) => one.is_able && one.built_in === 'owner')
  return { acting, person, isLastOwner: owners.length === 1 && owners[0]?.id === userId }
}

/** Finds the role that is to be given, which may allow no more than the acting one may do, and nothing that one's limits bind. */
export async function findGivableRole(tx: Tx, { acting }: LockedStaff, roleId: number): Promise<RoleName> {
  const row = await findRole(tx, roleId)
  const wanted = toPowers(row)
  requireWithin(acting, wanted)
  requireUnlimited(acting, [...wanted.permissions])
  return { id: row.id, built_in: row.built_in, name: row.name }
}

/** Refuses who has limits to let oneself in as a colleague who may do what they bind: that is a second account, too. */
export function requireNoSecondAccount({ acting, person }: LockedStaff): void {
  if (person) requireUnlimited(acting, [...powers(person).permissions])
}

export const readOwnerRoleId = async (queries: Queries): Promise<number> =>
  (await queries.one<{ id: number }>(sql`SELECT id FROM staff_role WHERE built_in = 'owner'`)).id

/** Whether the user may still do this, for what a call began and is finished without a session. */
export const hasPermission = async (queries: Queries, userId: number, permission: Permission): Promise<boolean> => {
  const row = await queries.maybe<{ built_in: BuiltInRole | null; permissions: Permission[] }>(sql`
    SELECT built_in, permissions FROM users JOIN staff_role ON staff_role.id = staff_role_id
    WHERE users.id = ${userId} AND blocked_at IS NULL`)
  return row !== undefined && toPermissions(row).has(permission)
}

const refuseTakenName = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'staff_role_name', 'name')

/** Locks the staff and the role that is to be changed, which is not the acting one's and no more than that one may do. */
async function lockRole(tx: Tx, admin: ActingAdmin, roleId: number): Promise<{ acting: Powers; row: RoleRow }> {
  const { acting, person } = await lockStaff(tx, admin, admin.id, 'staff.write')
  const row = await findRole(tx, roleId)
  requireWithin(acting, toPowers(row))
  if (person?.role_id === roleId) throw new Failure('STATE_CONFLICT', { reason: 'own_role' })
  return { acting, row }
}

export const createRole = (tx: Tx, admin: ActingAdmin, wanted: NewRole): Promise<StaffRole> =>
  addRole(tx, admin, wanted, null)

/** Makes a role, by the id that it had where it was removed. */
async function addRole(tx: Tx, admin: ActingAdmin, wanted: NewRole, formerId: number | null): Promise<StaffRole> {
  const { acting } = await lockStaff(tx, admin, admin.id, 'staff.write')
  const limits = eachLimit(wanted.limits, toMinor)
  requireWithin(acting, { permissions: new Set(wanted.permissions), limits })
  const { id } = await refuseTakenName(
    tx.one<{ id: number }>(sql`
      INSERT INTO staff_role (id, name, permissions, rub_once, rub_daily, usd_once, usd_daily) OVERRIDING SYSTEM VALUE
      VALUES (${formerId === null ? sql`DEFAULT` : sql`${formerId}::int`}, ${wanted.name}, ${wanted.permissions}, ${limits.rub_once}, ${limits.rub_daily}, ${limits.usd_once},
        ${limits.usd_daily})
      RETURNING id`),
  )
  await writeAudit(tx, {
    actorId: admin.id,
    action: 'staff_role.create',
    subject: `staff-role:${id}`,
    after: wanted,
  })
  const made = shownRole(await findRole(tx, id))
  await keepVersion(tx, `staff-role:${id}`, { before: undefined, after: toKept(made) }, admin.id)
  return made
}

/** What versions keep of a role: what can be changed of it. */
const toKept = ({ built_in, name, permissions, limits }: StaffRole): object =>
  built_in ? { limits } : { name, permissions, limits }

/** Changes a role; whoever has it follows at the next call. Of a built-in one only the limits change. */
export async function changeStaffRole(
  tx: Tx,
  admin: ActingAdmin,
  roleId: number,
  { version, ...change }: RoleChange,
): Promise<StaffRole> {
  const { acting, row } = await lockRole(tx, admin, roleId)
  const before = shownRole(row)
  requireVersion(before, version)
  if (row.built_in && (change.name ?? change.permissions) !== undefined)
    throw new Failure('STATE_CONFLICT', { reason: 'role_built_in' })
  const limits = change.limits ? eachLimit(change.limits, toMinor) : pickLimits(row)
  const permissions = change.permissions ?? row.permissions
  const inForce = row.built_in ? toPermissions(row) : new Set(permissions)
  requireWithin(acting, { permissions: inForce, limits })
  const added = permissions.filter((permission) => !row.permissions.includes(permission))
  // A higher limit gives those who have the role more of all that it allows, not of what is added alone.
  if (row.people > 0) requireUnlimited(acting, isRaised(pickLimits(row), limits) ? [...inForce] : added)
  await refuseTakenName(
    tx.run(sql`
      UPDATE staff_role SET name = ${change.name ?? row.name}, permissions = ${permissions},
        rub_once = ${limits.rub_once}, rub_daily = ${limits.rub_daily}, usd_once = ${limits.usd_once},
        usd_daily = ${limits.usd_daily}
      WHERE id = ${roleId}`),
  )
  const after = shownRole(await findRole(tx, roleId))
  await writeAuditChange(
    tx,
    { actorId: admin.id, action: 'staff_role.update', subject: `staff-role:${roleId}` },
    { ...before },
    { ...after },
  )
  await keepVersion(tx, `staff-role:${roleId}`, { before: toKept(before), after: toKept(after) }, admin.id)
  return after
}

/** Changes a role to what an older version says, or brings a removed one back, by what saving that has to pass. */
export async function restoreRole(
  tx: Tx,
  admin: ActingAdmin,
  roleId: number,
  wanted: RestoredVersion,
): Promise<StaffRole> {
  // The staff are locked, and their roles with them.
  await lockStaff(tx, admin, admin.id, 'staff.write')
  const isRemoved = !(await tx.maybe(sql`SELECT FROM staff_role WHERE id = ${roleId}`))
  if (!isRemoved) await lockRole(tx, admin, roleId)
  const { older } = await findOlder(tx, `staff-role:${roleId}`, wanted)
  return isRemoved
    ? addRole(tx, admin, readAgain(staffApi.addRole.body, older.value), roleId)
    : changeStaffRole(tx, admin, roleId, readAgain(staffApi.changeRole.body, older.value))
}

/** Lists the roles that were removed and can come back. */
export const listRemovedRoles = (queries: Queries): Promise<RemovedThing[]> =>
  listRemoved(queries, 'staff-role', sql`SELECT id FROM staff_role`)

export async function removeRole(tx: Tx, admin: ActingAdmin, roleId: number): Promise<void> {
  const { row } = await lockRole(tx, admin, roleId)
  if (row.built_in) throw new Failure('STATE_CONFLICT', { reason: 'role_built_in' })
  if (row.people > 0) throw new Failure('STATE_CONFLICT', { reason: 'role_in_use', people: row.people })
  await keepLast(tx, `staff-role:${roleId}`, toKept(shownRole(row)))
  await tx.run(sql`DELETE FROM staff_role WHERE id = ${roleId}`)
  await writeAudit(tx, {
    actorId: admin.id,
    action: 'staff_role.delete',
    subject: `staff-role:${roleId}`,
    before: { name: row.name, permissions: row.permissions },
  })
}

type StaffList = SortedList<typeof staffApi.list>

interface StaffRow extends Omit<StaffMember, 'last_seen_at'> {
  last_seen_at: Date | null
}

const isListed = ({ search, roleId }: StaffList) =>
  allConditions(
    sql`users.role = 'admin'`,
    search ? isNamed(search) : undefined,
    roleId === undefined ? undefined : sql`users.staff_role_id = ${roleId}`,
  )

const toColumn = { nickname: sql`nickname_key`, last_seen_at: sql`last_seen_at` }

const staffColumns = sql`
  users.id, users.nickname, users.nickname_key, users.blocked_at IS NOT NULL AS is_blocked, ${roleNameColumn},
  EXISTS (SELECT FROM second_factor WHERE user_id = users.id AND enrolled_at IS NOT NULL) AS has_second_factor,
  greatest((SELECT seen_at FROM staff_seen WHERE user_id = users.id),
    (SELECT max(session.created_at) FROM session WHERE user_id = users.id AND ${isAlive})) AS last_seen_at,
  (SELECT count(*) FROM session WHERE user_id = users.id AND ${isAlive})::int AS sessions`

const shownColumns = sql`id, nickname, staff_role, is_blocked, has_second_factor, last_seen_at, sessions`

const shownMember = ({ last_seen_at, ...row }: StaffRow): StaffMember => ({
  ...row,
  last_seen_at: last_seen_at?.toISOString() ?? null,
})

/** Reads a page of the staff, and how many there are in all. */
export async function listStaff(queries: Queries, list: StaffList): Promise<{ data: StaffMember[]; total: number }> {
  const read = queries.rows<StaffRow>(sql`
    SELECT ${shownColumns} FROM (SELECT ${staffColumns} FROM users WHERE ${isListed(list)}) AS people
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)} NULLS LAST, id ${toPage(list)}`)
  const count = () => countAll(queries, sql`SELECT FROM users WHERE ${isListed(list)}`, list.search)
  const { rows, total } = await withTotal(list, read, count)
  return { data: rows.map(shownMember), total }
}

export async function readMember(queries: Queries, userId: number): Promise<StaffMember> {
  const row = await queries.maybe<StaffRow>(sql`
    SELECT ${shownColumns} FROM (
      SELECT ${staffColumns} FROM users WHERE users.id = ${userId} AND users.role = 'admin') AS people`)
  if (!row) throw new Failure('USER_NOT_FOUND')
  return shownMember(row)
}

/** Refuses who is none of the staff: their sessions are nobody's business here. */
export async function requireStaff(queries: Queries, userId: number): Promise<void> {
  if (!(await exists(queries, sql`SELECT FROM users WHERE id = ${userId} AND role = 'admin'`)))
    throw new Failure('USER_NOT_FOUND')
}

/** Whose limit is spent. */
export interface Spender {
  adminId: number
  /** What it came to, in minor units, when a colleague asked for the yes that this is; undefined for a call of one's own. */
  agreed?: Money | undefined
}

interface Money {
  amount: number
  currency: Currency
}

/**
 * Refuses with STATE_CONFLICT what somebody says of one's own order that others can't see: what only the provider knows of
 * its money, or that a code of it does not work. Who has no limit at all, as owners have none, is not refused: their own
 * balance is theirs to set.
 */
export async function requireOthers(queries: Queries, { adminId }: Spender, userId: number): Promise<void> {
  if (adminId !== userId) return
  const isUnlimited = await exists(
    queries,
    sql`SELECT FROM users JOIN staff_role ON staff_role.id = staff_role_id
      WHERE users.id = ${adminId} AND num_nonnulls(rub_once, rub_daily, usd_once, usd_daily) = 0`,
  )
  if (!isUnlimited) throw new Failure('STATE_CONFLICT', { reason: 'own_order' })
}

/**
 * Takes an amount of minor units from what an admin may refund or change balances by without a colleague's yes, in one go and
 * in 24 hours. Refuses with STATE_CONFLICT what is above, and more than was agreed to. It locks the admin, so a transaction
 * calls it when it has locked all else: two refunds of one admin wait for each other here, and the second counts the first.
 */
export async function spendLimit(tx: Tx, { adminId, agreed }: Spender, { amount, currency }: Money): Promise<void> {
  if (amount === 0) return
  if (agreed && (currency !== agreed.currency || amount > agreed.amount))
    throw new Failure('STATE_CONFLICT', {
      reason: 'above_agreed',
      agreed: { amount: toMajor(agreed.amount), currency: agreed.currency },
      amount: toMajor(amount),
      currency,
    })
  await tx.run(sql`SELECT FROM users WHERE id = ${adminId} FOR NO KEY UPDATE`)
  const once = currency === 'RUB' ? 'rub_once' : 'usd_once'
  const daily = currency === 'RUB' ? 'rub_daily' : 'usd_daily'
  const own = await tx.maybe<Limits & { spent: number }>(sql`
    SELECT rub_once, rub_daily, usd_once, usd_daily, (
      SELECT coalesce(sum(amount), 0)::bigint FROM staff_spending
      WHERE user_id = ${adminId} AND currency = ${currency} AND spent_at > now() - interval '24 hours') AS spent
    FROM users JOIN staff_role ON staff_role.id = staff_role_id WHERE users.id = ${adminId}`)
  // An admin who lost the role a moment ago has no limit to spend.
  if (!own) throw new Failure('FORBIDDEN')
  const refuse = (limit: StaffLimit, left: number) =>
    new Failure('STATE_CONFLICT', {
      reason: 'above_limit',
      limit,
      most: toMajor(own[limit] ?? 0),
      left: toMajor(left),
      amount: toMajor(amount),
      currency,
      approval: null,
    })
  const [most, inAll] = [own[once], own[daily]]
  if (most !== null && amount > most) throw refuse(once, most)
  if (inAll !== null && own.spent + amount > inAll) throw refuse(daily, Math.max(0, inAll - own.spent))
  await tx.run(sql`
    INSERT INTO staff_spending (user_id, currency, amount) VALUES (${adminId}, ${currency}, ${amount})`)
}

/** Runs nightly and deletes what no limit counts any more. */
export const forgetOldSpending = (database: Database): Promise<number> =>
  removeInBatches(database, 'staff_spending', sql`spent_at < now() - interval '2 days'`)
