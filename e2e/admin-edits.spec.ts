import { expect, type Page, test } from '@playwright/test'
import { codeAt, stepOf } from '../server/src/modules/accounts/totp.rules.ts'
import { drawer, fresh, row, save } from './admin.ts'
import { bytesOf } from './authenticator.ts'
import { open, password } from './customer.ts'
import { aCustomer, aNewProduct, buy, call, openTab } from './operator.ts'
import { watchConsole } from './watch-console.ts'

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
  await page.getByRole('button', { name: `Изменить: ${product.name}` }).click()
  await drawer(page).getByLabel('Название').first().fill('')
  await save(page)
  await expect(drawer(page).getByText('Заполните поле')).toBeVisible()
  await drawer(page).getByLabel('Название').first().fill(`${product.name} плюс`)
  await drawer(page).getByLabel('Инструкция по активации').first().fill('Введите код в игре')
  await drawer(page).getByLabel('Адрес').fill('Не адрес')
  await drawer(page).getByLabel('Картинка').fill('http://example.com/a.png')
  await save(page)
  await expect(drawer(page).getByText('Строчные латинские буквы и цифры через дефис')).toBeVisible()
  await expect(drawer(page).getByText('https-адрес или /art/… магазина', { exact: true })).toBeVisible()
  await drawer(page).getByLabel('Адрес').fill(`${product.slug}-plus`)
  await drawer(page).getByLabel('Картинка').fill('')
  await drawer(page).getByRole('checkbox', { name: 'Турция' }).check()
  await drawer(page).getByLabel('Игровая валюта: Турция').fill('TL')
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
  await page.getByRole('button', { name: 'Добавить акцию' }).click()
  await drawer(page).getByLabel('Цвет фона').fill('жёлтый')
  await save(page)
  await expect(drawer(page).getByText('Заполните поле')).toBeVisible()
  await expect(drawer(page).getByLabel('Цвет фона')).toHaveValue('#7c3aed')
  await drawer(page).getByLabel('Русский').fill(text)
  await drawer(page).getByLabel('Цвет фона').fill('#0b7a43')
  await save(page)
  await page.getByRole('button', { name: `Изменить: ${text}` }).click()
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
  await expect(page.getByText('Всего: 1', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Изменить:/ }).click()
  await drawer(page).getByLabel('Цена, USD').fill('')
  await save(page)
  await expect(drawer(page).getByText('Заполните поле')).toBeVisible()
  await drawer(page).getByLabel('Цена, USD').fill('2.75')
  await drawer(page)
    .getByLabel('Код', { exact: true })
    .fill(product.codes[0] ?? '')
  await expect(drawer(page)).toContainText('Цена всех кодов пакета изменится: $1.00 / 80,00 ₽ → $2.75 / 80,00 ₽')
  const question = page.getByRole('dialog', { name: 'Поставить такую цену?' })
  const confirm = () => question.getByRole('button', { name: 'Поставить эту цену' }).click()
  await save(page)
  await confirm()
  await expect(drawer(page).getByText('Уже занято')).toBeVisible()
  await drawer(page).getByLabel('Код', { exact: true }).fill('')
  await save(page)
  await confirm()
  await expect(drawer(page)).toHaveCount(0)
  const { body } = await call(page, token, 'GET', `/admin/products/${product.id}/offers`)
  expect(body.data).toMatchObject([{ price_usd: 2.75, available_count: 2 }])

  await page.getByRole('button', { name: /^Удалить:/ }).click()
  await drawer(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
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
  await page.getByRole('button', { name: 'Добавить код' }).click()
  const form = page.getByRole('dialog', { name: 'Добавить код' })
  await form.getByLabel('Товар').selectOption({ label: product.name })
  await form.getByLabel(/^Код/).fill(fresh('MORE'))
  await form.getByLabel('Количество').fill('50')
  await expect(form.getByLabel('Цена, USD')).toHaveValue('$1')
  await expect(form.getByLabel('Цена, RUB')).toHaveValue('80 ₽')
  await expect(form).toContainText('Сейчас пакет стоит $1.00 / 80,00 ₽.')
  await form.getByLabel('Цена, USD').fill('0.1')
  await expect(form).toContainText('Цена всех кодов пакета изменится: $1.00 / 80,00 ₽ → $0.10 / 80,00 ₽')
  await form.getByRole('button', { name: 'Сохранить' }).click()
  const question = page.getByRole('dialog', { name: 'Поставить такую цену?' })
  await expect(question).toContainText(/50: \$1\.00 \/ 80,00\s₽ → \$0\.10 \/ 80,00\s₽/)
  await expect(question).toContainText('Это станет ценой всех кодов пакета.')
  await expect(question).toContainText('Цена меняется больше чем на 50 %.')
  await expect(question).toContainText('цены в USD и RUB расходятся больше чем на 30 %')
  // No, and nothing but the question is closed.
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel('Цена, USD')).toHaveValue('$0.1')
  await expect(form.getByRole('alert')).toHaveCount(0)
  expect(await prices()).toEqual([[1, 80, 1]])

  await form.getByRole('button', { name: 'Сохранить' }).click()
  await question.getByRole('button', { name: 'Поставить эту цену' }).click()
  await expect(form).toHaveCount(0)
  expect(await prices()).toEqual([[0.1, 80, 2]])
})

