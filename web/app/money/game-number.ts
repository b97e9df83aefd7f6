import type { CartItem } from '@olmos/contract/cart'
import type { TopupOffer } from '@olmos/contract/topups'
import { toUnitNames } from '@olmos/contract/unit-names'
import type { TFunction } from 'i18next'
import { gameNumber } from '../i18n/digit-grouping.ts'

/** Names a game's currency after a number: алмаз, алмаза, алмазов. One that languages have no words for is a name: UC. */
function gameUnit(t: TFunction, currency: string, count: number): string {
  const words = toUnitNames(currency).map((name) => t(`units.${name}`, { count, defaultValue: '' }))
  return words.find(Boolean) ?? currency
}

/** So many that every language uses the form it has for any large number: how many алмазов. */
const aLot = 100

export const gameUnitOfMany = (t: TFunction, currency: string): string => gameUnit(t, currency, aLot)

/** What one gets: `400 Robux`, `1 060 алмазов`. */
export const gameAmountText = (t: TFunction, amount: number, currency: string): string =>
  `${gameNumber(amount)} ${gameUnit(t, currency, amount)}`

type NamedItem = Pick<CartItem, 'game_amount' | 'game_currency'> & Partial<Pick<CartItem, 'topup_data'>>

const isJustAmount = (name: string, amount: number, currency: string) => name === `${amount} ${currency}`

/** Returns the name of a top-up's offer that is more than its amount, such as a pass; undefined where there is none. */
export function nameBesidesAmount({ game_amount, game_currency, topup_data }: NamedItem): string | undefined {
  const name = topup_data?.offer_name
  return name && !isJustAmount(name, game_amount, game_currency) ? name : undefined
}

/** Names an offer of a top-up in the page's language: a pass by its name, any other by its amount. */
export const topupOfferText = (t: TFunction, { name, game_amount }: TopupOffer, currency: string): string =>
  isJustAmount(name, game_amount, currency) ? gameAmountText(t, game_amount, currency) : name
