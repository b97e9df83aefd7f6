import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database.ts'
import { StartupError } from '../../platform/startup-error.ts'
import type { Vault } from '../../platform/vault.ts'
import { resealSecondFactors } from '../accounts/reseal-second-factors.ts'
import { codeRow } from './codes.store.ts'
import { countSealedBefore, readSealedBefore, type SealedCode, writeSealed } from './rotation.store.ts'

/** A code is locked, and passed over by buyers, while its batch is written: a few milliseconds. */
const codesAtOnce = 100
const importWaitMs = 500

export interface RotationReport {
  begun(rotation: { keyId: number; isResumed: boolean; codes: number }): void
  progressed(resealed: number): void
}

/**
 * Seals every code, sold ones too, and what else the vault keeps with a new key while the store serves, and deletes the keys before it. May be cut
 * short at any moment: the next call goes on. Answers the number of codes it sealed anew.
 */
export async function rotateKey(database: Database, vault: Vault, report: RotationReport): Promise<number> {
  const { keyId, isResumed } = await vault.startRotation()
  report.begun({ keyId, isResumed, codes: await countSealedBefore(database, keyId) })
  let resealed = 0
  for (;;) {
    for (let last = 0; ; ) {
      const batch = await resealNext(database, vault, keyId, last)
      if (batch === undefined) break
      last = batch.lastId
      resealed += batch.written
      report.progressed(resealed)
    }
    await resealSecondFactors(database, vault, keyId)
    if (await vault.endRotation(keyId)) return resealed
    // An import that was under way when the key was made is leaving codes under the one before.
    await sleep(importWaitMs)
  }
}

async function resealNext(database: Database, vault: Vault, keyId: number, lastId: number) {
  const sealed = await readSealedBefore(database, keyId, { id: lastId, limit: codesAtOnce })
  const last = sealed.at(-1)
  if (!last) return undefined
  const plain = await Promise.all(sealed.map((code) => open(vault, code)))
  const written = await database.transaction(async (tx) => {
    const seal = await vault.sealer(tx)
    return writeSealed(
      tx,
      sealed,
      sealed.map((code, index) => seal(plain[index] as string, codeRow(code.id))),
    )
  })
  return { lastId: last.id, written }
}

async function open(vault: Vault, code: SealedCode): Promise<string> {
  try {
    return await vault.unseal(code, codeRow(code.id))
  } catch {
    throw new StartupError(
      `The code ${code.id} was altered in the database and does not open; put it back from a backup.`,
    )
  }
}
