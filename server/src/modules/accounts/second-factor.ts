import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { Caller } from '../../platform/http/route.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { isSecret } from '../../platform/security/tokens.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { readShopName } from '../shop/shop.ts'
import { findUser, findUserByNickname, lockPassword } from './accounts.store.ts'
import { nicknameKey, type Passwords } from './accounts.ts'
import { deleteOtherSessions, deleteSessions } from './sessions.ts'
import { type ActingAdmin, lockStaff } from './staff.ts'

const stepMs = 30_000
const digits = 6
/** How many steps a phone's clock may be off, either way. */
const drift = 1

/** Numbers the 30-second step that contains a moment, counted from 1970. */
export const toStep = (moment: Date): number => Math.floor(moment.getTime() / stepMs)

/** Computes the code an app shows during a step: RFC 6238 with SHA-1, 30 seconds and 6 digits, as every app does. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Finds the step near `now` whose code this is, if any. */
export function matchingStep(secret: Buffer, code: string, now: number): number | undefined {
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => now - drift + index)
  return steps.find((step) => isSecret(codeAt(secret, step), code))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes as RFC 4648 without padding, the way a secret is typed into an app. */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

interface SecondFactor extends Sealed {
  isEnrolled: boolean
}

const isEnrolled = sql`enrolled_at IS NOT NULL`

/** Locks it until the transaction ends: of two simultaneous codes the second waits for the first. */
const lockSecondFactor = (tx: Tx, userId: number) =>
  tx.maybe<SecondFactor>(sql`
    SELECT key_id AS "keyId", ciphertext, ${isEnrolled} AS "isEnrolled" FROM second_factor
    WHERE user_id = ${userId} FOR UPDATE`)

export const hasSecondFactor = (queries: Queries, userId: number) =>
  exists(queries, sql`SELECT FROM second_factor WHERE user_id = ${userId} AND ${isEnrolled}`)

export const readSecondFactorStatus = (queries: Queries, userId: number) =>
  queries.maybe<{ enrolled_at: Date; recovery_codes_left: number }>(sql`
    SELECT enrolled_at, (SELECT count(*) FROM recovery_code WHERE recovery_code.user_id = second_factor.user_id
      AND used_at IS NULL)::int AS recovery_codes_left
    FROM second_factor WHERE user_id = ${userId} AND ${isEnrolled}`)

/** Stores an unconfirmed secret, replacing another unconfirmed one. Returns 0 when one is enrolled. */
export const writeSecret = (tx: Tx, userId: number, { keyId, ciphertext }: Sealed) =>
  tx.run(sql`
    INSERT INTO second_factor (user_id, key_id, ciphertext) VALUES (${userId}, ${keyId}, ${ciphertext})
    ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, ciphertext = excluded.ciphertext, created_at = now()
    WHERE second_factor.enrolled_at IS NULL`)

/** Uses up the code of a step. Returns 0 when that step, or a later one, was used before. */
const takeStep = (tx: Tx, userId: number, step: number) =>
  tx.run(sql`UPDATE second_factor SET last_step = ${step} WHERE user_id = ${userId} AND last_step < ${step}`)

export const markEnrolled = (tx: Tx, userId: number) =>
  tx.run(sql`UPDATE second_factor SET enrolled_at = now() WHERE user_id = ${userId}`)

const deleteSecondFactor = (tx: Tx, userId: number) => tx.run(sql`DELETE FROM second_factor WHERE user_id = ${userId}`)

/** Uses up a recovery code. Returns 0 when it does not exist or was used before. */
const takeRecoveryCode = (tx: Tx, userId: number, digest: Buffer) =>
  tx.run(sql`
    UPDATE recovery_code SET used_at = now() WHERE user_id = ${userId} AND digest = ${digest} AND used_at IS NULL`)

async function replaceRecoveryCodes(tx: Tx, userId: number, digests: readonly Buffer[]): Promise<void> {
  await tx.pipeline({
    old: (tx) => tx.run(sql`DELETE FROM recovery_code WHERE user_id = ${userId}`),
    replacement: (tx) =>
      tx.run(sql`INSERT INTO recovery_code (user_id, digest) SELECT ${userId}, unnest(${digests}::bytea[])`),
  })
}

export const confirmSession = (tx: Tx, tokenHash: Buffer) =>
  tx.one<{ confirmed_until: Date }>(sql`
    UPDATE session SET confirmed_until = now() + make_interval(mins => ${LIMITS.confirmedMinutes})
    WHERE token_hash = ${tokenHash} RETURNING confirmed_until`)

