import type { Role } from '@olmos/contract/accounts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/database/lists.ts'

export interface UserRow {
  id: number
  nickname: string
  role: Role
  /** Minor units. */
  balance_usd: number
  balance_rub: number
  is_blocked: boolean
  created_at: Date
}

const columns = sql`
  users.id, users.nickname, users.role, users.created_at, users.blocked_at IS NOT NULL AS is_blocked,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'USD' AND kind = 'wallet') AS balance_usd,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'RUB' AND kind = 'wallet') AS balance_rub`

const columnOf = { id: sql`users.id`, nickname: sql`users.nickname_key`, created_at: sql`users.created_at` }

interface UserList extends ListPage {
  search: string
  sort: keyof typeof columnOf
  role?: Role | undefined
  blocked?: 'true' | 'false' | undefined
}

const orderOf = ({ sort, order }: UserList) => sql`${columnOf[sort]} ${direction(order)}, users.id ${direction(order)}`

const isListed = ({ search, role, blocked }: UserList) =>
  allOf(
    search
      ? sql`(users.nickname_key LIKE ${containing(search.toLowerCase())} OR users.id::text = ${search})`
      : undefined,
    role && sql`users.role = ${role}`,
    blocked && sql`(users.blocked_at IS NOT NULL) = ${blocked === 'true'}`,
  )

export const listUsers = (queries: Queries, list: UserList) =>
  queries.rows<UserRow>(sql`
    SELECT ${columns} FROM (
      SELECT id FROM users WHERE ${isListed(list)} ORDER BY ${orderOf(list)} ${pageOf(list)}) AS found
    JOIN users USING (id) ORDER BY ${orderOf(list)}`)

export const countUsers = (queries: Queries, list: UserList) =>
  countOf(queries, sql`SELECT FROM users WHERE ${isListed(list)}`, list.search)

export const findUserRow = (queries: Queries, userId: number) =>
  queries.maybe<UserRow>(sql`SELECT ${columns} FROM users WHERE users.id = ${userId}`)

/** Several may read it at a time; who wants to change it waits. */
export const lockUser = (tx: Tx, userId: number) =>
  tx.maybe<{ is_blocked: boolean }>(
    sql`SELECT blocked_at IS NOT NULL AS is_blocked FROM users WHERE id = ${userId} FOR SHARE`,
  )

/** Held until the transaction ends: the user, and everybody who can be an admin besides. Answers those admins' ids. */
export async function lockAdminsAnd(tx: Tx, userId: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number; is_able: boolean }>(sql`
    SELECT id, role = 'admin' AND blocked_at IS NULL AS is_able FROM users
    WHERE role = 'admin' OR id = ${userId} ORDER BY id FOR NO KEY UPDATE`)
  return rows.filter((row) => row.is_able).map((row) => row.id)
}

export const setRole = (tx: Tx, userId: number, role: Role) =>
  tx.run(sql`UPDATE users SET role = ${role} WHERE id = ${userId}`)

export const setBlocked = (tx: Tx, userId: number, isBlocked: boolean) =>
  tx.run(sql`
    UPDATE users SET blocked_at = CASE WHEN ${isBlocked} THEN coalesce(blocked_at, now()) END WHERE id = ${userId}`)
