import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { StartupError } from '../../platform/process.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { resealAccounts } from '../../platform/vendor/accounts.ts'
import { resealSecondFactors } from '../accounts/second-factor.ts'
import { codeRow } from './codes.store.ts'

interface SealedCode extends Sealed {
  id: number
}

async function countSealedBefore(queries: Queries, keyId: number): Promise<number> {
  const { count } = await queries.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM code WHERE key_id < ${keyId}`,
  )
  return count
}

/** Reads the next codes, by id, that are sealed with a key older than `keyId`. */
const readSealedBefore = (queries: Queries, keyId: number, after: { id: number; limit: number }) =>
  queries.rows<SealedCode>(sql`
    SELECT id, key_id AS "keyId", ciphertext FROM code
    WHERE key_id < ${keyId} AND id > ${after.id} ORDER BY id LIMIT ${after.limit}`)

/** Skips a code that was resealed, or became another one under the same key, since it was read: the next pass finds it. */
const writeSealed = (tx: Tx, was: readonly SealedCode[], is: readonly Sealed[]) =>
  tx.run(sql`
    UPDATE code SET key_id = new.key_id, ciphertext = new.ciphertext
    FROM unnest(${was.map((code) => code.id)}::bigint[], ${was.map((code) => code.ciphertext)}::bytea[],
      ${is.map((code) => code.keyId)}::int[], ${is.map((code) => code.ciphertext)}::bytea[])
      AS new (id, was_ciphertext, key_id, ciphertext)
    WHERE code.id = new.id AND code.ciphertext = new.was_ciphertext`)

/** A batch of codes is locked, and skipped by buyers, while it is written: a few milliseconds. */
const codesAtOnce = 100
const importWaitMs = 500

export interface RotationReport {
  started(rotation: { keyId: number; isResumed: boolean; codes: number }): void
  progressed(resealed: number): void
}

/**
 * Reseals every code, sold ones too, and everything else in the vault with a new key while the store serves, and
 * deletes the old keys. It may be cut short at any moment: the next call resumes. Returns the number of codes it resealed.
 */
export async function rotateKey(database: Database, vault: Vault, report: RotationReport): Promise<number> {
  const { keyId, isResumed } = await vault.startRotation()
  report.started({ keyId, isResumed, codes: await countSealedBefore(database, keyId) })
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
    await resealAccounts(database, vault, keyId)
    if (await vault.endRotation(keyId)) return resealed
    // An import that was under way when the key was made still adds codes under the old one.
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
