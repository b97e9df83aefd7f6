import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A page as it goes out: the same bytes to everybody. */
export interface RenderedPage {
  status: number
  body: Record<Encoding, Buffer>
  etag: string
  contentSecurityPolicy: string
}

export type Encoding = 'br' | 'gzip' | 'identity'

const brotli = promisify(brotliCompress)
const brotliQuality = 5

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * Scripts run when they are ours by address, or are word for word those that were rendered here. Styles may also carry
 * the page's nonce, as the components add some in the browser.
 */
function policyOf(html: string, styleNonce: string): string {
  const scripts = [...html.matchAll(inlineScript)].map(([, code = '']) => `'sha256-${sha256(code)}'`)
  return [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(scripts)].join(' ')}`,
    `style-src 'self' 'nonce-${styleNonce}'`,
    // React writes computed sizes and colours into style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export async function renderedPage(status: number, html: string, styleNonce: string): Promise<RenderedPage> {
  const identity = Buffer.from(html)
  const [br, zipped] = await Promise.all([
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(identity),
  ])
  return {
    status,
    body: { br, gzip: zipped, identity },
    etag: `"${sha256(html).slice(0, 27)}"`,
    contentSecurityPolicy: policyOf(html, styleNonce),
  }
}
