import { readRetryAfter } from '../../platform/http/headers.ts'
import { type Outcome, rejected, unknown, type VendorFetch } from '../../platform/vendor/vendor.ts'

interface VendorAnswer {
  status: number
  /** Undefined when it is not JSON. */
  body: unknown
  /** How long the vendor asks to be left alone, if it says so. */
  retryAfterSeconds: number | undefined
}

/** Makes one call to a supplier; `unknown` when no answer came. */
export async function askVendor(
  fetchVendor: VendorFetch,
  url: string,
  { headers, key, post }: { headers: Record<string, string>; key?: string; post?: object },
): Promise<VendorAnswer | (Outcome<never> & { kind: 'unknown' })> {
  try {
    const response = await fetchVendor(url, {
      method: post ? 'POST' : 'GET',
      headers: { ...headers, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
      ...(post && { body: JSON.stringify(post) }),
    })
    const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
    return { status: response.status, body: await response.json().catch(() => undefined), retryAfterSeconds }
  } catch (error) {
    return { kind: 'unknown', why: error instanceof Error ? error.name : 'network' }
  }
}

/**
 * Classifies an answer other than a success: a 4xx is a rejection for the given reason; after a conflict, too many
 * requests and everything else the call may have been, or may yet be, carried out.
 */
export function toTrouble({ status, retryAfterSeconds }: VendorAnswer, reason: string | undefined): Outcome<never> {
  const isNo = status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
  if (!isNo) return unknown(`http_${status}`, { retryAfterSeconds })
  if (status === 401 || status === 403) return rejected('not_allowed')
  return rejected(reason !== undefined && /insufficient/i.test(reason) ? 'float_empty' : (reason ?? `http_${status}`))
}
