import { expect, type Page, test } from '@playwright/test'
import { codeAt, toStep } from '../../server/src/modules/accounts/second-factor.ts'
import { gameNumber } from '../../web/app/i18n/digit-grouping.ts'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { open, password } from './customer.ts'
import {
  aCustomer,
  aNewProduct,
  anAdmin,
  buy,
  drawer,
  fresh,
  isOnPhone,
  openFilters,
  openTab,
  row,
  save,
  toBytes,
} from './operator.ts'
import { ru } from './ru.ts'

const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

test('a product is edited: its texts, its address, where it is sold and for what currency', async ({ page }) => {
  const complaints = watchConsole(page)
  const { token } = await openTab(page, 'products')
  const product = await aNewProduct(page, token)
  await page.getByRole('searchbox').fill(product.name)
  await page.getByRole('button', { name: ru('admin.list.edit', { name: product.name }) }).click()
  await drawer(page).getByLabel(ru('admin.products.name')).first().fill('')
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.name')).first().fill(`${product.name} плюс`)
  await drawer(page).getByLabel(ru('admin.products.instructions')).first().fill('Введите код в игре')
  await drawer(page).getByLabel(ru('admin.products.slug')).fill('Не адрес')
  await drawer(page).getByLabel(ru('admin.products.image')).fill('http://example.com/a.png')
  await save(page)
  await expect(drawer(page).getByText(ru('field.invalid_slug'))).toBeVisible()
  await expect(drawer(page).getByText(ru('field.invalid_image_url'), { exact: true })).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.slug')).fill(`${product.slug}-plus`)
  await drawer(page).getByLabel(ru('admin.products.image')).fill('')
  await drawer(page).getByRole('checkbox', { name: 'Турция' }).check()
  await drawer(page)
    .getByLabel(ru('admin.products.currencyIn', { region: 'Турция' }))
    .fill('TL')
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  await expect(row(page, `${product.name} плюс`)).toContainText('TR')
  const { body } = await call(page, token, 'GET', `/admin/products/${product.id}`)
  expect(body.data).toMatchObject({
    slug: `${product.slug}-plus`,
    translations: { ru: { activationInstructions: 'Введите код в игре' } },
    regions: [{ code: 'TR', game_currency: 'TL' }],
  })

  const active = page.getByRole('switch', { name: `Продаётся: ${product.name} плюс` })
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await active.press('Space')
  await saved
  expect((await page.request.get(`/products/${product.slug}-plus`)).status()).toBe(404)
  expect(complaints).toEqual([])
})

test('a promotion is refused without a text, takes nothing but a colour for one, and is edited', async ({ page }) => {
  const { token } = await openTab(page, 'promotions')
  const text = `Правка ${fresh('P')}`
  await page.getByRole('button', { name: ru('admin.promotions.add') }).click()
  await drawer(page).getByLabel(ru('admin.promotions.color')).fill('жёлтый')
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await expect(drawer(page).getByLabel(ru('admin.promotions.color'))).toHaveValue('#7c3aed')
  await drawer(page).getByLabel('Русский').fill(text)
  await drawer(page).getByLabel(ru('admin.promotions.color')).fill('#0b7a43')
  await save(page)
  await page.getByRole('button', { name: ru('admin.list.edit', { name: text }) }).click()
  await drawer(page).getByLabel('Русский').fill(`${text} два`)
  await drawer(page).getByLabel('Oʻzbekcha').fill('Ikkinchi')
  await save(page)
  await expect(row(page, `${text} два`)).toContainText('UZ')
  const { body } = await call(page, token, 'GET', `/admin/promotions?search=${encodeURIComponent(text)}`)
  expect(body.data).toMatchObject([{ text: `${text} два`, translations: { uz: 'Ikkinchi' } }])
})

