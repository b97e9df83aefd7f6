import { one, parseDecimal } from '@olmos/contract/decimal'
import * as LIMITS from '@olmos/contract/limits'
import { z } from 'zod'
import { isSecret } from '../../../platform/security/tokens.ts'
import { forged, toJson, vendorUrl } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  beforeSending,
  done,
  type Outcome,
  rejected,
  unknown,
  vendorName,
  vendorPrice,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import {
  readRows,
  refuseTooDear,
  type Supplier,
  type SupplierAdapter,
  type SupplierDeps,
  type SupplierOrder,
  type SupplierRequest,
  toCost,
  toTrouble,
  type VendorProduct,
  type VendorService,
  vendorCount,
  vendorTitle,
} from '../supplier.ts'

const settings = z.object({
  KINGUIN_API_KEY: z.string(),
  KINGUIN_WEBHOOK_SECRET: z.string(),
  KINGUIN_BASE_URL: vendorUrl('https://gateway.kinguin.net/esa/api'),
})

const order = z.object({
  orderId: vendorName(64),
  orderExternalId: vendorName(128).nullish(),
  status: vendorName(64),
  /** What was taken from the shop's balance, told as a text or a number. */
  paymentPrice: vendorPrice.nullish().catch(undefined),
})
type Order = z.infer<typeof order>
const found = z.object({ results: z.array(order) })
const keys = z.array(z.object({ serial: vendorName(LIMITS.codeLengthMax), type: z.string() }))
const offer = z.object({
  price: z.number(),
  /** Codes that are texts; of all that are told, the most certain. */
  availableTextQty: z.int().nullish(),
  textQty: z.int().nullish(),
  isPreorder: z.boolean().nullish(),
})
const product = z.object({ price: z.number(), offers: z.array(offer).nullish() })
const platforms = z.array(z.unknown())
const productPage = z.object({ results: z.array(z.unknown()), item_count: z.int().min(0) })
const listedProduct = product.extend({
  productId: vendorName(64),
  name: vendorTitle,
  textQty: vendorCount,
  isPreorder: z.boolean().nullish(),
  regionalLimitations: vendorTitle.nullish().catch(undefined),
})
const balance = z.object({ balance: z.number().min(0).max(1e9) })
const problem = z.object({ kind: vendorWords(64) })
const webhook = z.object({
  orderId: vendorName(64),
  orderExternalId: vendorName(128),
  status: vendorName(64),
  updatedAt: vendorName(64),
})

/** Events that the vendor's page names. It may switch off an address that refuses too many. */
const orderEvent = 'order.status'
const otherEvents = ['product.update']

/** Kinds of error that leave open what happened, whatever their status. */
const isOpen = (kind: string | undefined): boolean =>
  kind !== undefined && ['Http', 'HttpClient', 'Error', 'ResourceLock'].includes(kind)

/** How long an order that was sent may not show up in a search yet. */
const searchSettlesSeconds = 120

/**
 * What a product costs in EUR (api/products/v1/README.md, Product Object): the cheapest of the offers that have a text, as the
 * cheapest of all may be a picture of a code. Undefined where there is none.
 */
function cheapest({ price, offers }: z.infer<typeof product>): number | undefined {
  if (!offers?.length) return price
  const ofTexts = offers.filter(
    ({ availableTextQty, textQty, isPreorder }) => !isPreorder && (availableTextQty ?? textQty ?? 1) > 0,
  )
  return ofTexts.length > 0 ? Math.min(...ofTexts.map((one) => one.price)) : undefined
}

/** A product comes with its description and pictures: 25 of them are half a megabyte. */
const productsPerPage = 25

/** Null for what has no text codes now, or is not out yet. */
function toProduct(row: unknown): VendorProduct | null | undefined {
  const read = listedProduct.safeParse(row).data
  if (!read) return undefined
  const price = cheapest(read)
  if (read.isPreorder || price === undefined) return null
  const cost = vendorPrice.safeParse(price).data
  const { productId: reference, name, textQty, regionalLimitations: region } = read
  // What a product says to have may be of its cheapest offers alone: none there is no word about the one that is bought.
  const isStockTold = typeof textQty === 'number' && (textQty > 0 || !read.offers?.length)
  const told = { ...(isStockTold && { stock: textQty }), ...(region && { region }) }
  return cost === undefined ? undefined : { reference, name, cost, currency: 'EUR', ...told }
}

