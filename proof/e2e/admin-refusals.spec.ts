import { expect, type Page, test } from '@playwright/test'
import { call } from './calls.ts'
import { open } from './customer.ts'
import { aCustomer, aNewProduct, anAdmin, buy, drawer, fillCart, fresh, openTab, readCodes, row } from './operator.ts'
import { ru } from './ru.ts'

const giveReason = (page: Page, text: string) => drawer(page).last().getByLabel(ru('admin.reason.label')).fill(text)

test('a package that was sold from goes with what nobody bought; who bought keeps the code', async ({ page }) => {
  const buyer = await aCustomer(page)
  const { token } = await openTab(page, 'codes')
  const product = await aNewProduct(page, token, [fresh('SOLD'), fresh('LEFT')])
  const order = await buy(page, buyer.token, product)
  const bought = await readCodes(page, buyer.token, order)

  await page.getByRole('searchbox').fill(bought[0] ?? '')
  await expect(row(page, order)).toContainText(buyer.nickname)
  await expect(page.getByRole('button', { name: /^Изменить:/ })).toHaveCount(0)
  await page.getByRole('button', { name: /^Удалить:/ }).click()
  await expect(drawer(page)).toContainText('Он продан или отложен для покупателя, поэтому остаётся')
  await expect(drawer(page).getByRole('button', { name: ru('admin.remove.confirm') })).toBeDisabled()

  await open(page, `/admin/products?product=${product.id}`)
  await page.getByRole('button', { name: ru('admin.list.remove', { name: '50 гемов' }) }).click()
  await expect(drawer(page)).toContainText('1 непроданный код')
  await expect(drawer(page)).toContainText('1 проданный код остаётся: чеки продолжат работать')
  await drawer(page).getByRole('textbox').fill('50 гемов')
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(page.getByText(ru('admin.products.noPackages'))).toBeVisible()
  expect(await readCodes(page, buyer.token, order)).toEqual(bought)
})

test('a denomination whose codes were sold goes, and what was bought is still activated', async ({ page }) => {
  const buyer = await aCustomer(page)
  const { token } = await openTab(page, 'freefireCodes')
  const amount = 100_000 + Math.floor(Math.random() * 900_000)
  const name = `Набор ${amount}`
  const fields = { name, item_id: `sold/${amount}`, game_amount: amount, price_usd: 1, price_rub: 80 }
  const { body: made } = await call(page, token, 'POST', '/freefire-admin/denominations', fields)
  const { body: products } = await call(page, token, 'GET', '/admin/products?search=freefire-codes')
  const [product] = products.data
  const wanted = { productId: product.id, denominationId: made.data.id, count: 3, published: true }
  await call(page, token, 'POST', '/admin/generated-codes/generate', wanted)
  const order = await buy(page, buyer.token, product, amount)
  const [bought] = await readCodes(page, buyer.token, order)

  await open(page, '/admin/freefireCodes')
  await page.getByRole('searchbox').fill(name)
  await row(page, name).getByRole('button', { name: 'Изменить' }).click()
  await expect(drawer(page).getByLabel(ru('admin.denominations.diamonds'))).toBeDisabled()
  await expect(drawer(page)).toContainText(ru('admin.denominations.inUse'))
  await page.keyboard.press('Escape')
  await row(page, name)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(drawer(page)).toContainText('2 непроданных кода')
  await expect(drawer(page)).toContainText('1 проданный код остаётся: чеки работают, владелец сможет его активировать')
  await drawer(page).getByRole('textbox').fill(name)
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(page.getByText(ru('admin.list.nothing'))).toBeVisible()
  expect(await readCodes(page, buyer.token, order)).toEqual([bought])
  const activation = { playerID: '5123456', code: bought }
  expect((await call(page, buyer.token, 'POST', '/freefire/activate-code', activation)).status).toBe(200)
})

test('a code is not replaced when it was activated or is the last one, and each time it is said why', async ({
  page,
}) => {
  const buyer = await aCustomer(page)
  const { token } = await openTab(page, 'orders')
  const { body: products } = await call(page, token, 'GET', '/admin/products?search=freefire-codes')
  const [generated] = products.data
  const activated = await buy(page, buyer.token, generated)
  const [code] = await readCodes(page, buyer.token, activated)
  await call(page, buyer.token, 'POST', '/freefire/activate-code', { playerID: '5123456', code })
  const replace = async (orderId: string) => {
    await open(page, `/admin/orders?order=${orderId}`)
    await page.getByRole('button', { name: ru('admin.orders.replace') }).click()
    await giveReason(page, 'говорит, что не подошёл')
    await drawer(page)
      .last()
      .getByRole('button', { name: ru('admin.orders.replace') })
      .click()
    return drawer(page).last().getByRole('alert')
  }
  await expect(await replace(activated)).toContainText(
    ru('admin.codes.edit', { code: 'уже активирован, значит он сработал' }),
  )

  const product = await aNewProduct(page, token, [fresh('LAST')])
  const last = await buy(page, buyer.token, product)
  await expect(await replace(last)).toContainText(ru('admin.refused.OUT_OF_STOCK'))
  expect(await readCodes(page, buyer.token, last)).toEqual(product.codes)
})

test('what another operator was quicker with is said, and done once', async ({ page }) => {
  const buyer = await aCustomer(page)
  const other = await anAdmin(page)
  const amount = await fillCart(page, buyer.token, 1)
  const opened = await call(page, buyer.token, 'POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
  const orderId: string = opened.body.order_id
  await openTab(page, `payments?search=${orderId}`)
  await page.getByRole('button', { name: ru('admin.payments.confirm') }).click()
  await giveReason(page, 'вижу деньги')
  const { body: payments } = await call(page, other.token, 'GET', `/admin/payments?search=${orderId}`)
  const path = `/admin/payments/${payments.data[0].id}/confirm`
  expect((await call(page, other.token, 'POST', path, { reason: 'тоже вижу' })).status).toBe(200)
  await drawer(page)
    .getByRole('button', { name: ru('admin.payments.confirm') })
    .click()
  await expect(drawer(page).getByRole('alert')).toContainText(ru('admin.conflict.refused'))
  await page.keyboard.press('Escape')
  await expect(page.getByText(ru('admin.payments.settledTo.order'))).toBeVisible()
  expect(await readCodes(page, buyer.token, orderId)).toHaveLength(1)

  const message = { nickname: buyer.nickname, userId: String(buyer.userId), message: 'Где код?', contact: '@player' }
  await call(page, undefined, 'POST', '/support', message)
  await open(page, `/admin/support?search=${buyer.nickname}`)
  await page.getByRole('button', { name: buyer.nickname }).click()
  const field = page.getByLabel(ru('admin.support.answerLabel'))
  await field.fill('отвечаю я')
  const id = new URL(page.url()).searchParams.get('conversation')
  await call(page, other.token, 'POST', `/admin/conversations/${id}/answers`, { text: 'код отправлен' })
  await expect(page.getByText(ru('admin.support.meanwhile'))).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue('отвечаю я')
  await page.getByRole('button', { name: ru('admin.support.send'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: ru('admin.support.meanwhileTitle') })
  await expect(dialog).toContainText('код отправлен')
  await dialog.getByRole('button', { name: ru('admin.support.sendAnyway') }).click()
  await expect(page.getByRole('log').getByText('отвечаю я')).toBeVisible()
  await expect(field).toHaveValue('')
})
