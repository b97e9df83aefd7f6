import type { OfferEntry } from '@olmos/contract/catalogue'
import type { Currency } from '@olmos/contract/money'

type Priced = Pick<OfferEntry, 'game_amount' | 'price_usd' | 'price_rub'>

/** How much less a piece costs in this package than in the smallest one: whole per cent, and never more than it is. */
export function savedPercent(entry: Priced, offers: readonly Priced[], currency: Currency): number {
  const each = ({ game_amount, price_usd, price_rub }: Priced) =>
    (currency === 'USD' ? price_usd : price_rub) / game_amount
  const smallest = offers.reduce((least, other) => (other.game_amount < least.game_amount ? other : least), entry)
  return Math.max(0, Math.floor((1 - each(entry) / each(smallest)) * 100))
}
