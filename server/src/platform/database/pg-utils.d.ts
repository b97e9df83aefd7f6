declare module 'pg/lib/utils.js' {
  /** Turns a value of JavaScript into what PostgreSQL reads as a parameter; dates and arrays as pg always does. */
  export function prepareValue(value: unknown): string | Buffer | null
}
