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

/** What one unit of each currency is worth in the source's own. */
type Quotes = ReadonlyMap<string, Decimal>

export interface DayQuotes {
  quotes: Quotes
  /** The day the source set them for, at its beginning in UTC. */
  asOf: Date
}

/** Parses '20.07.2026' as the beginning of that day in UTC; undefined when there is no such day. */
export function parseDay(text: string): Date | undefined {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  const isoDay = `${year}-${month}-${day}`
  const at = new Date(`${isoDay}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return undefined
  // JavaScript reads 31 February as 3 March.
  return at.toISOString().startsWith(isoDay) ? at : undefined
}

/** Whether quotes are for a day further ahead than any bank sets its rates, which is a mistake of the source. */
export const isAhead = (asOf: Date, now: Date, hours: number): boolean =>
  asOf.getTime() - now.getTime() > hours * 3_600_000

/** Whether quotes are so old that the source seems to have stopped. */
export const isStale = (asOf: Date, now: Date, days: number): boolean =>
  now.getTime() - asOf.getTime() > days * 24 * 3_600_000

/** Computes how much of `to` one `from` is; undefined when the source lacks one of them. */
export function crossRate(quotes: Quotes, from: string, to: string): Decimal | undefined {
  const value = quotes.get(from)
  const unit = quotes.get(to)
  return value !== undefined && unit !== undefined ? divide(value, unit) : undefined
}

const hundredths = 10_000n

/** Converts '12.5' percent to 1250. */
export const inHundredths = (percent: string): number => Math.round(Number(percent) * 100)

/** Adds hundredths of a percent to a rate. */
export const withMarkup = (rate: Decimal, markup: number): Decimal =>
  (rate * (hundredths + BigInt(markup)) + hundredths / 2n) / hundredths

/** Whether a rate moved by more than so many hundredths of a percent, up or down. */
export function isJump(before: Decimal, after: Decimal, maxHundredths: number): boolean {
  const moved = after > before ? after - before : before - after
  return moved * hundredths > before * BigInt(maxHundredths)
}
