import type { SteamCurrency, TopupService } from '@olmos/contract/topup-data'
import type { Sql } from 'sql-template-tag'
import { sql, type Tx } from '../../platform/database/database.ts'

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
export const isServiceProduct = (service: TopupService): Sql =>
  sql`product.slug = ${service} AND product.kind = 'topup' AND product.deleted_at IS NULL`

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