test('a code is edited, gives its price to the package, and is deleted while nobody has seen it', async ({ page }) => {
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('KEEP'), fresh('GO')])
  const plain = product.codes[1] ?? ''
  await page.getByRole('searchbox').fill(plain)
  await expect(page.getByText(ru('admin.list.total', { count: 1 }), { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Изменить:/ }).click()
  await drawer(page).getByLabel(ru('admin.products.priceUsd')).fill('')
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.priceUsd')).fill('2.75')
  await drawer(page)
    .getByLabel(ru('admin.codes.code'), { exact: true })
    .fill(product.codes[0] ?? '')
  await expect(drawer(page)).toContainText(
    ru('admin.codes.priceChanges', { was: '$1.00 / 80,00 ₽', price: '$2.75 / 80,00 ₽' }),
  )
  const question = page.getByRole('dialog', { name: ru('admin.ask.priceTitle') })
  const confirm = () => question.getByRole('button', { name: ru('admin.ask.setPrice') }).click()
  await save(page)
  await confirm()
  await expect(drawer(page).getByText(ru('field.duplicate'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.codes.code'), { exact: true }).fill('')
  await save(page)
  await confirm()
  await expect(drawer(page)).toHaveCount(0)
  const { body } = await call(page, token, 'GET', `/admin/products/${product.id}/offers`)
  expect(body.data).toMatchObject([{ price_usd: 2.75, available_count: 2 }])

  await page.getByRole('button', { name: /^Удалить:/ }).click()
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(page.getByText(ru('admin.list.nothing'))).toBeVisible()
})

test('a code that is added shows what its package costs, and another price is asked for before and after', async ({
  page,
}) => {
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('STAY')])
  const prices = async () => {
    const { body } = await call(page, token, 'GET', `/admin/products/${product.id}/offers`)
    return body.data.map((offer: Record<string, number>) => [offer.price_usd, offer.price_rub, offer.available_count])
  }
  await page.reload()
  await page.getByRole('button', { name: ru('admin.codes.add') }).click()
  const form = page.getByRole('dialog', { name: ru('admin.codes.add') })
  await form.getByLabel(ru('admin.codes.product')).selectOption({ label: product.name })
  await form.getByLabel(/^Код/).fill(fresh('MORE'))
  await form.getByLabel(ru('admin.codes.gameAmount')).fill('50')
  await expect(form.getByLabel(ru('admin.products.priceUsd'))).toHaveValue('$1')
  await expect(form.getByLabel(ru('admin.products.priceRub'))).toHaveValue('80 ₽')
  await expect(form).toContainText(ru('admin.codes.priceInForce', { price: '$1.00 / 80,00 ₽' }))
  await form.getByLabel(ru('admin.products.priceUsd')).fill('0.1')
  await expect(form).toContainText(ru('admin.codes.priceChanges', { was: '$1.00 / 80,00 ₽', price: '$0.10 / 80,00 ₽' }))
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  const question = page.getByRole('dialog', { name: ru('admin.ask.priceTitle') })
  await expect(question).toContainText(/50: \$1\.00 \/ 80,00\s₽ → \$0\.10 \/ 80,00\s₽/)
  await expect(question).toContainText(ru('admin.ask.changed'))
  await expect(question).toContainText(ru('admin.ask.jump'))
  await expect(question).toContainText('цены в USD и RUB расходятся сильнее')
  // No, and nothing but the question is closed.
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel(ru('admin.products.priceUsd'))).toHaveValue('$0.1')
  await expect(form.getByRole('alert')).toHaveCount(0)
  expect(await prices()).toEqual([[1, 80, 1]])

  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await question.getByRole('button', { name: ru('admin.ask.setPrice') }).click()
  await expect(form).toHaveCount(0)
  expect(await prices()).toEqual([[0.1, 80, 2]])
})

