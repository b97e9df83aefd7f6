import type { OwnSession } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import { type BuiltInRole, builtInPermissions, builtInRoles, type Permission } from '@olmos/contract/permissions'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context, Resources } from '../../platform/context.ts'
import { readInOneTurn } from '../../platform/database/batch.ts'
import type { Database } from '../../platform/database/database.ts'
import { forgetOldCalls } from '../../platform/database/idempotency.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { join, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { forgetOldCounts, toNetwork } from '../../platform/http/rate-limit.ts'
import type { Authenticate, Caller } from '../../platform/http/route.ts'
import { isSecret, newToken, toDigest } from '../../platform/security/tokens.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { User } from './accounts.store.ts'

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
const insertSession = async (
  queries: Queries,
  { userId, checkedHash, tokenHash }: { userId: number; checkedHash: string; tokenHash: Buffer },
  { browser, system, network }: SessionOrigin,
) =>
  (await queries.run(sql`
    INSERT INTO session (token_hash, user_id, browser, system, network, expires_at)
    SELECT ${tokenHash}, id, ${browser}, ${system}, ${network}, now() + make_interval(days => ${SERVER_BUSINESS.sessionDays})
    FROM users WHERE id = ${userId} AND password_hash = ${checkedHash} AND blocked_at IS NULL FOR SHARE`)) === 1

interface LivingSession {
  token_hash: Buffer
  id: number
  nickname: string
  role: Caller['role']
  built_in: BuiltInRole | null
  /** What a role of the shop's own allows. */
  permissions: Permission[] | null
  is_to_renew: boolean
  must_change_password: boolean
  has_second_factor: boolean
  /** Whether the second factor was given a moment ago. */
  is_confirmed: boolean
  /** A number of the user's that the caller wanted along with the session; null where none was asked for. */
  own_number: number | null
}

const { hours, idleMinutes, noteAfterSeconds } = SERVER_BUSINESS.adminSession

/**
 * Whether a session with its user is alive. An admin's ends some hours after the login, and earlier when it is not
 * used.
 */
export const isAlive = sql`(session.expires_at > now() AND (users.role <> 'admin' OR (
  session.created_at > now() - make_interval(hours => ${hours})
  AND session.renewed_at > now() - make_interval(mins => ${idleMinutes}))))`

const nothing = sql`NULL::int`

const nobodys: ReadonlySet<Permission> = new Set()
const ofBuiltIn = new Map(builtInRoles.map((role) => [role, new Set(builtInPermissions[role])]))

/** What a role allows, as the row that joins `staff_role` says; without one, nothing. */
export function toPermissions(role: {
  built_in: BuiltInRole | null
  permissions: readonly Permission[] | null
}): ReadonlySet<Permission> {
  if (role.built_in) return ofBuiltIn.get(role.built_in) ?? nobodys
  return role.permissions ? new Set(role.permissions) : nobodys
}

/** Fills up to the next power of two with the last one, so that few statements differ. */
const fillUp = (hashes: readonly Buffer[]): Buffer[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(hashes.length)) }, (_, at) => hashes[at] ?? (hashes.at(-1) as Buffer))

/**
 * Each call begins with it. The hashes are a list, whose length every plan knows: for an array PostgreSQL takes ten when it
 * keeps a plan, finds that dear, and plans each time again, which takes it longer than the look.
 */
const findSessions = (queries: Queries, tokenHashes: readonly Buffer[], ownNumber: Sql) =>
  queries.rows<LivingSession>(sql`
    SELECT session.token_hash, users.id, users.nickname, users.role, staff_role.built_in, staff_role.permissions,
      session.renewed_at < now() - CASE users.role
        WHEN 'admin' THEN make_interval(secs => ${noteAfterSeconds})
        ELSE make_interval(hours => ${SERVER_LIMITS.sessionRenewAfterHours}) END AS is_to_renew,
      users.password_is_temporary AS must_change_password,
      coalesce(session.confirmed_until > now(), false) AS is_confirmed,
      EXISTS (SELECT FROM second_factor WHERE user_id = users.id AND enrolled_at IS NOT NULL) AS has_second_factor,
      ${ownNumber} AS own_number
    FROM session JOIN users ON users.id = session.user_id LEFT JOIN staff_role ON staff_role.id = users.staff_role_id
    WHERE session.token_hash IN (${join(fillUp(tokenHashes))}) AND ${isAlive} AND users.blocked_at IS NULL`)

