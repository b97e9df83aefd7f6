import { admin } from '../../e2e/start-store.ts'

const password = 'pictures-only-7'

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
  /** An order whose payment by card nobody has made yet, and its pay page. */
  awaiting: string
  payUrl: string
}

type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

/** The calls of the store, for whoever is logged in. */
function callsOf(url: string, token = ''): Call {
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
export async function makeWorld(url: string): Promise<World> {
  const anybody = callsOf(url)
  const operator = await anybody<Session>('POST', '/auth/login', admin)
  const register = (nickname: string) => anybody<Session>('POST', '/auth/register', { nickname, password })
  const [customer, newcomer] = [await register('Kamila_2007'), await register('newcomer')]
  const asAdmin = callsOf(url, operator.token)
  const balance = { balanceUsd: 64.5, balanceRub: 12_480, reason: 'pictures' }
  await asAdmin('PUT', `/admin/users/${customer.userId}/balance`, balance)

  const call = callsOf(url, customer.token)
  const orders: string[] = []
  for (const [slugs, quantity] of [
    [['valorant'], 1],
    [['mobile-legends'], 1],
    [['genshin-impact'], 1],
    [['playstation'], 1],
    [['telegram'], 1],
    [['fortnite'], 1],
    [['roblox', 'itunes'], 2],
  ] as const) {
    for (const slug of slugs) await addToCart(call, slug, quantity)
    const { order } = await call<{ order: { id: string } }>('POST', '/payment/from-balance', { currency: 'RUB' })
    orders.push(order.id)
  }
  await addToCart(call, 'valorant', 1)
  const payment = await payByCard(call)
  await addToCart(call, 'roblox', 2)
  await addToCart(call, 'mobile-legends', 1)
  return {
    customer,
    newcomer,
    admin: operator,
    receipt: orders.at(-1) ?? '',
    awaiting: payment.order_id,
    payUrl: payment.pay_url,
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

async function addToCart(call: Call, slug: string, quantity: number): Promise<void> {
  const product = await call<{ id: number; hasGlobalCodes: boolean; regions: { id: number }[] }>(
    'GET',
    `/products/slug/${slug}`,
  )
  const region = product.hasGlobalCodes ? 0 : (product.regions[0]?.id ?? 0)
  const packages = await call<Package[]>('GET', `/products/${product.id}/codes/${region}`)
  const chosen = packages.find((entry) => entry.available_count >= quantity)
  if (!chosen) throw new Error(`${slug} has no package with ${quantity} in stock`)
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

async function payByCard(call: Call): Promise<{ pay_url: string; order_id: string }> {
  const { data } = await call<{ data: { price_rub: number; quantity: number }[] }>('GET', '/cart')
  const amount = data.reduce((sum, item) => sum + item.price_rub * item.quantity, 0)
  return call('POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
}
