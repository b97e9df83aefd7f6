import { randomBytes } from 'node:crypto'
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

interface Order {
  orderId: string
  orderExternalId: string
  status: string
  totalPrice: number
  paymentPrice: string
}

export interface KinguinDouble extends VendorDouble {
  apiKey: string
  webhookSecret: string
  /** By the shop's key, as often as something was bought under it: the vendor does not promise to reject a second. */
  orders: Order[]
  executions(key: string): number
  set(key: string, status: string): void
  /** The price of the cheapest offer with a text key, in EUR. */
  price: number
  /** Whether the product that has this price is sold. */
  isSold: boolean
  /** Whether codes of a completed order come a moment later. */
  isSlowWithKeys: boolean
  webhook(key: string, secret?: string): { body: Buffer; headers: Record<string, string> }
  /** Makes the webhook that a product has changed. */
  productWebhook(secret?: string): { body: Buffer; headers: Record<string, string> }
}

/** The product that can be bought. */
const own = '5c9b0a1b2c3d'

const problem = (status: number, kind: string): VendorAnswer => ({
  status,
  body: { kind, status, title: kind, detail: kind, path: '/', method: 'POST', trace: null, timestamp: new Date() },
})

/** Kinguin ESA as its repository documents it: gateway.kinguin.net/esa/api. */
export async function startKinguin(): Promise<KinguinDouble> {
  const orders: Order[] = []

  const toProduct = (productId: string, kinguinId: number, change: object = {}) => ({
    kinguinId,
    productId,
    name: `Game ${kinguinId}`,
    platform: 'EA App',
    price: 1.5,
    qty: 3,
    textQty: 149,
    isPreorder: false,
    regionalLimitations: 'Region free',
    // The cheapest offer of all is of pictures, which are no use to the shop.
    offers: [
      { offerId: 'a', price: 1.5, qty: 3, textQty: 0, isPreorder: false },
      { offerId: 'b', price: self.price, qty: 149, textQty: 149, isPreorder: false },
      { offerId: 'c', price: self.price + 1, qty: 9, textQty: 9, isPreorder: false },
    ],
    ...change,
  })

  /** Sixty products of one platform, some of which nobody can be sold. */
  const listProducts = (query: URLSearchParams): VendorAnswer => {
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 25)]
    if (query.get('platform') !== 'EA App') return { status: 200, body: { results: [], item_count: 0 } }
    const others = Array.from({ length: 59 }, (_, n) =>
      toProduct(`5c9b${n}`, 2_000 + n, {
        offers: [],
        price: 10,
        ...(n === 1 && { isPreorder: true }),
        ...(n === 2 && { price: 0 }),
        ...(n === 3 && { price: 0.123456789 }),
      }),
    )
    const all = self.isSold ? [toProduct(own, 1949), ...others] : others
    const results = all.slice((page - 1) * limit, page * limit)
    return { status: 200, body: { results, item_count: all.length } }
  }

  const post = ({ path, body }: VendorRequest): VendorAnswer => {
    if (path !== '/v2/order') return problem(404, 'NotFound')
    const sent = JSON.parse(body)
    const [product] = sent.products
    if (product.productId === 'poor') return problem(400, 'InsufficientBalance')
    if (product.productId !== own || !self.isSold || product.qty !== 1 || product.price < self.price) {
      return problem(400, 'ConstraintViolation')
    }
    const order = {
      orderId: randomBytes(6).toString('hex').toUpperCase(),
      orderExternalId: sent.orderExternalId,
      status: 'processing',
      totalPrice: self.price,
      paymentPrice: '5.29',
    }
    orders.push(order)
    return {
      status: 201,
      body: { ...order, requestTotalPrice: product.price, totalQty: 1, products: [] },
    }
  }

  const get = ({ path, query }: VendorRequest): VendorAnswer => {
    if (path === '/v1/balance') return { status: 200, body: { balance: 12.45 } }
    if (path === '/v1/order') {
      const results = orders.filter(({ orderExternalId }) => orderExternalId === query.get('orderExternalId'))
      return { status: 200, body: { results, item_count: results.length } }
    }
    // One of them is there twice, as in the vendor's own example.
    if (path === '/v1/platforms') return { status: 200, body: ['PC Steam', 'EA App', 'PC', 'EA App'] }
    if (path === '/v1/products') return listProducts(query)
    const [, version, noun, id, more] = path.split('/')
    if (`${version}/${noun}` === 'v2/products') {
      const isThere = id === 'poor' || (id === own && self.isSold)
      return isThere ? { status: 200, body: toProduct(id, 1949) } : problem(404, 'ProductNotFound')
    }
    const order = orders.find(({ orderId }) => orderId === id)
    if (!order) return problem(404, 'OrderNotFound')
    if (more !== 'keys') return { status: 200, body: order }
    const keys = self.isSlowWithKeys
      ? []
      : [{ id: '1', serial: `KEY-${order.orderId}`, type: 'text/plain', name: 'A game', kinguinId: 1 }]
    return { status: 200, body: keys }
  }

  const double = await startVendor((request) => {
    if (request.headers['x-api-key'] !== self.apiKey) return problem(401, 'Authorization')
    return request.method === 'POST' ? post(request) : get(request)
  })
  const self = Object.assign(double, {
    apiKey: 'kg_test_key',
    webhookSecret: 'kg_test_secret',
    orders,
    price: 5.79,
    isSold: true,
    isSlowWithKeys: false,
    executions: (key: string) => orders.filter(({ orderExternalId }) => orderExternalId === key).length,
    set: (key: string, status: string) => {
      for (const order of orders) if (order.orderExternalId === key) order.status = status
    },
    webhook: (key: string, secret = 'kg_test_secret') => {
      const order = orders.find(({ orderExternalId }) => orderExternalId === key)
      const body = Buffer.from(
        JSON.stringify({
          orderId: order?.orderId,
          orderExternalId: key,
          status: order?.status,
          updatedAt: new Date().toISOString(),
        }),
      )
      return { body, headers: { 'x-event-name': 'order.status', 'x-event-secret': secret } }
    },
    productWebhook: (secret = 'kg_test_secret') => {
      const updatedAt = new Date().toISOString()
      const body = {
        kinguinId: 1949,
        productId: own,
        qty: 845,
        textQty: 845,
        cheapestOfferId: ['b'],
        updatedAt,
      }
      const headers = { 'x-event-name': 'product.update', 'x-event-secret': secret }
      return { body: Buffer.from(JSON.stringify(body)), headers }
    },
  })
  return self
}
