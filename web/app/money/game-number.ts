import type { CartItem } from '@olmos/contract/cart'
import type { TFunction } from 'i18next'

/** An amount of a game's currency with its thousands set apart, the same in every language. */
export const gameNumber = (amount: number): string => amount.toLocaleString('en-US').replaceAll(',', '\u00A0')

/** What one gets: `400 Robux`. Months are words, the currencies of games are names. */
export const gameAmountText = (t: TFunction, amount: number, currency: string): string =>
  `${gameNumber(amount)} ${currency === 'months' ? t('units.months', { count: amount }) : currency}`

type NamedItem = Pick<CartItem, 'game_amount' | 'game_currency'> & Partial<Pick<CartItem, 'topup_data'>>

/** Returns the name of a top-up's offer that is more than its amount, such as a pass; undefined where there is none. */
export function nameBesidesAmount({ game_amount, game_currency, topup_data }: NamedItem): string | undefined {
  const name = topup_data?.offer_name
  return name && name !== `${game_amount} ${game_currency}` ? name : undefined
}
