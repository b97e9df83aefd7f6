import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../start-store.ts'

const password = 'pictures-only-7'
const patienceMs = 30_000
const pauseMs = 200

/** Who looks at a screen, as the browser keeps it. */
export interface Session {
  token: string
  nickname: string
  userId: number
}

export interface World {
  /** Has bought, has money, has things in the cart. */
  customer: Session
  /** Registered a minute ago. */
  newcomer: Session
  admin: Session
  receipt: string
  /** Orders of top-ups by what became of them. */
  topups: Record<keyof typeof players, string>
  /** An order whose payment by card nobody has made yet, and its pay page. */
  awaiting: string
  payUrl: string
}

/** Players by what the sandbox does with their top-ups. */
const players = { delivered: '5123456', refused: '5126001', silent: '5126004' }

type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

/** The calls of the store, for whoever is logged in. */
function readCalls(url: string, token = ''): Call {
  return async (method, path, body) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: token === '' ? headers : { ...headers, authorization: `Bearer ${token}` },
      body: body ? JSON.stringify(body) : null,
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

/** Fills a store that has just been started with people and orders to take pictures of. */
export async function makeWorld(
  url: string,
  names = { customer: 'Kamila_2007', newcomer: 'newcomer' },
): Promise<World> {
  const anybody = readCalls(url)
  const operator = await anybody<Session>('POST', '/auth/login', admin)
  const register = (nickname: string) => anybody<Session>('POST', '/auth/register', { nickname, password })
  const [customer, newcomer] = [await register(names.customer), await register(names.newcomer)]
  const asAdmin = readCalls(url, operator.token)
  const balance = { balanceUsd: 64.5, balanceRub: 12_480, reason: 'pictures' }
  await asAdmin('PUT', `/admin/users/${customer.userId}/balance`, balance)

  const call = readCalls(url, customer.token)
  const buying = { call, asAdmin }
  await buyCodes(buying, [['valorant'], ['mobile-legends'], ['genshin-impact'], ['telegram']], 1)
  const topups = {
    delivered: await buyDiamonds(call, players.delivered),
    refused: await buyDiamonds(call, players.refused),
    silent: await buyDiamonds(call, players.silent),
  }
  const receipt = await buyCodes(buying, [['roblox', 'itunes']], 2)
  await addToCart(buying, 'valorant', 1)
  const payment = await payByCard(call)
  await addToCart(buying, 'roblox', 2)
  await addToCart(buying, 'mobile-legends', 1)
  await fillDesk(asAdmin, anybody, customer)
  await untilItIs(call, topups.refused, 'refunded')
  return { customer, newcomer, admin: operator, receipt, topups, awaiting: payment.order_id, payUrl: payment.pay_url }
}

const messages = [
  'Код Roblox пишет, что уже использован. Чек приложил, помогите, пожалуйста.',
  'Qachon Xbox kartalari boʻladi?',
]

/** What an operator has on the desk: messages of customers, codes in the pool of PUBG, generated ones. */
async function fillDesk(asAdmin: Call, anybody: Call, { nickname, userId }: Session): Promise<void> {
  for (const message of messages) {
    await anybody('POST', '/support', { nickname, userId: String(userId), message, contact: '@kamila_2007' })
  }
  type Named = { data: { id: number }[] }
  const first = async (path: string) => (await asAdmin<Named>('GET', path)).data[0]?.id
  const lines = ['UC60-JUPITER', 'UC60-MARS', 'UC60-VENUS']
  const denomination_id = await first('/pubg-admin/denominations')
  await asAdmin('POST', '/pubg-admin/codes/bulk?dryRun=false', { denomination_id, lines })
  const productId = await first('/admin/products?search=freefire-codes')
  const denominationId = await first('/freefire-admin/denominations')
  await asAdmin('POST', '/admin/generated-codes/generate', { productId, denominationId, count: 5, published: true })
}

interface Placed {
  order: { id: string }
}

/** Whose cart it is, and who fills the shelves. */
interface Buying {
  call: Call
  asAdmin: Call
}

/** Buys carts of codes from the balance, one after the other; answers the last order. */
async function buyCodes(buying: Buying, carts: readonly (readonly string[])[], quantity: number): Promise<string> {
  let last = ''
  for (const slugs of carts) {
    for (const slug of slugs) await addToCart(buying, slug, quantity)
    const { order } = await buying.call<Placed>('POST', '/payment/from-balance', { currency: 'RUB' })
    last = order.id
  }
  return last
}

async function buyDiamonds(call: Call, playerId: string): Promise<string> {
  const { offers } = await call<{ offers: { item_id: string; name: string; price: number; price_rub: number }[] }>(
    'GET',
    '/freefire/offers',
  )
  const offer = offers[2]
  if (!offer) throw new Error('there are no diamonds')
  const topupData = {
    service: 'freefire',
    player_id: playerId,
    offer_id: offer.item_id,
    offer_name: offer.name,
    price_usd: offer.price,
    price_rub: offer.price_rub,
  }
  const { order } = await call<Placed>('POST', '/orders/topup', { topupData, currency: 'RUB' })
  return order.id
}

async function untilItIs(call: Call, orderId: string, status: string): Promise<void> {
  const deadline = Date.now() + patienceMs
  while ((await call<{ status: string }>('GET', `/orders/${orderId}`)).status !== status) {
    if (Date.now() > deadline) throw new Error(`order ${orderId} is not ${status}`)
    await sleep(pauseMs)
  }
}

interface Package {
  game_amount: number
  price_usd: number
  price_rub: number
  game_currency: string
  region_id: number
  available_count: number
}

async function addToCart({ call, asAdmin }: Buying, slug: string, quantity: number): Promise<void> {
  const product = await call<{ id: number; hasGlobalCodes: boolean; regions: { id: number }[] }>(
    'GET',
    `/products/slug/${slug}`,
  )
  const region = product.hasGlobalCodes ? 0 : (product.regions[0]?.id ?? 0)
  const packages = await call<Package[]>('GET', `/products/${product.id}/codes/${region}`)
  const chosen = packages.find((entry) => entry.available_count >= quantity) ?? packages[0]
  if (!chosen) throw new Error(`${slug} has no package`)
  // Every world takes from the same shelves, and the journeys before took from them too.
  if (chosen.available_count < quantity) await restock(asAdmin, product.id, chosen)
  await call('POST', '/cart/add', {
    productId: product.id,
    gameAmount: chosen.game_amount,
    priceUsd: chosen.price_usd,
    priceRub: chosen.price_rub,
    gameCurrency: chosen.game_currency,
    regionId: chosen.region_id,
    quantity,
  })
}

async function restock(asAdmin: Call, productId: number, { region_id, ...offer }: Package): Promise<void> {
  const rest = [offer.price_usd, offer.price_rub, offer.game_amount].join(',')
  const lines = Array.from({ length: 20 }, () => `WORLD-${crypto.randomUUID()},${rest}`)
  await asAdmin('POST', '/admin/codes/bulk?dryRun=false', { productId, regionId: region_id, lines })
}

async function payByCard(call: Call): Promise<{ pay_url: string; order_id: string }> {
  const { data } = await call<{ data: { price_rub: number; quantity: number }[] }>('GET', '/cart')
  const amount = data.reduce((sum, item) => sum + item.price_rub * item.quantity, 0)
  return call('POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
}
