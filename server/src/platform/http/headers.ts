import { SERVER_LIMITS } from '../../limits.ts'

/** What this store can pack an answer in, best first. */
const encodings = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof encodings)[number]

/** Below every weight that can be given: what nobody spoke of is taken last. */
const unsaid = Number.MIN_VALUE

/**
 * The encoding that an Accept-Encoding header weighs highest, and of equals the one that packs best. What is refused
 * with a weight of zero is never chosen, but plain bytes where nothing else is left.
 */
export function chooseEncoding(accepted: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
    // A weight that is no number is a refusal.
    weights.set(name.replace(/^x-(?=gzip$)/, ''), weight === undefined ? 1 : Number(weight) || 0)
  }
  const toWeight = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === 'identity' ? unsaid : (weights.get('*') ?? 0))
  const [best = 'identity'] = encodings
    .filter((encoding) => toWeight(encoding) > 0)
    .toSorted((one, other) => toWeight(other) - toWeight(one))
  return best
}

const entityTag = /(?:W\/)?("[^"]*")/g

/**
 * Whether If-None-Match names the tag. Compared weakly, as RFC 9110 wants it: proxies that pack an answer make its tag
 * weak, and browsers may list several.
 */
export function isTagKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...ifNoneMatch.matchAll(entityTag)].some(([, known]) => known === opaque)
}

/**
 * The seconds a vendor wants to be left alone for, by its header Retry-After: a number or a date (RFC 9110, 10.2.3).
 * Never more than `SERVER_LIMITS.retryAfterSecondsMax`, for a customer waits.
 */
export function readRetryAfter(header: string | null | undefined, now: Date = new Date()): number | undefined {
  const text = header?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : secondsUntil(toDate(text), now)
  if (seconds === undefined || seconds <= 0) return undefined
  return Math.min(seconds, SERVER_LIMITS.retryAfterSecondsMax)
}

/** NaN for what is not written as HTTP writes dates: 'Sun, 06 Nov 1994 08:49:37 GMT'. */
const toDate = (text: string): number => (/^[A-Z][a-z]{2}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN)

const secondsUntil = (at: number, now: Date): number | undefined =>
  Number.isNaN(at) ? undefined : Math.ceil((at - now.getTime()) / 1_000)

/**
 * An apostrophe before signs that make a spreadsheet take a cell for a formula makes it text again. Spreadsheets of half of
 * Europe split at a semicolon whatever the quotes say, so what stands behind one, or on a new line, begins a cell too.
 */
const withoutFormulas = (text: string): string => text.replace(/(^|[;\r\n])(?=[=+\-@\t\r])/g, "$1'")

function toCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : withoutFormulas(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180) that no spreadsheet runs. */
export const toCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
