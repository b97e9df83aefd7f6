import { randomUUID } from 'node:crypto'
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

interface Order {
  order_id: number
  game_code: string
  denom_id: string
  player_id: string
  price: unknown
  status: string
  message: string
  remark: string | undefined
  callback_url: string | undefined
}

export interface G2bulkDouble extends VendorDouble {
  apiKey: string
  /** The latest last, as often as something was bought under a key. */
  orders: Order[]
  executions(key: string): number
  /** Changes the orders bought under the key. */
  set(key: string, change: Partial<Order>): void
  /** Prices in USD, by game and name in its catalogue. */
  prices: Record<string, unknown>
  /** What an order of a game has to say; none for a game that lists no fields, and wants the player alone. */
  fields: Record<string, string[]>
  /** The servers of a game, where one is chosen from a list. */
  servers: Record<string, Record<string, string>>
  /** Players whose orders it refuses. */
  refused: RegExp
  /** Forgets every idempotency key, as the vendor does 30 minutes after it saw one. */
  forgetKeys(): void
  /** Whether the list of orders shows their remarks, which is not documented. */
  listsRemarks: boolean
  /** Makes the webhook about the order, with its own remark or another. */
  webhook(key: string, remark?: string): { body: Buffer; headers: Record<string, string> }
}

const ok = (body: object): VendorAnswer => ({ status: 200, body: { success: true, ...body } })
const no = (status: number, message: string): VendorAnswer => ({ status, body: { success: false, message } })

/**
 * G2Bulk as it documents itself: api.g2bulk.com/v1. A repeated key answers with the first answer. Games, prices and players
 * are public; everything else needs the key.
 */
