import type { TopupService } from '@olmos/contract/topup-data'
import { type Queries, sql } from '../../platform/database.ts'

export interface TopupOfferRow {
  id: number
  /** What the supplier calls it. */
  item_id: string | null
  name: string
  game_amount: number
  price_usd: number
  price_rub: number
}

/** What one can choose of a service now, smallest first. Its product is the one whose slug is its name. */
export const listOffers = (queries: Queries, service: TopupService) =>
  queries.rows<TopupOfferRow>(sql`
    SELECT offer.id, offer.item_id, coalesce(offer.name, offer.game_amount || ' ' || product.game_currency) AS name,
      offer.game_amount, offer.price_usd, offer.price_rub
    FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL AND offer.is_active
    WHERE product.slug = ${service} AND product.kind = 'topup' AND product.is_active AND product.deleted_at IS NULL
    ORDER BY offer.game_amount, offer.id`)
