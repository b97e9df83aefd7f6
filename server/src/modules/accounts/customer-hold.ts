import { type Queries, sql, type Tx } from '../../platform/database.ts'

/**
 * Whether the customer's balance and unseen codes wait for the end of a dispute. The answer stays true until the
 * transaction ends: who sets or lifts the hold waits for it.
 */
export async function isCustomerHeld(tx: Tx, userId: number): Promise<boolean> {
  const { is_held } = await tx.one<{ is_held: boolean }>(
    sql`SELECT held_since IS NOT NULL AS is_held FROM users WHERE id = ${userId} FOR SHARE`,
  )
  return is_held
}

/** For a refusal that has been decided already and only wants its reason. */
export const readHeldSince = (queries: Queries, userId: number) =>
  queries.one<{ held_since: Date | null }>(sql`SELECT held_since FROM users WHERE id = ${userId}`)

/** Holds the customer, or lets them go; answers whether that changed anything. */
export const setCustomerHeld = async (tx: Tx, userId: number, isHeld: boolean): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE users SET held_since = CASE WHEN ${isHeld} THEN now() END
    WHERE id = ${userId} AND (held_since IS NOT NULL) <> ${isHeld}`)) === 1