const usersSealedBefore = (queries: Queries, keyId: number) =>
  queries.rows<{ user_id: number }>(sql`SELECT user_id FROM second_factor WHERE key_id < ${keyId}`)

const rewriteSecret = (tx: Tx, userId: number, { keyId, ciphertext }: Sealed) =>
  tx.run(sql`UPDATE second_factor SET key_id = ${keyId}, ciphertext = ${ciphertext} WHERE user_id = ${userId}`)

/** Names the row that a secret is sealed to. */
export const secondFactorRow = (userId: number): string => `second_factor:${userId}`

const openSecret = async (vault: Vault, userId: number, sealed: Sealed): Promise<Buffer> =>
  Buffer.from(await vault.unseal(sealed, secondFactorRow(userId)), 'hex')

/** Hashes a recovery code, however it was typed, with a key: a stolen dump is no help in guessing. */
const digestCode = (vault: Vault, userId: number, code: string): Buffer =>
  vault.fingerprint(`recovery:${userId}:${code.toUpperCase().replace(/[^0-9A-Z]/g, '')}`)

/**
 * Uses up a code of the user's second factor: one that the app shows now, or a recovery code. Returns whether it was
 * right.
 */
export async function takeCode(
  tx: Tx,
  { vault, clock }: Pick<Resources, 'vault' | 'clock'>,
  userId: number,
  code: string,
): Promise<boolean> {
  const factor = await lockSecondFactor(tx, userId)
  if (!factor?.isEnrolled) return false
  const typed = code.replace(/\s/g, '')
  const step = matchingStep(await openSecret(vault, userId, factor), typed, toStep(clock.now()))
  if (step !== undefined) return (await takeStep(tx, userId, step)) === 1
  if ((await takeRecoveryCode(tx, userId, digestCode(vault, userId, code))) === 0) return false
  await writeAudit(tx, { actorId: userId, action: 'second_factor.recovery', subject: `user:${userId}` })
  return true
}

type Means = Pick<Resources, 'database' | 'vault' | 'clock' | 'config'>

const secretBytes = 20
const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 10

const wrongCode = () => new Failure('VALIDATION_FAILED', { otp: 'wrong_code' })

/**
 * Makes a secret after checking the password, and the address by which an app imports it. Nobody is asked for it until
 * it is confirmed.
 */
export async function offerSecret(
  { database, vault, config }: Means,
  passwords: Passwords,
  caller: Caller,
  password: string,
): Promise<{ secret: string; uri: string }> {
  const user = await findUser(database, caller.id)
  // A 401 would make the browser drop its session, which a mistyped field should not do.
  if (!user || !(await passwords.verifyForUser(user.id, user.password_hash, password))) {
    throw new Failure('VALIDATION_FAILED', { password: 'invalid_credentials' })
  }
  const secret = randomBytes(secretBytes)
  await database.transaction(async (tx) => {
    if (!(await lockPassword(tx, user.id, user.password_hash)))
      throw new Failure('VALIDATION_FAILED', { password: 'invalid_credentials' })
    const seal = await vault.sealer(tx)
    const written = await writeSecret(tx, caller.id, seal(secret.toString('hex'), secondFactorRow(caller.id)))
    if (written === 0)
      throw new Failure('STATE_CONFLICT', { reason: 'second_factor_enrolled', second_factor: 'enrolled' })
  })
  const issuer = `${await readShopName(database)} ${new URL(config.publicUrl).hostname}`
  return { secret: base32(secret), uri: toUri(caller.nickname, base32(secret), issuer) }
}

