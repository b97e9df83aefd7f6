import { expect, type Page } from '@playwright/test'
import { addToCart, logIn, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

// The numbers that the specification names, as a customer meets them.

/** Calls the page makes from now on whose address has the text in it. */
function callsTo(page: Page, text: string): string[] {
  const calls: string[] = []
  page.on('request', (request) => request.url().includes(text) && calls.push(request.postData() ?? request.url()))
  return calls
}

/** From now on the page's time goes on only when it is told to. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
}

/** Lets time pass in steps until it is so; in small ones where the test counts. */
const soon = (page: Page, isSo: () => Promise<void>, stepMs = 5) =>
  expect(async () => {
    await page.clock.fastForward(stepMs)
    await isSo()
  }).toPass({ intervals: [50], timeout: 60_000 })

test('the banner is 510 px high; featured products stand in one, two or three columns', async ({ page }) => {
  for (const [width, columns] of [
    [360, 1],
    [768, 2],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await open(page, '/')
    expect((await page.locator('main section').first().boundingBox())?.height).toBe(510)
    const cards = await page
      .getByRole('region', { name: ru('home.featured') })
      .getByRole('link')
      .all()
    expect(cards).toHaveLength(3)
    const places = await Promise.all(cards.map(async (card) => (await card.boundingBox())?.x))
    expect(new Set(places).size, `${width} px`).toBe(columns)
  }
})

test('a notice stays for five seconds, that of a login for three, in the middle of the bottom', async ({ page }) => {
  await page.clock.install()
  const nickname = await register(page)
  await page.evaluate(() => localStorage.clear())
  await open(page, '/login')
  await stopTime(page)
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill('not-the-one-1')
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  const refusal = page.getByRole('alert').filter({ hasText: ru('failure.INVALID_CREDENTIALS') })
  await soon(page, () => expect(refusal).toBeVisible({ timeout: 1 }))
  const [board, width] = [await refusal.boundingBox(), page.viewportSize()?.width ?? 0]
  expect(Math.abs((board?.x ?? 0) + (board?.width ?? 0) / 2 - width / 2)).toBeLessThan(1)
  await page.clock.fastForward(4_500)
  await expect(refusal).toBeVisible()
  await page.clock.fastForward(500)
  await expect(refusal).toBeHidden()
  await page.clock.resume()

  await logIn(page, nickname)
  const welcome = page.getByRole('status').filter({ hasText: ru('login.success') })
  await expect(welcome).toBeVisible()
  await stopTime(page)
  await page.clock.fastForward(3_000)
  await expect(welcome).toBeHidden()
})

test('of many notices three are shown at once', async ({ page }) => {
  await open(page, '/')
  await page.evaluate(() => {
    for (const message of ['one', 'two', 'three', 'four']) {
      window.dispatchEvent(new CustomEvent('toast', { detail: { tone: 'bad', message, lastsMs: 60_000 } }))
    }
  })
  await expect(page.getByRole('alert')).toHaveText(['one', 'two', 'three'])
  await page
    .getByRole('button', { name: ru('header.closeToast') })
    .first()
    .click()
  await expect(page.getByRole('alert')).toHaveText(['two', 'three', 'four'])
})

test('a notice that comes up under a resting pointer goes away, and one that is pointed at stays', async ({ page }) => {
  await page.clock.install()
  await open(page, '/')
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const post = (message: string) =>
    page.evaluate((text) => {
      const toast = { tone: 'bad', message: text, lastsMs: 5_000 }
      window.dispatchEvent(new CustomEvent('toast', { detail: toast }))
    }, message)
  await page.mouse.move(width / 2, height - 40)
  await post('rests')
  await expect(page.getByRole('alert')).toHaveText(['rests'])
  await stopTime(page)
  await page.clock.fastForward(6_000)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await post('pointed at')
  await expect(page.getByRole('alert')).toHaveText(['pointed at'])
  await page.mouse.move(width / 2 + 20, height - 42)
  await page.clock.fastForward(6_000)
  await expect(page.getByRole('alert')).toHaveText(['pointed at'])
})

test('the orders are asked for again every ten seconds, and not because a window is looked at again', async ({
  page,
}) => {
  await page.clock.install()
  await register(page)
  await open(page, '/orders')
  await expect(page.getByText(ru('admin.orders.empty'))).toBeVisible()
  await stopTime(page)
  const calls = callsTo(page, '/api/orders?')
  const answer = page.waitForResponse((response) => response.url().includes('/api/orders?'))
  await page.clock.fastForward(10_000)
  await (await answer).finished()
  expect(calls).toHaveLength(1)
  await page.evaluate(() => {
    window.dispatchEvent(new Event('focus'))
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.clock.fastForward(5_000)
  expect(calls).toHaveLength(1)
  await soon(page, async () => expect(calls).toHaveLength(2), 1_000)
})

test('Steam is calculated once, half a second after the last change', async ({ page }) => {
  await page.clock.install()
  await register(page)
  await open(page, '/products/steam')
  await stopTime(page)
  const calls = callsTo(page, '/api/topups/steam/calculate')
  const amount = page.getByLabel(ru('admin.ledger.sum'), { exact: true })
  for (const typed of ['1', '15', '150']) {
    await amount.fill(typed)
    await page.clock.runFor(400)
  }
  expect(calls).toEqual([])
  await page.clock.runFor(150)
  await soon(page, async () => expect(calls).toHaveLength(1))
  expect(JSON.parse(calls[0] ?? '')).toEqual({ amount: 150, inputCurrency: 'rub', userBalanceCurrency: 'rub' })
})

test('a registration that is refused shakes for 400 ms', async ({ page }) => {
  await open(page, '/register')
  const shaken = page.evaluate(
    () =>
      new Promise((resolve) =>
        document.addEventListener('animationend', ({ animationName, elapsedTime }) =>
          resolve([animationName, elapsedTime]),
        ),
      ),
  )
  await page.getByRole('button', { name: ru('login.register') }).click()
  expect(await shaken).toEqual(['olmos-shake', 0.4])
})

test('the cart of a visitor is not asked for; that of a customer is, without kopecks', async ({ page }) => {
  const calls = callsTo(page, '/api/cart')
  await open(page, '/')
  await open(page, '/products/roblox')
  expect(calls).toEqual([])
  await register(page)
  await addToCart(page, 2)
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  await open(page, '/cart')
  const summary = page.getByRole('region', { name: ru('cart.summary') })
  await expect(summary).toContainText(/Итого в рублях198\s₽Итого в долларах\$2\.58/)
})
