import { LIMITS } from '@olmos/contract/limits'
import type { PackageStock, Summary } from '@olmos/contract/summary'

const dayMs = 86_400_000

/** The day it is by the clock of a time zone: '2026-11-21'. */
export const dateIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)

const shifted = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** The days to report on: up to today, and as many as a summary has, where an end is open. */
export function rangeOf(wanted: { from?: string | undefined; to?: string | undefined }, today: string) {
  const { from } = wanted
  if (from === undefined) {
    const to = wanted.to ?? today
    return { from: shifted(to, 1 - LIMITS.summaryDays), to }
  }
  const last = shifted(from, LIMITS.summaryDaysMax - 1)
  const latest = today < last ? today : last
  return { from, to: wanted.to ?? (from > today ? from : latest) }
}

/** In days, to one decimal, at the pace of the last `LIMITS.paceDays`. */
export const daysLeft = (available: number, sold: number): number | null =>
  sold === 0 ? null : Math.round((available / sold) * LIMITS.paceDays * 10) / 10

const isLow = ({ available_count, days_left }: PackageStock) =>
  available_count <= LIMITS.lowStockCodes || (days_left !== null && days_left < LIMITS.lowStockDays)

const urgency = ({ days_left }: PackageStock) => days_left ?? Number.MAX_VALUE

/** What runs out, the soonest first; of what nobody buys, the emptiest. */
export const lowStockOf = (packages: readonly PackageStock[]): PackageStock[] =>
  packages.filter(isLow).sort((a, b) => urgency(a) - urgency(b) || a.available_count - b.available_count)

/** Packages under their products, in the order they came. */
export function byProduct(packages: readonly PackageStock[]): Summary['stock'] {
  const products = new Map<number, Summary['stock'][number]>()
  for (const entry of packages) {
    const { product_id, product_title } = entry
    const product = products.get(product_id) ?? { product_id, product_title, available_count: 0, packages: [] }
    product.available_count += entry.available_count
    product.packages.push(entry)
    products.set(product_id, product)
  }
  return [...products.values()]
}
