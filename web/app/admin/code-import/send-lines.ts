import type { ImportReport } from '@olmos/contract/codes'
import type { PriceChange } from '@olmos/contract/offers'
import { WEB_LIMITS } from '../../limits.ts'
import { type Checked, note, type Problem } from './check-lines.ts'
import { toParts } from './read-lines.ts'

/** Sends one part and answers the store's report of it. */
export type SendPart = (lines: string[], batchId: number | undefined) => Promise<ImportReport>

/** How far an import, or its rehearsal, has come. It can resume from here. */
export interface Sent {
  /** Lines that the store has looked at. */
  lines: number
  /** Codes that were put on the shelf, or would be. */
  added: number
  /** Lines whose code the store had already. */
  inStock: number
  problems: Problem[]
  priceChanges: PriceChange[]
  batchId: number | undefined
}

export const nothingSent: Sent = {
  lines: 0,
  added: 0,
  inStock: 0,
  problems: [],
  priceChanges: [],
  batchId: undefined,
}

interface Sending {
  text: Blob
  checked: Checked
  from: Sent
  send: SendPart
  onProgress(sent: Sent): void
  signal: AbortSignal
}

/**
 * Sends the lines of a text a part at a time; what was found wrong with a line leaves it out, and keeps the numbers of
 * the others. Where it ends early, the last call of `onProgress` says what has been done.
 */
export async function sendLines({ text, checked, from, send, onProgress, signal }: Sending): Promise<Sent> {
  let sent = from
  let passed = 0
  for await (const part of toParts(text)) {
    const first = passed
    passed += part.length
    if (passed <= from.lines) continue
    signal.throwIfAborted()
    const lines = part.map((line, index) => (isLeftOut(checked, first + index + 1) ? '' : line))
    sent = told(sent, await send(lines, sent.batchId), first, part.length)
    onProgress(sent)
  }
  return sent
}

const isLeftOut = ({ invalid, repeated }: Checked, line: number) => invalid.has(line) || repeated.has(line)

function told(sent: Sent, report: ImportReport, first: number, lines: number): Sent {
  const problems = sent.problems.slice(0, WEB_LIMITS.importProblemsShown)
  for (const line of report.duplicates) note(problems, { line: first + line, reason: 'in_stock' })
  const known = new Set(sent.priceChanges.map((change) => change.game_amount))
  return {
    lines: first + lines,
    added: sent.added + report.added,
    inStock: sent.inStock + report.duplicates.length,
    problems,
    priceChanges: [...sent.priceChanges, ...report.price_changes.filter((change) => !known.has(change.game_amount))],
    batchId: report.batch_id ?? sent.batchId,
  }
}
