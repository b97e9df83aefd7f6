import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { PreviewedPrice, PricePreview } from '@olmos/contract/price-changes'
import { toPage } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { lockChosen } from './reprice.ts'
import { type Pricing, wantedPrices } from './wanted-prices.ts'

/** Names an offer for operators. Needs `offer` and `product` in scope, and `withOfferName` after them. */
export const offerName = sql`
  offer.id AS offer_id, offer.product_id, texts.title AS product_title, offer.game_amount,
  coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
  coalesce(region.name, '') AS region_name`

export const withOfferName = sql`
  JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id AND product_region.region_id = offer.region_id`

/** What would change, as a whole. */
type Summary = Omit<PricePreview, 'data'>

/** All that decides what would be written, in a digest: two that are equal write the same. */
const summarize = (queries: Queries, pricing: Pricing) =>
  queries.one<Summary>(sql`
    WITH ${wantedPrices(pricing)},
    change AS (SELECT * FROM wanted WHERE is_moved OR price_mode <> was_mode)
    SELECT count(*) FILTER (WHERE is_moved)::int AS total, count(*) FILTER (WHERE is_moved AND is_jump)::int AS jumps,
      count(*) FILTER (WHERE is_moved AND is_under_cost)::int AS under_floor,
      (SELECT count(*)::int FROM wanted WHERE is_unpriced) AS without_cost,
      md5(coalesce(string_agg(concat_ws(':', offer_id, was_mode, was_usd, was_rub, price_mode, price_usd, price_rub,
        floor_usd, floor_rub), ' ' ORDER BY offer_id), '')) AS digest
    FROM change`)

/** Prices are in minor units. */
interface PreviewRow extends Omit<PreviewedPrice, 'doubts'> {
  is_jump: boolean
  is_under_cost: boolean
}

/**
 * Computes every price that would change, and shows a page of them. It writes nothing; call it in a snapshot, so that the
 * digest is of what is shown.
 */
export async function previewPrices(queries: Queries, pricing: Pricing, page: number): Promise<PricePreview> {
  const pageSize = LIMITS.listPageSize
  const [rows, summary] = await Promise.all([
    queries.rows<PreviewRow>(sql`
      WITH ${wantedPrices(pricing)}
      SELECT ${offerName}, was_usd, was_rub, wanted.price_usd, wanted.price_rub, wanted.floor_usd, wanted.floor_rub,
        is_jump, is_under_cost
      FROM wanted JOIN offer ON offer.id = wanted.offer_id JOIN product ON product.id = offer.product_id ${withOfferName}
      WHERE is_moved
      ORDER BY product.position, product.id, offer.id ${toPage({ page, pageSize })}`),
    summarize(queries, pricing),
  ])
  return { data: rows.map(shownPreview), ...summary }
}

function shownPreview({ is_jump, is_under_cost, ...row }: PreviewRow): PreviewedPrice {
  return {
    ...row,
    was_usd: toMajor(row.was_usd),
    was_rub: toMajor(row.was_rub),
    price_usd: toMajor(row.price_usd),
    price_rub: toMajor(row.price_rub),
    floor_usd: row.floor_usd && toMajor(row.floor_usd),
    floor_rub: row.floor_rub && toMajor(row.floor_rub),
    doubts: [...(is_jump ? (['jump'] as const) : []), ...(is_under_cost ? (['floor'] as const) : [])],
  }
}

/**
 * Locks what is about to be priced, and refuses when it would not come out exactly as it was seen: PRICE_CHANGED. Returns
 * what would change; without a digest nothing was seen, and nothing is compared.
 */
export async function requireSeenPreview(
  tx: Tx,
  pricing: Pricing,
  seen: string | undefined,
): Promise<Summary | undefined> {
  if (seen === undefined) return undefined
  await lockChosen(tx, pricing.which)
  const summary = await summarize(tx, pricing)
  if (summary.digest !== seen) throw new Failure('PRICE_CHANGED', { preview: 'moved' })
  return summary
}
