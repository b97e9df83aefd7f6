import type { AlertFact, AlertKind } from '@olmos/contract/alerts'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../context.ts'
import type { Caller } from '../http/route.ts'
import { raiseAlert } from '../live/alert.ts'

interface Limited {
  limit: keyof typeof SERVER_LIMITS.rates
  /** Tells the one who is refused what there were too many of. */
  code: 'many_resets' | 'many_reveals'
  alert: AlertKind
  /** The fact of the alert that says how many. */
  fact: AlertFact
}

/**
 * Makes a function that counts what one admin does one by one. It refuses with RATE_LIMITED once there is too
 * much, and raises an alert then: somebody who goes from one to the next may have stolen a session.
 */
export function adminLimit(
  { database, rateLimiter }: Pick<Resources, 'database' | 'rateLimiter'>,
  { limit, code, alert, fact }: Limited,
): (admin: Caller) => Promise<void> {
  const { points, seconds } = SERVER_LIMITS.rates[limit]
  const counted = rateLimiter(limit)
  return async ({ id, nickname }) => {
    try {
      await counted.count(String(id))
    } catch (error) {
      if (!(error instanceof Failure && error.is('RATE_LIMITED') && error.details)) throw error
      const { retryAfterSeconds } = error.details
      const began = Date.now() - (seconds - retryAfterSeconds) * 1_000
      // Rounded to the minute, so that all refusals of one stretch share an alert and the next stretch raises a new
      // one.
      const since = new Date(Math.round(began / 60_000) * 60_000).toISOString()
      const details = { admin: nickname, [fact]: points, minutes: seconds / 60, since }
      await raiseAlert(database, { kind: alert, subject: `user:${id}`, details })
      throw new Failure('RATE_LIMITED', { code, most: points, retryAfterSeconds })
    }
  }
}
