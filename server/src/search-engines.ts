import type { Product } from '@olmos/contract/catalogue'
import { type Language, languages } from '@olmos/contract/fields'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { SERVER_LIMITS } from './limits.ts'

const fixedPages = ['/', '/products', '/support']
const lists = ['/api/topups', '/api/products']
const notForThem = ['/api/', '/admin', '/cart', '/checkout', '/new-password', '/orders', '/profile', '/sandbox/']

/** Tells search engines what there is to read, and in which languages; `guard` is applied to all pages. */
export function serveSearchEngines(
  app: FastifyInstance,
  publicUrl: string,
  guard: Pick<RouteShorthandOptions, 'onRequest'> = {},
): void {
  const base = publicUrl.replace(/\/$/, '')

  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) => {
    const lines = ['User-agent: *', ...notForThem.map((path) => `Disallow: ${path}`), `Sitemap: ${base}/sitemap.xml`]
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(`${lines.join('\n')}\n`)
  })

  app.get('/sitemap.xml', { schema: { hide: true }, ...guard }, async (_request, reply) => {
    const answers = await Promise.all(lists.map((url) => app.inject({ method: 'GET', url })))
    if (answers.some(({ statusCode }) => statusCode !== 200)) {
      // A map without the products would remove them from search results.
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('retry-after', String(SERVER_LIMITS.unavailableRetrySeconds))
        .send('The products cannot be read at the moment.\n')
    }
    const products = answers.flatMap((answer): Product[] => answer.json())
    const pages = [...fixedPages, ...products.map((product) => `/products/${product.slug}`)]
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(renderSitemap(pages.map((page) => base + page)))
  })
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The shop's own language is the default. */
const addressIn = (address: string, language: Language): string =>
  language === 'ru' ? address : `${address}?lang=${language}`

/**
 * Lists each page in each language, and each of them names all: an alternate that does not name its others is ignored.
 */
function renderSitemap(addresses: readonly string[]): string {
  const alternate = (hreflang: string, address: string) =>
    `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escaped(address)}"/>`
  const entries = addresses.flatMap((address) => {
    const others = languages.map((language) => alternate(language, addressIn(address, language))).join('')
    const all = `${others}${alternate('x-default', address)}`
    return languages.map((language) => `<url><loc>${escaped(addressIn(address, language))}</loc>${all}</url>`)
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
  ].join('\n')
}
