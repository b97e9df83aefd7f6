import { createHmac } from 'node:crypto'
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

interface Order {
  id: number
  kind: Kind
  type_id: string
  mch_order_id: string
  status_code: number
  pay_status_code: number
  pay_amount: string
  refunded_amount: string
  refunded_reason: string
  fields: Record<string, string>
  currency: string
  cards?: { sn: string; pin: string; expired: string }[] | { card_number: string; card_pin: string; expired: string }[]
}
type Kind = 'recharge' | 'card'

interface Type {
  unit_price: unknown
  currency: string
  /** The number of its category. */
  category?: number
  fields?: { name: string; type: string; label: string; options?: string[] }[]
  has_stock?: boolean
}

export interface SeagmDouble extends VendorDouble {
  uid: string
  secretKey: string
  orders: Order[]
  /** What is sold, by `recharge/` or `card/` and the type id. */
  types: Record<string, Type>
  /** How far its clock is ahead of this machine's. */
  aheadSeconds: number
  /** Whether a refusal comes with HTTP 200, its code in the envelope only. No page says. */
  refusesWithin200: boolean
  executions(key: string): number
  /** Changes the order bought under the key. */
  set(key: string, change: Partial<Order>): void
  /** Makes the callback of the order bought under the key: as JSON, or as a form. */
  callback(key: string, told?: CallbackWish): { body: Buffer; headers: Record<string, string> }
}

interface CallbackWish {
  secret?: string
  as?: 'json' | 'form'
  title?: string
}

const ok = (data: unknown): VendorAnswer => ({ status: 200, body: { code: 200, msg: 'OK', data } })

const windowSeconds = 120
const input = (name: string, label: string) => ({ name, type: 'input', label })
const playerField = [input('playerid', 'Player ID')]
const zoneFields = [input('user_id', 'User ID'), input('zone_id', 'Zone ID')]
/** More than fit on a page of ten. */
const manyTypes = Object.fromEntries(
  Array.from({ length: 9 }, (_, n) => [
    `recharge/${7_000 + n}`,
    { unit_price: 1, currency: 'MYR', category: 800 + n, fields: playerField },
  ]),
)

/** Signs the way the vendor's page of 2020 does: parameters sorted by name, in hex. */
export function signSeagm(secret: string, params: Record<string, string | number>): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha256', secret)
    .update(sorted.map(([param, value]) => `${param}=${value}`).join('&'))
    .digest('hex')
}

