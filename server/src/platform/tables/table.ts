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

/**
 * An apostrophe before the signs that start a formula makes a spreadsheet read the cell as text. In half of Europe
 * spreadsheets split at a semicolon in spite of quotes, so what follows one, or a line break, begins a cell too.
 */
const withoutFormulas = (text: string): string => text.replace(/(^|[;\r\n])(?=[=+\-@\t\r])/g, "$1'")

function toCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : withoutFormulas(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const toLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

/** Formats rows as CSV (RFC 4180) without formulas a spreadsheet would run. */
export const toCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => toLine(row.map(toCell))).join('')

/** Excel reads letters other than English ones only after this. */
const byteOrderMark = '\uFEFF'

/** Formats a table as CSV, one page of rows after the other. */
export async function* writeCsv<Row>({ columns, pages, timeZone }: Table<Row>): AsyncGenerator<string> {
  const toTime = wallClock(timeZone)
  const format = (column: TableColumn<Row>, row: Row): string => {
    if (column.kind === 'text' || column.kind === 'number') return toCell(column.read(row))
    if (column.kind === 'money') {
      const minor = column.read(row)
      return minor === null ? '' : toMoneyText(minor)
    }
    const time = column.read(row)
    return time === null ? '' : toTime(time)
  }
  yield byteOrderMark + toCsv([columns.map(({ title }) => title)])
  for await (const rows of pages) yield rows.map((row) => toLine(columns.map((column) => format(column, row)))).join('')
}