test('an odd price typed into the list is asked about, and put back by who says no', async ({ page }) => {
  // A phone's list has no room for cells to type into.
  await page.setViewportSize({ width: 1440, height: 900 })
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('CELL')])
  await page.goto(`/admin/products?product=${product.id}`)
  const cell = page.getByRole('textbox', { name: /^Цена в USD: 50/ })
  await cell.fill('100')
  await cell.press('Enter')
  const question = page.getByRole('dialog', { name: ru('admin.ask.priceTitle') })
  await question
    .getByRole('button', { name: ru('admin.form.cancel') })
    .last()
    .click()
  await expect(cell).toHaveValue('$1.00')
  await cell.fill('100')
  await cell.press('Enter')
  await question.getByRole('button', { name: ru('admin.ask.setPrice') }).click()
  await expect(question).toHaveCount(0)
  await expect
    .poll(async () => (await call(page, token, 'GET', `/admin/products/${product.id}/offers`)).body.data)
    .toMatchObject([{ price_usd: 100, price_rub: 80 }])
})

test('two odd prices that are on their way at once are asked about one after the other', async ({ page }) => {
  // A phone's list has no room for cells to type into.
  await page.setViewportSize({ width: 1440, height: 900 })
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('TWICE')])
  const place = { productId: product.id, regionId: 0, gameAmount: 100, priceUsd: 2, priceRub: 160 }
  expect((await call(page, token, 'POST', '/admin/codes', { ...place, code: fresh('TWICE') })).status).toBe(201)
  await page.goto(`/admin/products?product=${product.id}`)
  const cells = [/^Цена в USD: 50/, /^Цена в USD: 100/].map((name) => page.getByRole('textbox', { name }))
  const waiting: (() => void)[] = []
  await page.route('**/api/admin/offers/*', (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    return new Promise<void>((resolve) => waiting.push(() => resolve(route.continue())))
  })
  for (const [at, cell] of cells.entries()) {
    await cell.fill('100')
    await cell.press('Enter')
    await expect.poll(() => waiting.length).toBe(at + 1)
  }
  const question = page.getByRole('dialog', { name: ru('admin.ask.priceTitle') })
  waiting[0]?.()
  await expect(question).toContainText(/50: /)
  const refused = page.waitForResponse((answer) => answer.url().includes('/admin/offers/') && answer.status() === 409)
  waiting[1]?.()
  await refused
  for (const amount of [/50: /, /100: /]) {
    await expect(question).toContainText(amount)
    await question
      .getByRole('button', { name: ru('admin.form.cancel') })
      .last()
      .click()
  }
  await expect(question).toHaveCount(0)
  for (const [at, price] of ['$1.00', '$2.00'].entries()) await expect.poll(() => cells[at]?.inputValue()).toBe(price)
})

test('an import shows which prices it changes, and sets them once that is ticked', async ({ page }) => {
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('IMPORTED')])
  await page.reload()
  await page.getByRole('link', { name: ru('admin.codes.batch'), exact: true }).click()
  await expect(page.getByRole('heading', { name: ru('admin.import.title') })).toBeVisible()
  await page.getByLabel(ru('admin.codes.product')).selectOption({ label: product.name })
  const buffer = Buffer.from(`${fresh('LINE')},1.10,88,50`)
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: ru('admin.import.check') }).click()
  await expect(page.getByText(/50: \$1\.00 \/ 80,00\s₽ → \$1\.10 \/ 88,00\s₽/)).toBeVisible()
  const run = page.getByRole('button', { name: ru('admin.import.run', { count: 1 }) })
  await expect(run).toBeDisabled()
  await expect(page.getByText(ru('admin.import.confirmFirst'))).toBeVisible()
  await page.getByRole('checkbox', { name: ru('admin.import.confirmPrices') }).check()
  await run.click()
  await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 1 }) })).toBeVisible()
  const { body } = await call(page, token, 'GET', `/admin/products/${product.id}/offers`)
  expect(body.data).toMatchObject([{ price_usd: 1.1, price_rub: 88, available_count: 2 }])
})

