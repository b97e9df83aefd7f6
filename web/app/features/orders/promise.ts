import { BUSINESS } from '@olmos/contract/business'

export const second = 1_000
export const promisedMs = BUSINESS.topupMinutes * 60 * second

/** What is left of the promised time. The two clocks may differ: more than was promised is never left. */
export const toLeft = (since: string, now: number): number =>
  Math.min(promisedMs, Math.max(0, Date.parse(since) + promisedMs - now))

/** Minutes and seconds: `14:05`. */
export function toClock(ms: number): string {
  const seconds = Math.ceil(ms / second)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
