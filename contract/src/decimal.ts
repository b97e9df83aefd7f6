/** An exact decimal number: `value` / 10^8. */
export type Decimal = bigint

const places = 8
export const one: Decimal = 10n ** BigInt(places)

/** Parses `78,3159` or `11808.76`. Undefined unless it is a number above zero. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^(\d{1,12})(?:[.,](\d{1,12}))?$/.exec(text.trim())
  if (!match) return undefined
  const value = BigInt(match[1] ?? '0') * one + BigInt((match[2] ?? '').padEnd(places, '0').slice(0, places))
  return value > 0n ? value : undefined
}

export function formatDecimal(value: Decimal): string {
  return `${value / one}.${(value % one).toString().padStart(places, '0')}`
}

/** Rounded half up. */
export const divide = (dividend: Decimal, divisor: Decimal): Decimal => (dividend * one + divisor / 2n) / divisor
