import { expect, type Page } from '@playwright/test'
import { type Call, logIn } from '../operator.ts'
import { admin } from './start-store.ts'

/** Calls the page's store as whoever the token belongs to, and answers also what was refused. */
export async function call(page: Page, token: string | undefined, method: string, path: string, data?: object) {
  const answer = await page.request.fetch(`/api${path}`, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(data && { data }),
  })
  const text = await answer.text()
  return { status: answer.status(), body: text === '' ? undefined : JSON.parse(text) }
}

/** Makes calls with a token, or as a visitor without one; they have to succeed. */
export function callsOn(page: Page, token?: string): Call {
  return async (method, path, data) => {
    const { status, body } = await call(page, token, method, path, data)
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
    return body
  }
}

/** Makes a call as the user who is logged in on the page; it has to succeed. */
export async function callHere(page: Page, method: string, path: string, data?: object) {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? undefined)
  const { status, body } = await call(page, token, method, path, data)
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
  return body
}

/** The calls of the store's first admin. */
export const adminCalls = async (page: Page): Promise<Call> => callsOn(page, (await logIn(callsOn(page), admin)).token)
