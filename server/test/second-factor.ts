import { randomBytes } from 'node:crypto'
import { codeAt, markEnrolled, secondFactorRow, toStep, writeSecret } from '../src/modules/accounts/second-factor.ts'
import type { TestShop } from './shop.ts'

export interface TestApp {
  /** The code it shows, or would show some steps earlier or later. */
  code(stepsAway?: number): string
}

/** Gives the user a second factor, and returns the app that shows its codes. */
export async function anApp({ database, vault }: TestShop, userId: number): Promise<TestApp> {
  const secret = randomBytes(20)
  await database.transaction(async (tx) => {
    const seal = await vault.sealer(tx)
    await writeSecret(tx, userId, seal(secret.toString('hex'), secondFactorRow(userId)))
    await markEnrolled(tx, userId)
  })
  return { code: (stepsAway = 0) => codeAt(secret, toStep(new Date()) + stepsAway) }
}
