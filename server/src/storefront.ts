import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { Failure } from '@olmos/contract/failure'
import type { ShownBanner } from '@olmos/contract/front'
import { type ChargeCurrency, convertedCurrencies } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/orders'
import { toSmallPicture } from '@olmos/contract/picture-address'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import type { ShownShop } from '@olmos/contract/shop'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageValues, RenderedData, Web } from './built-web.ts'
import { SERVER_LIMITS } from './limits.ts'
import type { SlugCache } from './modules/catalogue/availability.ts'
import { type PageAddress, readPageAddress, serveSearchEngines, withoutLanguage } from './page-address.ts'
import { chooseEncoding, isTagKnown } from './platform/http/headers.ts'
import { hasDotSegment } from './platform/http/http.ts'
import { createLoadGate, createPageGate, createTurns } from './platform/http/rate-limit.ts'
import { createPageCache, type PageCache, type RenderedPage } from './platform/http/rendered-page.ts'
import type { Fresh } from './platform/http/shared-answers.ts'

interface Pages {
  /** Where customers find the shop. */
  publicUrl: string
  /** Where they find its people, as long as the owner has named no messenger in the admin area. */
  supportUrl: string | undefined
  /** What is simulated, which every page says. */
  openSandbox: PageValues['openSandbox']
  /** Whether the pages of one client are limited. */
  rateLimits: boolean
  products: SlugCache
  rates: Fresh<readonly ShownCurrencyRate[]>
  /** What the owner says of the shop. */
  shop: Fresh<ShownShop>
  /** By what one can pay now. */
  paymentMarks(): readonly PaymentMark[]
  /** Whether those who buy wait for the database. */
  isDatabaseCrowded?: () => boolean
  /** Reports how each page that may be kept was found: see `createPageCache`. */
  onPageRead?: (result: 'hit' | 'stale' | 'miss') => void
}

/**
 * Serves the built web: its files unchanged, every other path as a page rendered here. Without a build the calls are
 * served all the same. Returns what has to be cleared when the catalogue changes.
 */
export async function serveStorefront(
  app: FastifyInstance,
  addresses: Pages,
  web: Web | undefined,
): Promise<Pick<PageCache, 'clear'>> {
  const cache = createPageCache({
    freshMs: SERVER_LIMITS.pageFreshMs,
    staleMs: SERVER_LIMITS.pageStaleMs,
    pagesAtMost: SERVER_LIMITS.pagesKept,
    onRead: addresses.onPageRead,
  })
  const clear = () => {
    addresses.products.clear()
    addresses.rates.clear()
    addresses.shop.clear()
    cache.clear()
  }
  if (!web) {
    app.log.warn('the pages are not built (npm run build); only /api is served')
    return { clear }
  }

  await serveFiles(app, web.files)
  await serveManifest(app, web.files, addresses.shop)
  const gate = createPageGate({ ...SERVER_LIMITS.pageGate, retryAfterSeconds: SERVER_LIMITS.unavailableRetrySeconds })
  const load = createLoadGate(
    app.log,
    { ...SERVER_LIMITS.pageLoad, retryAfterSeconds: SERVER_LIMITS.unavailableRetrySeconds },
    addresses,
  )
  const guard = addresses.rateLimits ? { onRequest: [load.enter, gate.enter] } : {}
  if (addresses.rateLimits) app.earlyHandlers.push(load.refuse)
  app.addHook('preClose', async () => {
    load.stop()
    gate.releaseAll()
  })
  serveSearchEngines(app, addresses, guard)
  const inTurn = createTurns({
    atOnce: SERVER_LIMITS.pageRendersAtOnce,
    waitingAtMost: SERVER_LIMITS.pageRendersWaiting,
    waitAtMostMs: SERVER_LIMITS.pageTurnMs,
    refusal: 'too many pages at once',
    // However many pages are requested, most of the processor is left to buyers.
    restAfterMs: (workMs) => Math.min(workMs * SERVER_LIMITS.pageRenderRest, SERVER_LIMITS.pageRenderRestMsMax),
  })

  for (const path of ['/api', '/api/*']) {
    app.get(path, { schema: { hide: true } }, async () => {
      throw new Failure('NOT_FOUND')
    })
  }

  /**
   * Finds the page that stands for all like this one that do not exist, so that one cached page serves them; the browser
   * hydrates them by their route. Undefined for a page that may exist.
   */
  const findMissing = async (path: string): Promise<string | undefined> => {
    if (!web.hasPage(path)) return missingPath
    const slug = web.productAt(path)
    if (slug !== undefined) return (await addresses.products.mayHave(slug)) ? undefined : missingProductPath
    const own = ownPage.exec(path)?.[1]
    if (own === undefined) return undefined
    return (await addresses.shop.read()).pages.some((name) => name === own) ? undefined : missingOwnPath
  }

  app.get('/*', { schema: { hide: true }, compress: false, ...guard }, async (request, reply) => {
    const address = readPageAddress(request.url)
    const shop = await addresses.shop.read()
    if (address.language && !shop.languages.includes(address.language))
      return reply.redirect(withoutLanguage(address), 302)
    const visitor = readVisitor(request, address, shop)
    const renderInTurn = <T>(render: () => Promise<T>): Promise<T> => {
      gate.chargeRender(request)
      return inTurn(render)
    }
    // The router requests this when a visitor goes from page to page.
    if (address.path.endsWith('.data')) {
      const wanted = { path: address.path, search: address.search, ...visitor }
      const { address: page, values } = await toRender(app, addresses, wanted)
      return sendData(await renderInTurn(() => web.renderData(page, values)), request, reply)
    }
    const missing = await findMissing(address.path)
    if (missing === missingPath && fileLike.test(address.path)) return sendNoFile(reply)

    const isMissing = missing !== undefined
    const wanted = isMissing ? { path: missing, search: '' } : { path: address.path, search: address.search }
    const make = () => renderInTurn(() => renderPage(app, web, addresses, { ...wanted, ...visitor }))
    const key = [
      wanted.path + wanted.search,
      visitor.language,
      visitor.currency,
      visitor.colorScheme,
      visitor.banner?.id,
    ].join(' ')
    const isKept = isMissing || address.isForEverybody
    if (!isKept) return sendPage(await make(), request, reply)
    return sendPage(await cache.get(key, make, isMissing ? 404 : 200), request, reply, sharedFor)
  })
  return { clear }
}

