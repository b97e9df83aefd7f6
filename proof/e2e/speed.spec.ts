import { expect, type Locator } from '@playwright/test'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

test('a product of the list that was pointed at opens without asking for more data or scripts', async ({ page }) => {
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
          const isNeeded = /\.(?:data|js)$/.test(new URL(name).pathname)
          return isNeeded && performance.timeOrigin + startTime >= since && transferSize > 0
        })
        .map(({ name }) => name),
    startedAt,
  )
  expect(fetched).toEqual([])
})

const goodMs = 100
const rounds = 3

test('the checkout answers a press within 100 ms', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceUsd: 500, balanceRub: 40_000 })
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
  const targets: Record<string, Locator> = {
    'the last choice': choices.last(),
    'the first choice': choices.first(),
    'a part from the balance': page.locator('main').getByRole('checkbox').first(),
  }
  // The machine may be doing something else while a press is handled: the best of three is the page's own time.
  const took = new Map(Object.keys(targets).map((name) => [name, Number.POSITIVE_INFINITY]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of Object.entries(targets)) {
      await page.evaluate(() => Object.assign(window, { interactions: [] }))
      await target.click()
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))))
      const seen = await page.evaluate(() => (window as unknown as { interactions: number[] }).interactions)
      // One that takes less than 16 ms is not told.
      took.set(name, Math.min(took.get(name) ?? 0, Math.max(16, ...seen)))
    }
  }
  console.log(`      ${[...took].map(([name, ms]) => `${name} ${ms} ms`).join(', ')}`)
  expect([...took].filter(([, ms]) => ms > goodMs)).toEqual([])
})