test('an odd price typed into the list is asked about, and put back by who says no', async ({ page }) => {
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('CELL')])
  await page.goto(`/admin/products?product=${product.id}`)
  const cell = page.getByRole('textbox', { name: /^Цена в USD: 50/ })
  await cell.fill('100')
  await cell.press('Enter')
  const question = page.getByRole('dialog', { name: 'Поставить такую цену?' })
  await question.getByRole('button', { name: 'Отмена' }).last().click()
  await expect(cell).toHaveValue('$1.00')
  await cell.fill('100')
  await cell.press('Enter')
  await question.getByRole('button', { name: 'Поставить эту цену' }).click()
  await expect(question).toHaveCount(0)
  await expect
    .poll(async () => (await call(page, token, 'GET', `/admin/products/${product.id}/offers`)).body.data)
    .toMatchObject([{ price_usd: 100, price_rub: 80 }])
})

test('an import shows which prices it changes, and sets them once that is ticked', async ({ page }) => {
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('IMPORTED')])
  await page.reload()
  await page.getByRole('link', { name: 'Импорт', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Импорт кодов' })).toBeVisible()
  await page.getByLabel('Товар').selectOption({ label: product.name })
  const buffer = Buffer.from(`${fresh('LINE')},1.10,88,50`)
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Проверить' }).click()
  await expect(page.getByText(/50: \$1\.00 \/ 80,00\s₽ → \$1\.10 \/ 88,00\s₽/)).toBeVisible()
  const run = page.getByRole('button', { name: 'Импортировать 1 код' })
  await expect(run).toBeDisabled()
  await expect(page.getByText('Подтвердите новые цены')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Да, поставить эти цены' }).check()
  await run.click()
  await expect(page.getByRole('heading', { name: 'Добавлен 1 код' })).toBeVisible()
  const { body } = await call(page, token, 'GET', `/admin/products/${product.id}/offers`)
  expect(body.data).toMatchObject([{ price_usd: 1.1, price_rub: 88, available_count: 2 }])
})

test('ten thousand codes, and no more, are generated while the page says so, and copied', async ({ page, context }) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openTab(page, 'generatedCodes')
  await page.getByRole('button', { name: 'Сгенерировать' }).click()
  await drawer(page).getByLabel('Товар').selectOption({ label: 'Коды Free Fire' })
  await drawer(page).getByLabel('Номинал').selectOption({ label: '1060 Diamonds' })
  await drawer(page).getByLabel('Сколько').fill('20000')
  await drawer(page).getByLabel('Префикс').fill('many')
  await expect(drawer(page).getByLabel('Сколько')).toHaveValue('10 000')
  await drawer(page).getByRole('button', { name: 'Сгенерировать' }).click()
  await expect(drawer(page).getByText('Создаём коды, это займёт несколько секунд')).toBeVisible()
  await expect(page).toHaveURL(/batch=\d+/, { timeout: 60_000 })
  await expect(page.getByText('Всего: 10000')).toBeVisible()

  await page.getByRole('button', { name: 'Скопировать все' }).click()
  await expect(drawer(page)).toContainText('Скопировать 10000 кодов?')
  await drawer(page).getByRole('button', { name: 'Скопировать текстом' }).click()
  await expect(page.getByText('Коды получены, это записано в журнал')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(new Set(copied.trim().split(/\r?\n/)).size).toBe(10_000)
})

test('a denomination of PUBG is edited, priced in the list and switched off', async ({ page }) => {
  const amount = 100_000 + Math.floor(Math.random() * 900_000)
  const name = `${amount} UC`
  const { token } = await openTab(page, 'products')
  const made = { uc_amount: amount, price_usd: 4, price_rub: 320 }
  const { body } = await call(page, token, 'POST', '/pubg-admin/denominations', made)
  await open(page, '/admin/pubgCodes?view=denominations')
  await page.getByRole('searchbox').fill(String(amount))
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: `Изменить: ${name}` }).click()
  await drawer(page).getByLabel('Цена, RUB').fill('')
  await save(page)
  await expect(drawer(page).getByText('Заполните поле')).toBeVisible()
  await drawer(page).getByLabel('Цена, RUB').fill('350')
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  await page.getByLabel(`Цена в USD: ${name}`).fill('4.2')
  await page.getByLabel(`Цена в USD: ${name}`).press('Enter')
  await page.getByRole('switch', { name: `Продаётся: ${name}` }).press('Space')
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
  await page.getByLabel('Доступ').selectOption({ label: 'Не заблокированы' })
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
  await page.getByLabel('Доступ').selectOption({ label: 'Заблокирован' })
  await page.getByRole('button', { name: customer.nickname }).click()
  const user = page.getByRole('dialog', { name: customer.nickname, exact: true })
  await user.getByRole('tab', { name: 'Деньги' }).click()
  await expect(user.getByText('journey').first()).toBeVisible()
  await expect(user.getByText(orderId).first()).toBeVisible()
  await user.getByRole('tab', { name: 'Заказы' }).click()
  await user.getByText(orderId).click()
  await expect(page).toHaveURL(new RegExp(`/admin/orders\\?order=${orderId}`))
  await expect(page.getByRole('dialog', { name: `Заказ ${orderId}` })).toContainText(product.name)
})

