import type { Profile, Role } from '@olmos/contract/accounts'
import { idText, type Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { Caller } from '../../platform/http/route.ts'
import { numberInForce } from '../shop/shop.ts'

export interface User {
  id: number
  nickname: string
  password_hash: string
  role: Role
  is_blocked: boolean
  /** Whether somebody else set it. */
  is_password_temporary: boolean
}

const userColumns = sql`
  id, nickname, password_hash, role, blocked_at IS NOT NULL AS is_blocked, password_is_temporary AS is_password_temporary`

interface InsertedUser {
  nickname: string
  nicknameKey: string
  nicknameSkeleton?: string
  passwordHash: string
  isPasswordTemporary?: boolean
  role: Role
  contact?: string
}

export function insertUser(queries: Queries, user: InsertedUser): Promise<User | undefined> {
  const {
    nickname,
    nicknameKey,
    nicknameSkeleton = null,
    passwordHash,
    isPasswordTemporary = false,
    role,
    contact = '',
  } = user
  return queries.maybe<User>(sql`
    INSERT INTO users (nickname, nickname_key, nickname_skeleton, password_hash, password_is_temporary, role, contact)
    VALUES (${nickname}, ${nicknameKey}, ${nicknameSkeleton}, ${passwordHash}, ${isPasswordTemporary}, ${role}, ${contact})
    ON CONFLICT DO NOTHING
    RETURNING ${userColumns}`)
}

export const findUserByNickname = (queries: Queries, nicknameKey: string) =>
  queries.maybe<User>(sql`
    SELECT ${userColumns} FROM users WHERE nickname_key = ${nicknameKey}`)

export const findUser = (queries: Queries, userId: number) =>
  queries.maybe<User>(sql`SELECT ${userColumns} FROM users WHERE id = ${userId}`)

/** Stores a password its owner chose if the old hash is still the one that was checked; returns whether it was. */
export const replacePasswordHash = async (
  queries: Queries,
  userId: number,
  checkedHash: string,
  passwordHash: string,
) =>
  (await queries.run(sql`
    UPDATE users SET password_hash = ${passwordHash}, password_is_temporary = false
    WHERE id = ${userId} AND password_hash = ${checkedHash}`)) === 1

/** Whether the checked password is still the user's; it stays so until the transaction ends. */
export const lockPassword = async (tx: Tx, userId: number, checkedHash: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM users WHERE id = ${userId} AND password_hash = ${checkedHash} AND blocked_at IS NULL FOR SHARE`)) !==
  undefined

/** Stores how the user can be reached if the hash is still the one that was checked; returns whether it is. */
export const setContact = async (queries: Queries, userId: number, checkedHash: string, contact: string) =>
  (await queries.run(sql`
    UPDATE users SET contact = ${contact} WHERE id = ${userId} AND password_hash = ${checkedHash}`)) === 1

/** Stores in which language the user reads the pages. */
export const setLanguage = (queries: Queries, userId: number, language: Language) =>
  queries.run(
    sql`UPDATE users SET language = ${language} WHERE id = ${userId} AND language IS DISTINCT FROM ${language}`,
  )

/** Stores a password that somebody else chose. */
export const setTemporaryPasswordHash = (queries: Queries, userId: number, passwordHash: string) =>
  queries.run(sql`
    UPDATE users SET password_hash = ${passwordHash}, password_is_temporary = true WHERE id = ${userId}`)

interface ProfileRow {
  id: number
  nickname: string
  role: Role
  created_at: Date
  contact: string
  balance_usd: number
  balance_rub: number
  completed_orders: number
  /** How many make a regular buyer. */
  wanted_orders: number
}

const balances = sql`
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'USD') AS balance_usd,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'RUB') AS balance_rub`

const readProfileRow = (queries: Queries, userId: number) =>
  queries.one<ProfileRow>(sql`
    SELECT id, nickname, role, created_at, contact, ${balances},
      (SELECT count(*) FROM (
        SELECT FROM orders WHERE user_id = users.id AND purpose = 'goods' AND status = 'completed'
          AND payment_method <> 'code'
        LIMIT ${numberInForce('regular_buyer_orders')}) AS completed)::int AS completed_orders,
      ${numberInForce('regular_buyer_orders')} AS wanted_orders
    FROM users WHERE id = ${userId}`)

/** Reads the user's name, balances and progress towards being a regular buyer. */
export async function readProfile(
  queries: Queries,
  { id, mustEnrol, permissions }: Pick<Caller, 'id' | 'mustEnrol' | 'permissions'>,
): Promise<Profile> {
  const row = await readProfileRow(queries, id)
  const total = row.wanted_orders
  return {
    id: row.id,
    nickname: row.nickname,
    role: row.role,
    ...(mustEnrol && { must_enrol: true as const }),
    ...(row.role === 'admin' && { permissions: [...permissions] }),
    balanceUsd: toMajor(row.balance_usd),
    balanceRub: toMajor(row.balance_rub),
    created_at: row.created_at.toISOString(),
    contact: row.contact,
    purchase_status: {
      key: row.completed_orders >= total ? 'regular_buyer' : 'new_buyer',
      current: row.completed_orders,
      total,
    },
  }
}

const few = 1_000

/** Whether the contact in the profile is this, in small or capital letters. Needs `users` in scope. */
export const hasContact = (contact: string): Sql =>
  sql`(lower(users.contact) = lower(${contact}) AND users.contact <> '')`

/** Whether the nickname contains this part, in small or capital letters. Needs `users` in scope. */
export const isNamed = (part: string): Sql => sql`users.nickname_key LIKE ${containing(part.toLowerCase())}`

/** The user id that a search may mean, or null. */
export const toUserId = (search: string): number | null => idText.safeParse(search).data ?? null

/**
 * Finds the users whose nickname contains this part, or undefined when they are many. Lists of what users did call it
 * first: the number decides whether to go from the users to what they did or the other way.
 */
export async function findFewUsers(queries: Queries, part: string): Promise<number[] | undefined> {
  const rows = await queries.rows<{ id: number }>(sql`SELECT id FROM users WHERE ${isNamed(part)} LIMIT ${few + 1}`)
  return rows.length > few ? undefined : rows.map((row) => row.id)
}
