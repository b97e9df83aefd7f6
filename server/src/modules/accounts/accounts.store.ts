import type { Role } from '@olmos/contract/accounts'
import type { Sql } from 'sql-template-tag'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import type { Caller } from '../../platform/http/route.ts'

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
}

export function insertUser(queries: Queries, user: InsertedUser): Promise<User | undefined> {
  const { nickname, nicknameKey, nicknameSkeleton = null, passwordHash, isPasswordTemporary = false, role } = user
  return queries.maybe<User>(sql`
    INSERT INTO users (nickname, nickname_key, nickname_skeleton, password_hash, password_is_temporary, role)
    VALUES (${nickname}, ${nicknameKey}, ${nicknameSkeleton}, ${passwordHash}, ${isPasswordTemporary}, ${role})
    ON CONFLICT DO NOTHING
    RETURNING ${userColumns}`)
}

/** Users after this id whose nickname is older than the check for lookalikes. */
export const usersWithoutSkeleton = (queries: Queries, afterId: number, limit: number) =>
  queries.rows<{ id: number; nickname: string }>(sql`
    SELECT id, nickname FROM users WHERE nickname_skeleton IS NULL AND id > ${afterId} ORDER BY id LIMIT ${limit}`)

/** Among users who look alike only the oldest gets the skeleton. */
export const setSkeletons = (queries: Queries, users: readonly { id: number; skeleton: string }[]) =>
  queries.run(sql`
    UPDATE users SET nickname_skeleton = given.skeleton
    FROM (
      SELECT DISTINCT ON (skeleton) id, skeleton
      FROM unnest(${users.map(({ id }) => id)}::int[], ${users.map(({ skeleton }) => skeleton)}::text[]) AS new (id, skeleton)
      ORDER BY skeleton, id) AS given
    WHERE users.id = given.id AND NOT EXISTS (
      SELECT FROM users AS other WHERE other.nickname_skeleton = given.skeleton)`)

export const findUserByNickname = (queries: Queries, nicknameKey: string) =>
  queries.maybe<User>(sql`
    SELECT ${userColumns} FROM users WHERE nickname_key = ${nicknameKey}`)

export const findUser = (queries: Queries, userId: number) =>
  queries.maybe<User>(sql`SELECT ${userColumns} FROM users WHERE id = ${userId}`)

