import { type Decimal, divide } from '@olmos/contract/decimal'

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
