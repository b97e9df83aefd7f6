import { byteOrderMark, toCsv, toCsvCell, toCsvLine } from '@olmos/contract/csv'

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

/** Formats a table as CSV, one page of rows after the other. */
export async function* writeCsv<Row>({ columns, pages, timeZone }: Table<Row>): AsyncGenerator<string> {
  const toTime = wallClock(timeZone)
  const format = (column: TableColumn<Row>, row: Row): string => {
    if (column.kind === 'text' || column.kind === 'number') return toCsvCell(column.read(row))
    if (column.kind === 'money') {
      const minor = column.read(row)
      return minor === null ? '' : toMoneyText(minor)
    }
    const time = column.read(row)
    return time === null ? '' : toTime(time)
  }
  yield byteOrderMark + toCsv([columns.map(({ title }) => title)])
  for await (const rows of pages)
    yield rows.map((row) => toCsvLine(columns.map((column) => format(column, row)))).join('')
}
