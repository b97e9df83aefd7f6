import { type Currency, lowerCurrency } from '@olmos/contract/money'
import type { ShownTopup, TopupService } from '@olmos/contract/topup-data'

interface Topup {
  service: TopupService
  account: string
  player_name: string | null
  /** The offer's own; none where it is called by its amount. */
  name: string | null
}

interface Around {
  game_amount: number
  game_currency: string
  image_url: string
  /** That it was, or will be, paid in; not known in a cart. */
  currency: Currency | null
}

/** How an item of a cart or of an order shows that it is a top-up. */
export function shownTopup(topup: Topup, { game_amount, game_currency, image_url, currency }: Around): ShownTopup {
  const isSteam = topup.service === 'steam'
  const paidIn = currency && lowerCurrency(currency)
  return {
    service: topup.service,
    login: isSteam ? topup.account : '',
    player_id: topup.account,
    player_name: topup.player_name,
    offer_name: topup.name ?? `${game_amount} ${game_currency}`,
    image_url,
    currency: paidIn,
    user_balance_currency: isSteam ? paidIn : null,
  }
}
