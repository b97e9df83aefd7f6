import { expect, type Page } from '@playwright/test'
import { logIn, open } from './customer.ts'
import { admin } from './start-store.ts'

/** Logs in as the store's admin and opens a tab. */
export async function openTab(page: Page, tab: string): Promise<void> {
  await logIn(page, admin.nickname, admin.password)
  await open(page, `/admin/${tab}`)
  await expect(page.getByRole('table')).toBeVisible()
}

/** A call as whoever is logged in on the page. */
export async function call(page: Page, method: 'GET' | 'POST' | 'PUT', path: string, data?: unknown) {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const answer = await page.request.fetch(`/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(data !== undefined && { data }),
  })
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true)
  return answer.json()
}

let count = 0
/** A name nobody else uses, in this project of journeys or the other. */
export const fresh = (start: string) => `${start}${process.pid.toString(36)}${++count}`.toUpperCase()

export const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

export const drawer = (page: Page) => page.getByRole('dialog')

export const save = (page: Page) => drawer(page).getByRole('button', { name: 'Сохранить' }).click()