/** No route of the web matches it. */
const missingPath = '/404'
/** No product can have this slug. */
const missingProductPath = '/products/-'
/** No page that an owner writes has this name. */
const missingOwnPath = '/pages/-'

const ownPage = /^\/pages\/([^/]+)$/

/** Most missing addresses are files: icons, chunks of another version, and what scanners try. */
const fileLike = /^\/assets(?:\/|$)|\.\w+$/

async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  await app.register(async (files) => {
    files.setErrorHandler((error: FastifyError & { headers?: Record<string, string> }, _request, reply) => {
      if (error.statusCode !== 416) throw error
      return reply
        .code(416)
        .headers(error.headers ?? {})
        .header('cache-control', 'no-store')
        .send()
    })
    await files.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      // scripts/build.mjs puts compressed files beside the originals.
      preCompressed: true,
      // Those have no address of their own: each would be two routes more.
      globIgnore: ['**/*.br', '**/*.gz'],
      cacheControl: false,
      setHeaders: (response, path) => {
        const isHashed = path.includes('/assets/')
        response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      },
    })
  })
}

/** What a phone shows of the shop once it is added there, under the name and the icon that the owner gave it. */
async function serveManifest(app: FastifyInstance, folder: string, shop: Fresh<ShownShop>): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  app.get('/manifest.webmanifest', { schema: { hide: true } }, async (_request, reply) => {
    const { name, icon, ground_dark: ground } = await shop.read()
    reply.type('application/manifest+json').header('cache-control', 'public, max-age=3600')
    const look = {
      ...(ground && { background_color: ground, theme_color: ground }),
      ...(icon && { icons: [toIcon(toSmallPicture(icon), 192), toIcon(icon, 512)] }),
    }
    return JSON.stringify({ ...manifest, ...look, name, short_name: name })
  })
}

const toIcon = (src: string, side: number) => ({ src, sizes: `${side}x${side}`, type: 'image/png' })

interface Visitor extends Pick<PageValues, 'language' | 'currency' | 'colorScheme'> {
  /** The first one whose time has come, unless the visitor has closed it. */
  banner: ShownBanner | undefined
}

/** What prices can be shown in, the default first. Soums and tenge stand for orders in dollars, and go with them. */
const listCurrencies = ({ currencies, shown_currencies: shown }: ShownShop): ChargeCurrency[] => [
  ...currencies,
  ...(currencies.includes('USD') ? convertedCurrencies.filter((one) => shown.includes(one)) : []),
]

