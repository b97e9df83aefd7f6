import { test as base, expect, type Page } from '@playwright/test'
import { type Balance, setBalance } from '../operator.ts'
import { adminCalls } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { ru } from './ru.ts'

/** A journey whose page must not complain, of hydration neither. */
export const test = base.extend<{ complaints: undefined }>({
  complaints: [
    async ({ page }, use) => {
      const complaints = watchConsole(page)
      await use(undefined)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Opens a page and waits until it is hydrated: buttons work then, and the header knows whether somebody is logged in.
 */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('html[data-hydrated]')).toBeAttached()
}

/** How the fields of the specification's games are labelled: by rows of the shop, and not by its dictionaries. */
export const labels = { playerId: 'ID игрока', steamLogin: 'Логин Steam' } as const

let count = 0
export const newNickname = () => `player_${Date.now().toString(36)}_${process.pid}_${++count}`

export const password = 'journey-pass-7'

/** Fills and sends the form of registration, wherever it was opened from. */
export async function registerHere(page: Page, nickname = newNickname()): Promise<string> {
  // The form of logging in has the same first fields: one that is about to leave would swallow what is typed.
  await expect(page.getByRole('heading', { name: ru('register.title') })).toBeVisible()
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await page.getByLabel(ru('register.confirmPassword')).fill(password)
  await page.getByRole('button', { name: ru('login.register') }).click()
  await expect(page).not.toHaveURL(/register/)
  return nickname
}

/** Registers through the form and ends up on the home page. */
export async function register(page: Page, nickname = newNickname()): Promise<string> {
  await open(page, '/register')
  await registerHere(page, nickname)
  await expect(page).toHaveURL('/')
  return nickname
}

export async function logIn(page: Page, nickname: string, secret = password): Promise<void> {
  await open(page, '/login')
  await logInHere(page, nickname, secret)
}

/** Fills and sends the form of logging in, wherever it was opened from. */
export async function logInHere(page: Page, nickname: string, secret = password): Promise<void> {
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill(secret)
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(page).not.toHaveURL(/login/)
}

/** Sets the balance of the user who is logged in on the page, as the store's admin does by a call. */
export async function giveBalance(page: Page, balance: Balance): Promise<void> {
  const userId = await page.evaluate(() => localStorage.getItem('userId') ?? '')
  await setBalance(await adminCalls(page), userId, balance)
}

/** Puts packages of Roblox, the first of its page, into the cart. */
export async function addToCart(page: Page, quantity: number): Promise<void> {
  await open(page, '/products/roblox')
  for (let count = 1; count < quantity; count++) await page.getByRole('button', { name: ru('cart.more') }).click()
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
}
