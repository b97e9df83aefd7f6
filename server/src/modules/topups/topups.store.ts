import type { AccountValues, SteamCurrency } from '@olmos/contract/topup-data'
import { sql, type Tx } from '../../platform/database/queries.ts'

/** The recipient of a top-up. */
export interface TopupTarget {
  /** The slug of the product. */
  service: string
  /** The account as one text, by which two are the same. */
  account: string
  /** What was filled in. */
  values: AccountValues
  /** The player's name at the supplier; null where nobody tells names. */
  playerName: string | null
  /** Set for an amount only. */
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
  /** The version of the rule that the commission follows. */
  rule: { id: number; version: number }
}

/** A quantity of one offer, or of one amount, for one account. Prices are per unit, in minor units. */
export interface TopupLine {
  item_type: 'topup'
  offer_id: number | null
  price_version: number | null
  /** Set for items without an offer. */
  product_id: number | null
  title: string
  /** For an amount: it, in major units of its currency. */
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  quantity: number
  is_on_sale: boolean
  target: TopupTarget
}

interface PlacedTarget extends TopupTarget {
  /** The item's position within its order. */
  position: number
}

const insertTargets = (tx: Tx, orderId: string, targets: readonly PlacedTarget[]) =>
  tx.run(sql`
    INSERT INTO topup_target
      (order_item_id, service, account, account_fields, player_name, steam_amount, steam_currency, steam_usd, rates,
        steam_rate_id, is_exact, rule_id, rule_version)
    SELECT order_item.id, target.service, target.account, target.account_fields::jsonb, target.player_name, target.steam_amount,
      target.steam_currency, target.steam_usd, target.rates::jsonb, target.steam_rate_id, target.rates IS NOT NULL, target.rule_id,
      target.rule_version
    FROM unnest(
      ${targets.map((target) => target.position)}::smallint[], ${targets.map((target) => target.service)}::text[],
      ${targets.map((target) => target.account)}::text[],
      ${targets.map((target) => JSON.stringify(target.values))}::text[], ${targets.map((target) => target.playerName)}::text[],
      ${targets.map((target) => target.steam?.amount ?? null)}::bigint[],
      ${targets.map((target) => target.steam?.currency ?? null)}::text[],
      ${targets.map((target) => target.steam?.usd ?? null)}::bigint[],
      ${targets.map((target) => (target.steam ? JSON.stringify(target.steam.rates) : null))}::text[],
      ${targets.map((target) => target.steam?.rateId ?? null)}::bigint[],
      ${targets.map((target) => target.steam?.rule.id ?? null)}::int[],
      ${targets.map((target) => target.steam?.rule.version ?? null)}::int[])
      AS target (position, service, account, account_fields, player_name, steam_amount, steam_currency, steam_usd, rates,
        steam_rate_id, rule_id, rule_version)
    JOIN order_item ON order_item.order_id = ${orderId} AND order_item.position = target.position`)

/**
 * Stores the recipients of an order's items. It may be sent together with the statement that writes the items, after
 * it.
 */
export async function placeTargets(tx: Tx, orderId: string, targets: readonly PlacedTarget[]): Promise<void> {
  if (targets.length > 0) await insertTargets(tx, orderId, targets)
}
