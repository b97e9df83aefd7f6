import { LIMITS } from '@olmos/contract/limits'

export type VendorFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What the shop calls itself on the net. Some machines, the Bank of Russia's among them, refuse what looks like no browser. */
export const userAgent = 'Mozilla/5.0 (compatible; Olmos/1.0; self-hosted store)'

/**
 * A `fetch` for machines of others: gives up after a while, follows no redirect (it could lead into our own network) and
 * takes no more of an answer than a sane one has. Where it rejects, the request may have been carried out all the same.
 */
export const createVendorFetch =
  (timeoutMs: number = LIMITS.vendorTimeoutMs): VendorFetch =>
  async (url, init = {}) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    const headers = new Headers(init.headers ?? (url instanceof Request ? url.headers : undefined))
    if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
    const response = await fetch(url, { ...init, headers, redirect: 'error', signal: AbortSignal.any(signals) })
    const body = await readAtMost(LIMITS.vendorBodyBytes, response)
    return new Response(body.length > 0 ? body : null, { status: response.status, headers: response.headers })
  }

async function readAtMost(bytes: number, response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > bytes) throw new Error(`the answer is longer than ${bytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
