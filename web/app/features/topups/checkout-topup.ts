import type { CartItem } from '@olmos/contract/cart'
import { pastTheCart } from '@olmos/contract/failure-codes'
import type { TopupData } from '@olmos/contract/topup-data'

/** What a top-up page passes to the checkout in the navigation state. */
export interface CheckoutTopup {
  topupData: TopupData
  /** The title of the product. */
  title: string
  /** Empty where the service has no names. */
  playerName: string
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads the top-up from a navigation state; undefined when there is none, or one of an older version. */
export function topupIn(state: unknown): CheckoutTopup | undefined {
  if (!isRecord(state) || !isRecord(state.topupData)) return undefined
  const { topupData, title, playerName } = state
  const isComplete =
    ['freefire', 'pubg', 'steam'].includes(String(topupData.service)) &&
    typeof topupData.player_id === 'string' &&
    typeof topupData.price_usd === 'number' &&
    typeof topupData.price_rub === 'number'
  if (!isComplete || typeof title !== 'string' || typeof playerName !== 'string') return undefined
  return { topupData: topupData as TopupData, title, playerName }
}

/** Shows the top-up as the only line of what is bought. */
export function toLine({ topupData, title, playerName }: CheckoutTopup): CartItem {
  return {
    id: pastTheCart,
    product_id: pastTheCart,
    product_slug: topupData.service,
    product_title: title,
    description: '',
    image_url: topupData.image_url ?? '',
    region_id: 0,
    region: null,
    game_amount: 0,
    game_currency: '',
    price_usd: topupData.price_usd,
    price_rub: topupData.price_rub,
    quantity: 1,
    available_count: 1,
    item_type: 'topup',
    topup_data: {
      service: topupData.service,
      login: topupData.login ?? '',
      player_id: topupData.player_id,
      player_name: playerName || null,
      offer_name: topupData.offer_name ?? '',
      image_url: topupData.image_url ?? '',
      currency: topupData.currency ?? null,
      user_balance_currency: topupData.service === 'steam' ? topupData.user_balance_currency : null,
    },
  }
}
