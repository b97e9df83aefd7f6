import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { addToCart, listOffers, payFromBalance, register, type Session, setBalance } from '../operator.ts'
import { adminCalls, call, callsOn } from './calls.ts'
import { newNickname, open, password } from './customer.ts'
import { ru } from './ru.ts'

/** A customer with money, who is logged in elsewhere. */
export async function aCustomer(page: Page, balance = { balanceUsd: 50, balanceRub: 5_000 }): Promise<Session> {
  const session = await register(callsOn(page), { nickname: newNickname(), password })
  await setBalance(await adminCalls(page), session.userId, balance)
  return session
}

/** An admin of the journey's own: what it does to itself is nobody else's trouble. */
export async function anAdmin(page: Page): Promise<Session> {
  const session = await aCustomer(page)
  const operator = await adminCalls(page)
  await operator('PUT', `/admin/users/${session.userId}/role`, { role: 'admin' })
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

/** Logs somebody in in another tab of the browser, which the open ones hear of. */
export async function logInElsewhere(context: BrowserContext, session: Session): Promise<void> {
  const other = await context.newPage()
  await other.goto('/robots.txt')
  await other.evaluate(({ token, nickname, userId }) => {
    localStorage.setItem('nickname', nickname)
    localStorage.setItem('userId', String(userId))
    localStorage.setItem('token', token)
  }, session)
}

/** Puts so many codes of one package that has plenty into the customer's cart; answers what they cost in roubles. */
export async function fillCart(page: Page, token: string, quantity: number): Promise<number> {
  const customer = callsOn(page, token)
  for (const { id } of await customer<{ id: number }[]>('GET', '/products')) {
    const offer = (await listOffers(customer, id)).find((each) => each.available_count > 20)
    if (!offer) continue
    await addToCart(customer, id, offer, quantity)
    return offer.price_rub * quantity
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
  const name = ru('admin.products.edit', { name: newNickname() })
  const made = await call(page, token, 'POST', '/admin/products', { name, kind: 'code', gameCurrency: 'Gems' })
  const { id, slug }: { id: number; slug: string } = made.body.data
  const place = { productId: id, regionId: 0, gameAmount: 50, priceUsd: 1, priceRub: 80 }
  for (const code of codes) {
    expect((await call(page, token, 'POST', '/admin/codes', { ...place, code })).status).toBe(201)
  }
  return { id, name, slug, codes }
}

/** Buys a package, the first of its product or the one of that amount, from the balance in roubles; answers the order. */
export async function buy(
  page: Page,
  token: string,
  { id, quantity = 1 }: { id: number; quantity?: number },
  gameAmount?: number,
): Promise<string> {
  const customer = callsOn(page, token)
  const offers = await listOffers(customer, id)
  const offer = offers.find((each) => [undefined, each.game_amount].includes(gameAmount))
  if (!offer) throw new Error(`product ${id} has no package of ${gameAmount}`)
  for (let count = 0; count < quantity; count++) await addToCart(customer, id, offer)
  return payFromBalance(customer)
}

let count = 0
/** A name nobody else uses, in this project of journeys or the other. */
export const fresh = (start: string) => `${start}${process.pid.toString(36)}${++count}`.toUpperCase()

/** Whether rows are cards of two lines, which are edited in a form, and filters wait behind a button. */
export const isOnPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768

/** Changes fields of a package: where they stand, or in the form that its row opens on a phone. */
export async function editPackage(page: Page, name: string, labels: { field: string; row: string; value: string }) {
  if (!isOnPhone(page)) {
    const cell = page.getByRole('textbox', { name: labels.row })
    await cell.fill(labels.value)
    return cell.press('Enter')
  }
  if ((await drawer(page).count()) === 0)
    await page.getByRole('button', { name: ru('admin.list.edit', { name }) }).click()
  await drawer(page).first().getByLabel(labels.field).first().fill(labels.value)
  await drawer(page)
    .first()
    .getByRole('button', { name: ru('admin.form.save') })
    .click()
}

/**
 * Finds what the menu of the admin area leads to, or the one entry of a tab, beside which may stand how much waits there: links
 * beside the screen, or on a phone the choices of a field above it.
 */
export function menuEntries(page: Page, tab?: Parameters<typeof ru>[0]): Locator {
  const entries = isOnPhone(page)
    ? page.getByRole('combobox', { name: ru('admin.menu') }).locator('option')
    : page.getByRole('navigation', { name: ru('admin.menu') }).getByRole('link')
  return tab === undefined ? entries : entries.filter({ hasText: new RegExp(`^${ru(tab)}( ?\\(?\\d+\\)?)?$`) })
}

/** Goes where an entry of the menu leads. */
export async function choose(page: Page, entry: Locator) {
  if (!isOnPhone(page)) return entry.click()
  await page.getByRole('combobox', { name: ru('admin.menu') }).selectOption(await entry.getAttribute('value'))
}

/** Shows the choices that narrow and order a list; on a phone they wait behind a button. */
export async function openFilters(page: Page) {
  if (isOnPhone(page)) {
    await page.getByRole('button', { name: ru('admin.list.filters') }).click()
  }
}

export const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

export const drawer = (page: Page) => page.getByRole('dialog')

export const save = (page: Page) =>
  drawer(page)
    .getByRole('button', { name: ru('admin.form.save') })
    .click()

/** The bytes of a second factor's secret, which an app is told in base32. */
export const toBytes = (base32: string): Buffer => {
  const bits = [...base32].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
