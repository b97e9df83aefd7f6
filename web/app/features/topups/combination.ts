import { LIMITS } from '@olmos/contract/limits'
import type { TopupOffer } from '@olmos/contract/topups'
import { combinePackages, type PackageCount } from '@olmos/contract/uc-combination'
import { toTotal } from '../../money/total.ts'

/** The quantity of each chosen offer, by its id. */
export type Selection = Readonly<Record<string, number>>

/** Adds an offer to the selection, or removes it whatever its quantity. */
export function toggled(selection: Selection, id: number): Selection {
  const { [id]: chosen, ...others } = selection
  return chosen === undefined ? { ...selection, [id]: 1 } : others
}

/** Combines offers for a typed amount; none for an empty text, for 0, and for more than is sold at once. */
export function selectionFor(typed: string, offers: readonly TopupOffer[]): Selection {
  const inStock = offers.filter((entry) => entry.available > 0)
  const combined = combinePackages(inStock, Number(typed), LIMITS.ucMax)
  return Object.fromEntries(combined.map(({ package: entry, quantity }) => [entry.id, quantity]))
}

/** Lists the chosen offers that are in stock, largest first. */
export const toChosen = (selection: Selection, offers: readonly TopupOffer[]): PackageCount<TopupOffer>[] =>
  offers
    .map((entry) => ({ package: entry, quantity: selection[entry.id] ?? 0 }))
    .filter(({ package: entry, quantity }) => quantity > 0 && entry.available > 0)
    .toSorted((one, other) => other.package.game_amount - one.package.game_amount)

/** Adds up what is chosen: how much of the game's currency it is, and its price in both of the shop's. */
export function sumChosen(chosen: readonly PackageCount<TopupOffer>[]) {
  const priced = chosen.map(({ package: entry, quantity }) => ({ ...entry, quantity }))
  return {
    amount: priced.reduce((sum, entry) => sum + entry.game_amount * entry.quantity, 0),
    usd: toTotal(priced, 'USD'),
    rub: toTotal(priced, 'RUB'),
  }
}

/** Keeps the digits, as many as the largest amount has. */
export const amountDigits = (text: string): string =>
  text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, String(LIMITS.ucMax).length)
