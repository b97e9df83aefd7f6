import type { ImportReport, ImportRow } from '@olmos/contract/codes'
import type { SentBought } from '@olmos/contract/costs'
import type { PriceChange } from '@olmos/contract/offers'
import { ADMIN_LIMITS } from '../limits.ts'
import { type Checked, rowsBelow, type Source, toBatch } from './check-rows.ts'
import type { ReadRow, Reason } from './mapping.ts'

/** Rows that are sent together. */
export interface Part {
  rows: ImportRow[]
  /** How the shop came by their codes, as far as the file says it. */
  bought: SentBought
  /** The import that they continue. */
  batchId: number | undefined
}

/** Sends one part and answers the store's report of it. */
export type SendPart = (part: Part) => Promise<ImportReport>

/** How far an import, or its rehearsal, has come. It can resume from here. */
export interface Sent {
  parts: number
  /** Rows that the store has looked at. */
  rows: number
  /** Codes that were put on the shelf, or would be. */
  added: number
  /** Why the store did not take rows, by their lines. */
  reasons: ReadonlyMap<number, Reason>
  priceChanges: readonly PriceChange[]
  /** The imports so far. */
  batches: ReadonlyMap<string, number>
}

export const nothingSent: Sent = {
  parts: 0,
  rows: 0,
  added: 0,
  reasons: new Map(),
  priceChanges: [],
  batches: new Map(),
}

interface Sending {
  source: Source
  checked: Checked
  from: Sent
  send: SendPart
  onProgress(sent: Sent): void
  signal: AbortSignal
}

/**
 * Sends the rows of a file a part at a time; those that were found wrong are left out. Where it ends early, the last call
 * of `onProgress` says what has been done: a file read again has the same parts in the same order.
 */
export async function sendRows({ source, checked, from, send, onProgress, signal }: Sending): Promise<Sent> {
  let sent = from
  let passed = 0
  for await (const part of toParts(source, checked)) {
    if (++passed <= from.parts) continue
    const [first] = part
    if (!first) continue
    signal.throwIfAborted()
    const batch = toBatch(first)
    const rows = part.map(({ bought: _, ...row }) => row)
    const report = await send({ rows, bought: first.bought, batchId: sent.batches.get(batch) })
    sent = told(sent, report, rows, batch)
    onProgress(sent)
  }
  return sent
}

/** Yields the rows of each import in parts of as many as one call carries. */
async function* toParts(source: Source, { reasons }: Checked): AsyncGenerator<ReadRow[]> {
  const open = new Map<string, { rows: ReadRow[]; length: number }>()
  for await (const rows of rowsBelow(source)) {
    for (const row of rows) {
      const read = reasons.has(row.line) ? undefined : source.read(row)
      if (read === undefined || typeof read === 'string') continue
      const batch = toBatch(read)
      const part = open.get(batch) ?? { rows: [], length: 0 }
      const isFull = part.rows.length === ADMIN_LIMITS.partLines
      if (isFull || (part.rows.length > 0 && part.length + read.code.length > ADMIN_LIMITS.partLength)) {
        yield part.rows
        open.set(batch, { rows: [read], length: read.code.length })
        continue
      }
      part.rows.push(read)
      part.length += read.code.length
      open.set(batch, part)
    }
  }
  for (const { rows } of open.values()) yield rows
}

function told(sent: Sent, report: ImportReport, rows: readonly ImportRow[], batch: string): Sent {
  const reasons = new Map(sent.reasons)
  for (const line of report.duplicates) reasons.set(line, 'in_stock')
  for (const line of report.elsewhere) reasons.set(line, 'other_product')
  for (const { line, reason } of report.invalid) reasons.set(line, reason)
  const known = new Set(sent.priceChanges.map((change) => change.game_amount))
  return {
    parts: sent.parts + 1,
    rows: sent.rows + rows.length,
    added: sent.added + report.added,
    reasons,
    priceChanges: [...sent.priceChanges, ...report.price_changes.filter((change) => !known.has(change.game_amount))],
    batches: report.batch_id === null ? sent.batches : new Map([...sent.batches, [batch, report.batch_id]]),
  }
}
