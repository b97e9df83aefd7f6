import { expect, type Locator } from '@playwright/test'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

test('a product of the list that was pointed at opens without asking for anything more', async ({ page }) => {
  await open(page, '/products')
  const tile = page.locator('main a[href="/products/roblox"]').first()
  await tile.scrollIntoViewIfNeeded()
  const data = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/products/roblox.data')
  // A finger does the same when it touches: it has not let go yet.
  await tile.hover()
  expect((await data).headers()['cache-control']).toBe('private, max-age=5')
  await page.waitForLoadState('networkidle')

  const startedAt = Date.now()
  await tile.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Roblox' })).toBeVisible()
  console.log(`      shown ${Date.now() - startedAt} ms after the press`)
  const fetched = await page.evaluate(
    (since) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name, startTime, transferSize }) => {
          const isNeeded = /\.(?:data|js|css)$/.test(new URL(name).pathname)
          return isNeeded && performance.timeOrigin + startTime >= since && transferSize > 0
        })
        .map(({ name }) => name),
    startedAt,
  )
  expect(fetched).toEqual([])
})

const goodMs = 100
const presses = 3

test('the checkout answers a press within 100 ms', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balance_usd: 500, balance_rub: 40_000 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await expect(page.getByRole('heading', { name: ru('checkout.title'), level: 1 })).toBeVisible()
  const choices = page.locator('main').getByRole('radio')
  await expect(choices.first()).toBeVisible()
  await page.evaluate(() => {
    const store = window as unknown as { interactions: number[] }
    store.interactions = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (entry.interactionId) store.interactions.push(entry.duration)
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
  const count = await choices.count()
  const targets: [name: string, target: Locator][] = [
    ['way to pay', choices.nth(count - 1)],
    ['the first way', choices.first()],
  ]
  for (const [name, target] of targets) {
    const took: number[] = []
    // The machine may be doing something else while one of them is handled: the best of three is the page's own time.
    for (let press = 0; press < presses; press++) {
      await page.evaluate(() => Object.assign(window, { interactions: [] }))
      await target.press('Space')
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))))
      const seen = await page.evaluate(() => (window as unknown as { interactions: number[] }).interactions)
      took.push(Math.max(0, ...seen))
    }
    console.log(`      ${name}: ${took.map((ms) => ms.toFixed(0)).join(', ')} ms`)
    expect(Math.min(...took)).toBeLessThanOrEqual(goodMs)
  }
})
