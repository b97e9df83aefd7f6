import type { Database } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { lockSecondFactor, rewriteSecret, usersSealedBefore } from './second-factor.store.ts'
import { openSecret, secondFactorRow } from './take-second-factor.ts'

/** Seals the secrets that are sealed with a key older than `keyId` anew. There are as many as admins: a few. */
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
