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

/** Computes how much of `to` one `from` is; undefined when the source lacks one of them. */
export function crossRate(quotes: ReadonlyMap<string, Decimal>, from: string, to: string): Decimal | undefined {
  const value = quotes.get(from)
  const unit = quotes.get(to)
  return value !== undefined && unit !== undefined ? divide(value, unit) : undefined
}

/** Converts '12.5' percent to 1250. */
export const inHundredths = (percent: string): number => Math.round(Number(percent) * 100)

const hundredths = 10_000n

/** Adds hundredths of a percent to a rate. */
export const withMarkup = (rate: Decimal, markup: number): Decimal =>
  (rate * (hundredths + BigInt(markup)) + hundredths / 2n) / hundredths

/** Whether a rate moved by more than so many hundredths of a percent, up or down. */
export function isJump(before: Decimal, after: Decimal, maxHundredths: number): boolean {
  const moved = after > before ? after - before : before - after
  return moved * hundredths > before * BigInt(maxHundredths)
}