export const hasSession = async (queries: Queries, tokenHash: Buffer): Promise<boolean> =>
  (await queries.maybe(sql`SELECT FROM session WHERE token_hash = ${tokenHash}`)) !== undefined

interface OwnSessionRow extends SessionOrigin {
  id: number
  created_at: Date
  renewed_at: Date
  is_current: boolean
}

/** `tokenHash` is the caller's, whose session comes first where it is the user's. */
const listSessions = (queries: Queries, userId: number, tokenHash: Buffer) =>
  queries.rows<OwnSessionRow>(sql`
    SELECT session.id, session.created_at, renewed_at, browser, system, network, token_hash = ${tokenHash} AS is_current
    FROM session JOIN users ON users.id = session.user_id
    WHERE session.user_id = ${userId} AND ${isAlive}
    ORDER BY is_current DESC, renewed_at DESC, session.id DESC LIMIT ${SERVER_LIMITS.sessionsShownMax}`)

const renewSession = (queries: Queries, tokenHash: Buffer, isStaff: boolean) =>
  queries.run(sql`
    WITH renewed AS (
      UPDATE session SET renewed_at = now(), expires_at = now() + make_interval(days => ${SERVER_BUSINESS.sessionDays})
      WHERE token_hash = ${tokenHash} RETURNING user_id)
    INSERT INTO staff_seen (user_id, seen_at) SELECT user_id, now() FROM renewed WHERE ${isStaff}
    ON CONFLICT (user_id) DO UPDATE SET seen_at = excluded.seen_at`)

/** Ends sessions and notifies every node whose they were, so that their streams end too. Returns how many ended. */
async function endSessions(tx: Tx, which: Sql): Promise<number> {
  const ended = await tx.rows<{ user_id: number }>(sql`DELETE FROM session WHERE ${which} RETURNING user_id`)
  for (const { user_id } of ended) tx.notify('session', String(user_id))
  return ended.length
}

export const deleteSession = (tx: Tx, tokenHash: Buffer) => endSessions(tx, sql`token_hash = ${tokenHash}`)

export const deleteOtherSessions = (tx: Tx, userId: number, keptTokenHash: Buffer) =>
  endSessions(tx, sql`user_id = ${userId} AND token_hash <> ${keptTokenHash}`)

export const deleteSessions = (tx: Tx, userId: number) => endSessions(tx, sql`user_id = ${userId}`)

/** Returns 0 when the user has no such session. */
export const deleteOwnSession = (tx: Tx, userId: number, sessionId: number) =>
  endSessions(tx, sql`user_id = ${userId} AND id = ${sessionId}`)

/** Nobody can use the session any more. */
const isDead = sql`EXISTS (SELECT FROM users WHERE users.id = session.user_id AND NOT ${isAlive})`

/** Deletes sessions that have ended under the user's present role, because another role must not revive them. */
export const deleteUserDeadSessions = (queries: Queries, userId: number) =>
  queries.run(sql`DELETE FROM session WHERE user_id = ${userId} AND ${isDead}`)