export const hasAdmin = async (queries: Queries): Promise<boolean> => {
  const { found } = await queries.one<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT FROM users WHERE role = 'admin') AS found`,
  )
  return found
}

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

/** Stores a password that somebody else chose. */
export const setTemporaryPasswordHash = (queries: Queries, userId: number, passwordHash: string) =>
  queries.run(sql`
    UPDATE users SET password_hash = ${passwordHash}, password_is_temporary = true WHERE id = ${userId}`)

/** Where a session was opened, as far as it is known. */
export interface SessionOrigin {
  browser: string | null
  system: string | null
  network: string | null
}

/**
 * Makes a session for the checked password, unless it was changed or the user was blocked meanwhile. The lock on the
 * user makes such a change wait, and then end this session with the others.
 */
export const insertSession = async (
  queries: Queries,
  { userId, checkedHash, tokenHash }: { userId: number; checkedHash: string; tokenHash: Buffer },
  { browser, system, network }: SessionOrigin,
) =>
  (await queries.run(sql`
    INSERT INTO session (token_hash, user_id, browser, system, network, expires_at)
    SELECT ${tokenHash}, id, ${browser}, ${system}, ${network}, now() + make_interval(days => ${SERVER_BUSINESS.sessionDays})
    FROM users WHERE id = ${userId} AND password_hash = ${checkedHash} AND blocked_at IS NULL FOR SHARE`)) === 1

interface LivingSession {
  id: number
  nickname: string
  role: Caller['role']
  is_to_renew: boolean
  must_change_password: boolean
  has_second_factor: boolean
  /** Whether the second factor was given a moment ago. */
  is_confirmed: boolean
}

const { hours, idleMinutes, noteAfterSeconds } = SERVER_BUSINESS.adminSession

/**
 * Whether a session with its user is alive. An admin's ends some hours after the login, and earlier when it is not
 * used.
 */
const isAlive = sql`(session.expires_at > now() AND (users.role <> 'admin' OR (
  session.created_at > now() - make_interval(hours => ${hours})
  AND session.renewed_at > now() - make_interval(mins => ${idleMinutes}))))`

export const findSession = (queries: Queries, tokenHash: Buffer) =>
  queries.maybe<LivingSession>(sql`
    SELECT users.id, users.nickname, users.role,
      session.renewed_at < now() - CASE users.role
        WHEN 'admin' THEN make_interval(secs => ${noteAfterSeconds})
        ELSE make_interval(hours => ${SERVER_LIMITS.sessionRenewAfterHours}) END AS is_to_renew,
      users.password_is_temporary AS must_change_password,
      coalesce(session.confirmed_until > now(), false) AS is_confirmed,
      EXISTS (SELECT FROM second_factor WHERE user_id = users.id AND enrolled_at IS NOT NULL) AS has_second_factor
    FROM session JOIN users ON users.id = session.user_id
    WHERE session.token_hash = ${tokenHash} AND ${isAlive} AND users.blocked_at IS NULL`)

export const hasSession = async (queries: Queries, tokenHash: Buffer): Promise<boolean> =>
  (await queries.maybe(sql`SELECT FROM session WHERE token_hash = ${tokenHash}`)) !== undefined

export interface OwnSessionRow extends SessionOrigin {
  id: number
  created_at: Date
  renewed_at: Date
  is_current: boolean
}

export const listSessions = (queries: Queries, userId: number, tokenHash: Buffer) =>
  queries.rows<OwnSessionRow>(sql`
    SELECT session.id, session.created_at, renewed_at, browser, system, network, token_hash = ${tokenHash} AS is_current
    FROM session JOIN users ON users.id = session.user_id
    WHERE session.user_id = ${userId} AND ${isAlive}
    ORDER BY is_current DESC, renewed_at DESC, session.id DESC LIMIT ${SERVER_LIMITS.sessionsShownMax}`)

export const renewSession = (queries: Queries, tokenHash: Buffer) =>
  queries.run(sql`
    UPDATE session SET renewed_at = now(), expires_at = now() + make_interval(days => ${SERVER_BUSINESS.sessionDays})
    WHERE token_hash = ${tokenHash}`)

/** Ends sessions and tells every node whose they were, so that their streams end too. */
const endSessions = (queries: Queries, which: Sql) =>
  queries.run(sql`
    WITH ended AS (DELETE FROM session WHERE ${which} RETURNING user_id)
    SELECT pg_notify('session', user_id::text) FROM ended GROUP BY user_id`)

export const deleteSession = (queries: Queries, tokenHash: Buffer) =>
  endSessions(queries, sql`token_hash = ${tokenHash}`)

export const deleteOtherSessions = (queries: Queries, userId: number, keptTokenHash: Buffer) =>
  endSessions(queries, sql`user_id = ${userId} AND token_hash <> ${keptTokenHash}`)

export const deleteSessions = (queries: Queries, userId: number) => endSessions(queries, sql`user_id = ${userId}`)

/** Returns how many ended: 0 when the user has no such session. */
export const deleteOwnSession = (queries: Queries, userId: number, sessionId: number) =>
  endSessions(queries, sql`user_id = ${userId} AND id = ${sessionId}`)

const isDead = (users: Sql) =>
  sql`token_hash IN (
    SELECT token_hash FROM session JOIN users ON users.id = session.user_id WHERE ${users} AND NOT ${isAlive})`

/** Deletes sessions that nobody can use any more. */
export const deleteDeadSessions = (queries: Queries) => queries.run(sql`DELETE FROM session WHERE ${isDead(sql`true`)}`)

/** Deletes sessions that have ended under the user's present role, because another role must not revive them. */
export const deleteUserDeadSessions = (queries: Queries, userId: number) =>
  queries.run(sql`DELETE FROM session WHERE ${isDead(sql`users.id = ${userId}`)}`)

interface ProfileRow {
  id: number
  nickname: string
  role: Role
  created_at: Date
  balance_usd: number
  balance_rub: number
  completed_orders: number
}

const balances = sql`
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'USD') AS balance_usd,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'RUB') AS balance_rub`

export const readProfileRow = (queries: Queries, userId: number) =>
  queries.one<ProfileRow>(sql`
    SELECT id, nickname, role, created_at, ${balances},
      (SELECT count(*) FROM (
        SELECT FROM orders WHERE user_id = users.id AND status = 'completed' AND payment_method <> 'code'
        LIMIT ${SERVER_BUSINESS.regularBuyerOrders}) AS completed)::int AS completed_orders
    FROM users WHERE id = ${userId}`)
