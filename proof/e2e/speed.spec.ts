import { expect, type Locator, type Page } from '@playwright/test'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

const rounds = 3

test('a product of the list that was pointed at opens without asking for more data or scripts', async ({ page }) => {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) took.push(await openPointedAt(page))
  console.log(`      shown ${took.map(Math.round).join(', ')} ms after the press`)
})

/** Points at a product of the list, opens it, and returns the milliseconds from the press until it is drawn. */
async function openPointedAt(page: Page): Promise<number> {
  await open(page, '/products')
  const tile = page.locator('main a[href="/products/roblox"]').first()
  await tile.scrollIntoViewIfNeeded()
  const data = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/products/roblox.data')
  // A finger does the same when it touches: it has not let go yet.
  await tile.hover()
  expect((await data).headers()['cache-control']).toBe('private, max-age=5')
  await page.waitForLoadState('networkidle')
  // The page presses for itself: to be pressed and asked from here takes it some 15 ms of this.
  await tile.evaluate((link: HTMLElement) => {
    const shown = new Promise<void>((tell) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('h1')?.textContent !== 'Roblox') return
        observer.disconnect()
        requestAnimationFrame(() => {
          // What is asked for in a frame comes after it is drawn.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => {
            performance.mark('shown')
            tell()
          }
          port2.postMessage(0)
        })
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    setTimeout(() => {
      performance.mark('pressed')
      link.click()
    })
    return shown
  })
  return page.evaluate(() => {
    const [pressed, shown] = ['pressed', 'shown'].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? 0)
    const fetched = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name, startTime, transferSize }) => {
        const isNeeded = /\.(?:data|js)$/.test(new URL(name).pathname)
        return isNeeded && startTime >= (pressed ?? 0) && transferSize > 0
      })
      .map(({ name }) => name)
    if (fetched.length > 0) throw new Error(`asked for ${fetched.join(', ')}`)
    return (shown ?? 0) - (pressed ?? 0)
  })
}

const goodMs = 100

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
