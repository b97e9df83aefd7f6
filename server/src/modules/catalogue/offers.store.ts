import { type Queries, type Sql, sql, type Tx } from '../../platform/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/lists.ts'
import { availableCount } from './available-count.ts'

export interface EditedOfferRow {
  id: number
  product_id: number
  region_id: number
  region_name: string
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  available_count: number
  is_popular: boolean
  is_active: boolean
  created_at: Date
  version: number
}

const offersWhere = (condition: Sql) => sql`
  SELECT offer.id, offer.product_id, coalesce(offer.region_id, 0) AS region_id, coalesce(region.name, '') AS region_name,
    offer.game_amount, coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
    offer.price_usd, offer.price_rub, ${availableCount(sql`offer.id`)} AS available_count, offer.is_popular,
    offer.is_active, offer.created_at, offer.version
  FROM offer JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id AND product_region.region_id = offer.region_id
  WHERE offer.deleted_at IS NULL AND ${condition}`

const columnOf = {
  game_amount: sql`offer.game_amount`,
  id: sql`offer.id`,
  region: sql`lower(region.name)`,
  price_usd: sql`offer.price_usd`,
  price_rub: sql`offer.price_rub`,
  is_popular: sql`offer.is_popular`,
  is_active: sql`offer.is_active`,
}

export interface OfferList extends ListPage {
  productId: number
  search: string
  sort: keyof typeof columnOf
}

/** A search is for a game amount. */
const isListed = ({ productId, search }: OfferList) =>
  allOf(
    sql`offer.product_id = ${productId}`,
    sql`offer.deleted_at IS NULL`,
    search ? sql`offer.game_amount::text = ${search}` : undefined,
  )

export const listOffers = (queries: Queries, list: OfferList) =>
  queries.rows<EditedOfferRow>(sql`
    ${offersWhere(isListed(list))}
    ORDER BY ${columnOf[list.sort]} ${direction(list.order)} NULLS FIRST, offer.id ${pageOf(list)}`)

export const countOffers = (queries: Queries, list: OfferList) =>
  countOf(queries, sql`SELECT FROM offer WHERE ${isListed(list)}`)

export const findOffer = (queries: Queries, offerId: number) =>
  queries.maybe<EditedOfferRow>(offersWhere(sql`offer.id = ${offerId}`))

/** The same, held until the transaction ends. */
export const lockOffer = (tx: Tx, offerId: number) =>
  tx.maybe<EditedOfferRow>(sql`${offersWhere(sql`offer.id = ${offerId}`)} FOR UPDATE OF offer`)

export const updateOffer = (
  tx: Tx,
  offerId: number,
  offer: Pick<EditedOfferRow, 'price_usd' | 'price_rub' | 'is_popular' | 'is_active'>,
) =>
  tx.run(sql`
    UPDATE offer SET price_usd = ${offer.price_usd}, price_rub = ${offer.price_rub},
      is_popular = ${offer.is_popular}, is_active = ${offer.is_active}
    WHERE id = ${offerId}`)
