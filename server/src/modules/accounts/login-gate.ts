import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import type { Context } from '../../platform/context.ts'
import { networkOf } from '../../platform/network.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { enterGate, forgetGate, leaveGate } from './login-gate.store.ts'

export interface LoginAttempt {
  userId: number
  address: string
  /** Of a device on which this user has logged in before. */
  device: string | undefined
}

export interface CountedAttempt {
  /** The password was right: what failed before is forgotten. */
  forget(): Promise<void>
  /** Nobody looked at the password: the attempt is not counted. */
  giveBack(): Promise<void>
}

export type LoginGate = (attempt: LoginAttempt) => Promise<CountedAttempt>

/**
 * Counts attempts to log in as a user before the password is looked at, and refuses with RATE_LIMITED what comes too
 * often: strictly from one network, and from all networks together with a growing pause between two attempts. A
 * stranger's guesses never keep the owner out for long: a device that has logged in before is counted by itself.
 */
export function createLoginGate({ database, config }: Pick<Context, 'database' | 'config'>): LoginGate {
  const limited = (name: 'loginsOfNetwork' | 'loginsOfDevice') =>
    createRateLimiter(database, { name, ...LIMITS.rates[name] }, config.rateLimits)
  const ofNetwork = limited('loginsOfNetwork')
  const ofDevice = limited('loginsOfDevice')

  return async ({ userId, address, device }) => {
    if (device !== undefined) {
      const key = `${userId} ${device}`
      await ofDevice.count(key)
      return { forget: () => ofDevice.forget(key), giveBack: () => ofDevice.giveBack(key) }
    }
    const key = `${userId} ${networkOf(address)}`
    await ofNetwork.count(key)
    if (!config.rateLimits) return { forget: async () => {}, giveBack: async () => {} }
    const gate = await enterGate(database, userId)
    if (!gate.isOpen) {
      // It was not this network's fault that others guess.
      await ofNetwork.giveBack(key)
      throw new Failure('RATE_LIMITED', { retryAfterSeconds: gate.waitSeconds })
    }
    return {
      forget: async () => {
        await Promise.all([ofNetwork.forget(key), forgetGate(database, userId)])
      },
      giveBack: async () => {
        await Promise.all([ofNetwork.giveBack(key), leaveGate(database, userId)])
      },
    }
  }
}
