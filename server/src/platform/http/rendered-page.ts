import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './headers.ts'

/** A page as it goes out: the same bytes to everybody. */
export interface RenderedPage {
  status: number
  /** Packed once, and only as somebody wants it. */
  body(encoding: Encoding): Promise<Buffer>
  /** Weak: the same for all encodings. */
  etag: string
  contentSecurityPolicy: string
}

const brotliQuality = 5
const pack: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

const inlineScript = /<script(?=[^>]*\snonce="([^"]*)")(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * Scripts run when they are ours by address, or are word for word those that the pages' own components rendered: these
 * carry the nonce of this one render, which nobody knows who gets a text into a page. Their digests go into the policy and
 * not the nonce itself, because a kept page goes out many times and tells its nonce to everybody. Styles may carry the
 * nonce, as the components add some in the browser.
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

/** Throws when the page is only a part of one: nobody may take it for the whole. */
export async function renderedPage(status: number, html: string, nonce: string): Promise<RenderedPage> {
  if (status < 500 && !html.trimEnd().endsWith('</html>')) throw new Error('a page was rendered only in part')
  const bytes = Buffer.from(html)
  const packed = new Map<Encoding, Promise<Buffer>>()
  return {
    status,
    body(encoding) {
      const present = packed.get(encoding) ?? pack[encoding](bytes)
      packed.set(encoding, present)
      return present
    },
    etag: `W/"${sha256(html).slice(0, 27)}"`,
    contentSecurityPolicy: contentPolicy(html, nonce),
  }
}
