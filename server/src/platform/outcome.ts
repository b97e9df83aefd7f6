/**
 * What came of asking a vendor. `rejected`: the vendor certainly did nothing. `unknown`: it may have happened (a
 * time-out, a broken connection, an error of theirs, an answer nobody can read), so it is asked again with the same key,
 * never anew.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  /** `parameter`: which part of the request the vendor did not like, where it says so. */
  | { kind: 'rejected'; code: string; parameter?: string }
  /** `retryAfterSeconds`: the vendor asked not to be called again before. */
  | { kind: 'unknown'; why: string; retryAfterSeconds?: number }

export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
export const rejected = (code: string, parameter?: string): Outcome<never> => ({
  kind: 'rejected',
  code,
  ...(parameter !== undefined && { parameter }),
})
export const unknown = (why: string, retryAfterSeconds?: number): Outcome<never> => ({
  kind: 'unknown',
  why,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})
