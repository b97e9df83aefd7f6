import type { Role } from '@olmos/contract/accounts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'

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

/** Stores a password that somebody else chose. */
export const setTemporaryPasswordHash = (queries: Queries, userId: number, passwordHash: string) =>
  queries.run(sql`
    UPDATE users SET password_hash = ${passwordHash}, password_is_temporary = true WHERE id = ${userId}`)
