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
  /** The places of the parts that the store has looked at, from 0. */
  parts: ReadonlySet<number>
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
  parts: new Set(),
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
  /** Whether the store is only asked what it would do, so that no import is begun. */
  isRehearsal: boolean
  send: SendPart
  onProgress(sent: Sent): void
  signal: AbortSignal
}

/**
 * Sends the rows of a file in parts; those that were found wrong are left out. Several are under way: while PostgreSQL writes
 * some the store reads the next. Where it ends early, the last call of `onProgress` says what has been done: a file read again
 * has the same parts in the same order.
 */
export async function sendRows({ source, checked, from, isRehearsal, ...sending }: Sending): Promise<Sent> {
  const { send, onProgress, signal } = sending
  let sent = from
  let failure: { error: unknown } | undefined
  const underWay = new Set<Promise<void>>()
  /** Imports whose first part is under way: the others need the number that it is answered. */
  const begun = new Set<string>()
  const sendPart = async (place: number, part: readonly ReadRow[], { bought }: ReadRow, batch: string) => {
    const rows = part.map(({ bought: _, ...row }) => row)
    const batchId = sent.batches.get(batch)
    if (!isRehearsal && batchId === undefined) begun.add(batch)
    try {
      const report = await send({ rows, bought, batchId })
      sent = told(sent, report, { place, rows, batch })
      onProgress(sent)
    } catch (error) {
      failure ??= { error }
    }
    begun.delete(batch)
  }

  let place = 0
  try {
    for await (const part of toParts(source, checked)) {
      const here = place++
      const [first] = part
      if (!first || from.parts.has(here)) continue
      const batch = toBatch(first)
      while (underWay.size >= ADMIN_LIMITS.partsAtOnce || begun.has(batch)) await Promise.race(underWay)
      if (failure) break
      signal.throwIfAborted()
      const sending = sendPart(here, part, first, batch).finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
  } finally {
    // What the store still answers counts, whatever became of the rest.
    await Promise.all(underWay)
  }
  if (failure) throw failure.error
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

function told(
  sent: Sent,
  report: ImportReport,
  { place, rows, batch }: { place: number; rows: readonly ImportRow[]; batch: string },
): Sent {
  const reasons = new Map(sent.reasons)
  for (const line of report.duplicates) reasons.set(line, 'in_stock')
  for (const line of report.elsewhere) reasons.set(line, 'other_product')
  for (const { line, reason } of report.invalid) reasons.set(line, reason)
  const known = new Set(sent.priceChanges.map((change) => change.game_amount))
  return {
    parts: new Set([...sent.parts, place]),
    rows: sent.rows + rows.length,
    added: sent.added + report.added,
    reasons,
    priceChanges: [...sent.priceChanges, ...report.price_changes.filter((change) => !known.has(change.game_amount))],
    batches: report.batch_id === null ? sent.batches : new Map([...sent.batches, [batch, report.batch_id]]),
  }
}
