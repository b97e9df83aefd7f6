import { expect, type Locator, type Page } from '@playwright/test'
import { giveBalance, labels, logInHere, newNickname, open, register, registerHere, test } from './customer.ts'
import { aNewProduct, anAdmin, fresh } from './operator.ts'
import { ru } from './ru.ts'

/** The way to the cart is shown once another press counts as a second wish. */
const pressIsOver = (page: Page) => expect(page.getByRole('link', { name: ru('product.toCart') })).toBeVisible()
const add = (page: Page) => page.getByRole('button', { name: ru('product.add'), exact: true })
const readQuantity = (page: Page) => page.getByRole('group', { name: ru('product.quantity') })
const token = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

async function inCart(page: Page): Promise<{ quantity: number; available_count: number }[]> {
  const answer = await page.request.get('/api/cart', { headers: { authorization: `Bearer ${await token(page)}` } })
  return (await answer.json()).data
}

test('a code of a region says so from the cart to what is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await register(page)
  await giveBalance(page, { balanceRub: 5_000 })
  for (const region of ['Турция', 'Европа']) {
    await open(page, '/products/fortnite')
    await page
      .getByRole('radiogroup', { name: ru('product.chooseRegion') })
      .getByText(region)
      .click()
    await expect(page.getByRole('radio', { name: region })).toBeChecked()
    await page.getByRole('radio', { name: /(^|\s)1.000 в-баксов/ }).click()
    await add(page).click()
    await expect(page.getByText(ru('product.added'))).toBeVisible()
  }
  const bothAreNamed = async (place: Locator) => {
    await expect(place.getByText(/в-баксов.*Турция/).first()).toBeVisible()
    await expect(place.getByText(/в-баксов.*Европа/).first()).toBeVisible()
  }
  await open(page, '/cart')
  await bothAreNamed(page.getByRole('main'))
  // A line leads to the very package, and not to the first one of its product.
  await page.getByRole('link', { name: 'Fortnite' }).last().click()
  await expect(page).toHaveURL(/\/products\/fortnite\?region=\d+&amount=1000$/)
  await expect(page.getByRole('radio', { name: /Европа/ })).toBeChecked()
  await open(page, '/checkout')
  await bothAreNamed(page.getByRole('main'))
  for (const region of ['Турция', 'Европа'])
    await expect(page.getByRole('main').getByText(ru('product.regionOnly', { region }))).toBeVisible()
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page).toHaveURL('/orders')
  await bothAreNamed(page.getByRole('main'))
  await page.getByRole('main').getByRole('link', { name: /Заказ/ }).click()
  await bothAreNamed(page.getByRole('main'))
  await page.getByRole('button', { name: /Показать коды/ }).click()
  const [first = ''] = await page.locator('code').allTextContents()
  await page
    .getByRole('button', { name: ru('receipt.copyCode', { number: '1' }) })
    .first()
    .click()
  await expect(page.getByText(ru('receipt.copied'), { exact: true })).toBeVisible()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  expect(await copied()).toMatch(new RegExp(`^${first}\nFortnite, 1.000 в-баксов, (.+ )?(Турция|Европа)$`, 'u'))
  await page.getByRole('button', { name: ru('receipt.copyAll') }).click()
  await expect.poll(copied).toMatch(/Турция\n.*\n\nFortnite.*Европа\n|Европа\n.*\n\nFortnite.*Турция\n/)
})

test('region, package and quantity are in the address, and survive logging in, a reload, going back and sharing', async ({
  page,
  context,
}) => {
  const nickname = newNickname()
  await open(page, '/register')
  await registerHere(page, nickname)
  await page.evaluate(() => localStorage.clear())

  await open(page, '/products/playstation')
  const regions = page.getByRole('radiogroup', { name: ru('product.chooseRegion') })
  await regions.getByText('США').click()
  await page.getByRole('radio', { name: /(^|\s)50 USD/ }).click()
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await expect(page).toHaveURL(/\?region=\d+&amount=50&quantity=3$/)
  const address = page.url()
  const isAsChosen = async (where: Page) => {
    await expect(where.getByRole('radio', { name: /США/ })).toBeChecked()
    await expect(where.getByRole('radio', { name: /(^|\s)50 USD/ })).toBeChecked()
    await expect(readQuantity(where)).toContainText('3')
  }
  await add(page).click()
  await expect(page).toHaveURL('/login')
  await logInHere(page, nickname)
  await expect(page).toHaveURL(address)
  await isAsChosen(page)
  await page.reload()
  await isAsChosen(page)
  await page
    .getByRole('link', { name: 'olmos' })
    .or(page.getByRole('link', { name: ru('header.home') }))
    .first()
    .click()
  await expect(page).toHaveURL('/')
  await page.goBack()
  await isAsChosen(page)
  await page.goForward()
  await expect(page).toHaveURL('/')
  const shared = await context.newPage()
  await open(shared, address)
  await isAsChosen(shared)
  await add(shared).click()
  await expect(shared.getByText(ru('product.added'))).toBeVisible()
  expect(await inCart(shared)).toMatchObject([{ game_amount: 50, quantity: 3, region: { name: 'США' } }])
  // What the address names and the shop does not have is not another package in its place.
  await open(shared, address.replace('amount=50', 'amount=51'))
  await expect(shared.getByText(ru('product.choiceGone'))).toBeVisible()
  await expect(add(shared)).toBeDisabled()
})

