import { LIMITS } from '@olmos/contract/limits'
import { record } from '../../platform/audit.ts'
import type { Resources } from '../../platform/context.ts'
import type { Tx } from '../../platform/database.ts'
import { createRateLimiter, type RateLimiter } from '../../platform/rate-limit.ts'
import type { Sealed, Vault } from '../../platform/vault.ts'
import { lockSecondFactor, takeRecoveryCode, takeStep } from './second-factor.store.ts'
import { matchingStep, stepOf } from './totp.rules.ts'

/** What a secret is sealed to. */
export const secondFactorRow = (userId: number): string => `second_factor:${userId}`

/** How often somebody may be wrong about a user's codes, wherever they are asked for. */
export const limitOfCodes = ({ database, config }: Pick<Resources, 'database' | 'config'>): RateLimiter =>
  createRateLimiter(database, { name: 'secondFactorOfUser', ...LIMITS.rates.secondFactorOfUser }, config.rateLimits)

export const openSecret = async (vault: Vault, userId: number, sealed: Sealed): Promise<Buffer> =>
  Buffer.from(await vault.unseal(sealed, secondFactorRow(userId)), 'hex')

/** Of a recovery code, however it was typed. Keyed: a stolen dump is of no use for guessing. */
export const digestOf = (vault: Vault, userId: number, code: string): Buffer =>
  vault.fingerprint(`recovery:${userId}:${code.toUpperCase().replace(/[^0-9A-Z]/g, '')}`)

/**
 * Takes a code of the user's second factor: one that the app shows now, or a recovery code. Each opens once. Answers
 * whether it was right.
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
  const step = matchingStep(await openSecret(vault, userId, factor), typed, stepOf(clock.now()))
  if (step !== undefined) return (await takeStep(tx, userId, step)) === 1
  if ((await takeRecoveryCode(tx, userId, digestOf(vault, userId, code))) === 0) return false
  await record(tx, { actorId: userId, action: 'second_factor.recovery', subject: `user:${userId}` })
  return true
}
