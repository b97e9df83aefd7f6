import { ADMIN_LIMITS } from '../limits.ts'
import type { Mapping, ReadRow, Reason } from './mapping.ts'
import type { Table } from './read-table.ts'
import type { TableRow } from './read-text.ts'

/** What is imported: a file, and how its rows are read. */
export interface Source {
  table: Table
  mapping: Mapping
  /** Whether it is a file of rejected rows, whose last two columns the store has added. */
  isOwn: boolean
  read(row: TableRow): ReadRow | Reason
}

/** What can be said of a file without asking the store. */
export interface Checked {
  /** Rows below the header. */
  rows: number
  /** Those that can be sent. */
  valid: number
  /** Why each of the others can't be, by its line. */
  reasons: ReadonlyMap<number, Reason>
  /** How many imports it becomes: codes of another cost, or with another day of expiry, are an import of their own. */
  batches: number
}

/** Thrown where a file would become more imports than anybody could look after. */
export class TooManyBatches extends Error {}

/** Yields the rows below the header. */
export async function* rowsBelow({ table, mapping }: Source): AsyncGenerator<TableRow[]> {
  let isFirst = mapping.hasHeader
  for await (const rows of table.rows()) {
    yield isFirst ? rows.slice(1) : rows
    isFirst = false
  }
}

/** Names the import a row belongs to. */
export const toBatch = ({ bought }: ReadRow): string =>
  [bought.expires_on, bought.cost, bought.currency].map((said) => said ?? '').join(' ')

/** Reads all rows. A code that stands in an earlier row is left out, and an amount has one price. */
export async function checkRows(source: Source, signal: AbortSignal): Promise<Checked> {
  const reasons = new Map<number, Reason>()
  const batches = new Set<string>()
  const take = rowTaker(source.read)
  let rows = 0
  for await (const some of rowsBelow(source)) {
    for (const row of some) {
      rows++
      const taken = take(row)
      if (typeof taken === 'string') reasons.set(row.line, taken)
      else batches.add(toBatch(taken))
    }
    if (batches.size > ADMIN_LIMITS.batchesMax) throw new TooManyBatches()
    signal.throwIfAborted()
  }
  return { rows, valid: rows - reasons.size, reasons, batches: batches.size }
}

function rowTaker(read: Source['read']) {
  const seen = new Set<string>()
  const prices = new Map<number, string>()
  return (row: TableRow): ReadRow | Reason => {
    const taken = read(row)
    if (typeof taken === 'string') return taken
    if (seen.has(taken.code)) return 'repeated'
    if (taken.priceUsd !== undefined) {
      const price = `${taken.priceUsd} ${taken.priceRub}`
      if ((prices.get(taken.gameAmount) ?? price) !== price) return 'price_differs_within_import'
      prices.set(taken.gameAmount, price)
    }
    seen.add(taken.code)
    return taken
  }
}
