import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { Sealed } from '../../platform/vault.ts'

export interface SealedCode extends Sealed {
  id: number
}

export async function countSealedBefore(queries: Queries, keyId: number): Promise<number> {
  const { count } = await queries.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM code WHERE key_id < ${keyId}`,
  )
  return count
}

/** The next codes, by id, that are sealed with a key older than `keyId`. */
export const readSealedBefore = (queries: Queries, keyId: number, after: { id: number; limit: number }) =>
  queries.rows<SealedCode>(sql`
    SELECT id, key_id AS "keyId", ciphertext FROM code
    WHERE key_id < ${keyId} AND id > ${after.id} ORDER BY id LIMIT ${after.limit}`)

/** Passes over a code that was sealed anew since it was read. */
export const writeSealed = (tx: Tx, was: readonly SealedCode[], is: readonly Sealed[]) =>
  tx.run(sql`
    UPDATE code SET key_id = new.key_id, ciphertext = new.ciphertext
    FROM unnest(${was.map((code) => code.id)}::bigint[], ${was.map((code) => code.keyId)}::int[],
      ${is.map((code) => code.keyId)}::int[], ${is.map((code) => code.ciphertext)}::bytea[])
      AS new (id, old_key_id, key_id, ciphertext)
    WHERE code.id = new.id AND code.key_id = new.old_key_id`)
