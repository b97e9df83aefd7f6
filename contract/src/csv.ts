/**
 * An apostrophe before the signs that start a formula makes a spreadsheet read the cell as text. In half of Europe
 * spreadsheets split at a semicolon in spite of quotes, so what follows one, or a line break, begins a cell too.
 */
const withoutFormulas = (text: string): string => text.replace(/(^|[;\r\n])(?=[=+\-@\t\r])/g, "$1'")

/** Takes away the apostrophes that `toCsvCell` put before what a spreadsheet would run. */
export const fromSafeCell = (text: string): string => text.replace(/(^|[;\r\n])'(?=[=+\-@\t\r])/g, '$1')

export function toCsvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : withoutFormulas(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Joins cells as `toCsvCell` formats them. */
export const toCsvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

/** Formats rows as CSV (RFC 4180) without formulas a spreadsheet would run. */
export const toCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => toCsvLine(row.map(toCsvCell))).join('')

/** Excel reads letters other than English ones only after this. */
export const byteOrderMark = '\uFEFF'
