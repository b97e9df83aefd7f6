import type { DayQuotes } from './rate.rules.ts'

/** Where the day's rates come from. */
export interface RateSource {
  /**
   * What one unit of each currency is worth in the source's own, which is among them as 1, and since when. Rejects when the source does
   * not answer within ten seconds, or answers what can't be read; nothing is changed then.
   */
  read(): Promise<DayQuotes>
}

const patienceMs = 10_000
const bytesAtMost = 1_000_000

/** Reads a small document of a source: no redirects, bounded in time and size. */
export async function readDocument(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    length += chunk.length
    if (length > bytesAtMost) throw new Error(`${address} answered more than ${bytesAtMost} bytes`)
    chunks.push(chunk)
  }
  return new Blob(chunks as BlobPart[]).arrayBuffer()
}
