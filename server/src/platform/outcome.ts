/**
 * What came of asking a vendor. `rejected`: the vendor certainly did nothing. `unknown`: it may have happened (a
 * time-out, a broken connection, an error of theirs, an answer nobody can read), so it is asked again with the same key,
 * never anew.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'rejected'; code: string }
  | { kind: 'unknown'; why: string }

export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
export const rejected = (code: string): Outcome<never> => ({ kind: 'rejected', code })
export const unknown = (why: string): Outcome<never> => ({ kind: 'unknown', why })
