import { hash, verify } from '@node-rs/argon2'
import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { createTurns } from '../../platform/in-turn.ts'

// OWASP's smallest argon2id setting: about 10 ms and 19 MB a hash.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const { atOnce, waiting: waitingAtMost, keptForLogins } = LIMITS.passwordQueue

/**
 * Hashes and checks passwords, a few at a time: a flood gets 503 instead of all the processor, and a part of the queue is
 * kept for logins, so that nothing else can fill it up.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /** For a login. */
  verify(passwordHash: string, password: string): Promise<boolean>
  /** For somebody who is logged in; one at a time, so that one user's connections are one user. */
  verifyOfUser(userId: number, passwordHash: string, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const inTurn = createTurns({ atOnce, waitingAtMost, refusal: 'too many logins at once' })
  const users = new Set<number>()

  return {
    hash: (password) => inTurn(() => hash(password, cost), keptForLogins),
    verify: (passwordHash, password) => inTurn(() => verify(passwordHash, password)),
    async verifyOfUser(userId, passwordHash, password) {
      if (users.has(userId)) throw new Failure('RATE_LIMITED', { retryAfterSeconds: 1 })
      users.add(userId)
      try {
        return await inTurn(() => verify(passwordHash, password), keptForLogins)
      } finally {
        users.delete(userId)
      }
    },
  }
}
