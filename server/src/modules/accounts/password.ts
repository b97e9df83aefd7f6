import { hash, verify } from '@node-rs/argon2'
import { Failure } from '@olmos/contract/failure'

// OWASP's smallest argon2id setting: about 10 ms and 19 MB a hash.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 4
const waitingAtMost = 64

/** Hashes and checks passwords, a few at a time: a flood of logins gets 503 instead of all the processor. */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  let running = 0
  const waiting: (() => void)[] = []

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost) throw new Failure('OVERLOADED', undefined, 'too many logins at once')
      await new Promise<void>((turn) => waiting.push(turn))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: (passwordHash, password) => inTurn(() => verify(passwordHash, password)),
  }
}
