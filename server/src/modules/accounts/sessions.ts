import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { OwnSession } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Queries } from '../../platform/database/database.ts'
import { forgetOldCalls } from '../../platform/database/idempotency.ts'
import { forgetOldCounts, toNetwork } from '../../platform/http/rate-limit.ts'
import type { Caller } from '../../platform/http/route.ts'
import type { Vault } from '../../platform/security/vault.ts'
import {
  deleteDeadSessions,
  deleteOwnSession,
  findSession,
  insertSession,
  listSessions,
  type OwnSessionRow,
  renewSession,
  type SessionOrigin,
  type User,
} from './accounts.store.ts'
import { forgetOldGates } from './login-gate.ts'

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

/** Hashes a token for storage. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Opens a session after the password was checked, and returns its token, which only the caller knows from then on.
 * Refuses with INVALID_CREDENTIALS when the password was changed since it was checked, or the user blocked.
 */
export async function openSession(
  queries: Queries,
  user: Pick<User, 'id' | 'password_hash'>,
  origin: SessionOrigin = unknownOrigin,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const opened = { userId: user.id, checkedHash: user.password_hash, tokenHash: hashToken(token) }
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
  const own = nonce ?? randomBytes(nonceBytes).toString('base64url')
  return `${own}.${vault.fingerprint(`device:${user.id}:${user.password_hash}:${own}`).toString('base64url')}`
}

export function isKnownDevice(vault: Vault, user: Pick<User, 'id' | 'password_hash'>, device: string): boolean {
  const expected = Buffer.from(deviceToken(vault, user, device.split('.')[0]))
  const given = Buffer.from(device)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Finds the user whose live session the token opens. Using it renews its 30 days; an admin's session ends 12 hours
 * after the login, and 30 minutes after the last call.
 */
export async function toCaller(
  { database, config }: Pick<Resources, 'database' | 'config'>,
  token: string,
): Promise<Caller | undefined> {
  const tokenHash = hashToken(token)
  const session = await findSession(database, tokenHash)
  if (!session) return undefined
  if (session.is_to_renew) await renewSession(database, tokenHash)
  const isAdmin = session.role === 'admin'
  return {
    id: session.id,
    nickname: session.nickname,
    role: session.role,
    tokenHash,
    mustConfirm: isAdmin && session.has_second_factor && !session.is_confirmed,
    mustChangePassword: session.must_change_password,
    mustEnrol: isAdmin && config.strictAdmins && !session.has_second_factor,
  }
}

const shownSession = ({ renewed_at, created_at, ...row }: OwnSessionRow): OwnSession => ({
  ...row,
  created_at: created_at.toISOString(),
  last_used_at: renewed_at.toISOString(),
})

/** Lists the caller's sessions, this one first, then by last use. */
export const ownSessions = async (queries: Queries, { id, tokenHash }: Caller): Promise<OwnSession[]> =>
  (await listSessions(queries, id, tokenHash)).map(shownSession)

/** Ends one of the caller's sessions; one that has ended or is another user's is not found. */
export async function endOwnSession(queries: Queries, { id }: Caller, sessionId: number): Promise<void> {
  if ((await deleteOwnSession(queries, id, sessionId)) === 0) throw new Failure('NOT_FOUND')
}

/** Runs nightly and deletes expired sessions, idempotency keys and counts. */
export async function forgetTheExpired({ database }: Resources): Promise<void> {
  await deleteDeadSessions(database)
  await forgetOldCalls(database, SERVER_LIMITS.idempotencyKeyDays)
  await forgetOldCounts(database)
  await forgetOldGates(database)
}