function readVisitor(request: FastifyRequest, address: PageAddress, shop: ShownShop): Visitor {
  const { banners, languages } = shop
  const banner = banners.find((one) => isInTime(one, Date.now()))
  const [defaultCurrency = 'RUB', ...others] = listCurrencies(shop)
  const cookies = readCookies(request)
  return {
    // A link names the language for search engines; the visitor's own choice is the cookie.
    language: address.language ?? languages.find((known) => known === cookies.get('language')) ?? languages[0] ?? 'ru',
    currency: others.find((known) => known === cookies.get('currency')) ?? defaultCurrency,
    colorScheme: cookies.get('theme') === 'light' ? 'light' : 'dark',
    banner: cookies.get('banner') === banner?.id ? undefined : banner,
  }
}

const isInTime = ({ from, until }: ShownBanner, now: number): boolean =>
  (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until))

/** Reads the first of each name, in whatever case, as the key of a cache in front does (deploy/nginx.conf). */
function readCookies(request: FastifyRequest): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2))
  return new Map(pairs.toReversed().map(([name = '', value = '']) => [name.toLowerCase(), value]))
}

interface Wanted extends Visitor {
  path: string
  search: string
}

/**
 * What a page is rendered from: `wanted` and nothing else of the request, because a method or a header would make a page
 * that others must not get. `isComplete` tells afterwards whether none of its reads was refused or failed.
 */
async function toRender(app: FastifyInstance, pages: Pages, wanted: Wanted) {
  const { publicUrl, supportUrl, openSandbox } = pages
  const { path, search, banner, ...visitor } = wanted
  const shop = await pages.shop.read()
  let isComplete = true
  const values: PageValues = {
    ...visitor,
    currencies: listCurrencies(shop),
    rates: await pages.rates.read(),
    paymentMarks: pages.paymentMarks(),
    publicUrl,
    shop: { ...shop, messenger_url: shop.messenger_url ?? supportUrl ?? null, banners: banner ? [banner] : [] },
    openSandbox,
    nonce: randomBytes(16).toString('base64'),
    async api(call) {
      // A dot segment in a page's address would make it another call.
      if (hasDotSegment(call.split('?')[0] ?? '')) return { status: 404, json: 'null' }
      const headers = { 'accept-language': visitor.language }
      const { statusCode, body } = await app.inject({ method: 'GET', url: call, headers })
      if (statusCode !== 200) isComplete = false
      return { status: statusCode, json: body }
    },
  }
  return { address: new URL(path + search, publicUrl).href, values, isComplete: () => isComplete }
}

async function renderPage(app: FastifyInstance, web: Web, addresses: Pages, wanted: Wanted): Promise<RenderedPage> {
  const { address, values, isComplete } = await toRender(app, addresses, wanted)
  const page = await web.renderPage(address, values)
  return page.status === 200 && !isComplete() ? { ...page, status: 503 } : page
}

/**
 * Data that a browser asks for when a link is pointed at is kept by it for the press that follows; other data is asked for
 * each time.
 */
function sendData({ status, headers, body }: RenderedData, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const purpose = String(request.headers['sec-purpose'] ?? request.headers.purpose)
  const isAhead = status === 200 && purpose.startsWith('prefetch')
  const caching = isAhead ? `private, max-age=${SERVER_LIMITS.prefetchedSeconds}` : 'no-store'
  return reply.code(status).headers(headers).header('vary', 'cookie').header('cache-control', caching).send(body)
}

/** A browser asks again each time, and what stands in front of many stores one page for a moment. */
const sharedFor = `public, max-age=0, must-revalidate, s-maxage=${SERVER_LIMITS.pageSharedSeconds}`

const sendNoFile = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('Not found\n')

/** A failed page says in its head which request it was, for who reports it. No other page does: it is everybody's. */
async function sendFailedPage(
  page: RenderedPage,
  { id, log }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The thread that rendered it has written why to standard error.
  log.error({ reqId: id, route: '/*' }, 'a page could not be rendered')
  const html = (await page.body('identity')).toString()
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page.contentSecurityPolicy)
    .send(html.replace('</head>', `<meta name="request-id" content="${id}"></head>`))
}

async function sendPage(
  page: RenderedPage,
  request: FastifyRequest,
  reply: FastifyReply,
  caching = 'no-cache',
): Promise<FastifyReply> {
  reply.header('vary', 'cookie, accept-encoding')
  if (page.status >= 500) {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    if (page.status === 500) return sendFailedPage(page, request, reply)
    if (page.status === 503) reply.header('retry-after', String(SERVER_LIMITS.unavailableRetrySeconds))
  } else {
    reply.header('cache-control', caching).header('etag', page.etag)
    // Omits the policy: the browser keeps the one that belongs to the page it has.
    if (page.status === 200 && isTagKnown(request.headers['if-none-match'], page.etag)) return reply.code(304).send()
  }
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page.contentSecurityPolicy)
    .send(await page.body(encoding))
}
