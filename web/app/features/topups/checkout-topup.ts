import type { CartItem } from '@olmos/contract/cart'
import { pastTheCart } from '@olmos/contract/failure-codes'
import type { AnyTopup, ShownTopup } from '@olmos/contract/topup-data'

/** What a top-up page passes to the checkout in the navigation state. */
export interface CheckoutTopup {
  topupData: AnyTopup
  /** The title of the product, and its colour, which an older version did not pass on. */
  title: string
  color?: string
  /** Empty where the game has no names. */
  playerName: string
  /** The account as it is shown. */
  account: ShownTopup['account']
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const areTexts = (record: unknown) =>
  isRecord(record) && Object.values(record).every((text) => typeof text === 'string')

/** Reads the top-up from a navigation state; undefined when there is none, or one of an older version. */
export function topupIn(state: unknown): CheckoutTopup | undefined {
  if (!isRecord(state) || !isRecord(state.topupData)) return undefined
  const { topupData, title, playerName, account, color } = state
  const isComplete =
    typeof topupData.service === 'string' &&
    areTexts(topupData.account) &&
    typeof topupData.price_usd === 'number' &&
    typeof topupData.price_rub === 'number' &&
    (Array.isArray(topupData.offers) || typeof topupData.amount === 'number')
  if (!isComplete || typeof title !== 'string' || typeof playerName !== 'string') return undefined
  if (!Array.isArray(account) || !account.every(areTexts)) return undefined
  const known = { topupData: topupData as AnyTopup, title, playerName, account }
  return typeof color === 'string' ? { ...known, color } : known
}

/** Shows the top-up as the only line of what is bought. */
export function toLine({ topupData, title, playerName, account, color = '' }: CheckoutTopup): CartItem {
  const { service, amount, price_usd, price_rub, offer_name = '', image_url = '', currency = null } = topupData
  const accountText = account.map(({ value }) => value).join(', ')
  return {
    id: pastTheCart,
    product_id: pastTheCart,
    product_slug: service,
    product_title: title,
    description: '',
    image_url,
    color,
    region_id: 0,
    region: null,
    game_amount: 0,
    game_currency: '',
    price_usd,
    price_rub,
    quantity: 1,
    available_count: 1,
    item_type: 'topup',
    topup_data: {
      service,
      login: amount === undefined ? '' : accountText,
      player_id: accountText,
      account,
      player_name: playerName || null,
      offer_name,
      image_url,
      currency,
      user_balance_currency: amount === undefined ? null : currency,
    },
  }
}
