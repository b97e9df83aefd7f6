import { LIMITS } from '@olmos/contract/limits'
import { combinePackages, type PackageCount } from '@olmos/contract/uc-combination'
import { toTotal } from '../../money/total.ts'
import type { UcOffer } from './topups.queries.ts'

/** The quantity of each chosen offer, by its id. */
export type UcSelection = Readonly<Record<string, number>>

/** Adds an offer to the selection, or removes it whatever its quantity. */
export function toggled(selection: UcSelection, id: number): UcSelection {
  const { [id]: chosen, ...others } = selection
  return chosen === undefined ? { ...selection, [id]: 1 } : others
}

/** Combines offers for a typed amount; none for an empty text, for 0, and for more than is sold at once. */
export function selectionFor(typed: string, offers: readonly UcOffer[]): UcSelection {
  const inStock = offers.filter((entry) => entry.available_count > 0)
  const combined = combinePackages(inStock, Number(typed), LIMITS.ucMax)
  return Object.fromEntries(combined.map(({ package: entry, quantity }) => [entry.id, quantity]))
}

/** Lists the chosen offers that are in stock, largest first. */
export const toChosen = (selection: UcSelection, offers: readonly UcOffer[]): PackageCount<UcOffer>[] =>
  offers
    .map((entry) => ({ package: entry, quantity: selection[entry.id] ?? 0 }))
    .filter(({ package: entry, quantity }) => quantity > 0 && entry.available_count > 0)
    .toSorted((one, other) => other.package.uc_amount - one.package.uc_amount)

export interface UcTotal {
  uc: number
  usd: number
  rub: number
}

export function sumUc(chosen: readonly PackageCount<UcOffer>[]): UcTotal {
  const priced = chosen.map(({ package: entry, quantity }) => ({ ...entry, quantity }))
  return {
    uc: priced.reduce((sum, entry) => sum + entry.uc_amount * entry.quantity, 0),
    usd: toTotal(priced, 'USD'),
    rub: toTotal(priced, 'RUB'),
  }
}

/** Keeps the digits, as many as the largest amount has. */
export const ucDigits = (text: string): string =>
  text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, String(LIMITS.ucMax).length)