test('ten thousand codes, and no more, are generated while the page says so, and copied', async ({ page, context }) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openTab(page, 'generatedCodes')
  await page.getByRole('button', { name: ru('admin.generated.generate') }).click()
  await drawer(page).getByLabel(ru('admin.codes.product')).selectOption({ label: 'Коды Free Fire' })
  await drawer(page).getByLabel(ru('admin.generated.denomination')).selectOption({ label: '1060 Diamonds' })
  await drawer(page).getByLabel(ru('admin.generated.count')).fill('20000')
  await drawer(page).getByLabel(ru('admin.generated.prefix')).fill('many')
  await expect(drawer(page).getByLabel(ru('admin.generated.count'))).toHaveValue('10 000')
  await drawer(page)
    .getByRole('button', { name: ru('admin.generated.generate') })
    .click()
  await expect(drawer(page).getByText(ru('admin.generated.making'))).toBeVisible()
  await expect(page).toHaveURL(/batch=\d+/, { timeout: 60_000 })
  await expect(page.getByText(ru('admin.list.total', { count: 10000 }))).toBeVisible()

  await page.getByRole('button', { name: ru('admin.generated.copyAll') }).click()
  await expect(drawer(page)).toContainText(ru('admin.generated.copyTitle', { count: 10000 }))
  await drawer(page)
    .getByRole('button', { name: ru('admin.generated.asText') })
    .click()
  await expect(page.getByText(ru('admin.generated.fetched'))).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(new Set(copied.trim().split(/\r?\n/)).size).toBe(10_000)
})

test('a denomination of PUBG is edited, priced in the list and switched off', async ({ page }) => {
  const amount = 100_000 + Math.floor(Math.random() * 900_000)
  const name = `${gameNumber(amount)} UC`
  const { token } = await openTab(page, 'products')
  const made = { uc_amount: amount, price_usd: 4, price_rub: 320 }
  const { body } = await call(page, token, 'POST', '/pubg-admin/denominations', made)
  await open(page, '/admin/pubgCodes?view=denominations')
  await page.getByRole('searchbox').fill(String(amount))
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: ru('admin.list.edit', { name }) }).click()
  await drawer(page).getByLabel(ru('admin.products.priceRub')).fill('')
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.priceRub')).fill('350')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await save(page)
  // Whether it is sold is not sent: what the shop took off sale stays so until its cost falls.
  expect((await sent).postDataJSON()).toEqual({ price_rub: 350, version: expect.any(Number) })
  await expect(drawer(page)).toHaveCount(0)
  await page.getByLabel(ru('admin.products.priceUsdOf', { name })).fill('4.2')
  await page.getByLabel(ru('admin.products.priceUsdOf', { name })).press('Enter')
  await page.getByRole('switch', { name: ru('admin.products.activeOf', { name }) }).press('Space')
  await expect
    .poll(async () => (await call(page, token, 'GET', `/pubg-admin/denominations?search=${amount}`)).body.data)
    .toMatchObject([{ id: body.data.id, price_usd: 4.2, price_rub: 350, is_active: false }])
})

test('a user is found by what they are; their orders and every movement of their money are told', async ({ page }) => {
  const customer = await aCustomer(page)
  const { token } = await openTab(page, 'users')
  const product = await aNewProduct(page, token, [fresh('MINE')])
  const orderId = await buy(page, customer.token, product)
  await call(page, token, 'PUT', `/admin/users/${customer.userId}/blocked`, { blocked: true })
  await page.getByRole('searchbox').fill(customer.nickname)
  await openFilters(page)
  await page.getByLabel(ru('admin.users.access')).selectOption({ label: ru('admin.users.letIn') })
  await expect(page.getByText(ru('admin.list.nothing'))).toBeVisible()
  await page.getByLabel(ru('admin.users.access')).selectOption({ label: ru('admin.users.blocked') })
  await page.getByRole('button', { name: customer.nickname }).click()
  const user = page.getByRole('dialog', { name: customer.nickname, exact: true })
  await user.getByRole('tab', { name: ru('admin.users.ledger') }).click()
  await expect(user.getByText('journey').first()).toBeVisible()
  await expect(user.getByText(orderId).first()).toBeVisible()
  await user.getByRole('tab', { name: ru('admin.tabs.orders') }).click()
  await user.getByText(orderId).click()
  await expect(page).toHaveURL(new RegExp(`/admin/orders\\?order=${orderId}`))
  await expect(page.getByRole('dialog', { name: ru('orders.number', { id: orderId }) })).toContainText(product.name)
})

