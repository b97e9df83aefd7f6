import { LIMITS } from '@olmos/contract/limits'

/**
 * The seconds a vendor wants to be left alone for, by its header Retry-After: a number or a date (RFC 9110, 10.2.3).
 * Never more than `LIMITS.retryAfterSecondsMax`, for a customer waits.
 */
export function retryAfterOf(header: string | null | undefined, now: Date = new Date()): number | undefined {
  const text = header?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : secondsUntil(dateOf(text), now)
  if (seconds === undefined || seconds <= 0) return undefined
  return Math.min(seconds, LIMITS.retryAfterSecondsMax)
}

/** NaN for what is not written as HTTP writes dates: 'Sun, 06 Nov 1994 08:49:37 GMT'. */
const dateOf = (text: string): number => (/^[A-Z][a-z]{2}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN)

const secondsUntil = (at: number, now: Date): number | undefined =>
  Number.isNaN(at) ? undefined : Math.ceil((at - now.getTime()) / 1_000)
