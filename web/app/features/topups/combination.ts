import * as LIMITS from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
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

/** The selection of a page whose typed amount it has to come to: combined once more where what was chosen no longer does. */
export function keptSelection(typed: string, selection: Selection, offers: readonly TopupOffer[]): Selection {
  const isShort = typed !== '' && sumChosen(toChosen(selection, offers)).amount < Number(typed)
  return isShort ? selectionFor(typed, offers) : selection
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

/** A cheaper way to get at least as much: how much of the game's currency it is, its prices, and what it saves. */
export interface CheaperChoice extends ReturnType<typeof sumChosen> {
  selection: Selection
  /** In major units of the currency it was asked for in. */
  saved: number
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other)

/**
 * Finds the cheapest packages that come to at least `wanted` of a game's currency, whatever is left over. Undefined where
 * what is chosen costs no more than they do, or where there is not as much of them in stock.
 */
export function findCheaper(
  wanted: number,
  chosen: readonly PackageCount<TopupOffer>[],
  offers: readonly TopupOffer[],
  currency: Currency,
): CheaperChoice | undefined {
  const sold = offers.filter((entry) => entry.available > 0)
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > LIMITS.ucMax) return undefined
  if (chosen.length === 0 || sold.length === 0) return undefined
  const toPrice = (one: Pick<TopupOffer, 'price_usd' | 'price_rub'>) =>
    toMinor(currency === 'USD' ? one.price_usd : one.price_rub)
  const instead = coverCheaply(wanted, sold, toPrice)
  if (instead.some(({ package: entry, quantity }) => quantity > entry.available)) return undefined
  const [present, sum] = [sumChosen(chosen), sumChosen(instead)]
  const saved =
    toPrice({ price_usd: present.usd, price_rub: present.rub }) - toPrice({ price_usd: sum.usd, price_rub: sum.rub })
  if (saved <= 0) return undefined
  const selection = Object.fromEntries(instead.map(({ package: { id }, quantity }) => [id, quantity]))
  return { ...sum, selection, saved: toMajor(saved) }
}

/** Adds packages up to at least `wanted` at the least price, of which the larger package wins where two cost the same. */
function coverCheaply(
  wanted: number,
  sold: readonly TopupOffer[],
  toPrice: (offer: TopupOffer) => number,
): PackageCount<TopupOffer>[] {
  const largestFirst = sold.toSorted((a, b) => b.game_amount - a.game_amount)
  const step = sold.map((entry) => entry.game_amount).reduce(greatestCommonDivisor, 0)
  const priced = largestFirst.map((entry) => ({ entry, steps: entry.game_amount / step, price: toPrice(entry) }))
  // For each number of steps: what at least so many cost, and which package was taken last.
  const goal = Math.ceil(wanted / step)
  const costs = new Float64Array(goal + 1)
  const taken = new Uint16Array(goal + 1)
  for (let steps = 1; steps <= goal; steps++) {
    let best = Number.POSITIVE_INFINITY
    for (let at = 0; at < priced.length; at++) {
      const one = priced[at]
      const cost = one ? (costs[Math.max(0, steps - one.steps)] ?? 0) + one.price : best
      if (cost >= best) continue
      best = cost
      taken[steps] = at
    }
    costs[steps] = best
  }
  const quantities = new Map<TopupOffer, number>()
  for (let steps = goal; steps > 0; ) {
    const one = priced[taken[steps] ?? 0]
    if (!one) break
    quantities.set(one.entry, (quantities.get(one.entry) ?? 0) + 1)
    steps -= one.steps
  }
  return [...quantities].map(([entry, quantity]) => ({ package: entry, quantity }))
}

/** Keeps the digits, as many as the largest amount has. */
export const amountDigits = (text: string): string =>
  text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, String(LIMITS.ucMax).length)
