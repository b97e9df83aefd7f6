/** Signs that make a spreadsheet take a cell for a formula; an apostrophe before them makes it text again. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text)

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180) that no spreadsheet runs. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