test('the audit log is narrowed to a day and an action, and leads to what was changed', async ({ page }) => {
  const { token, nickname } = await openTab(page, 'audit')
  const { id } = await aNewProduct(page, token)
  const today = new Date().toLocaleDateString('sv')
  await page.getByLabel('С дня').fill(today)
  await page.getByLabel('По день').fill(today)
  await page.getByRole('searchbox').fill(nickname)
  await expect(row(page, 'product.create')).toHaveCount(1)
  await page.getByLabel('По день').fill('2026-01-01')
  await page.getByLabel('С дня').fill('2026-01-01')
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
  await page.getByRole('button', { name: 'Показать всё' }).click()
  await page.getByRole('searchbox').fill(`product:${id}`)
  await page
    .getByRole('link', { name: `product:${id}` })
    .first()
    .click()
  await expect(page).toHaveURL(`/admin/products?product=${id}`)
})

test('recovery codes are made anew and the second factor is given up, each for a code of the app', async ({ page }) => {
  const { token } = await openTab(page, 'products')
  const { body } = await call(page, token, 'POST', '/auth/second-factor/enrol', { password })
  const secret = bytesOf(body.data.secret)
  const code = (stepsAway: number) => codeAt(secret, stepOf(new Date()) + stepsAway)
  await call(page, token, 'POST', '/auth/second-factor/confirm', { otp: code(-1) })
  await open(page, '/admin/security')
  await page.getByRole('button', { name: 'Создать новые коды восстановления' }).click()
  await page.getByLabel('Код', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Создать новые коды восстановления' }).click()
  await expect(page.getByText('Неверный или уже использованный код')).toBeVisible()
  await page.getByLabel('Код', { exact: true }).fill(code(0))
  await page.getByRole('button', { name: 'Создать новые коды восстановления' }).click()
  await expect(page.locator('ul li[translate=no]')).toHaveCount(10)
  await page.getByRole('button', { name: 'Коды сохранены' }).click()
  await page.getByRole('button', { name: 'Выключить' }).click()
  await page.getByLabel('Код', { exact: true }).fill(code(1))
  await page.getByRole('button', { name: 'Выключить' }).click()
  await expect(page.getByText('Второй фактор выключен')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Настроить' })).toBeVisible()
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
  const order = page.getByRole('dialog', { name: `Заказ ${payment.order_id}` })
  await order.getByRole('button', { name: 'Вернуть деньги' }).click()
  const refund = page.getByRole('dialog', { name: 'Вернуть деньги?' })
  await expect(refund).toContainText('Всего: 160')
  await refund.getByRole('checkbox', { name: new RegExp(kept.name) }).uncheck()
  await expect(refund).toContainText('Всего: 80')
  await refund.getByText('На карту').click()
  await refund.getByLabel('Причина').fill('код не тот')
  await refund.getByRole('button', { name: 'Вернуть деньги' }).click()
  await expect(page.getByText('Деньги возвращаются')).toBeVisible()
  const receipt = async () => (await call(page, buyer.token, 'GET', `/orders/${payment.order_id}`)).body
  expect((await receipt()).status).toBe('partially_refunded')
  const { body: balance } = await call(page, buyer.token, 'GET', '/balance')
  expect(balance).toContainEqual({ currency: 'rub', amount: 5_000 })
  await order.getByRole('button', { name: 'Вернуть деньги' }).click()
  await expect(refund.getByRole('checkbox')).toHaveCount(1)
})
