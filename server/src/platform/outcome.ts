/**
 * What came of asking a vendor. `rejected`: the vendor certainly did nothing. `unknown`: it may have happened (a
 * time-out, a broken connection, an error of theirs, an answer nobody can read), so it is asked again with the same key,
 * never anew.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | ({ kind: 'rejected'; code: string } & Besides)
  | ({ kind: 'unknown'; why: string } & Besides)

/** What else is known where a vendor did not do it. */
export interface Besides {
  /** The vendor wants to be left alone for so long. */
  retryAfterSeconds?: number | undefined
  /** Which part of the request it did not like. */
  parameter?: string | undefined
  /** For the operator who reads the alert: 'cost' to '5.79 EUR'. Never a secret or a code. */
  facts?: Readonly<Record<string, string>> | undefined
}

export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
export const rejected = (code: string, besides: Besides = {}): Outcome<never> => ({
  kind: 'rejected',
  code,
  ...besides,
})
export const unknown = (why: string, besides: Besides = {}): Outcome<never> => ({ kind: 'unknown', why, ...besides })
