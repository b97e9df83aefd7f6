import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './headers.ts'

/** A page as it was rendered, and what its text says about it. */
export interface PageText {
  status: number
  /** In UTF-8. */
  bytes: Uint8Array
  /** A weak tag, valid for all encodings. It is the version of what the page shows: the nonce of a render is left out. */
  etag: string
  contentSecurityPolicy: string
}

/** A page ready to send: everybody gets identical bytes. */
export interface RenderedPage extends Omit<PageText, 'bytes'> {
  body: Pack
}

/** Returns the bytes in an encoding, compressed when it is first requested. */
export type Pack = (encoding: Encoding) => Promise<Buffer>

const brotliQuality = 5
const packers: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
}

/**
 * Keeps the forms that somebody asked for. The plain bytes of a page are five times its compressed ones, and browsers take
 * Brotli: once there is that, the plain ones are let go, and unpacked again for a client that asks for them.
 */
export function packOnce(bytes: Buffer): Pack {
  const kept = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(bytes)]])
  const readPlain = async (): Promise<Buffer> => {
    const [plain, packed] = [kept.get('identity'), kept.get('br')]
    return plain ?? promisify(brotliDecompress)((await packed) as Buffer)
  }
  return (encoding) => {
    const present = kept.get(encoding)
    if (present) return present
    const made = readPlain().then(packers[encoding])
    kept.set(encoding, made)
    made.then(
      () => encoding === 'br' && kept.delete('identity'),
      () => kept.delete(encoding),
    )
    return made
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

const inlineScript = /<script(?=[^>]*\snonce="([^"]*)")(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * Allows scripts that are ours by address, or word for word those our components rendered: these carry the nonce of
 * this one render, which is unknown to anyone who gets a text into a page. The policy has their digests instead of the
 * nonce, because a cached page is sent many times and shows its nonce to everybody. Styles may carry the nonce, because
 * the components add some in the browser.
 */
function contentPolicy(html: string, nonce: string): string {
  const scripts = [...html.matchAll(inlineScript)]
    .filter(([, carried]) => carried === nonce)
    .map(([, , code = '']) => `'sha256-${sha256(code)}'`)
  return [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(scripts)].join(' ')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // React writes computed sizes and colours into style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Throws when the page is incomplete, so that nobody takes it for the whole. */
export function readPage(status: number, html: string, nonce: string): PageText {
  if (status < 500 && !html.trimEnd().endsWith('</html>')) throw new Error('a page was rendered only in part')
  return {
    status,
    bytes: new TextEncoder().encode(html),
    etag: `W/"${sha256(html.replaceAll(nonce, '')).slice(0, 27)}"`,
    contentSecurityPolicy: contentPolicy(html, nonce),
  }
}

export const renderedPage = ({ bytes, ...page }: PageText): RenderedPage => ({
  ...page,
  body: packOnce(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
})

export interface PageCache {
  /**
   * Returns the page under the key, rendered when it is missing. A stale page is served while it is renewed. One that
   * is far too old, or older than the last `clear`, is served only when it can't be rendered. A page is kept when it
   * has the status it should have.
   */
  get(key: string, render: () => Promise<RenderedPage>, keptStatus?: number): Promise<RenderedPage>
  /** Marks everything that is kept as out of date. */
  clear(): void
}

interface PageCacheLimits {
  /** How long a page is served as it is. */
  freshMs: number
  /** How long after that it is served while it is renewed. */
  staleMs: number
  pagesAtMost: number
  /** Reports of each read whether the page was kept, was kept but is being renewed, or has to be rendered first. */
  onRead?: ((result: 'hit' | 'stale' | 'miss') => void) | undefined
}

interface KeptPage {
  page: RenderedPage
  renderedAt: number
  /** When the last attempt to render it again failed. */
  failedAt: number
}

const never = Number.NEGATIVE_INFINITY

/**
 * Keeps pages that do not depend on the visitor. A good one stays until a better one replaces it or the page is gone.
 */
export function createPageCache(
  { freshMs, staleMs, pagesAtMost, onRead = () => {} }: PageCacheLimits,
  now: () => number = () => performance.now(),
): PageCache {
  /** In the order of requests, so that the first is the one to evict. */
  const kept = new Map<string, KeptPage>()
  const underWay = new Map<string, Promise<RenderedPage>>()

  const keep = (key: string, entry: KeptPage) => {
    kept.delete(key)
    const [first] = kept.keys()
    if (first !== undefined && kept.size >= pagesAtMost) kept.delete(first)
    kept.set(key, entry)
  }

  /** Returns the last good page, if there is one. */
  const noteFailure = (key: string): RenderedPage | undefined => {
    const old = kept.get(key)
    if (old) old.failedAt = now()
    return old?.page
  }

  /** Renders it once for all who request it meanwhile. */
  const renew = (key: string, render: () => Promise<RenderedPage>, keptStatus: number): Promise<RenderedPage> => {
    const present = underWay.get(key)
    if (present) return present
    const renderedAt = now()
    // A page whose render began before the cache was cleared goes only to those who requested it before.
    const isCurrent = (): boolean => underWay.get(key) === renewal
    const renewal: Promise<RenderedPage> = Promise.resolve()
      .then(render)
      .then(
        (page) => {
          if (!isCurrent()) return page
          if (page.status === keptStatus) keep(key, { page, renderedAt, failedAt: never })
          else if (page.status === 404 || page.status === 410) kept.delete(key)
          else return noteFailure(key) ?? page
          return page
        },
        (error) => {
          const old = isCurrent() ? noteFailure(key) : undefined
          if (old) return old
          throw error
        },
      )
      .finally(() => isCurrent() && underWay.delete(key))
    underWay.set(key, renewal)
    return renewal
  }

  return {
    async get(key, render, keptStatus = 200) {
      const entry = kept.get(key)
      if (!entry) {
        onRead('miss')
        return renew(key, render, keptStatus)
      }
      keep(key, entry)
      // While pages can't be rendered, not everybody waits for the next attempt.
      const ageMs = now() - Math.max(entry.renderedAt, entry.failedAt)
      const isTooOld = ageMs >= freshMs + staleMs
      onRead(ageMs < freshMs ? 'hit' : isTooOld ? 'miss' : 'stale')
      if (ageMs < freshMs) return entry.page
      const renewal = renew(key, render, keptStatus)
      if (isTooOld) return renewal
      renewal.catch(() => {})
      return entry.page
    },
    clear() {
      underWay.clear()
      for (const entry of kept.values()) Object.assign(entry, { renderedAt: never, failedAt: never })
    },
  }
}