function toUri(nickname: string, secret: string, issuer: string): string {
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${nickname}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** Enrols the offered secret once one of its codes is given. Returns the recovery codes, which are only shown now. */
export function enrolSecondFactor(
  { database, vault, clock }: Means,
  { id, tokenHash }: Caller,
  otp: string,
): Promise<string[]> {
  return database.transaction(async (tx) => {
    // A login that is under way either has its session by now, which is ended below, or waits and is asked for a code.
    await tx.run(sql`SELECT FROM users WHERE id = ${id} FOR NO KEY UPDATE`)
    const factor = await lockSecondFactor(tx, id)
    if (!factor) {
      throw new Failure('STATE_CONFLICT', { reason: 'second_factor_not_offered', second_factor: 'not_offered' })
    }
    if (factor.isEnrolled) {
      throw new Failure('STATE_CONFLICT', { reason: 'second_factor_enrolled', second_factor: 'enrolled' })
    }
    const step = matchingStep(await openSecret(vault, id, factor), otp.replace(/\s/g, ''), toStep(clock.now()))
    if (step === undefined) throw wrongCode()
    await takeStep(tx, id, step)
    await markEnrolled(tx, id)
    await tx.pipeline({
      session: (tx) => confirmSession(tx, tokenHash),
      others: (tx) => deleteOtherSessions(tx, id, tokenHash),
    })
    await writeAudit(tx, { actorId: id, action: 'second_factor.enrol', subject: `user:${id}` })
    return makeRecoveryCodes(tx, vault, id)
  })
}

/** Replaces the recovery codes. */
export function renewRecoveryCodes({ database, vault, clock }: Means, userId: number, otp: string): Promise<string[]> {
  return database.transaction(async (tx) => {
    await requireCode(tx, { vault, clock }, userId, otp)
    await writeAudit(tx, { actorId: userId, action: 'second_factor.recovery_codes', subject: `user:${userId}` })
    return makeRecoveryCodes(tx, vault, userId)
  })
}

/** Removes the second factor with its recovery codes. */
export function giveUpSecondFactor({ database, vault, clock }: Means, userId: number, otp: string): Promise<void> {
  return database.transaction(async (tx) => {
    await requireCode(tx, { vault, clock }, userId, otp)
    await deleteSecondFactor(tx, userId)
    await writeAudit(tx, { actorId: userId, action: 'second_factor.disable', subject: `user:${userId}` })
  })
}

/** Lets the session make confirmed calls for some minutes. */
export function confirmAgain({ database, vault, clock }: Means, caller: Caller, otp: string): Promise<Date> {
  return database.transaction(async (tx) => {
    await requireCode(tx, { vault, clock }, caller.id, otp)
    return (await confirmSession(tx, caller.tokenHash)).confirmed_until
  })
}

async function requireCode(tx: Tx, means: Pick<Means, 'vault' | 'clock'>, userId: number, otp: string): Promise<void> {
  if (!(await takeCode(tx, means, userId, otp))) throw wrongCode()
}

async function makeRecoveryCodes(tx: Tx, vault: Resources['vault'], userId: number): Promise<string[]> {
  const codes = Array.from({ length: SERVER_LIMITS.recoveryCodes }, newRecoveryCode)
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => digestCode(vault, userId, code)),
  )
  return codes
}

function newRecoveryCode(): string {
  const chars = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
  return `${chars.slice(0, 5)}-${chars.slice(5)}`
}

/**
 * Removes a lost second factor with its recovery codes, and ends every session of its owner. Refuses with STATE_CONFLICT when
 * there is none. `actorId` is null at the command line.
 */
async function removeLostFactor(tx: Tx, actorId: number | null, userId: number): Promise<void> {
  if ((await deleteSecondFactor(tx, userId)) === 0)
    throw new Failure('STATE_CONFLICT', { reason: 'no_second_factor', second_factor: 'none' })
  await deleteSessions(tx, userId)
  await writeAudit(tx, { actorId, action: 'second_factor.reset', subject: `user:${userId}` })
}

/** Removes a lost second factor at the command line. Refuses with USER_NOT_FOUND, or when there is none. */
export async function resetSecondFactor(tx: Tx, nickname: string): Promise<void> {
  const user = await findUserByNickname(tx, nicknameKey(nickname))
  if (!user) throw new Failure('USER_NOT_FOUND')
  await removeLostFactor(tx, null, user.id)
}

/**
 * Removes the lost second factor of a colleague for an owner who has one himself: whoever stole a session without it could
 * otherwise open every other account of the staff. Refuses the own one, which is given up with a code of it.
 */
export async function resetColleaguesFactor(tx: Tx, admin: ActingAdmin, userId: number): Promise<void> {
  const { person } = await lockStaff(tx, admin, userId, 'staff.second_factor')
  if (!person?.role_id) throw new Failure('USER_NOT_FOUND')
  if (userId === admin.id) throw new Failure('STATE_CONFLICT', { reason: 'own_account', user: 'self' })
  if (!(await hasSecondFactor(tx, admin.id))) throw new Failure('SECOND_FACTOR_NEEDED_FIRST')
  await removeLostFactor(tx, admin.id, userId)
}

/** Reseals secrets that are sealed with a key older than `keyId`. There are as many as admins: a few. */
export async function resealSecondFactors(database: Database, vault: Vault, keyId: number): Promise<void> {
  for (const { user_id: userId } of await usersSealedBefore(database, keyId)) {
    await database.transaction(async (tx) => {
      const factor = await lockSecondFactor(tx, userId)
      if (!factor) return
      const secret = await openSecret(vault, userId, factor)
      const seal = await vault.sealer(tx)
      await rewriteSecret(tx, userId, seal(secret.toString('hex'), secondFactorRow(userId)))
    })
  }
}
