import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
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

/** Stores the recipients of an order's items, which are written before. */
export const insertTargets = (tx: Tx, orderId: string, targets: readonly PlacedTarget[]) =>
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

/** Sums up what all of it costs, in minor units. */
const toTotals = (lines: readonly TopupLine[]): Record<Currency, number> => ({
  USD: lines.reduce((sum, line) => sum + line.price_usd * line.quantity, 0),
  RUB: lines.reduce((sum, line) => sum + line.price_rub * line.quantity, 0),
})

export interface SeenPrices {
  /** In major units; 0 when the customer was shown none. */
  price_usd: number
  price_rub: number
}

/** Refuses a top-up whose price differs from what the customer saw in the currency of the payment: PRICE_CHANGED. */
export function requireSeenPrice(lines: readonly TopupLine[], seen: SeenPrices, currency: Currency): void {
  const totals = toTotals(lines)
  const seenPrice = currency === 'USD' ? seen.price_usd : seen.price_rub
  if (totals[currency] !== toMinor(seenPrice)) throw priceChanged(totals)
}

/** Refuses when the total, in minor units, differs from what the customer saw: PRICE_CHANGED. */
export function requireSeenTotal(lines: readonly TopupLine[], seen: number, currency: Currency): void {
  const totals = toTotals(lines)
  if (totals[currency] !== seen) throw priceChanged(totals, { currency, total: toMajor(totals[currency]) })
}

/**
 * Refuses when any price the customer saw has changed, or none was shown, while the currency of the payment is open.
 */
export function requireSeenPrices(lines: readonly TopupLine[], seen: SeenPrices): void {
  const totals = toTotals(lines)
  const usd = toMinor(seen.price_usd)
  const rub = toMinor(seen.price_rub)
  const isSame = (usd === 0 || usd === totals.USD) && (rub === 0 || rub === totals.RUB)
  if (!isSame || usd + rub === 0) throw priceChanged(totals)
}

const priceChanged = (totals: Record<Currency, number>, more: object = {}): Failure =>
  new Failure('PRICE_CHANGED', { ...more, price_usd: toMajor(totals.USD), price_rub: toMajor(totals.RUB) })

/** Identifies equal top-ups bought without a cart: by the player, the offers and their quantities. */
export function topupKey(lines: readonly TopupLine[]): string {
  const [first] = lines
  if (!first) throw new Error('a top-up of nothing')
  const { service, account } = first.target
  const parts = lines.map(({ offer_id, quantity, target: { steam } }) =>
    steam ? `${steam.currency}${steam.amount}` : `${offer_id}x${quantity}`,
  )
  return [service, account.toLowerCase(), parts.toSorted().join(',')].join(':')
}

/** A player's top-ups, however they were bought. */
export interface ToppedUp {
  offer_id: number | null
  quantity: number
  target: Pick<TopupTarget, 'service' | 'account'> & { steam: Pick<SteamCredit, 'amount' | 'currency'> | null }
}

/**
 * Whether one of two purchases has everything the other has for some player, which is what a customer does who doubts
 * that the first press worked.
 */
export function isRepeat(wanted: readonly ToppedUp[], earlier: readonly ToppedUp[]): boolean {
  const before = partsByPlayer(earlier)
  return [...partsByPlayer(wanted)].some(([player, parts]) => {
    const others = before.get(player)
    return others !== undefined && (hasAll(parts, others) || hasAll(others, parts))
  })
}

/** Counts each offer, or each amount for Steam, by player. */
function partsByPlayer(items: readonly ToppedUp[]): Map<string, Map<string, number>> {
  const players = new Map<string, Map<string, number>>()
  for (const { offer_id, quantity, target } of items) {
    const player = `${target.service}:${target.account.toLowerCase()}`
    const what = target.steam ? `${target.steam.currency}${target.steam.amount}` : String(offer_id)
    const parts = players.get(player) ?? new Map<string, number>()
    players.set(player, parts.set(what, (parts.get(what) ?? 0) + quantity))
  }
  return players
}

const hasAll = (parts: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): boolean =>
  [...wanted].every(([what, quantity]) => parts.get(what) === quantity)
