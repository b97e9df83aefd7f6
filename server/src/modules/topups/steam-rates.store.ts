import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql, type Tx } from '../../platform/database.ts'

export interface SteamRateRow {
  id: number
  currency: string
  /** Units of the currency for one USD. */
  rate: string
}

/** What a supplier said lately. */
export const readSteamRates = (queries: Queries) =>
  queries.rows<SteamRateRow>(sql`
    SELECT DISTINCT ON (currency) id, currency, rate FROM steam_rate
    WHERE seen_at > now() - make_interval(mins => ${LIMITS.steamRateMinutes}) ORDER BY currency, id DESC`)

/** The rate that was said last is said again, or another one from now on. */
export const noteSteamRate = (tx: Tx, { supplier, currency, rate }: Omit<SteamRateRow, 'id'> & { supplier: string }) =>
  tx.run(sql`
    WITH again AS (
      UPDATE steam_rate SET seen_at = now()
      WHERE id = (SELECT max(id) FROM steam_rate WHERE currency = ${currency}) AND supplier = ${supplier}
        AND rate = ${rate}::numeric(20, 8)
        AND seen_at > now() - make_interval(mins => ${LIMITS.steamRateMinutes})
      RETURNING id)
    INSERT INTO steam_rate (supplier, currency, rate)
    SELECT ${supplier}, ${currency}, ${rate}::numeric WHERE NOT EXISTS (SELECT FROM again)`)

/** Two nodes don't note the same at once. */
export const lockSteamRates = (tx: Tx) => tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('steam_rate'))`)
