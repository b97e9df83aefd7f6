import { expect, type Page } from '@playwright/test'
import { newNickname, open, password } from './customer.ts'
import { admin } from './start-store.ts'

interface Session {
  token: string
  nickname: string
  userId: number
}

/** Calls the store as whoever the token belongs to. */
export async function call(page: Page, token: string | undefined, method: string, path: string, data?: object) {
  const answer = await page.request.fetch(`/api${path}`, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(data && { data }),
  })
  const text = await answer.text()
  return { status: answer.status(), body: text === '' ? undefined : JSON.parse(text) }
}

const logInAs = async (page: Page, who: { nickname: string; password: string }): Promise<Session> =>
  (await call(page, undefined, 'POST', '/auth/login', who)).body

/** A customer with money, who is logged in elsewhere. */
export async function aCustomer(page: Page, balance = { balanceUsd: 50, balanceRub: 5_000 }): Promise<Session> {
  const nickname = newNickname()
  const { body } = await call(page, undefined, 'POST', '/auth/register', { nickname, password })
  const { token } = await logInAs(page, admin)
  await call(page, token, 'PUT', `/admin/users/${body.userId}/balance`, { ...balance, reason: 'journey' })
  return body
}

/** An admin of the journey's own: what it does to itself is nobody else's trouble. */
export async function anAdmin(page: Page): Promise<Session> {
  const session = await aCustomer(page)
  const { token } = await logInAs(page, admin)
  await call(page, token, 'PUT', `/admin/users/${session.userId}/role`, { role: 'admin' })
  return session
}

/** Opens a tab of the admin area as an admin of the journey's own. */
export async function openTab(page: Page, path: string, known?: Session): Promise<Session> {
  const session = known ?? (await anAdmin(page))
  await page.goto('/login')
  await page.evaluate(({ token, nickname, userId }) => {
    localStorage.setItem('token', token)
    localStorage.setItem('nickname', nickname)
    localStorage.setItem('userId', String(userId))
  }, session)
  await open(page, `/admin/${path}`)
  return session
}

/** Puts so many codes of one package that has plenty into the customer's cart; answers what they cost in roubles. */
export async function fillCart(page: Page, token: string, quantity: number): Promise<number> {
  const { body: products } = await call(page, undefined, 'GET', '/products')
  for (const product of products) {
    const { body: packages } = await call(page, undefined, 'GET', `/products/${product.id}/codes/0`)
    const one = packages.find((each: { available_count: number }) => each.available_count > 20)
    if (!one) continue
    const added = await call(page, token, 'POST', '/cart/add', {
      productId: product.id,
      gameAmount: one.game_amount,
      priceUsd: one.price_usd,
      priceRub: one.price_rub,
      gameCurrency: one.game_currency,
      quantity,
      regionId: 0,
    })
    expect(added.status).toBe(201)
    return one.price_rub * quantity
  }
  throw new Error('no package of the demonstration has plenty of codes')
}

/** The codes a customer's receipt shows. */
export async function readCodes(page: Page, token: string, orderId: string): Promise<string[]> {
  const { body } = await call(page, token, 'GET', `/orders/${orderId}`)
  return body.items[0].code.split('\n')
}

/** A product of the journey's own, with these codes of one package of 50 gems on its shelf. */
export async function aNewProduct(page: Page, token: string, codes: string[] = []) {
  const name = `Товар ${newNickname()}`
  const made = await call(page, token, 'POST', '/admin/products', { name, kind: 'code', gameCurrency: 'Gems' })
  const { id, slug }: { id: number; slug: string } = made.body.data
  const place = { productId: id, regionId: 0, gameAmount: 50, priceUsd: 1, priceRub: 80 }
  for (const code of codes) {
    expect((await call(page, token, 'POST', '/admin/codes', { ...place, code })).status).toBe(201)
  }
  return { id, name, slug, codes }
}

/** Buys one of a package, the first of its product or the one of that amount, from the balance in roubles; answers the order. */
export async function buy(page: Page, token: string, { id }: { id: number }, gameAmount?: number): Promise<string> {
  const { body: packages } = await call(page, undefined, 'GET', `/products/${id}/codes/0`)
  const one = packages.find((each: { game_amount: number }) => [undefined, each.game_amount].includes(gameAmount))
  await call(page, token, 'POST', '/cart/add', {
    productId: id,
    gameAmount: one.game_amount,
    priceUsd: one.price_usd,
    priceRub: one.price_rub,
    gameCurrency: one.game_currency,
    quantity: 1,
    regionId: 0,
  })
  const { status, body } = await call(page, token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  expect(status).toBe(201)
  return body.order.id
}

/** The bytes of a second factor's secret, which an app is told in base32. */
export const toBytes = (base32: string): Buffer => {
  const bits = [...base32].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