test('what is chosen from the start is in the address once it is pressed or counted', async ({ page }) => {
  await open(page, '/products/playstation')
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await expect(page).toHaveURL(/\?region=\d+&amount=\d+&quantity=2$/)
  await open(page, '/products/playstation')
  await page
    .getByRole('radiogroup', { name: ru('product.choosePackage') })
    .locator('label')
    .first()
    .click()
  await expect(page).toHaveURL(/\?region=\d+&amount=\d+$/)
})

test('a finger drawn across the packages turns their page', async ({ page }) => {
  await open(page, '/products/playstation')
  const packages = page.getByRole('radiogroup', { name: ru('product.choosePackage') })
  const first = await packages.locator('label').first().textContent()
  const draw = (from: number, to: number) =>
    packages.evaluate(
      (grid, [start = 0, end = 0]) => {
        const at = (clientX: number) => [new Touch({ identifier: 1, target: grid, clientX, clientY: 300 })]
        grid.dispatchEvent(new TouchEvent('touchstart', { touches: at(start), bubbles: true }))
        grid.dispatchEvent(new TouchEvent('touchend', { changedTouches: at(end), bubbles: true }))
      },
      [from, to],
    )
  await draw(300, 100)
  await expect(packages.locator('label').first()).not.toHaveText(first ?? '')
  await draw(100, 300)
  await expect(packages.locator('label').first()).toHaveText(first ?? '')
})

test('two taps of one finger put one into the cart, and a press that was meant puts another', async ({ page }) => {
  await register(page)
  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/cart/add')) sent.push(request.headers()['idempotency-key'])
  })
  await open(page, '/products/roblox')
  const box = await add(page).boundingBox()
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
  await page.mouse.click(x, y)
  await page.waitForTimeout(120)
  await page.mouse.click(x, y)
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await expect.poll(async () => (await inCart(page)).map(({ quantity }) => quantity)).toEqual([1])
  await expect(page.getByText(ru('product.inCart', { count: 1 }))).toBeVisible()
  await pressIsOver(page)
  await add(page).dblclick()
  await expect(page.getByText(ru('product.inCart', { count: 2 }))).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(2)
  expect(sent.every((key) => key !== undefined && key.length > 16)).toBe(true)
})

test('promotions speak the chosen language at once', async ({ page }) => {
  await open(page, '/')
  // The shop's own: others are what operators of other journeys have written, in one language.
  const badges = page.getByRole('main').getByRole('list').first().getByRole('listitem').first()
  const inRussian = await badges.innerText()
  const choose = async (language: string) => {
    await page.getByRole('button', { name: /Язык|Language|Til/ }).click()
    await page.getByRole('menuitem', { name: language }).click()
  }
  await choose('English')
  await expect(badges).not.toHaveText(/[а-яё]/i)
  await expect(badges).toHaveText(/[a-z]/i)
  const inEnglish = await badges.innerText()
  await choose('Oʻzbekcha')
  await expect(badges).not.toHaveText(inEnglish)
  await expect(badges).not.toHaveText(/[а-яё]/i)
  await choose('Русский')
  await expect.poll(() => badges.innerText()).toBe(inRussian)
})

test('each language of a page is canonical to itself', async ({ page }) => {
  for (const path of ['/', '/products', '/products/roblox', '/products/freefire', '/support']) {
    for (const query of ['', '?lang=en', '?lang=uz']) {
      await page.goto(path + query)
      const canonical = page.locator('link[rel=canonical]')
      await expect(canonical).toHaveCount(1)
      expect(await canonical.getAttribute('href')).toBe(new URL(path + query, page.url()).href)
    }
  }
})

test('the quantity ends where the stock does, and says what is in the cart already', async ({ page }) => {
  const stock = 3
  const codes = Array.from({ length: stock }, () => fresh('FEW'))
  const product = await aNewProduct(page, (await anAdmin(page)).token, codes)
  await register(page)
  await open(page, `/products/${product.slug}`)
  await page.getByRole('radio', { name: /Остал\S+ 3/ }).click()
  for (let count = 1; count < stock; count++) await page.getByRole('button', { name: ru('cart.more') }).click()
  await expect(page.getByRole('button', { name: ru('cart.more') })).toBeDisabled()
  await expect(page.getByText(ru('product.maxQuantity'))).toBeVisible()
  await add(page).click()
  await expect(page.getByText(ru('product.inCart', { count: stock }))).toBeVisible()
  await pressIsOver(page)
  await add(page).click()
  await expect(page.getByText(ru('cart.alreadyInCart', { available: stock, inCart: stock }))).toBeVisible()
})