test('the audit log is narrowed to a day and an action, and leads to what was changed', async ({ page }) => {
  const { token, nickname } = await openTab(page, 'audit')
  const { id } = await aNewProduct(page, token)
  const today = new Date().toLocaleDateString('sv')
  await openFilters(page)
  await page.getByLabel(ru('admin.audit.from')).fill(today)
  await page.getByLabel(ru('admin.audit.to')).fill(today)
  await page.getByRole('searchbox').fill(nickname)
  await expect(row(page, 'product.create')).toHaveCount(1)
  await page.getByLabel(ru('admin.audit.to')).fill('2026-01-01')
  await page.getByLabel(ru('admin.audit.from')).fill('2026-01-01')
  await expect(page.getByText(ru('admin.list.nothing'))).toBeVisible()
  await page.getByRole('button', { name: ru('admin.list.clear') }).click()
  await page.getByRole('searchbox').fill(`product:${id}`)
  await page
    .getByRole('link', { name: `product:${id}` })
    .first()
    .click()
  await expect(page).toHaveURL(`/admin/products?product=${id}`)
})

test('recovery codes are made again and the second factor is given up, each for a code of the app', async ({
  page,
}) => {
  const { token } = await openTab(page, 'products')
  const { body } = await call(page, token, 'POST', '/auth/second-factor/enrol', { password })
  const secret = toBytes(body.data.secret)
  const code = (stepsAway: number) => codeAt(secret, toStep(new Date()) + stepsAway)
  await call(page, token, 'POST', '/auth/second-factor/confirm', { otp: code(-1) })
  await open(page, '/admin/security')
  await page.getByRole('button', { name: ru('admin.security.renew') }).click()
  await page.getByLabel(ru('admin.codes.code'), { exact: true }).fill('000000')
  await page.getByRole('button', { name: ru('admin.security.renew') }).click()
  await expect(page.getByText(ru('field.wrong_code'))).toBeVisible()
  await page.getByLabel(ru('admin.codes.code'), { exact: true }).fill(code(0))
  await page.getByRole('button', { name: ru('admin.security.renew') }).click()
  await expect(page.locator('ul li[translate=no]')).toHaveCount(10)
  await page.getByRole('button', { name: ru('admin.security.kept') }).click()
  await page.getByRole('button', { name: ru('admin.security.disable') }).click()
  await page.getByLabel(ru('admin.codes.code'), { exact: true }).fill(code(1))
  await page.getByRole('button', { name: ru('admin.security.disable') }).click()
  await expect(page.getByText(ru('admin.security.disabled'))).toBeVisible()
  await expect(page.getByRole('button', { name: ru('admin.security.begin') })).toBeVisible()
})