// The more specific ones come first: nearly every browser also claims to be Chrome and Safari.
const browsers: readonly [RegExp, string][] = [
  [/\bTelegram/i, 'Telegram'],
  [/\b(?:Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\b/, 'Opera'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

// Android also says Linux; an iPad may claim to be a Mac, and is taken for one.
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstMatch = (families: readonly [RegExp, string][], text: string): string | null =>
  families.find(([sign]) => sign.test(text))?.[1] ?? null

/** Reads the families of browser and system from a User-Agent; the header itself is not kept. */
export const readUserAgent = (userAgent: string): { browser: string | null; system: string | null } => ({
  browser: firstMatch(browsers, userAgent.slice(0, 1_000)),
  system: firstMatch(systems, userAgent.slice(0, 1_000)),
})

const tokenBytes = 32

/**
 * Opens a session after the password was checked, and returns its token, which only the caller knows from then on.
 * Refuses with INVALID_CREDENTIALS when the password was changed since it was checked, or the user blocked.
 */
export async function openSession(
  queries: Queries,
  user: Pick<User, 'id' | 'password_hash'>,
  origin: SessionOrigin = unknownOrigin,
): Promise<string> {
  const token = newToken(tokenBytes)
  const opened = { userId: user.id, checkedHash: user.password_hash, tokenHash: toDigest(token) }
  if (!(await insertSession(queries, opened, origin))) throw new Failure('INVALID_CREDENTIALS')
  return token
}

const unknownOrigin: SessionOrigin = { browser: null, system: null, network: null }

/** Reduces where a login came from to families and a network; neither the header nor the address is stored. */
export const toOrigin = ({ address, userAgent }: { address: string; userAgent: string }): SessionOrigin => ({
  ...readUserAgent(userAgent),
  network: toNetwork(address),
})

const nonceBytes = 16

/**
 * Makes the token that recognises a device later. It opens nothing, and a new password makes the device a stranger's
 * again.
 */
export function deviceToken(vault: Vault, user: Pick<User, 'id' | 'password_hash'>, nonce?: string): string {
  const own = nonce ?? newToken(nonceBytes)
  return `${own}.${vault.fingerprint(`device:${user.id}:${user.password_hash}:${own}`).toString('base64url')}`
}

export const isKnownDevice = (vault: Vault, user: Pick<User, 'id' | 'password_hash'>, device: string): boolean =>
  isSecret(deviceToken(vault, user, device.split('.')[0]), device)

type FindSession = (tokenHash: Buffer) => Promise<LivingSession | undefined>

/** Makes a function that looks a session up, because every call of a customer begins with it. */
function createSessionFinder(queries: Queries, ownNumber: Sql): FindSession {
  const find = readInOneTurn(async (hashes: readonly string[]) => {
    const tokenHashes = hashes.map((hash) => Buffer.from(hash, 'latin1'))
    const sessions = await findSessions(queries, tokenHashes, ownNumber)
    return new Map(sessions.map((session) => [session.token_hash.toString('latin1'), session]))
  })
  return (tokenHash) => find(tokenHash.toString('latin1'))
}

/**
 * Makes the function that finds the user whose live session a token opens. Using it renews its 30 days; an admin's
 * session ends 12 hours after the login, and 30 minutes after the last call. A number of the user's, an expression over
 * `users`, may be read by the statement that finds the session.
 */
export function createAuthenticate({ database, config }: Pick<Resources, 'database' | 'config'>): Authenticate {
  return (ownNumber = nothing) => {
    const findSession = createSessionFinder(database, ownNumber)
    return (token) => toCaller({ database, config, findSession }, token)
  }
}

async function toCaller(
  { database, config, findSession }: Pick<Resources, 'database' | 'config'> & { findSession: FindSession },
  token: string,
): Promise<Caller | undefined> {
  const tokenHash = toDigest(token)
  const session = await findSession(tokenHash)
  if (!session) return undefined
  const isAdmin = session.role === 'admin'
  if (session.is_to_renew) await renewSession(database, tokenHash, isAdmin)
  return {
    id: session.id,
    nickname: session.nickname,
    role: session.role,
    permissions: toPermissions(session),
    tokenHash,
    mustConfirm: isAdmin && session.has_second_factor && !session.is_confirmed,
    mustChangePassword: session.must_change_password,
    mustEnrol: isAdmin && config.strictAdmins && !session.has_second_factor,
    ownNumber: session.own_number ?? 0,
  }
}

const shownSession = ({ renewed_at, created_at, ...row }: OwnSessionRow): OwnSession => ({
  ...row,
  created_at: created_at.toISOString(),
  last_used_at: renewed_at.toISOString(),
})

/** Lists the caller's sessions, this one first, then by last use. */
export const ownSessions = async (
  queries: Queries,
  { id, tokenHash }: Pick<Caller, 'id' | 'tokenHash'>,
): Promise<OwnSession[]> => (await listSessions(queries, id, tokenHash)).map(shownSession)

/** Ends one of the caller's sessions; one that has ended or is another user's is not found. */
export async function endOwnSession(tx: Tx, { id }: Caller, sessionId: number): Promise<void> {
  if ((await deleteOwnSession(tx, id, sessionId)) === 0) throw new Failure('NOT_FOUND')
}

/** Runs nightly and deletes expired sessions, idempotency keys and counts. */
export async function forgetTheExpired({ database }: Pick<Resources, 'database'>): Promise<void> {
  await removeInBatches(database, 'session', isDead)
  await forgetOldCalls(database, SERVER_LIMITS.idempotencyKeyDays)
  await forgetOldCounts(database)
  await forgetOldGates(database)
}

const { freeFailures, pauseSecondsMax, forgetHours } = SERVER_LIMITS.loginGate

/** Computes the pause before the next attempt, which doubles with every failure beyond those that are free. */
const pause = (failures: ReturnType<typeof sql>) => sql`
  make_interval(secs => CASE WHEN ${failures} < ${freeFailures}::int THEN 0
    ELSE least(${pauseSecondsMax}::int, 2 ^ least(${failures} - ${freeFailures}::int, 20)) END)`

/** Counts an attempt, unless it has to wait for an earlier one. One statement decides among any number at once. */
async function enterGate(
  queries: Queries,
  userId: number,
): Promise<{ isOpen: true } | { isOpen: false; waitSeconds: number }> {
  const counted = sql`CASE WHEN login_gate.seen_at < now() - make_interval(hours => ${forgetHours}::int) THEN 1
    ELSE login_gate.failures + 1 END`
  const entered = await queries.run(sql`
    INSERT INTO login_gate (user_id, failures) VALUES (${userId}, 1)
    ON CONFLICT (user_id) DO UPDATE SET failures = ${counted}, seen_at = now(), next_at = now() + ${pause(counted)}
    WHERE login_gate.next_at <= now()`)
  if (entered === 1) return { isOpen: true }
  const row = await queries.maybe<{ wait: number }>(sql`
    SELECT greatest(1, ceil(extract(epoch FROM next_at - now())))::int AS wait FROM login_gate WHERE user_id = ${userId}`)
  return { isOpen: false, waitSeconds: row?.wait ?? 1 }
}

/** Takes back an attempt that was counted. */
const leaveGate = (queries: Queries, userId: number) =>
  queries.run(sql`
    UPDATE login_gate SET failures = greatest(0, failures - 1), next_at = now() WHERE user_id = ${userId}`)

const forgetGate = (queries: Queries, userId: number) =>
  queries.run(sql`DELETE FROM login_gate WHERE user_id = ${userId}`)

/** Runs nightly and deletes gates of users whom nobody tried lately. */
const forgetOldGates = (database: Database): Promise<number> =>
  removeInBatches(database, 'login_gate', sql`seen_at < now() - make_interval(hours => ${forgetHours}::int)`)

interface LoginAttempt {
  userId: number
  address: string
  /** The token of a device on which this user has logged in before. */
  device: string | undefined
}

interface CountedAttempt {
  /** The password was right: deletes the failures. */
  forget(): Promise<void>
  /** The password was not checked: takes the attempt back. */
  releaseTry(): Promise<void>
}

export type LoginGate = (attempt: LoginAttempt) => Promise<CountedAttempt>

/**
 * Counts attempts to log in as a user before the password is checked, and refuses with RATE_LIMITED when there are too
 * many: strictly per network, and from all networks together with a growing pause between two attempts. A stranger's
 * guesses never keep the owner out for long, because a device that has logged in before is counted by itself.
 */
export function createLoginGate({
  database,
  config,
  rateLimiter,
}: Pick<Context, 'database' | 'config' | 'rateLimiter'>): LoginGate {
  const ofNetwork = rateLimiter('loginsPerNetwork')
  const ofDevice = rateLimiter('loginsPerDevice')

  return async ({ userId, address, device }) => {
    if (device !== undefined) {
      const key = `${userId} ${device}`
      await ofDevice.count(key)
      return { forget: () => ofDevice.forget(key), releaseTry: () => ofDevice.releaseTry(key) }
    }
    const key = `${userId} ${toNetwork(address)}`
    await ofNetwork.count(key)
    if (!config.rateLimits) return { forget: async () => {}, releaseTry: async () => {} }
    const gate = await enterGate(database, userId)
    if (!gate.isOpen) {
      // Others guess; that must not count against this network.
      await ofNetwork.releaseTry(key)
      throw new Failure('RATE_LIMITED', { retryAfterSeconds: gate.waitSeconds })
    }
    return {
      forget: async () => {
        await Promise.all([ofNetwork.forget(key), forgetGate(database, userId)])
      },
      releaseTry: async () => {
        await Promise.all([ofNetwork.releaseTry(key), leaveGate(database, userId)])
      },
    }
  }
}
