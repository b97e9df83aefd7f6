import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SERVER_LIMITS } from '../../limits.ts'

/** The encodings this store can compress with, best first. */
const encodings = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof encodings)[number]

/** Below every weight a client can give: an encoding the client did not mention is chosen last. */
const unsaid = Number.MIN_VALUE

/** What was chosen for the headers that came first. Browsers send a handful; strangers may make up any number. */
const chosen = new Map<string, Encoding>()
const headersRemembered = 64
const headerLength = 128

/**
 * Chooses the encoding that an Accept-Encoding header weighs highest, and among equals the one that compresses best. An
 * encoding refused with a weight of zero is never chosen, except plain bytes when nothing else is left.
 */
export function chooseEncoding(accepted: string): Encoding {
  const known = chosen.get(accepted)
  if (known) return known
  const best = weigh(accepted)
  if (chosen.size < headersRemembered && accepted.length <= headerLength) chosen.set(accepted, best)
  return best
}

function weigh(accepted: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
    // A weight that is not a number counts as a refusal.
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
 * Whether If-None-Match names the tag. Tags are compared weakly, as RFC 9110 asks: proxies that compress an answer make
 * its tag weak, and browsers may list several.
 */
export function isTagKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...ifNoneMatch.matchAll(entityTag)].some(([, known]) => known === opaque)
}

/**
 * Reads how many seconds a vendor asks to be left alone, by its header Retry-After: a number or a date (RFC 9110,
 * 10.2.3). It is at most `SERVER_LIMITS.retryAfterSecondsMax`, because a customer waits.
 */
export function readRetryAfter(header: string | null | undefined, now: Date = new Date()): number | undefined {
  const text = header?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : secondsUntil(toDate(text), now)
  if (seconds === undefined || seconds <= 0) return undefined
  return Math.min(seconds, SERVER_LIMITS.retryAfterSecondsMax)
}

/** Parses an HTTP date such as 'Sun, 06 Nov 1994 08:49:37 GMT'; anything else is NaN. */
const toDate = (text: string): number => (/^[A-Z][a-z]{2}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN)

const secondsUntil = (at: number, now: Date): number | undefined =>
  Number.isNaN(at) ? undefined : Math.ceil((at - now.getTime()) / 1_000)

const requestId = /^[\w-]{1,64}$/

const toFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A list of addresses and ranges like 185.71.76.0/27 to look callers up in; none when an entry is neither. */
export function readAddresses(entries: readonly string[]): BlockList | undefined {
  const known = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = toFamily(address)
    const most = family === 'ipv6' ? 128 : 32
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits ?? String(most)) || Number(bits ?? most) > most) return undefined
    known.addSubnet(address, Number(bits ?? most), family)
  }
  return known
}

/** Whether a caller's address is one of these; false for what is no address. */
export const isFrom = (known: BlockList, address: string): boolean =>
  isIP(address) !== 0 && known.check(address, toFamily(address))

/** Makes the function that says whether an address is a proxy's to believe. `trustProxy` is the setting. */
export function proxyTrust(trustProxy: false | number | string[]): (address: string | undefined) => boolean {
  const proxies = Array.isArray(trustProxy) ? readAddresses(trustProxy) : undefined
  return (address = '') => proxies?.check(address, toFamily(address)) ?? trustProxy !== false
}

/**
 * Makes the function that names requests: by the X-Request-Id that a trusted proxy gave, else by a text of this process
 * and a number, which no other node gives.
 */
export function nameRequests(
  isTrusted: ReturnType<typeof proxyTrust>,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && requestId.test(given) && isTrusted(socket.remoteAddress)) return given
    count++
    return `${process}-${count.toString(36)}`
  }
}

const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** Reads to which span of which trace something belongs (W3C Trace Context); undefined for what says nothing of it. */
export function readTraceparent(text: unknown) {
  if (typeof text !== 'string') return undefined
  const [, traceId, spanId, flags] = traceparentForm.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

/** Browser features that no page of the store uses. The clipboard and sharing stay: receipts use both. */
const unused = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'browsing-topics',
]

/** What every page and file tells browsers; each kind of page has a content security policy of its own besides. */
const securityHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'permissions-policy': unused.map((name) => `${name}=()`).join(', '),
}
/**
 * What an answer of the API tells browsers. It is read by programs, and one that is opened as a page runs nothing: what pages
 * may use and open is of no matter to it, and each of a phone's calls would carry it.
 */
const dataHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const onHttps = { 'strict-transport-security': `max-age=${365 * 24 * 60 * 60}; includeSubDomains` }

/** The calls, without the page that describes them; by the pattern of the route, which is one for all ways to write its address. */
const isCall = ({ routeOptions, url }: FastifyRequest): boolean => {
  const path = routeOptions.url ?? url
  return path.startsWith('/api/') && !path.startsWith('/api/docs')
}

/**
 * Adds the headers that keep browsers safe to every answer. Those of pages are the defaults of helmet, which made them each
 * time. Those of calls are what an answer that is no page needs: its policy forbids frames as X-Frame-Options did.
 */
export function sendSecurityHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  const always = isHttps ? onHttps : {}
  const [ofPages, ofCalls] = [
    { ...securityHeaders, ...always },
    { ...dataHeaders, ...always },
  ]
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isCall(request) ? ofCalls : ofPages)
    done()
  })
}

const warnAgainMs = 3_600_000

/**
 * More entries in X-Forwarded-For than there are trusted proxies were made up by a caller, or there is one proxy more
 * than the setting says, and callers' addresses are wrong. Warns once an hour.
 */
export function warnOfLongChains(app: FastifyInstance, hops: number): void {
  let warnedAt = 0
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const chain = String(headers['x-forwarded-for'] ?? '').split(',').length
    if (chain > hops && Date.now() - warnedAt >= warnAgainMs) {
      warnedAt = Date.now()
      app.log.warn({ chain, trusted: hops }, 'X-Forwarded-For is longer than TRUST_PROXY says: see docs/operations.md')
    }
    done()
  })
}
