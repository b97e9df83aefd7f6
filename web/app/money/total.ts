import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'

interface Priced {
  price_usd: number
  price_rub: number
  quantity: number
}

const lineMinor = (line: Priced, currency: Currency) =>
  toMinor(currency === 'USD' ? line.price_usd : line.price_rub) * line.quantity

export const lineTotal = (line: Priced, currency: Currency): number => toMajor(lineMinor(line, currency))

/** Major units, added up in minor ones: what is paid must be exact. */
export const toTotal = (lines: readonly Priced[], currency: Currency): number =>
  toMajor(lines.reduce((total, line) => total + lineMinor(line, currency), 0))
