import type { SteamCurrency, TopupService } from '@olmos/contract/topup-data'

/** Whom a top-up goes to. */
export interface TopupTarget {
  service: TopupService
  /** The player's id, or the Steam login. */
  account: string
  /** As the supplier knows the player; nobody knows the name behind a Steam login. */
  playerName: string | null
  /** Of Steam, and of nothing else. */
  steam: SteamCredit | null
}

export interface SteamCredit {
  /** What the buyer wants to arrive, in minor units of `currency`. */
  amount: number
  currency: SteamCurrency
  /** The same in cents. */
  usd: number
  /** The shop's units for one USD, of each currency that was reckoned with. */
  rates: Readonly<Record<string, string>>
  /** Of the supplier's rate that the amount was converted to USD by; none: the shop's own. */
  rateId: number | null
}

/** So many of one offer, or of one amount for Steam, for one player. Prices are of one, in minor units. */
export interface TopupLine {
  item_type: 'topup'
  offer_id: number | null
  price_version: number | null
  /** Of what has no offer. */
  product_id: number | null
  title: string
  /** Of Steam: the amount in major units of its currency. */
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  quantity: number
  is_on_sale: boolean
  target: TopupTarget
}
