import type { CodeStatus } from '@olmos/contract/codes'
import { LIMITS } from '@olmos/contract/limits'
import type { OfferBelongings } from '@olmos/contract/offers'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/database/lists.ts'
import { availableCount } from './availability.ts'
import type { OfferPlace, OfferPrice } from './prices.rules.ts'

export interface EditedOfferRow {
  id: number
  product_id: number
  region_id: number
  region_name: string
  item_id: string | null
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
    offer.item_id,    offer.game_amount, coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
    offer.price_usd, offer.price_rub, ${availableCount} AS available_count, offer.is_popular,
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

interface OfferList extends ListPage {
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

/** The same, held until the transaction ends. Who buys it meanwhile needs no more than that it stays there. */
export const lockOffer = (tx: Tx, offerId: number) =>
  tx.maybe<EditedOfferRow>(sql`${offersWhere(sql`offer.id = ${offerId}`)} FOR NO KEY UPDATE OF offer`)

interface OfferFields extends OfferPrice {
  isPopular: boolean
  isActive: boolean
}

/** Answers its id; none when there is one of the amount. One that was deleted stays so: what was ordered of it is still what it was. */
export async function insertNewOffer(tx: Tx, place: OfferPlace, offer: OfferFields): Promise<number | undefined> {
  const row = await tx.maybe<{ id: number }>(sql`
    INSERT INTO offer (product_id, region_id, game_amount, price_usd, price_rub, is_popular, is_active)
    VALUES (${place.productId}, ${place.regionId}, ${offer.gameAmount}, ${offer.priceUsd}, ${offer.priceRub},
      ${offer.isPopular}, ${offer.isActive})
    ON CONFLICT (product_id, region_id, game_amount) WHERE deleted_at IS NULL DO NOTHING RETURNING id`)
  return row?.id
}

const codesOf = (offerId: number, statuses: CodeStatus[]) => sql`
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = ${offerId} AND status = ANY (${statuses}) LIMIT ${LIMITS.listCountMax}) AS code)`

export const readOfferBelongings = (queries: Queries, offerId: number) =>
  queries.one<OfferBelongings>(sql`
    SELECT ${codesOf(offerId, ['available', 'unpublished', 'archived'])} AS unsold_codes,
      ${codesOf(offerId, ['reserved', 'used', 'quarantined'])} AS sold_codes,
      (SELECT count(*)::int FROM cart_item WHERE offer_id = ${offerId}) AS cart_items`)

export const retireOffer = (tx: Tx, offerId: number) =>
  tx.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE id = ${offerId}`)

export const updateOffer = (
  tx: Tx,
  offerId: number,
  offer: Pick<EditedOfferRow, 'price_usd' | 'price_rub' | 'is_popular' | 'is_active' | 'item_id'>,
) =>
  tx.run(sql`
    UPDATE offer SET price_usd = ${offer.price_usd}, price_rub = ${offer.price_rub},
      is_popular = ${offer.is_popular}, is_active = ${offer.is_active}, item_id = ${offer.item_id}
    WHERE id = ${offerId}`)
