import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { ShownAmount } from './conversion.ts'
import { isConvertedCurrency } from './currency.ts'

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

/** Returns what a hundred units of a game's currency cost at a price, rounded: for comparing, not for paying. */
export function perHundred({ value, currency }: ShownAmount, gameAmount: number): ShownAmount {
  const digits = isConvertedCurrency(currency) ? 100 : 1
  const minor = Math.round((toMinor(value) * 100) / gameAmount / digits) * digits
  return { value: toMajor(minor), currency }
}
