export const second = 1_000
export const minute = 60 * second

/** What is left of the promised time. The two clocks may differ: more than was promised is never left. */
export const toLeft = (since: string, promisedMs: number, now: number): number =>
  Math.min(promisedMs, Math.max(0, Date.parse(since) + promisedMs - now))

/** Minutes and seconds: `14:05`; hours before them, where there are any: `1:04:05`. */
export function toClock(ms: number): string {
  const seconds = Math.ceil(ms / second)
  const twoDigits = (count: number) => String(count % 60).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60)]
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds)}`
}
