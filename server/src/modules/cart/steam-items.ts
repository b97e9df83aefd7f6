import type { Queries } from '../../platform/database.ts'
import { priceSteamAgain } from '../topups/price-steam.ts'
import type { SteamCredit } from '../topups/topup-line.ts'
import type { Prices, TopupColumns } from './cart.store.ts'

/** Gives the items for Steam their prices at the rates in force, and what arrives for them. */
export async function withSteamPrices<Item extends TopupColumns & Prices>(
  queries: Queries,
  items: readonly Item[],
): Promise<(Item & { steam: SteamCredit | null })[]> {
  const wishOf = ({ steam_amount: amount, steam_currency: currency }: Item) =>
    amount !== null && currency !== null ? { amount, currency } : undefined
  const prices = await priceSteamAgain(
    queries,
    items.flatMap((item) => wishOf(item) ?? []),
  )
  return items.map((item) => {
    const price = wishOf(item) && prices.shift()
    if (!price) return { ...item, steam: null }
    return { ...item, price_usd: price.priceUsd, price_rub: price.priceRub, steam: price.credit }
  })
}
