import type { Product } from '@olmos/contract/catalogue'
import { type Language, languages } from '@olmos/contract/fields'
import type { ShownShop } from '@olmos/contract/shop'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { SERVER_LIMITS } from './limits.ts'
import type { Fresh } from './platform/http/shared-answers.ts'

export interface PageAddress {
  path: string
  /** Empty, or with its question mark. */
  search: string
  /** A link may name the language of the page. */
  language: Language | undefined
  /**
   * Whether the page depends on nothing but language, currency and theme, so that it can be cached. Path and search are
   * then in their canonical form, however they were written.
   */
  isForEverybody: boolean
}

/** Parameters that advertisements, mailings and messengers add to links. No page depends on them. */
const addedByOthers = /^(?:utm_\w+|gclid|fbclid|yclid|ysclid|_openstat)$/i

/** Pages that show nothing but the catalogue, and those that the owner wrote. */
const publicPath =
  /^\/(?:products(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)?|pages\/[a-z]{1,20}|login|register|recover|support|shared|conversation|notifications)?$/

/** Everything public pages read of a query, except the search, whose values anybody can make up. */
const readByPage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/products/freefire': { tab: 'activate' },
}
const searchedPage = '/products'

/** Reads the address of a page: a path without dot segments and the like, which `createHttp` redirects, and a query. */
export function readPageAddress(url: string): PageAddress {
  const [path = '', ...queries] = url.split('?')
  const query = new URLSearchParams(queries.join('?'))
  const language = keepOnly(query, 'lang', languages)
  const canonical = canonicalPath(path)
  if (!publicPath.test(canonical)) {
    return {
      path,
      search: toSearch([...query].filter(([name]) => !addedByOthers.test(name))),
      language,
      isForEverybody: false,
    }
  }
  const kept: [string, string][] = language ? [['lang', language]] : []
  for (const [name, value] of Object.entries(readByPage[canonical] ?? {})) {
    if (query.get(name) === value) kept.push([name, value])
  }
  const wanted = canonical === searchedPage ? query.get('search') : null
  if (wanted) kept.push(['search', wanted])
  return { path: canonical, search: toSearch(kept), language, isForEverybody: !wanted }
}

/** The address of a page in whatever language the shop has for its visitor. */
export function withoutLanguage({ path, search }: PageAddress): string {
  const query = new URLSearchParams(search)
  query.delete('lang')
  return path + toSearch([...query])
}

/** Reads a parameter that is given once, if it is one of these values. */
function keepOnly<Value extends string>(query: URLSearchParams, name: string, values: readonly Value[]) {
  const given = query.getAll(name)
  return given.length === 1 ? values.find((value) => value === given[0]) : undefined
}

/** Decodes a path, in lower case, without slashes at the end: routes match in any case and with them. */
function canonicalPath(path: string): string {
  const segments = path.split('/').map(decodeURIComponent)
  // An encoded slash separates nothing.
  if (segments.some((segment) => segment.includes('/'))) return ''
  return segments.join('/').toLowerCase().replace(/\/+$/, '') || '/'
}

function toSearch(pairs: [string, string][]): string {
  const search = new URLSearchParams(pairs).toString()
  return search === '' ? '' : `?${search}`
}

const fixedPages = ['/', '/products', '/support']
const lists = ['/api/topups', '/api/products']
const notForThem = [
  '/api/',
  '/admin',
  '/cart',
  '/checkout',
  '/new-password',
  '/orders',
  '/profile',
  '/sandbox/',
  '/support/',
]

interface ReadPages {
  publicUrl: string
  /** What the owner says of the shop, and which own pages are published. */
  shop: Fresh<ShownShop>
}

/** Tells search engines what there is to read, and in which languages; `guard` is applied to all pages. */
export function serveSearchEngines(
  app: FastifyInstance,
  { publicUrl, shop }: ReadPages,
  guard: Pick<RouteShorthandOptions, 'onRequest'> = {},
): void {
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) => {
    const lines = [
      'User-agent: *',
      ...notForThem.map((path) => `Disallow: ${path}`),
      `Sitemap: ${publicUrl}/sitemap.xml`,
    ]
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
    const { pages: published, languages } = await shop.read()
    const own = published.map((name) => `/pages/${name}`)
    const pages = [...fixedPages, ...own, ...products.map((product) => `/products/${product.slug}`)]
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        renderSitemap(
          pages.map((page) => publicUrl + page),
          languages,
        ),
      )
  })
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * Lists each page in each language, and each of them names all: an alternate that does not name its others is ignored.
 */
function renderSitemap(addresses: readonly string[], languages: readonly Language[]): string {
  const addressIn = (address: string, language: Language): string =>
    language === languages[0] ? address : `${address}?lang=${language}`
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