export async function startG2bulk(): Promise<G2bulkDouble> {
  const orders: Order[] = []
  const answers = new Map<string, VendorAnswer>()
  const boughtUnder = (key: string) => orders.filter(({ remark }) => remark?.startsWith(key))

  const checkPlayer = (body: string): VendorAnswer => {
    const { game, user_id: player, server_id } = JSON.parse(body)
    if (!isGame(game)) return no(404, 'Game not found')
    if (self.fields[game]?.includes('serverid') && !server_id) return no(400, 'server_id is required')
    if (player.endsWith('422')) return no(400, 'Game is currently unavailable')
    if (player.endsWith('404')) return { status: 400, body: { valid: 'invalid', name: '' } }
    return { status: 200, body: { valid: 'valid', name: `Name ${player}`, openid: '41581795132966184' } }
  }

  const isGame = (game: string): boolean => Object.keys(self.prices).some((item) => item.startsWith(`${game}/`))

  const listGames = (): VendorAnswer => {
    const codes = new Set(Object.keys(self.prices).map((item) => item.replace(/\/.*/, '')))
    const games = [...codes].map((code, index) => ({
      id: index + 1,
      code,
      name: code,
      image_url: `/images/${code}.png`,
    }))
    return ok({ games })
  }

  const listFields = (body: string): VendorAnswer => {
    const fields = self.fields[JSON.parse(body).game]
    if (!fields) return no(404, 'Game fields not found')
    return { status: 200, body: { code: '200', info: { fields, notes: 'Not available for Indonesia users' } } }
  }

  const listServers = (body: string): VendorAnswer => {
    const servers = self.servers[JSON.parse(body).game]
    if (servers) return { status: 200, body: { code: '200', servers } }
    return { status: 403, body: { detail: { code: '403', message: 'Game does not requires any servers' } } }
  }

  const listCatalogue = (game: string): VendorAnswer => {
    const own = Object.entries(self.prices).filter(([item]) => item.startsWith(`${game}/`))
    if (own.length === 0) return no(404, 'Game not found')
    const catalogues = own.map(([item, amount], index) => ({
      id: index + 1,
      name: item.slice(game.length + 1),
      amount,
    }))
    return ok({ game: { code: game, name: game, image_url: `/images/${game}.png` }, catalogues })
  }

  const buy = (game: string, body: string): VendorAnswer => {
    const { catalogue_name: name, player_id, server_id, charname, remark, callback_url } = JSON.parse(body)
    const price = self.prices[`${game}/${name}`]
    if (price === undefined) return no(400, 'Invalid catalogue name')
    if (name === 'poor') return no(400, 'Insufficient balance')
    const told = { userid: player_id, serverid: server_id, charname } as Record<string, string | undefined>
    if (self.fields[game]?.some((field) => !told[field])) return no(400, 'Missing required fields')
    if (!player_id || self.refused.test(player_id)) return no(400, 'Invalid player ID. Please check and try again.')
    const order_id = orders.length + 42
    orders.push({
      order_id,
      game_code: game,
      denom_id: name,
      player_id,
      price,
      status: 'PENDING',
      message: 'Order created',
      remark,
      callback_url,
    })
    return ok({
      message: 'Order created successfully. We are processing your order.',
      order: { order_id, game, catalogue: name, player_id, player_name: 'A player', price, status: 'PENDING' },
    })
  }

  const buyOnce = (game: string, { headers, body }: VendorRequest): VendorAnswer => {
    const key = String(headers['x-idempotency-key'] ?? randomUUID())
    if (key.length !== 36) return no(400, 'Invalid idempotency key')
    const answer = answers.get(key) ?? buy(game, body)
    answers.set(key, answer)
    return answer
  }

  const readStatus = (body: string): VendorAnswer => {
    const { order_id, game } = JSON.parse(body)
    if (typeof order_id !== 'number') return { status: 400, body: { message: 'Failed to parse request body' } }
    const order = orders.find((one) => one.order_id === order_id && one.game_code === game)
    if (!order) return no(404, 'Order not found')
    const { status, message, price } = order
    return ok({ order: { order_id, status, message, price } })
  }

  const listOrders = (query: URLSearchParams): VendorAnswer => {
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)]
    const shown = orders
      .toReversed()
      .slice((page - 1) * limit, page * limit)
      .map(({ remark, status, message, callback_url, ...order }) => ({
        ...order,
        status: status.toLowerCase(),
        is_refunded: status === 'FAILED',
        created_at: new Date().toISOString(),
        ...(self.listsRemarks && { remark: remark ?? null }),
      }))
    const pagination = { page, limit, total: orders.length, total_pages: Math.ceil(orders.length / limit) }
    return ok({ orders: shown, pagination })
  }

  const double = await startVendor((request) => {
    const { method, path, query, headers, body } = request
    const [, , game = '', what] = path.split('/').map(decodeURIComponent)
    if (method === 'GET' && path === '/games') return listGames()
    if (method === 'POST' && path === '/games/fields') return listFields(body)
    if (method === 'POST' && path === '/games/servers') return listServers(body)
    if (method === 'GET' && what === 'catalogue') return listCatalogue(game)
    if (method === 'POST' && path === '/games/checkPlayerId') return checkPlayer(body)
    if (headers['x-api-key'] !== self.apiKey) return no(401, 'Invalid API key')
    if (path === '/getMe') return ok({ user_id: 123456789, username: 'shop', first_name: 'Shop', balance: 8.749 })
    if (path === '/games/orders') return listOrders(query)
    if (method === 'POST' && path === '/games/order/status') return readStatus(body)
    if (method === 'POST' && what === 'order') return buyOnce(game, request)
    return no(404, 'Not found')
  })
  const self = Object.assign(double, {
    apiKey: 'g2_test_key',
    orders,
    prices: {
      'pubgm/60 UC': 0.88,
      'pubgm/300/25 UC': '4.400',
      'pubgm/poor': 0.88,
      'freefire_global/100 Diamonds': 0.95,
      'mlbb/86 Diamonds': 1.42,
      'mlbb/172 Diamonds': '2.840',
      'genshin/60 Crystals': 0.86,
      'ragnarok/100 Points': 1,
      'by_password/100 Points': 1,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`game_${n + 10}/100 Coins`, 1])),
    } as Record<string, unknown>,
    fields: {
      pubgm: ['userid'],
      mlbb: ['userid', 'serverid'],
      genshin: ['userid', 'serverid'],
      ragnarok: ['userid', 'serverid', 'charname'],
      by_password: ['login', 'password'],
    } as Record<string, string[]>,
    servers: { genshin: { Asia: 'Asia', Europe: 'Europe' } } as Record<string, Record<string, string>>,
    refused: /404$/,
    listsRemarks: true,
    executions: (key: string) => boughtUnder(key).length,
    set: (key: string, change: Partial<Order>) => {
      for (const order of boughtUnder(key)) Object.assign(order, change)
    },
    forgetKeys: () => answers.clear(),
    webhook: (key: string, other?: string) => {
      const { order_id, game_code, player_id, denom_id, price, status, message, remark } = boughtUnder(key)[0] as Order
      const body = {
        order_id,
        game_code,
        game_name: game_code,
        player_id,
        player_name: 'A player',
        server_id: '',
        denom_id,
        price,
        status,
        message,
        remark: other ?? remark,
        timestamp: new Date().toISOString(),
      }
      return { body: Buffer.from(JSON.stringify(body)), headers: {} }
    },
  })
  return self
}
