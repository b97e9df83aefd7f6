import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import { Failure } from '@olmos/contract/failure'
import { type Language, languages } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import { isForEverybody, pageAddress } from './page-address.ts'
import { createPageCache, type PageCache } from './platform/page-cache.ts'
import { type Encoding, type RenderedPage, renderedPage } from './platform/rendered-page.ts'
import { serveSearchEngines } from './search-engines.ts'

const webBuild = new URL('../../web/build/', import.meta.url)

/** What a page's loader may know of the request; the web's entry.server turns it into its context. */
interface PageValues {
  api(path: string): Promise<{ status: number; body: unknown }>
  publicUrl: string
  supportUrl: string | undefined
  nonce: string
  language: Language
  currency: 'RUB' | 'USD'
  colorScheme: 'dark' | 'light'
}

type WebBuild = ServerBuild & { entry: { module: { makeContext(values: PageValues): RouterContextProvider } } }

/** Where customers find the shop, and the people behind it. */
interface Addresses {
  publicUrl: string
  supportUrl: string | undefined
}

/**
 * Serves the built web: its files as they are, every other path as a page rendered here. Where it is not built the
 * calls are served all the same. Answers the cache of the pages, to be cleared when the catalogue changes.
 */
export async function serveStorefront(app: FastifyInstance, addresses: Addresses): Promise<PageCache> {
  const { publicUrl } = addresses
  const cache = createPageCache(LIMITS.pageFreshMs)
  if (!existsSync(new URL('server/index.js', webBuild))) {
    app.log.warn('the pages are not built (npm run build); only /api is served')
    return cache
  }
  const build: WebBuild = await import(pathToFileURL(new URL('server/index.js', webBuild).pathname).href)
  const render = createRequestHandler(build, 'production')

  await app.register(fastifyStatic, {
    root: new URL('client/', webBuild).pathname,
    wildcard: false,
    index: false,
    // scripts/build.mjs leaves them beside.
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.includes('/assets/')
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    },
  })

  serveSearchEngines(app, publicUrl)
  app.get('/*', { schema: { hide: true }, compress: false }, async (request, reply) => {
    if (/^\/(api|assets)(\/|$)/.test(request.url)) throw new Failure('NOT_FOUND')
    const values = valuesOf(app, request, addresses)
    const address = pageAddress(request.url)
    const renderPage = () => render(webRequest(request, address), build.entry.module.makeContext(values))
    // What the router fetches when one goes from page to page.
    if (new URL(request.url, publicUrl).pathname.endsWith('.data')) return sendData(await renderPage(), reply)

    const make = async () => {
      const page = await renderPage()
      return renderedPage(page.status, await page.text(), values.nonce)
    }
    const key = [address.toLowerCase(), values.language, values.currency, values.colorScheme].join(' ')
    return sendPage(await (isForEverybody(address) ? cache.get(key, make) : make()), request, reply)
  })
  return cache
}

function valuesOf(app: FastifyInstance, request: FastifyRequest, addresses: Addresses): PageValues {
  const cookies = cookiesOf(request)
  // A link names the language for search engines; the visitor's own choice is the cookie.
  const wanted = (request.query as { lang?: unknown }).lang ?? cookies.get('language')
  const language = languages.find((known) => known === wanted) ?? 'ru'
  return {
    publicUrl: addresses.publicUrl.replace(/\/$/, ''),
    supportUrl: addresses.supportUrl,
    nonce: randomBytes(16).toString('base64'),
    language,
    currency: cookies.get('currency') === 'USD' ? 'USD' : 'RUB',
    colorScheme: cookies.get('theme') === 'light' ? 'light' : 'dark',
    async api(path) {
      const answer = await app.inject({ method: 'GET', url: path, headers: { 'accept-language': language } })
      return { status: answer.statusCode, body: answer.json() }
    },
  }
}

function cookiesOf(request: FastifyRequest): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2))
  return new Map(pairs.map(([name = '', value = '']) => [name, value]))
}

function webRequest(request: FastifyRequest, address: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(new URL(address, `${request.protocol}://${request.host || 'localhost'}`), {
    method: request.method,
    headers,
  })
}

async function sendData(page: Response, reply: FastifyReply): Promise<FastifyReply> {
  page.headers.forEach((value, name) => {
    reply.header(name, value)
  })
  return reply
    .code(page.status)
    .header('cache-control', 'no-store')
    .send(await page.text())
}

function sendPage(page: RenderedPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-cache').header('vary', 'cookie, accept-encoding').header('etag', page.etag)
  // Without the policy: the browser keeps the one that belongs to the page it has.
  if (page.status === 200 && request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  const encoding = encodingFor(request)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page.contentSecurityPolicy)
    .send(page.body[encoding])
}

function encodingFor(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}
