/** One column of a file. Money is in minor units, of which every currency here has a hundred. */
export type TableColumn<Row> = { title: string } & (
  | { kind: 'text'; read(row: Row): string | null }
  | { kind: 'number'; read(row: Row): number | null }
  | { kind: 'money'; read(row: Row): number | null }
  | { kind: 'time'; read(row: Row): Date | null }
)

/** Rows of a file, some at a time. */
export interface Table<Row> {
  /** Names the sheet, where the format has any. */
  title: string
  columns: readonly TableColumn<Row>[]
  pages: AsyncIterable<readonly Row[]>
  /** The time zone that times are written in. */
  timeZone: string
}

/** Formats times as the clock on a wall shows them: `2026-11-24 13:49:35`. */
export function wallClock(timeZone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (time) => format.format(time)
}

/** Formats an amount without a float: `-12.50`. */
export function toMoneyText(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
