import { type Queries, sql, type Tx } from '../../platform/database.ts'

export async function countKnownRegions(queries: Queries, regionIds: readonly number[]): Promise<number> {
  const { count } = await queries.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM region WHERE id = ANY (${regionIds})`,
  )
  return count
}

/** A region that stays keeps its game currency. */
export const replaceRegions = (tx: Tx, productId: number, regionIds: readonly number[]) =>
  Promise.all([
    tx.run(sql`DELETE FROM product_region WHERE product_id = ${productId} AND region_id <> ALL (${regionIds})`),
    tx.run(sql`
      INSERT INTO product_region (product_id, region_id)
      SELECT ${productId}, region_id FROM unnest(${regionIds}::int[]) AS region_id ON CONFLICT DO NOTHING`),
  ])

/** Answers how many regions it found: one or none. */
export const setRegionCurrency = (tx: Tx, productId: number, regionId: number, gameCurrency: string | null) =>
  tx.run(sql`
    UPDATE product_region SET game_currency = ${gameCurrency}
    WHERE product_id = ${productId} AND region_id = ${regionId}`)
