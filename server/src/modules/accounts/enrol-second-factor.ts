import { randomBytes, randomInt } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { record } from '../../platform/audit.ts'
import type { Resources } from '../../platform/context.ts'
import type { Tx } from '../../platform/database.ts'
import type { Caller } from '../../platform/serve.ts'
import { deleteOtherSessions, findUser, lockPassword } from './accounts.store.ts'
import type { Passwords } from './password.ts'
import {
  confirmSession,
  deleteSecondFactor,
  lockSecondFactor,
  markEnrolled,
  replaceRecoveryCodes,
  takeStep,
  writeSecret,
} from './second-factor.store.ts'
import { digestOf, openSecret, secondFactorRow, takeCode } from './take-second-factor.ts'
import { base32, matchingStep, stepOf } from './totp.rules.ts'

type Means = Pick<Resources, 'database' | 'vault' | 'clock' | 'config'>

const secretBytes = 20
const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 10

const wrongCode = () => new Failure('VALIDATION_FAILED', { otp: 'wrong_code' })

/** Makes a secret for who knows the password, and how an app takes it in. Nobody is asked for it until it is confirmed. */
export async function offerSecret(
  { database, vault, config }: Means,
  passwords: Passwords,
  caller: Caller,
  password: string,
): Promise<{ secret: string; uri: string }> {
  const user = await findUser(database, caller.id)
  // A 401 would make the browser throw its session away; a mistyped field is no reason to.
  if (!user || !(await passwords.verifyOfUser(user.id, user.password_hash, password))) {
    throw new Failure('VALIDATION_FAILED', { password: 'invalid_credentials' })
  }
  const secret = randomBytes(secretBytes)
  await database.transaction(async (tx) => {
    if (!(await lockPassword(tx, user.id, user.password_hash)))
      throw new Failure('VALIDATION_FAILED', { password: 'invalid_credentials' })
    const seal = await vault.sealer(tx)
    const written = await writeSecret(tx, caller.id, seal(secret.toString('hex'), secondFactorRow(caller.id)))
    if (written === 0) throw new Failure('STATE_CONFLICT', { second_factor: 'enrolled' })
  })
  return { secret: base32(secret), uri: uriOf(caller.nickname, base32(secret), new URL(config.publicUrl).hostname) }
}

function uriOf(nickname: string, secret: string, host: string): string {
  const issuer = `Olmos ${host}`
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${nickname}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** Enrols the offered secret by a code of it. Answers the recovery codes, which are shown this once. */
export function enrolSecondFactor(
  { database, vault, clock }: Means,
  { id, tokenHash }: Caller,
  otp: string,
): Promise<string[]> {
  return database.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, id)
    if (!factor || factor.isEnrolled) {
      throw new Failure('STATE_CONFLICT', { second_factor: factor ? 'enrolled' : 'not_offered' })
    }
    const step = matchingStep(await openSecret(vault, id, factor), otp.replace(/\s/g, ''), stepOf(clock.now()))
    if (step === undefined) throw wrongCode()
    await takeStep(tx, id, step)
    await markEnrolled(tx, id)
    await Promise.all([confirmSession(tx, tokenHash), deleteOtherSessions(tx, id, tokenHash)])
    await record(tx, { actorId: id, action: 'second_factor.enrol', subject: `user:${id}` })
    return makeRecoveryCodes(tx, vault, id)
  })
}

/** Makes new recovery codes in the place of the old ones. */
export function renewRecoveryCodes({ database, vault, clock }: Means, userId: number, otp: string): Promise<string[]> {
  return database.transaction(async (tx) => {
    await requireCode(tx, { vault, clock }, userId, otp)
    await record(tx, { actorId: userId, action: 'second_factor.recovery_codes', subject: `user:${userId}` })
    return makeRecoveryCodes(tx, vault, userId)
  })
}

/** Gives the second factor up, recovery codes and all. */
export function giveUpSecondFactor({ database, vault, clock }: Means, userId: number, otp: string): Promise<void> {
  return database.transaction(async (tx) => {
    await requireCode(tx, { vault, clock }, userId, otp)
    await deleteSecondFactor(tx, userId)
    await record(tx, { actorId: userId, action: 'second_factor.disable', subject: `user:${userId}` })
  })
}

/** Lets the session do for some minutes what is asked again for. */
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
  const codes = Array.from({ length: LIMITS.recoveryCodes }, newRecoveryCode)
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => digestOf(vault, userId, code)),
  )
  return codes
}

function newRecoveryCode(): string {
  const signs = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
  return `${signs.slice(0, 5)}-${signs.slice(5)}`
}
