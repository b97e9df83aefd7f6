import { userAgent } from '../../platform/vendor/vendor.ts'
import type { DayQuotes } from './rate.rules.ts'

/** A source of the day's rates. */
export interface RateSource {
  /**
   * Reads what one unit of each currency is worth in the source's own, which is among them as 1, and since when.
   * Rejects when the source does not answer within ten seconds, or unreadably; nothing is changed then.
   */
  read(): Promise<DayQuotes>
}

const patienceMs = 10_000
const bytesAtMost = 1_000_000
const redirectsAtMost = 3

/** Reads a small document of a source, within ten seconds in all. */
export async function readDocument(address: string): Promise<ArrayBuffer> {
  const answer = await follow(new URL(address))
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

/**
 * Follows a few redirects, because a bank may move its list: to https, or within the machine that the shop was told to
 * ask, so that nobody on the way can answer in the bank's name.
 */
async function follow(start: URL): Promise<Response> {
  const signal = AbortSignal.timeout(patienceMs)
  let at = start
  for (let redirects = 0; ; redirects++) {
    const answer = await fetch(at, { redirect: 'manual', signal, headers: { 'user-agent': userAgent } })
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
    if (location === null) return answer
    await answer.body?.cancel()
    const next = URL.parse(location, at)
    const isAllowed = next !== null && (next.protocol === 'https:' || next.origin === start.origin)
    if (!isAllowed || redirects === redirectsAtMost) throw new Error(`${at} redirects to ${location}`)
    at = next
  }
}
