import { type Table, type TableColumn, toMoneyText, wallClock } from './table.ts'

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
