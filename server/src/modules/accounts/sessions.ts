import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import type { Database, Queries } from '../../platform/database.ts'
import type { Caller } from '../../platform/serve.ts'
import type { Vault } from '../../platform/vault.ts'
import { findSession, insertSession, renewSession, type User } from './accounts.store.ts'

const tokenBytes = 32

/** What is kept of a token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Opens a session for who gave this user's password, and answers its token, which is known to nobody else from then on.
 * Refuses with INVALID_CREDENTIALS when the password was changed since it was checked, or the user blocked.
 */
export async function openSession(queries: Queries, user: Pick<User, 'id' | 'password_hash'>): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  if (!(await insertSession(queries, user.id, user.password_hash, hashOf(token))))
    throw new Failure('INVALID_CREDENTIALS')
  return token
}

const nonceBytes = 16

/** What a device is known by afterwards. It opens nothing; with another password it is a stranger's again. */
export function deviceToken(vault: Vault, user: Pick<User, 'id' | 'password_hash'>, nonce?: string): string {
  const own = nonce ?? randomBytes(nonceBytes).toString('base64url')
  return `${own}.${vault.fingerprint(`device:${user.id}:${user.password_hash}:${own}`).toString('base64url')}`
}

export function isDeviceOf(vault: Vault, user: Pick<User, 'id' | 'password_hash'>, device: string): boolean {
  const expected = Buffer.from(deviceToken(vault, user, device.split('.')[0]))
  const given = Buffer.from(device)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The user whose living session the token opens. Its 30 days begin anew when it is used. */
export async function callerOf(database: Database, token: string): Promise<Caller | undefined> {
  const tokenHash = hashOf(token)
  const session = await findSession(database, tokenHash)
  if (!session) return undefined
  if (session.is_to_renew) await renewSession(database, tokenHash)
  return {
    id: session.id,
    nickname: session.nickname,
    role: session.role,
    tokenHash,
    mustConfirm: session.must_confirm,
  }
}