/**
 * Activation codes by Kinguin ESA (github.com/kinguinltdhk/Kinguin-eCommerce-API). An item is named by its productId, and a
 * shelf of the catalogue is one of its platforms, such as 'EA App'. Its money is euros throughout.
 */
export const kinguin = {
  name: 'kinguin',
  settings,
  account: ['KINGUIN_API_KEY', 'KINGUIN_BASE_URL'],
  webhookEvents: ['order.status', 'product.update'],
  create: createKinguin,
} satisfies SupplierAdapter<typeof settings>

function createKinguin(
  { KINGUIN_API_KEY, KINGUIN_WEBHOOK_SECRET, KINGUIN_BASE_URL }: z.output<typeof settings>,
  { fetchVendor, rateToBuyBy }: Pick<SupplierDeps, 'fetchVendor' | 'rateToBuyBy'>,
): Supplier {
  const headers = { 'x-api-key': KINGUIN_API_KEY }

  const call = async <T>(schema: z.ZodType<T>, path: string, post?: object): Promise<Outcome<T>> => {
    const answer = await askVendor(fetchVendor, `${KINGUIN_BASE_URL}${path}`, { headers, post })
    if ('kind' in answer) return answer
    if (answer.status < 200 || answer.status > 299) {
      const kind = problem.safeParse(answer.body).data?.kind
      return isOpen(kind)
        ? unknown(`${kind}`, { retryAfterSeconds: answer.retryAfterSeconds })
        : toTrouble(answer, kind)
    }
    const read = schema.safeParse(answer.body)
    return read.success ? done(read.data) : unknown('bad_answer')
  }

  /** An order is done once its codes are there. */
  const shown = async ({ orderId, status, paymentPrice }: Order): Promise<Outcome<SupplierOrder>> => {
    if (status === 'canceled' || status === 'refunded') {
      return done({ supplierOrderId: orderId, status: 'failed', why: status })
    }
    const charged = parseDecimal(paymentPrice ?? '')
    const cost = charged === undefined ? {} : { cost: toCost(charged, 'EUR') }
    const pending: SupplierOrder = { supplierOrderId: orderId, status: 'pending', ...cost }
    if (status === 'processing') return done(pending)
    if (status !== 'completed') return unknown('unknown_status')
    const answer = await call(keys, `/v2/order/${encodeURIComponent(orderId)}/keys`)
    if (answer.kind !== 'done') return done(pending)
    if (answer.value.some(({ type }) => type !== 'text/plain')) return unknown('code_is_no_text')
    const codes = answer.value.map(({ serial }) => serial)
    return done(codes.length > 0 ? { ...pending, status: 'done', codes } : pending)
  }

  const search = async ({ key }: SupplierRequest): Promise<Outcome<SupplierOrder>> => {
    const answer = await call(found, `/v1/order?orderExternalId=${encodeURIComponent(key)}`)
    if (answer.kind !== 'done') return answer.kind === 'rejected' ? unknown(answer.code) : answer
    const own = answer.value.results.filter(({ orderExternalId }) => orderExternalId === key)
    const [first] = own
    if (!first) return answer.value.results.length === 0 ? rejected('not_found') : unknown('other_orders')
    return own.length === 1 ? shown(first) : unknown('several_orders')
  }

  /** Buys one unit at the price that is read right before. */
  const send = async ({ key, item, costAtMost }: SupplierRequest): Promise<Outcome<SupplierOrder>> => {
    if (item === null || item === '') return rejected('no_item')
    const rate = await rateToBuyBy('EUR')
    if (rate === undefined) return rejected('no_rate')
    const read = await call(product, `/v2/products/${encodeURIComponent(item)}`)
    if (read.kind !== 'done') return beforeSending(read)
    const price = cheapest(read.value)
    if (price === undefined) return rejected('ProductUnavailable')
    const cost = parseDecimal(vendorPrice.safeParse(price).data ?? '')
    if (cost === undefined) return beforeSending(unknown('bad_answer'))
    const dear = refuseTooDear(cost, (costAtMost * rate) / one, 'EUR')
    if (dear) return dear
    // It sells at the price that is named, or not at all; whether it would take less than is named, no page says. So the
    // price that was read is named, and not what it may cost.
    const products = [{ productId: item, qty: 1, price, keyType: 'text' }]
    const answer = await call(order, '/v2/order', { products, orderExternalId: key })
    return answer.kind === 'done' ? shown(answer.value) : answer
  }

  return {
    name: 'kinguin',
    sells: ['code'],
    redeemsCodes: false,
    needsItem: true,
    settlesWithinSeconds: searchSettlesSeconds,
    // What a second order with the same `orderExternalId` does, no page says; it is looked for by it instead.
    remembers: 'own_reference',

    async listServices() {
      const answer = await call(platforms, '/v1/platforms')
      if (answer.kind !== 'done') return answer
      const shelves = readRows(answer.value, (row): VendorService | undefined => {
        const title = vendorTitle.safeParse(row).data
        return title === undefined ? undefined : { reference: title, title, kind: 'code', fields: [] }
      })
      return shelves.kind === 'done' ? done({ items: shelves.value }) : shelves
    },

    async listProducts(platform, cursor = '1') {
      const page = { page: cursor, limit: String(productsPerPage), sortBy: 'kinguinId', sortType: 'asc' }
      const query = new URLSearchParams({ platform, withText: 'yes', ...page })
      const answer = await call(productPage, `/v1/products?${query}`)
      if (answer.kind !== 'done') return answer
      const { results, item_count } = answer.value
      const products = readRows(results, toProduct)
      if (products.kind !== 'done') return products
      const pages = Math.ceil(item_count / productsPerPage)
      const isLast = Number(cursor) >= pages || results.length === 0
      return done({ items: products.value, pages, ...(!isLast && { next: String(Number(cursor) + 1) }) })
    },

    async order(request) {
      const answer = await send(request)
      if (answer.kind !== 'rejected' || !request.isRepeat) return answer
      // It may be refused because the first order came after all, and the search shows it only now. That one may have taken
      // the last key or the cheapest, so that this one is refused before it is even sent.
      const earlier = await search(request)
      return earlier.kind === 'rejected' ? answer : earlier
    },

    async lookUp(request, { supplierOrderId }) {
      if (supplierOrderId === null) return search(request)
      const answer = await call(order, `/v1/order/${encodeURIComponent(supplierOrderId)}`)
      if (answer.kind !== 'done') return answer.kind === 'rejected' ? unknown(answer.code) : answer
      return shown(answer.value)
    },

    async readBalance() {
      const answer = await call(balance, '/v1/balance')
      // A JSON number with two decimals: the nearest hundredth is the one that was meant. Its page names no currency, those
      // of its products say EUR.
      return answer.kind === 'done' ? done({ amount: Math.round(answer.value.balance * 100), currency: 'EUR' }) : answer
    },

    readWebhook({ body, headers }) {
      if (!isSecret(KINGUIN_WEBHOOK_SECRET, headers['x-event-secret'])) return forged('wrong secret')
      const event = String(headers['x-event-name'])
      if (otherEvents.includes(event)) return { verified: true, events: [], reply: { status: 204, body: '' } }
      if (event !== orderEvent) return forged('no event that is known')
      const read = webhook.safeParse(toJson(body))
      if (!read.success) return forged('not a webhook')
      const { orderId, orderExternalId, status, updatedAt } = read.data
      const eventKey = `${orderId}:${status}:${updatedAt}`
      return {
        verified: true,
        events: [{ eventKey, about: { key: orderExternalId } }],
        reply: { status: 204, body: '' },
      }
    },
  }
}
