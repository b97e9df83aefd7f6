import type { Role } from '@olmos/contract/accounts'
import { LIMITS } from '@olmos/contract/limits'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database.ts'
import type { Caller } from '../../platform/serve.ts'

export interface User {
  id: number
  nickname: string
  password_hash: string
  role: Role
  is_blocked: boolean
}

const userColumns = sql`id, nickname, password_hash, role, blocked_at IS NOT NULL AS is_blocked`

export function insertUser(
  queries: Queries,
  user: { nickname: string; nicknameKey: string; nicknameSkeleton?: string; passwordHash: string; role: Role },
): Promise<User | undefined> {
  return queries.maybe<User>(sql`
    INSERT INTO users (nickname, nickname_key, nickname_skeleton, password_hash, role)
    VALUES (${user.nickname}, ${user.nicknameKey}, ${user.nicknameSkeleton ?? null}, ${user.passwordHash}, ${user.role})
    ON CONFLICT DO NOTHING
    RETURNING ${userColumns}`)
}

/** Users whose nickname was taken before anybody looked at what it looks like, after this id. */
export const usersWithoutSkeleton = (queries: Queries, afterId: number, limit: number) =>
  queries.rows<{ id: number; nickname: string }>(sql`
    SELECT id, nickname FROM users WHERE nickname_skeleton IS NULL AND id > ${afterId} ORDER BY id LIMIT ${limit}`)

/** Of two that look alike the older keeps the look to itself. */
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

/** Sets a new hash where the old one still is what was checked; answers whether it was. */
export const replacePasswordHash = async (
  queries: Queries,
  userId: number,
  checkedHash: string,
  passwordHash: string,
) =>
  (await queries.run(sql`
    UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId} AND password_hash = ${checkedHash}`)) === 1

/** Whether the password that was checked still is the user's; it stays so until the transaction ends. */
export const lockPassword = async (tx: Tx, userId: number, checkedHash: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT id FROM users WHERE id = ${userId} AND password_hash = ${checkedHash} AND blocked_at IS NULL FOR SHARE`)) !==
  undefined

export const setPasswordHash = (queries: Queries, userId: number, passwordHash: string) =>
  queries.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`)

/**
 * Makes a session for the password that was checked: none when it was changed, or the user blocked, meanwhile. The lock
 * on the user makes whoever is just doing that wait, and then end this session with the others.
 */
export const insertSession = async (queries: Queries, userId: number, checkedHash: string, tokenHash: Buffer) =>
  (await queries.run(sql`
    INSERT INTO session (token_hash, user_id, expires_at)
    SELECT ${tokenHash}, id, now() + make_interval(days => ${LIMITS.sessionDays}) FROM users
    WHERE id = ${userId} AND password_hash = ${checkedHash} AND blocked_at IS NULL FOR SHARE`)) === 1

export interface LivingSession {
  id: number
  nickname: string
  role: Caller['role']
  is_to_renew: boolean
  must_confirm: boolean
}

export const findSession = (queries: Queries, tokenHash: Buffer) =>
  queries.maybe<LivingSession>(sql`
    SELECT users.id, users.nickname, users.role,
      session.renewed_at < now() - make_interval(hours => ${LIMITS.sessionRenewAfterHours}) AS is_to_renew,
      users.role = 'admin' AND coalesce(session.confirmed_until <= now(), true) AND EXISTS (
        SELECT FROM second_factor WHERE user_id = users.id AND enrolled_at IS NOT NULL) AS must_confirm
    FROM session JOIN users ON users.id = session.user_id
    WHERE session.token_hash = ${tokenHash} AND session.expires_at > now() AND users.blocked_at IS NULL`)

export const renewSession = (queries: Queries, tokenHash: Buffer) =>
  queries.run(sql`
    UPDATE session SET renewed_at = now(), expires_at = now() + make_interval(days => ${LIMITS.sessionDays})
    WHERE token_hash = ${tokenHash}`)

/** Ends sessions, and tells every node whose they were: what is open for them ends, too. */
const endSessions = (queries: Queries, which: Sql) =>
  queries.run(sql`
    WITH ended AS (DELETE FROM session WHERE ${which} RETURNING user_id)
    SELECT pg_notify('session', user_id::text) FROM ended GROUP BY user_id`)

export const deleteSession = (queries: Queries, tokenHash: Buffer) =>
  endSessions(queries, sql`token_hash = ${tokenHash}`)

export const deleteOtherSessions = (queries: Queries, userId: number, keptTokenHash: Buffer) =>
  endSessions(queries, sql`user_id = ${userId} AND token_hash <> ${keptTokenHash}`)

export const deleteSessions = (queries: Queries, userId: number) => endSessions(queries, sql`user_id = ${userId}`)

/** Sessions that nobody can use any more. */
export const deleteExpiredSessions = (queries: Queries) =>
  queries.run(sql`DELETE FROM session WHERE expires_at < now()`)

export interface ProfileRow {
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
        LIMIT ${LIMITS.regularBuyerOrders}) AS completed)::int AS completed_orders
    FROM users WHERE id = ${userId}`)
