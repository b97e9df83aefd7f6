import { createHmac, randomUUID } from 'node:crypto'
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

interface Order {
  id: string
  kind: string
  status: string
  cards?: string[]
  failReason?: string
}

export interface FazercardsDouble extends VendorDouble {
  apiKey: string
  webhookSecret: string
  orders: Map<string, Order>
  /** How often something was bought under the key. */
  executions(key: string): number
  /** Changes the order bought under the key. */
  set(key: string, change: Partial<Order>): void
  /** The price of one USD of Steam balance there, in RUB and in KZT. */
  steamRub: number
  steamKzt: string
  /**
   * Prices of offers and cards, by category and name: USD, with four decimals. One is a bare number, which occurred.
   */
  prices: Record<string, unknown>
  /** Categories of top-ups, with the fields that an order has to fill in. */
  categories: Record<string, { name: string; fields: unknown }>
  /** Answers an order in the flat shape that occurred, with this status and these codes. */
  flat: { status?: string; cards?: string[] } | undefined
  webhook(key: string, secret?: string): { body: Buffer; headers: Record<string, string> }
}

interface Field {
  key: string
  label: string
  type: string
  options?: { value: string; label: string }[]
}

const text = (key: string, label: string): Field => ({ key, label, type: 'text' })
const player = text('player_id', 'Player ID')

/** Games whose players can be looked for, by names of their own. */
const checks: Record<string, Field[]> = {
  pubg_mobile: [player],
  free_fire: [player],
  mobile_legends: [player, text('zone_id', 'Zone ID')],
}

const servers = [
  { value: 'os_asia', label: 'Asia' },
  { value: 'os_euro', label: 'Europe' },
]
/** More than fit on a page of ten. */
const games = {
  pubg_mobile_auto: { name: 'PUBG Mobile (Auto)', fields: [player] },
  free_fire_cis: { name: 'Free Fire (CIS)', fields: [player] },
  mobile_legends_ru: { name: 'Mobile Legends (RU)', fields: [player, text('server_id', 'Server ID')] },
  genshin_impact: {
    name: 'Genshin Impact',
    fields: [
      { key: 'user_id', label: 'UID', type: 'number' },
      { ...text('server', 'Server'), type: 'select', options: servers },
    ],
  },
  login_game: {
    name: 'By password',
    fields: [text('login', 'Login'), { ...text('password', 'Password'), type: 'password' }],
  },
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`game_${n + 10}`, { name: `Game ${n + 10}`, fields: [player] }]),
  ),
}
const cards: Record<string, string> = { itunes: 'Apple Gift Card', steam_tr: 'Steam Wallet (TR)' }

const ok = (body: object): VendorAnswer => ({ status: 200, body: { ok: true, ...body } })
const no = (status: number, error: string, code?: string): VendorAnswer => ({
  status,
  body: { ok: false, error, ...(code && { code }) },
})

/**
 * FazerCards as it documents itself: api.fzr.cards/api/v2. A repeated key answers the original order; with another body
 * it is a conflict.
 */