/** SEAGM Open API: openapi.seagm.io, as far as its pages and the clients made from them say. A repeated key is refused. */
export async function startSeagm(): Promise<SeagmDouble> {
  const orders: Order[] = []

  const no = (code: number, msg: string, info_message = msg): VendorAnswer => ({
    status: self.refusesWithin200 ? 200 : code,
    body: { code, msg, error_info: { info_code: 20_000 + code, info_message } },
  })

  const toParams = ({ query, body, headers }: VendorRequest): Record<string, string> => {
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
    // What is in both is taken from the query.
    return Object.fromEntries([...(isForm ? new URLSearchParams(body) : []), ...query])
  }

  const refuseStranger = ({ signature, ...params }: Record<string, string>): VendorAnswer | undefined => {
    if (params.uid !== self.uid) return no(401, 'Unauthorized')
    const now = Math.floor(Date.now() / 1_000) + self.aheadSeconds
    if (Math.abs(Number(params.timestamp) - now) >= windowSeconds) return no(412, 'Precondition Failed', 'Timestamp')
    return signSeagm(self.secretKey, params) === signature ? undefined : no(409, 'Invalid Signature')
  }

  const buy = (kind: Kind, params: Record<string, string>): VendorAnswer => {
    const { type_id = '', buy_amount, mch_order_id = '' } = params
    const type = self.types[`${kind}/${type_id}`]
    if (!type) return no(400, 'Bad Request', "Type doesn't exist.")
    const fields = Object.fromEntries((type.fields ?? []).map(({ name }) => [name, params[name] ?? '']))
    if (buy_amount !== '1' || Object.values(fields).includes('')) return no(406, 'Missing Required Parameter')
    if (orders.some((order) => order.mch_order_id === mch_order_id)) return no(400, 'Bad Request', 'Order exists.')
    if (type_id === '402') return no(402, 'Payment Required')
    const order: Order = {
      id: 12_563_858 + orders.length,
      kind,
      type_id,
      mch_order_id,
      status_code: 10_001,
      pay_status_code: 2,
      pay_amount: String(type.unit_price),
      currency: type.currency,
      refunded_amount: '0.00',
      refunded_reason: '',
      fields,
    }
    orders.push(order)
    return ok(order)
  }

  const readOrder = (kind: Kind, id: string, queryType: string | undefined): VendorAnswer => {
    const order = orders.find(
      (one) => one.kind === kind && (queryType === 'mchOrderId' ? one.mch_order_id : String(one.id)) === id,
    )
    return order ? ok(order) : no(404, 'Not Found', 'Order not found.')
  }

  /** Lists the categories of a kind, or the types of one of them. */
  const listCatalogue = (kind: Kind, category: string | undefined): VendorAnswer => {
    const types = Object.entries(self.types).filter(([id]) => id.startsWith(`${kind}/`))
    if (category === undefined) {
      const ids = new Set(types.map(([, type]) => type.category ?? 1))
      const mode = kind === 'card' ? 'pin' : 'directtopup'
      return ok([...ids].map((id) => ({ id, name: `Category ${id}`, code: `category-${id}`, mode, region: 'my' })))
    }
    const own = types.filter(([, type]) => String(type.category ?? 1) === category)
    if (own.length === 0) return no(404, 'Not Found', "Category doesn't exist.")
    return ok(own.map(([id, { category, ...type }]) => toType(id.replace(/.*\//, ''), type)))
  }

  const toType = (id: string, type: Omit<Type, 'category'>) => ({
    id: Number(id),
    name: `Type ${id}`,
    min_amount: 1,
    max_amount: 10,
    ...type,
  })

  const answer = (request: VendorRequest): VendorAnswer => {
    const params = toParams(request)
    const stranger = refuseStranger(params)
    if (stranger) return stranger
    if (request.path === '/v1/me')
      return ok({ id: 10_001, username: 'shop', credits: 5_000, currency: 'MYR', balance: '100.4949' })
    const listed = /^\/v1\/(recharge|card)-categories(?:\/(\d+)\/(?:recharge|card)-types)?$/.exec(request.path)
    if (listed) return listCatalogue(listed[1] as Kind, listed[2])
    const [, kind, noun, id] = /^\/v1\/(recharge|card)-(types|orders)(?:\/([^/]+))?$/.exec(request.path) ?? []
    if (!kind || !noun) return no(404, 'Not Found')
    if (request.method === 'POST')
      return noun === 'orders' && !id ? buy(kind as Kind, params) : no(405, 'Method Not Allowed')
    if (noun === 'orders') return readOrder(kind as Kind, decodeURIComponent(id ?? ''), params.query_type)
    const type = self.types[`${kind}/${id}`]
    return type ? ok(toType(id ?? '', type)) : no(404, 'Not Found', "Type doesn't exist.")
  }

  const double = await startVendor(answer)
  const self: SeagmDouble = Object.assign(double, {
    uid: '10001',
    secretKey: 'sg_test_secret',
    orders,
    types: {
      'recharge/1060': { unit_price: '4.15', currency: 'MYR', fields: playerField },
      'recharge/402': { unit_price: '4.15', currency: 'MYR', fields: playerField },
      'recharge/1061': { unit_price: 20.75, currency: 'MYR', fields: playerField },
      'recharge/1100': { unit_price: '6.10', currency: 'MYR', category: 2, fields: zoneFields },
      'recharge/1101': { unit_price: '3.30', currency: 'MYR', category: 2, fields: playerField },
      'recharge/1200': {
        unit_price: '1.00',
        currency: 'MYR',
        category: 3,
        fields: [input('login', 'Login'), input('password', 'Password')],
      },
      'card/2010': { unit_price: 43.5, currency: 'MYR', category: 181 },
      'card/2011': { unit_price: 4.35, currency: 'MYR', category: 181, has_stock: false },
      ...manyTypes,
    } as Record<string, Type>,
    aheadSeconds: 0,
    refusesWithin200: false,
    executions: (key: string) => orders.filter(({ mch_order_id }) => mch_order_id === key).length,
    set: (key: string, change: Partial<Order>) => {
      for (const order of orders) if (order.mch_order_id === key) Object.assign(order, change)
    },
    callback: (key: string, { secret = self.secretKey, as = 'json', title = 'PUBG' }: CallbackWish = {}) => {
      const order = orders.find(({ mch_order_id }) => mch_order_id === key)
      const params = {
        id: String(order?.id),
        title,
        type_id: order?.type_id ?? '',
        currency: 'MYR',
        refunded_reason: '',
        timestamp: Math.floor(Date.now() / 1_000),
        status: 'Done',
        status_code: order?.status_code ?? 0,
        mch_order_id: key,
      }
      if (as === 'json') {
        const body = Buffer.from(JSON.stringify({ ...params, signature: signSeagm(secret, params) }))
        return { body, headers: { 'content-type': 'application/json' } }
      }
      // Some clients say that what is signed is written as in a form.
      const form = new URLSearchParams(Object.entries(params).map(([param, value]) => [param, String(value)]))
      form.sort()
      form.set('signature', createHmac('sha256', secret).update(form.toString()).digest('hex').toUpperCase())
      return { body: Buffer.from(form.toString()), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    },
  })
  return self
}
