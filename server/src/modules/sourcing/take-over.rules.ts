import { one, parseDecimal } from '@olmos/contract/decimal'
import { LIMITS } from '@olmos/contract/limits'
import type { DollarRates } from '../rates/rates.ts'

/** '1,000' and '1 000' are a thousand; '9.99' is no amount. */
const amount = /(?<![\d.,])(\d{1,3}(?:[ ,.\u00a0]\d{3})+|\d{1,10})(?![.,]?\d)/
const sum = new RegExp(`${amount.source}(?:\\s*\\+\\s*${amount.source})?`)

const toNumber = (digits: string | undefined): number => Number((digits ?? '').replace(/\D/g, ''))

/** Reads how much of a game's currency a package has from its name: '325 + 25 UC' has 350. Undefined where it doesn't say. */
export function readAmount(name: string): number | undefined {
  const match = sum.exec(name)
  if (!match) return undefined
  const value = toNumber(match[1]) + toNumber(match[2])
  return value > 0 && value <= LIMITS.gameAmountMax ? value : undefined
}

/** Reads what a game's currency is called from the names of its packages, where all that have an amount agree. */
export function readUnit(names: readonly string[]): string {
  const units = names.filter((name) => sum.test(name)).map((name) => name.replace(sum, '').replace(/\s+/g, ' ').trim())
  const [unit = ''] = units
  return unit.length <= 40 && units.every((one) => one === unit) ? unit : ''
}

interface Cost {
  /** A decimal. */
  cost: string
  currency: string
}

interface Prices {
  /** In minor units. */
  priceUsd: number
  priceRub: number
}

const hundredths = 10_000n
const ceil = (dividend: bigint, divisor: bigint): number => Number((dividend + divisor - 1n) / divisor)

/**
 * Prices what costs so much with a margin in percent on top, at these rates, rounded up to the cent and the kopeck.
 * `no_rate` without a rate of its currency, or of the rouble; `price` when it is more than an offer may cost.
 */
export function priceByMargin(
  { cost, currency }: Cost,
  marginPercent: number,
  rates: DollarRates,
): Prices | 'no_rate' | 'price' {
  const [amount, rate, rubles] = [parseDecimal(cost), rates.get(currency), rates.get('RUB')]
  if (rate === undefined || rubles === undefined) return 'no_rate'
  if (amount === undefined) return 'price'
  const cents = amount * (hundredths + BigInt(Math.round(marginPercent * 100))) * 100n
  const priceUsd = ceil(cents, rate * hundredths)
  const priceRub = ceil(cents * rubles, rate * hundredths * one)
  return Math.max(priceUsd, priceRub) > LIMITS.amountMax ? 'price' : { priceUsd, priceRub }
}

/** Whether one of the prices does not pay for what is bought. */
export function isUnderCost({ priceUsd, priceRub }: Prices, cost: Cost, rates: DollarRates): boolean {
  const least = priceByMargin(cost, 0, rates)
  return typeof least === 'string' || priceUsd < least.priceUsd || priceRub < least.priceRub
}
