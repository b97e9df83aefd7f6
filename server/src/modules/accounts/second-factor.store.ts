import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { Sealed } from '../../platform/vault.ts'

export interface SecondFactor extends Sealed {
  isEnrolled: boolean
}

const isEnrolled = sql`enrolled_at IS NOT NULL`

/** Held until the transaction ends: of two codes at the same moment the second waits for the first. */
export const lockSecondFactor = (tx: Tx, userId: number) =>
  tx.maybe<SecondFactor>(sql`
    SELECT key_id AS "keyId", ciphertext, ${isEnrolled} AS "isEnrolled" FROM second_factor
    WHERE user_id = ${userId} FOR UPDATE`)

export const hasSecondFactor = async (queries: Queries, userId: number): Promise<boolean> => {
  const { found } = await queries.one<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT FROM second_factor WHERE user_id = ${userId} AND ${isEnrolled}) AS found`,
  )
  return found
}

export const readStatus = (queries: Queries, userId: number) =>
  queries.maybe<{ enrolled_at: Date; recovery_codes_left: number }>(sql`
    SELECT enrolled_at, (SELECT count(*) FROM recovery_code WHERE recovery_code.user_id = second_factor.user_id
      AND used_at IS NULL)::int AS recovery_codes_left
    FROM second_factor WHERE user_id = ${userId} AND ${isEnrolled}`)

/** Writes a secret that is still to be confirmed, over one that never was. Answers 0 where one is enrolled. */
export const writeSecret = (tx: Tx, userId: number, { keyId, ciphertext }: Sealed) =>
  tx.run(sql`
    INSERT INTO second_factor (user_id, key_id, ciphertext) VALUES (${userId}, ${keyId}, ${ciphertext})
    ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, ciphertext = excluded.ciphertext, created_at = now()
    WHERE second_factor.enrolled_at IS NULL`)

/** Takes the code of a step. Answers 0 when that one, or a later one, was taken before. */
export const takeStep = (tx: Tx, userId: number, step: number) =>
  tx.run(sql`UPDATE second_factor SET last_step = ${step} WHERE user_id = ${userId} AND last_step < ${step}`)

export const markEnrolled = (tx: Tx, userId: number) =>
  tx.run(sql`UPDATE second_factor SET enrolled_at = now() WHERE user_id = ${userId}`)

export const deleteSecondFactor = (tx: Tx, userId: number) =>
  tx.run(sql`DELETE FROM second_factor WHERE user_id = ${userId}`)

/** Takes a recovery code. Answers 0 when there is none like it, or it was taken before. */
export const takeRecoveryCode = (tx: Tx, userId: number, digest: Buffer) =>
  tx.run(sql`
    UPDATE recovery_code SET used_at = now() WHERE user_id = ${userId} AND digest = ${digest} AND used_at IS NULL`)

export async function replaceRecoveryCodes(tx: Tx, userId: number, digests: readonly Buffer[]): Promise<void> {
  await Promise.all([
    tx.run(sql`DELETE FROM recovery_code WHERE user_id = ${userId}`),
    tx.run(sql`INSERT INTO recovery_code (user_id, digest) SELECT ${userId}, unnest(${digests}::bytea[])`),
  ])
}

export const confirmSession = (tx: Tx, tokenHash: Buffer) =>
  tx.one<{ confirmed_until: Date }>(sql`
    UPDATE session SET confirmed_until = now() + make_interval(mins => ${LIMITS.confirmedMinutes})
    WHERE token_hash = ${tokenHash} RETURNING confirmed_until`)

export const usersSealedBefore = (queries: Queries, keyId: number) =>
  queries.rows<{ user_id: number }>(sql`SELECT user_id FROM second_factor WHERE key_id < ${keyId}`)

export const rewriteSecret = (tx: Tx, userId: number, { keyId, ciphertext }: Sealed) =>
  tx.run(sql`UPDATE second_factor SET key_id = ${keyId}, ciphertext = ${ciphertext} WHERE user_id = ${userId}`)