test('one of two things of an order goes back to the card it was paid with', async ({ page }) => {
  const buyer = await aCustomer(page)
  const { token } = await openTab(page, 'orders')
  const [kept, returned] = [
    await aNewProduct(page, token, [fresh('KEPT')]),
    await aNewProduct(page, token, [fresh('BACK')]),
  ]
  for (const { id: productId } of [kept, returned]) {
    const one = { productId, gameAmount: 50, priceUsd: 1, priceRub: 80, gameCurrency: 'Gems', quantity: 1, regionId: 0 }
    await call(page, buyer.token, 'POST', '/cart/add', one)
  }
  const wanted = { amount: 160, currency: 'RUB', type: 'order' }
  const { body: payment } = await call(page, buyer.token, 'POST', '/payment/create', wanted)
  await page.goto(payment.pay_url)
  await page.getByRole('button', { name: /^Оплатить 160/ }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/${payment.order_id}`))

  await open(page, `/admin/orders?order=${payment.order_id}`)
  const order = page.getByRole('dialog', { name: ru('orders.number', { id: payment.order_id }) })
  await order.getByRole('button', { name: ru('admin.orders.refund') }).click()
  const refund = page.getByRole('dialog', { name: ru('admin.orders.refundTitle') })
  await expect(refund).toContainText(ru('admin.list.total', { count: 160 }))
  await refund.getByRole('checkbox', { name: new RegExp(kept.name) }).uncheck()
  await expect(refund).toContainText(ru('admin.list.total', { count: 80 }))
  await refund.getByText(ru('admin.orders.toCard')).click()
  await refund.getByLabel(ru('admin.reason.label')).fill('код не тот')
  await refund.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(page.getByText(ru('admin.orders.refunded'))).toBeVisible()
  const receipt = async () => (await call(page, buyer.token, 'GET', `/orders/${payment.order_id}`)).body
  expect((await receipt()).status).toBe('partially_refunded')
  const { body: balance } = await call(page, buyer.token, 'GET', '/balance')
  expect(balance).toContainEqual({ currency: 'rub', amount: 5_000, reserved: 0 })
  await order.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(refund.getByRole('checkbox')).toHaveCount(1)
})

test('one dead code of three goes back by quantity, and a sum of the line for the trouble', async ({ page }) => {
  const buyer = await aCustomer(page)
  const { token } = await openTab(page, 'orders')
  const { id: productId } = await aNewProduct(page, token, [fresh('LIVE'), fresh('DEAD'), fresh('GOOD')])
  const three = { productId, gameAmount: 50, priceUsd: 1, priceRub: 80, gameCurrency: 'Gems', quantity: 3, regionId: 0 }
  await call(page, buyer.token, 'POST', '/cart/add', three)
  const paid = await call(page, buyer.token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  const orderId: string = paid.body.order.id

  await open(page, `/admin/orders?order=${orderId}`)
  const order = page.getByRole('dialog', { name: ru('orders.number', { id: orderId }) })
  const refund = page.getByRole('dialog', { name: ru('admin.orders.refundTitle') })
  const confirm = refund.getByRole('button', { name: ru('admin.orders.refund') })
  await order.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(refund).toContainText(ru('admin.list.total', { count: 240 }))
  // How many there are is said once.
  await expect(refund.getByRole('checkbox', { name: /^[^×]*×\s3[^×]*$/ })).toBeVisible()
  await refund.getByText(ru('admin.orders.refundBy.quantity'), { exact: true }).click()
  await expect(refund).toContainText(ru('admin.list.total', { count: 80 }))
  await refund.getByRole('textbox', { name: ru('admin.orders.refundQuantity', { left: '3' }) }).fill('1')
  await refund.getByLabel(ru('admin.reason.label')).fill('один код не подошёл')
  await confirm.click()
  await expect(refund).toHaveCount(0)
  await expect(order.getByText(/Возвращено на баланс:\s80,00\s₽ за 1 шт\./)).toBeVisible()

  await order.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(refund).toContainText('2 из 3 шт.')
  await refund.getByText(ru('admin.ledger.sum'), { exact: true }).click()
  await refund.getByRole('textbox', { name: /Какая сумма/ }).fill('30.5')
  await refund.getByLabel(ru('admin.reason.label')).fill('за беспокойство')
  // The money goes back, and the answer gets lost on its way: with another reason it is the same refund still.
  await page.route(
    '**/refund',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await confirm.click()
  await expect(refund.getByRole('alert')).toHaveText(ru('failure.NETWORK_ERROR'))
  await refund.getByLabel(ru('admin.reason.label')).fill('за лишние хлопоты')
  for (const _ of ['second', 'third']) {
    const answered = page.waitForResponse('**/refund')
    await confirm.click()
    expect((await answered).status()).toBe(409)
    await expect(refund.getByRole('alert')).toHaveText(ru('admin.refused.IDEMPOTENCY_KEY_REUSED'))
  }
  await refund
    .locator('form')
    .getByRole('button', { name: ru('admin.form.cancel') })
    .click()
  await expect(order.getByText(/Возвращено на баланс:\s30,50\s₽/)).toBeVisible()
  const { body: receipt } = await call(page, buyer.token, 'GET', `/orders/${orderId}`)
  expect(receipt.status).toBe('partially_refunded')
  expect(receipt.items[0].code.split('\n')).toHaveLength(2)
  const { body: balance } = await call(page, buyer.token, 'GET', '/balance')
  expect(balance).toContainEqual({ currency: 'rub', amount: 5_000 - 240 + 80 + 30.5, reserved: 0 })
})

test('what is typed while a balance is being saved stays, and once saved the form follows the store again', async ({
  page,
}) => {
  const { token } = await openTab(page, 'users')
  const customer = await aCustomer(page)
  await open(page, `/admin/users?user=${customer.userId}`)
  const form = drawer(page).getByRole('form', { name: ru('admin.users.balances') })
  const usd = form.getByLabel(ru('admin.users.usd'))
  const rub = form.getByLabel(ru('admin.users.rub'))
  let release = () => {}
  const typed = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/admin/users/*/balance', async (route) => {
    await typed
    await route.continue()
  })
  await usd.fill('7')
  await form.getByLabel(ru('admin.reason.label')).fill('Первое')
  await form.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await rub.fill('777')
  release()
  await expect(form.getByLabel(ru('admin.reason.label'))).toHaveValue('')
  await expect(rub).toHaveValue(/^777/)
  await form.getByLabel(ru('admin.reason.label')).fill('Второе')
  await form.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await expect(form.getByText(ru('admin.users.balanceSame'))).toBeVisible()
  await expect(rub).toHaveValue(/^777/)

  const change = { balanceUsd: 9, reason: 'Другой админ', seen: { balanceUsd: 7, balanceRub: 777 } }
  expect((await call(page, token, 'PUT', `/admin/users/${customer.userId}/balance`, change)).status).toBe(200)
  await page.getByRole('button', { name: ru('admin.users.block') }).click()
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: ru('admin.users.block') })
    .click()
  await expect(usd).toHaveValue(/^\$9/)

  // A reason alone is no change, whatever the balance is by now.
  await form.getByLabel(ru('admin.reason.label')).fill('Третье')
  const later = { balanceUsd: 8, reason: 'Другой админ', seen: { balanceUsd: 9 } }
  expect((await call(page, token, 'PUT', `/admin/users/${customer.userId}/balance`, later)).status).toBe(200)
  const readAgain = page.waitForResponse(`**/api/admin/users/${customer.userId}`)
  await page.getByRole('button', { name: ru('admin.users.unblock') }).click()
  await readAgain
  await expect(form.getByText(ru('admin.users.balanceSame'))).toBeVisible()
  await expect(form.getByRole('button', { name: ru('admin.users.setBalance') })).toBeDisabled()
})

test('a form at the side that was begun is not lost by a press beside it, and asks before every other way out', async ({
  page,
}) => {
  await openTab(page, 'regions')
  const add = page.getByRole('button', { name: ru('admin.regions.add') })
  const form = page.getByRole('dialog', { name: ru('admin.regions.add') })
  const question = page.getByRole('dialog', { name: ru('admin.form.leaveTitle') })
  // Nothing was typed, so nothing is asked.
  await add.click()
  await form.getByLabel(ru('admin.products.name')).focus()
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)

  await add.click()
  const name = form.getByLabel(ru('admin.products.name'))
  await name.fill('Половина формы')
  if (!isOnPhone(page)) await page.mouse.click(20, 400)
  await expect(name).toHaveValue('Половина формы')
  await expect(question).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  // The second Escape is about the question alone.
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(name).toHaveValue('Половина формы')
  for (const place of ['first', 'last'] as const) {
    await form
      .getByRole('button', { name: ru('admin.form.cancel') })
      [place]()
      .click()
    await question
      .getByRole('button', { name: ru('admin.form.cancel') })
      .last()
      .click()
    await expect(question).toHaveCount(0)
  }
  await expect(name).toHaveValue('Половина формы')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: ru('admin.form.leave') }).click()
  await expect(form).toHaveCount(0)
  await add.click()
  await expect(name).toHaveValue('')
})

test('money, a reason and a password that were typed for a customer stay under other tabs, and are not left unasked', async ({
  page,
}) => {
  await openTab(page, 'users')
  const customer = await aCustomer(page)
  await open(page, `/admin/users?user=${customer.userId}`)
  const view = page.getByRole('dialog', { name: customer.nickname })
  const question = page.getByRole('dialog', { name: ru('admin.form.leaveTitle') })
  const usd = view.getByLabel(ru('admin.users.usd'))
  const reason = view.getByLabel(ru('admin.reason.label'))
  const secret = view.getByLabel(ru('profile.newPassword'))
  await usd.fill('7')
  await reason.fill('Долгое объяснение')
  await secret.fill('half-typed-1')
  for (const tab of ['admin.users.ledger', 'admin.users.account'] as const) {
    await view.getByRole('tab', { name: ru(tab) }).click()
  }
  await expect(usd).toHaveValue(/^\$7/)
  await expect(reason).toHaveValue('Долгое объяснение')
  await expect(secret).toHaveValue('half-typed-1')

  const isAsked = async () => {
    await page.keyboard.press('Escape')
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
  }
  await isAsked()
  await view.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await expect(reason).toHaveValue('')
  await isAsked()
  await view.getByRole('button', { name: ru('admin.users.setPassword') }).click()
  await expect(secret).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(view).toHaveCount(0)
  await expect(question).toHaveCount(0)
})

test('what the customer spends meanwhile is not given back by an operator who changes the other balance', async ({
  page,
}) => {
  const operator = await openTab(page, 'users')
  const other = await anAdmin(page)
  const customer = await aCustomer(page, { balanceUsd: 100, balanceRub: 1 })
  const path = `/admin/users/${customer.userId}`
  const spend = (balance: object) =>
    call(page, other.token, 'PUT', `${path}/balance`, { ...balance, reason: 'покупка' })
  const kept = async () => (await call(page, other.token, 'GET', path)).body.data
  await openTab(page, `users?user=${customer.userId}`, operator)
  const [usd, rub] = [drawer(page).getByLabel('USD'), drawer(page).getByLabel('RUB')]
  const change = async (sum: string) => {
    await rub.fill(sum)
    await drawer(page).getByLabel(ru('admin.reason.label')).fill('подарок')
  }
  const set = drawer(page).getByRole('button', { name: ru('admin.users.setBalance') })

  await change('500')
  await spend({ balanceUsd: 40, balanceRub: 7 })
  await set.click()
  await expect(drawer(page).getByRole('alert')).toContainText('USD: 40')
  await drawer(page)
    .getByRole('button', { name: ru('admin.conflict.keepMine') })
    .click()
  await expect(usd).toHaveValue(/40/)
  await expect(rub).toHaveValue(/500/)
  await set.click()
  await expect.poll(kept).toMatchObject({ balanceUsd: 40, balanceRub: 500 })

  // Only the other balance changed: the edits do not compete, and the next one starts from what is there.
  await expect(drawer(page).getByLabel(ru('admin.reason.label'))).toHaveValue('')
  await change('600')
  await spend({ balanceUsd: 30 })
  await set.click()
  await expect.poll(kept).toMatchObject({ balanceUsd: 30, balanceRub: 600 })
  await expect(usd).toHaveValue(/30/)
  await expect(drawer(page).getByRole('alert')).toHaveCount(0)
  await change('700')
  await set.click()
  await expect.poll(kept).toMatchObject({ balanceUsd: 30, balanceRub: 700 })
})
