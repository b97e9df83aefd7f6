import { LIMITS } from '@olmos/contract/limits'
import type { SteamCurrency, TopupService } from '@olmos/contract/topup-data'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import type { PoolOffer } from './player-check.ts'

/** The recipient of a top-up. */
export interface TopupTarget {
  service: TopupService
  /** The player's id, or the Steam login. */
  account: string
  /** The player's name at the supplier; nobody knows the name behind a Steam login. */
  playerName: string | null
  /** Set for Steam only. */
  steam: SteamCredit | null
}

export interface SteamCredit {
  /** What the buyer wants to arrive, in minor units of `currency`. */
  amount: number
  currency: SteamCurrency
  /** The amount in US cents. */
  usd: number
  /** The shop's units per USD, of each currency that was used. */
  rates: Readonly<Record<string, string>>
  /** The row of the supplier's rate the amount was converted to USD by; null for the shop's own. */
  rateId: number | null
}

/** A quantity of one offer, or of one amount for Steam, for one player. Prices are per unit, in minor units. */
export interface TopupLine {
  item_type: 'topup'
  offer_id: number | null
  price_version: number | null
  /** Set for items without an offer. */
  product_id: number | null
  title: string
  /** For Steam: the amount in major units of its currency. */
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  quantity: number
  is_on_sale: boolean
  target: TopupTarget
}

/** A service's product is the one with its name as slug. */
const toProduct = (service: TopupService): Sql =>
  sql`product.slug = ${service} AND product.kind = 'topup' AND product.deleted_at IS NULL`

interface ListedOfferRow {
  id: number
  /** The supplier's name for it. */
  item_id: string | null
  name: string
  game_amount: number
  price_usd: number
  price_rub: number
}

const listedColumns = sql`
  offer.id, offer.item_id, coalesce(offer.name, offer.game_amount || ' ' || product.game_currency) AS name,
  offer.game_amount, offer.price_usd, offer.price_rub`

const toListed = (service: TopupService): Sql => sql`
  FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL AND offer.is_active
  WHERE ${toProduct(service)} AND product.is_active ORDER BY offer.game_amount, offer.id`

/** Lists the offers of a service on sale, smallest first. */
export const listTopupOffers = (queries: Queries, service: TopupService) =>
  queries.rows<ListedOfferRow>(sql`SELECT ${listedColumns} ${toListed(service)}`)

/** Lists the PUBG offers on sale with the number of codes in each pool, counted no further than it is shown. */
export const listPool = (queries: Queries) =>
  queries.rows<ListedOfferRow & PoolOffer>(sql`
    SELECT ${listedColumns}, (
      SELECT count(*)::int FROM (
        SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockShownMax}) AS pool)
      AS in_pool ${toListed('pubg')}`)

export interface TopupOfferRow {
  id: number
  title: string
  game_amount: number
  game_currency: string
  price_version: number
  price_usd: number
  price_rub: number
  is_on_sale: boolean
}

const offersWhere = (service: TopupService, condition: Sql): Sql => sql`
  SELECT offer.id, texts.title, offer.game_amount, product.game_currency, offer.price_version, offer.price_usd,
    offer.price_rub, offer.is_active AND product.is_active AS is_on_sale
  FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL
  JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  WHERE ${toProduct(service)} AND ${condition}`

/** Finds an offer by the supplier's name for it; if several ever had the name, the one on sale. */
export const findItemOffer = (queries: Queries, service: TopupService, itemId: string) =>
  queries.maybe<TopupOfferRow>(sql`
    ${offersWhere(service, sql`offer.item_id = ${itemId}`)} ORDER BY offer.is_active DESC, offer.id DESC LIMIT 1`)

/** Largest first. */
export const findTopupOffers = (queries: Queries, service: TopupService, ids: readonly number[]) =>
  queries.rows<TopupOfferRow>(sql`
    ${offersWhere(service, sql`offer.id = ANY (${ids}::int[])`)} ORDER BY offer.game_amount DESC, offer.id`)

export const findProduct = (queries: Queries, service: TopupService) =>
  queries.maybe<{ id: number; title: string; is_on_sale: boolean }>(sql`
    SELECT product.id, texts.title, product.is_active AS is_on_sale
    FROM product JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE ${toProduct(service)}`)

interface PlacedTarget extends TopupTarget {
  /** The item's position within its order. */
  position: number
}

const insertTargets = (tx: Tx, orderId: string, targets: readonly PlacedTarget[]) =>
  tx.run(sql`
    INSERT INTO topup_target
      (order_item_id, service, account, player_name, steam_amount, steam_currency, steam_usd, rates,
        steam_rate_id, is_exact)
    SELECT order_item.id, target.service, target.account, target.player_name, target.steam_amount,
      target.steam_currency, target.steam_usd, target.rates::jsonb, target.steam_rate_id, target.rates IS NOT NULL
    FROM unnest(
      ${targets.map((target) => target.position)}::smallint[], ${targets.map((target) => target.service)}::text[],
      ${targets.map((target) => target.account)}::text[], ${targets.map((target) => target.playerName)}::text[],
      ${targets.map((target) => target.steam?.amount ?? null)}::bigint[],
      ${targets.map((target) => target.steam?.currency ?? null)}::text[],
      ${targets.map((target) => target.steam?.usd ?? null)}::bigint[],
      ${targets.map((target) => (target.steam ? JSON.stringify(target.steam.rates) : null))}::text[],
      ${targets.map((target) => target.steam?.rateId ?? null)}::bigint[])
      AS target (position, service, account, player_name, steam_amount, steam_currency, steam_usd, rates,
        steam_rate_id)
    JOIN order_item ON order_item.order_id = ${orderId} AND order_item.position = target.position`)

/**
 * Stores the recipients of an order's items. It may be sent together with the statement that writes the items, after
 * it.
 */
export async function placeTargets(tx: Tx, orderId: string, targets: readonly PlacedTarget[]): Promise<void> {
  if (targets.length > 0) await insertTargets(tx, orderId, targets)
}
