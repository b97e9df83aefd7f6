import { expect } from '@playwright/test'
import { open, test } from './customer.ts'
import { ru } from './ru.ts'
import { admin, type Store, startStore } from './start-store.ts'

let store: Store
test.beforeAll(async () => {
  // Listens where strangers could come in.
  store = await startStore({ HOST: '0.0.0.0', ALLOW_SANDBOX: '1' })
})
test.afterAll(() => store.stop())

const texts = {
  ru: ru('openSandbox.payments'),
  en: 'Test payments are on: nothing here is really paid.',
  uz: 'Sinov toʻlovlari yoqilgan: bu yerda hech narsa aslida toʻlanmaydi.',
}

for (const [language, text] of Object.entries(texts)) {
  test(`says on every page, before any script is there, that nothing is really paid: ${language}`, async ({ page }) => {
    for (const path of ['/', '/products/roblox', '/cart', '/login', '/orders', '/admin', '/nowhere']) {
      const answer = await page.request.get(`${store.url}${path}`, { headers: { cookie: `language=${language}` } })
      expect(await answer.text(), path).toContain(text)
    }
  })
}

test.describe('on a narrow phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('the line is whole, moves nothing, and stands in the admin area too', async ({ page }) => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await open(page, `${store.url}/`)
    const line = page.getByRole('complementary').filter({ hasText: texts.ru })
    const box = await line.boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 360 })
    expect(await line.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    const moved = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(moved.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02)

    await page.goto(`${store.url}/login`)
    await expect(page.locator('html[data-hydrated]')).toBeAttached()
    await page.getByLabel(ru('login.nickname')).fill(admin.nickname)
    await page.getByLabel(ru('login.password'), { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: ru('header.logIn') }).click()
    await expect(page).not.toHaveURL(/login/)
    await open(page, `${store.url}/admin/codes`)
    await expect(page.getByRole('table')).toBeVisible()
    await expect(line).toBeVisible()
  })
})
