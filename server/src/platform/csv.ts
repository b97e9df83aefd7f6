/**
 * An apostrophe before signs that make a spreadsheet take a cell for a formula makes it text again. Spreadsheets of half of
 * Europe split at a semicolon whatever the quotes say, so what stands behind one, or on a new line, begins a cell too.
 */
const withoutFormulas = (text: string): string => text.replace(/(^|[;\r\n])(?=[=+\-@\t\r])/g, "$1'")

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : withoutFormulas(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180) that no spreadsheet runs. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