export async function startFazercards(): Promise<FazercardsDouble> {
  const orders = new Map<string, Order>()
  const byKey = new Map<string, { body: string; id: string; times: number }>()

  const buy = (kind: string, request: VendorRequest, isValid: boolean): VendorAnswer => {
    if (!isValid) return { status: 200, body: { ok: false, error: 'Offer not found', code: 'OFFER_NOT_FOUND' } }
    const key = String(request.headers['idempotency-key'] ?? randomUUID())
    const known = byKey.get(key)
    // The other envelope that occurred.
    if (known && known.body !== request.body) {
      return { status: 409, body: { message: 'Key reused', error: 'Conflict', statusCode: 409 } }
    }
    const id = known?.id ?? `ord-${orders.size + 100}`
    if (!known) {
      orders.set(id, { id, kind, status: 'processing' })
      byKey.set(key, { body: request.body, id, times: 1 })
    }
    if (self.flat) return ok({ order_id: id, ...self.flat })
    // As documented, and as it occurred.
    return kind === 'giftcard' ? ok({ order_id: id }) : ok({ order: { ...orders.get(id), payload: null } })
  }

  const isSold = (item: string): boolean => item in self.prices

  const post = (request: VendorRequest): VendorAnswer => {
    const sent = JSON.parse(request.body)
    if (request.path === '/topups/validate-id') {
      const player = String(sent.fields?.player_id)
      const fields = checks[sent.category_id]
      if (!fields) return no(404, 'Unknown game')
      if (fields.some(({ key }) => !sent.fields[key])) return no(400, 'Missing or invalid fields')
      if (player.endsWith('422')) return no(422, 'Could not confirm')
      return ok(
        player.endsWith('404') ? { valid: false } : { valid: true, player_name: `Name ${player}`, region: 'SG' },
      )
    }
    if (request.path === '/steam-topup/check-login') {
      const login = String(sent.steamLogin)
      if (login.endsWith('500')) return no(500, 'Internal error')
      return ok({ can_refill: !login.endsWith('404'), ...(login.endsWith('new') && { unverified: true }) })
    }
    if (request.path === '/topups/order') {
      if (sent.offer_id === 'poor') return no(400, 'Insufficient balance', 'INSUFFICIENT_BALANCE')
      const fields = (self.categories[sent.category_id]?.fields ?? []) as Field[]
      if (fields.some(({ key }) => !sent.fields[key])) return no(400, 'Missing or invalid fields')
      return buy('topup', request, isSold(`${sent.category_id}/${sent.offer_id}`))
    }
    if (request.path === '/giftcards/order') {
      return buy('giftcard', request, isSold(`${sent.category_id}/${sent.card_id}`) && sent.quantity === 1)
    }
    if (request.path === '/steam-topup/order') {
      return buy('steam', request, Boolean(sent.steamLogin) && typeof sent.amount === 'number')
    }
    return no(404, 'Not found')
  }

  /** Lists what is sold of a category. */
  const toOffers = (category: string | null, name: 'offer_id' | 'card_id') =>
    Object.entries(self.prices).flatMap(([item, price_usd]) => {
      const [of, id] = item.split('/')
      const ofCards = name === 'card_id' && { stock: 10, min_order_quantity: 1, max_order_quantity: 10 }
      return of === category ? [{ [name]: id, name: id, price_usd, ...ofCards }] : []
    })

  /** Cuts a page out of the categories; the cursor is the name of the last one. */
  const toPage = (kind: string, names: Record<string, string>, query: URLSearchParams): VendorAnswer => {
    const [all, limit] = [Object.entries(names), Number(query.get('limit') ?? 50)]
    const start = all.findIndex(([category]) => category === query.get('cursor')) + 1
    const items = all.slice(start, start + limit).map(([category_id, name]) => ({ category_id, name, note: '' }))
    const has_more = start + limit < all.length
    const next_cursor = has_more ? items.at(-1)?.category_id : null
    return ok({ kind, items, meta: { total: all.length, limit, next_cursor, has_more } })
  }

  const get = ({ path, query }: VendorRequest): VendorAnswer => {
    const category_id = query.get('category_id')
    const category = self.categories[category_id ?? '']
    if (path === '/topups') {
      const names = Object.entries(self.categories).map(([id, { name }]) => [id, name])
      return toPage('topup', Object.fromEntries(names), query)
    }
    if (path === '/giftcards') return toPage('gift_card', cards, query)
    if (path === '/topups/validate-id') {
      return ok({ items: Object.entries(checks).map(([category_id, fields]) => ({ category_id, name: '', fields })) })
    }
    if (path === '/topups/offers' && !category) return no(404, 'Category not found')
    if (path === '/topups/offers') {
      return ok({ kind: 'topup', category_id, ...category, offers: toOffers(category_id, 'offer_id'), note: '' })
    }
    if (path === '/giftcards/cards') {
      return ok({ kind: 'gift_card', category_id, offers: toOffers(category_id, 'card_id') })
    }
    if (path === '/balance') return ok({ balance: '100.4949', currency: 'USD' })
    if (path === '/steam-topup/rates')
      return ok({ base: 'USD', rates: { RUB: self.steamRub, UAH: '41.5', KZT: self.steamKzt } })
    const order = orders.get(decodeURIComponent(path.slice('/orders/'.length)))
    return order ? ok({ order }) : no(404, 'Order not found')
  }

  const double = await startVendor((request) => {
    if (request.headers['x-api-key'] !== self.apiKey) return no(401, 'Invalid API key')
    return request.method === 'POST' ? post(request) : get(request)
  })
  const self = Object.assign(double, {
    apiKey: 'fz_test_key',
    steamRub: 81.25,
    steamKzt: '515.1',
    prices: {
      'pubg_mobile_auto/60_uc': '0.8800',
      'pubg_mobile_auto/poor': '0.8800',
      'pubg_mobile_auto/325_uc': '4.3600',
      'mobile_legends_ru/275_diamonds': '4.720152',
      'genshin_impact/60_crystals': '0.8600',
      ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`game_${n + 10}/100_coins`, '1.0000'])),
      'itunes/10_usd': 9.5,
      'itunes/25_usd': '23.5000',
      'steam_tr/50_try': '1.4000',
    } as Record<string, unknown>,
    categories: structuredClone(games) as FazercardsDouble['categories'],
    flat: undefined as FazercardsDouble['flat'],
    webhookSecret: 'fz_test_secret',
    orders,
    executions: (key: string) => byKey.get(key)?.times ?? 0,
    set: (key: string, change: Partial<Order>) =>
      void Object.assign(orders.get(byKey.get(key)?.id ?? '') ?? {}, change),
    webhook: (key: string, secret = 'fz_test_secret') => {
      const body = Buffer.from(
        JSON.stringify({
          event: 'order.status_changed',
          event_id: randomUUID(),
          timestamp: new Date().toISOString(),
          data: { order_id: byKey.get(key)?.id, type: 'topup', status: 'completed', previous_status: 'processing' },
        }),
      )
      const hex = createHmac('sha256', secret).update(body).digest('hex')
      return { body, headers: { 'x-webhook-signature': `sha256=${hex}` } }
    },
  })
  return self
}
