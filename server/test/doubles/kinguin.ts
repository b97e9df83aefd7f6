import { randomBytes } from 'node:crypto'
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

interface Order {
  orderId: string
  orderExternalId: string
  status: string
  totalPrice: number
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
  /** Whether codes of a completed order come a moment later. */
  isSlowWithKeys: boolean
  webhook(key: string, secret?: string): { body: Buffer; headers: Record<string, string> }
  /** Makes the webhook that a product has changed. */
  productWebhook(secret?: string): { body: Buffer; headers: Record<string, string> }
}

const problem = (status: number, kind: string): VendorAnswer => ({
  status,
  body: { kind, status, title: kind, detail: kind, path: '/', method: 'POST', trace: null, timestamp: new Date() },
})

/** Kinguin ESA as its repository documents it: gateway.kinguin.net/esa/api. */
export async function startKinguin(): Promise<KinguinDouble> {
  const orders: Order[] = []

  const post = ({ path, body }: VendorRequest): VendorAnswer => {
    if (path !== '/v2/order') return problem(404, 'NotFound')
    const sent = JSON.parse(body)
    const [product] = sent.products
    if (product.productId === 'poor') return problem(400, 'InsufficientBalance')
    if (product.productId !== '5c9b0a1b2c3d' || product.qty !== 1 || product.price < self.price) {
      return problem(400, 'ConstraintViolation')
    }
    const order = {
      orderId: randomBytes(6).toString('hex').toUpperCase(),
      orderExternalId: sent.orderExternalId,
      status: 'processing',
      totalPrice: self.price,
    }
    orders.push(order)
    return {
      status: 201,
      body: { ...order, requestTotalPrice: product.price, paymentPrice: 5.29, totalQty: 1, products: [] },
    }
  }

  const get = ({ path, query }: VendorRequest): VendorAnswer => {
    if (path === '/v1/balance') return { status: 200, body: { balance: 12.45 } }
    if (path === '/v1/order') {
      const results = orders.filter(({ orderExternalId }) => orderExternalId === query.get('orderExternalId'))
      return { status: 200, body: { results, item_count: results.length } }
    }
    const [, version, noun, id, more] = path.split('/')
    if (`${version}/${noun}` === 'v2/products') {
      if (id !== '5c9b0a1b2c3d' && id !== 'poor') return problem(404, 'ProductNotFound')
      // The cheapest offer of all is of pictures, which are no use to the shop.
      const offers = [
        { offerId: 'a', price: 1.5, qty: 3, textQty: 0, isPreorder: false },
        { offerId: 'b', price: self.price, qty: 149, textQty: 149, isPreorder: false },
        { offerId: 'c', price: self.price + 1, qty: 9, textQty: 9, isPreorder: false },
      ]
      return { status: 200, body: { kinguinId: 1949, productId: id, price: 1.5, qty: 3, textQty: 0, offers } }
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
        productId: '5c9b0a1b2c3d',
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
