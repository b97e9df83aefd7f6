import { type Language, languages } from '@olmos/contract/fields'

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

/** Pages that show nothing but the catalogue. */
const publicPath = /^\/(?:products(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)?|login|register|recover|support|shared)?$/

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