test('buying now leads to paying, and puts into the cart what is not there yet', async ({ page }) => {
  await register(page)
  await open(page, '/products/roblox')
  const buyNow = page.getByRole('button', { name: ru('product.buyNow') })
  await buyNow.dblclick()
  await expect(page).toHaveURL('/checkout')
  expect(await inCart(page)).toMatchObject([{ quantity: 1 }])
  await open(page, '/products/roblox')
  await add(page).click()
  await pressIsOver(page)
  await buyNow.click()
  await expect(page).toHaveURL('/checkout')
  expect(await inCart(page)).toMatchObject([{ quantity: 2 }])
})

test('orders tell what was bought for whom, and that the bank declined', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/products/freefire')
  await page.getByRole('radio', { name: /^100 алмазов/ }).click()
  await page.getByLabel(labels.playerId).fill('5123456')
  await page.getByRole('button', { name: ru('topups.topUpNow') }).click()
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page).toHaveURL('/orders')
  // It stands unfolded at first, and as one of many whenever the list is opened later.
  const unfolded = page.getByRole('region', { name: ru('orders.paidNow') })
  await expect(unfolded.getByRole('heading', { name: '100 алмазов' })).toBeVisible()
  await open(page, '/support')
  await open(page, '/orders')
  await expect(unfolded).toHaveCount(0)
  const topup = page.getByRole('link', { name: /Заказ .*/ }).filter({ hasText: 'Free Fire' })
  await expect(topup).toContainText('100 алмазов')
  await expect(topup).toContainText(ru('topups.forAccount', { account: 'Player_3456 (5123456)' }))

  await open(page, '/products/roblox')
  await add(page).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* картой$/ }).click()
  await page.getByRole('button', { name: /Отклонить/ }).click()
  await page.getByRole('link', { name: ru('sandbox.back') }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}/)
  await expect(page.getByRole('main').getByText(ru('orders.declined'))).toBeVisible()
  await open(page, '/orders')
  const declined = page.getByRole('link', { name: /Заказ .*/ }).filter({ hasText: 'Roblox' })
  await expect(declined).toContainText(ru('orders.declined'))
})

test('with text twice as large nothing leaves a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const nickname = await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/products/roblox')
  await add(page).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page).toHaveURL('/orders')
  const receipt = await page.getByRole('link', { name: /Заказ/ }).getAttribute('href')
  await open(page, '/products/roblox')
  await add(page).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()

  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('font-size', '200%'))
  })
  const tooWide: string[] = []
  /** How many packages stand side by side. */
  const countColumns = () =>
    page.evaluate(() => {
      const cells = [...document.querySelectorAll('[role=radiogroup] > .cut, [data-offers] > *')]
      return new Set(cells.map((cell) => cell.getBoundingClientRect().left)).size
    })
  const measure = async (path: string, language: string) => {
    await page.context().addCookies([{ name: 'language', value: language, url: new URL(page.url()).origin }])
    await page.evaluate((value) => localStorage.setItem('language', value), language)
    await open(page, path)
    await expect(page.locator('.mantine-Skeleton-root, .coming')).toHaveCount(0)
    const found = await page.evaluate(() => {
      const outside = [...document.querySelectorAll('body *')].filter((element) => {
        const box = element.getBoundingClientRect()
        return box.width > 0 && box.right > 361
      })
      const told = outside.slice(0, 4).map((element) => `${element.tagName}.${element.className}`.slice(0, 80))
      return { width: document.documentElement.scrollWidth, told }
    })
    if ((await countColumns()) > 2) tooWide.push(`${language} ${path}: three columns`)
    if (found.width > 360) tooWide.push(`${language} ${path}: ${found.width} (${found.told.join(' | ')})`)
  }
  const ofEverybody = ['/', '/products', '/products/roblox', '/products/fortnite', '/support', '/products/missing']
  const topups = ['/products/freefire', '/products/freefire?tab=activate', '/products/pubg', '/products/steam']
  const own = ['/cart', '/checkout', '/orders', receipt ?? '', '/profile']
  for (const language of ['ru', 'en', 'uz']) {
    for (const path of [...ofEverybody, ...topups, ...own]) await measure(path, language)
  }
  await page.evaluate(() => localStorage.removeItem('token'))
  for (const path of ['/login', '/register']) await measure(path, 'uz')
  expect(tooWide, nickname).toEqual([])
})
