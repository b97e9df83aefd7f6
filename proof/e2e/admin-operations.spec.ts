import { expect, type Page, test } from '@playwright/test'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { password } from './customer.ts'
import { aCustomer, aNewProduct, anAdmin, buy, fillCart, fresh, openTab, readCodes } from './operator.ts'
import { ru } from './ru.ts'

const search = async (page: Page, label: string, text: string) => page.getByLabel(label).fill(text)
const giveReason = (page: Page, text: string) =>
  page.getByRole('dialog').getByLabel(ru('admin.reason.label')).fill(text)

test('an order: a bad code is replaced, the money is given back, and it is told who did it', async ({ page }) => {
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  await fillCart(page, buyer.token, 2)
  const { body: paid } = await call(page, buyer.token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  const before = await readCodes(page, buyer.token, paid.order.id)
  const words = `Код не подошёл, ${buyer.nickname}`
  const question = { nickname: buyer.nickname, userId: '1', message: words, order: paid.order.id }
  expect((await call(page, buyer.token, 'POST', '/support', question)).status).toBe(201)

  const operator = await openTab(page, 'orders')
  // The press on the order also ends the search, as somebody's does who sees it already.
  await search(page, ru('admin.orders.search'), buyer.nickname)
  await page.getByRole('button', { name: paid.order.id }).click()
  const order = page.getByRole('dialog', { name: ru('orders.number', { id: paid.order.id }) })
  await order
    .getByRole('button', { name: ru('admin.orders.replace') })
    .first()
    .click()
  const replace = page.getByRole('dialog', { name: ru('admin.orders.replaceTitle') })
  await expect(replace.getByRole('button', { name: ru('admin.orders.replace') })).toBeDisabled()
  await replace.getByLabel(ru('admin.reason.label')).fill('игра говорит, что код использован')
  await replace.getByRole('button', { name: ru('admin.orders.replace') }).click()
  await expect(page.getByText(ru('admin.orders.replaced'))).toBeVisible()
  await expect(order.getByText(ru('admin.codes.state.quarantined'))).toBeVisible()
  const after = await readCodes(page, buyer.token, paid.order.id)
  expect(after).toHaveLength(2)
  expect(after).toContain(before[1])
  expect(after).not.toContain(before[0])

  await order.getByRole('button', { name: ru('admin.orders.refund') }).click()
  const refund = page.getByRole('dialog', { name: ru('admin.orders.refundTitle') })
  await refund.getByLabel(ru('admin.reason.label')).fill('передумал')
  await refund.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(page.getByText(ru('admin.orders.refunded'))).toBeVisible()
  await expect(order.getByText(ru('orders.status.refunded')).first()).toBeVisible()
  await expect(order.getByText(ru('admin.orders.event.order.refund'))).toBeVisible()
  await expect(order.getByText(operator.nickname).first()).toBeVisible()
  await expect(order.getByRole('button', { name: ru('admin.orders.refund') })).toHaveCount(0)
  // In place of each button stands why it is gone.
  await expect(order.getByText(ru('admin.orders.noRefund.nothing_left'))).toBeVisible()
  await expect(order.getByText(ru('admin.orders.noEnd.paid'))).toBeVisible()
  await expect(order.getByText(ru('admin.orders.noReplace.refunded'))).toBeVisible()
  await expect(order.getByText(ru('admin.orders.event.conversation'))).toBeVisible()
  const { body: balance } = await call(page, buyer.token, 'GET', '/balance')
  expect(balance).toContainEqual({ currency: 'rub', amount: 5_000, reserved: 0 })
  await page.screenshot({ path: test.info().outputPath('order.png'), fullPage: true })
  await order.getByRole('link', { name: ru('admin.users.talks') }).click()
  await expect(page.getByText(words)).toBeVisible()
  expect(complaints).toEqual([])
})

test('a payment whose notice never came is confirmed by hand, and the buyer has the code', async ({ page }) => {
  const buyer = await aCustomer(page)
  const amount = await fillCart(page, buyer.token, 1)
  const opened = await call(page, buyer.token, 'POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
  const orderId: string = opened.body.order_id

  await openTab(page, `orders?order=${orderId}`)
  await page
    .getByRole('dialog')
    .getByRole('link', { name: ru('admin.tabs.payments') })
    .click()
  await expect(page).toHaveURL(`/admin/payments?search=${orderId}`)
  await page.getByRole('button', { name: ru('admin.payments.confirm') }).click()
  await giveReason(page, 'деньги видны в кабинете банка')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('admin.payments.confirm') })
    .click()
  await expect(page.getByText(ru('admin.payments.confirmed'))).toBeVisible()
  await expect(page.getByText(ru('admin.payments.settledTo.order'))).toBeVisible()
  await expect(page.getByRole('button', { name: ru('admin.payments.confirm') })).toHaveCount(0)
  expect(await readCodes(page, buyer.token, orderId)).toHaveLength(1)
})

test('an unpaid order is cancelled', async ({ page }) => {
  const buyer = await aCustomer(page)
  const amount = await fillCart(page, buyer.token, 1)
  const opened = await call(page, buyer.token, 'POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
  await openTab(page, `orders?order=${opened.body.order_id}`)
  await page.getByRole('button', { name: ru('admin.orders.end') }).click()
  await giveReason(page, 'попросил по телефону')
  await page
    .getByRole('dialog', { name: ru('admin.orders.endTitle') })
    .getByRole('button', { name: ru('admin.orders.end') })
    .click()
  await expect(page.getByText(ru('admin.orders.ended'))).toBeVisible()
  const { body } = await call(page, buyer.token, 'GET', `/orders/${opened.body.order_id}`)
  expect(body.status).toBe('expired')
})

test('a user: balance with a reason, password, block and role', async ({ page }) => {
  const complaints = watchConsole(page)
  const customer = await aCustomer(page)
  const profileStatus = async () => (await call(page, customer.token, 'GET', '/profile')).status
  const logIn = (secret: string) =>
    call(page, undefined, 'POST', '/auth/login', { nickname: customer.nickname, password: secret })

  await openTab(page, 'users')
  await search(page, ru('admin.users.search'), customer.nickname)
  await page.getByRole('button', { name: customer.nickname }).click()
  const user = page.getByRole('dialog', { name: customer.nickname, exact: true })
  await user.getByLabel(ru('admin.users.usd')).fill('12.5')
  await user.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await expect(user.getByText(ru('field.required'))).toBeVisible()
  await user.getByLabel(ru('admin.reason.label')).fill('возмещение за ночь')
  await user.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await expect(page.getByText(ru('admin.users.balanceSet'))).toBeVisible()
  await user.getByRole('tab', { name: ru('admin.users.ledger') }).click()
  await expect(user.getByText('возмещение за ночь')).toBeVisible()
  await expect(user.getByText('$12.50')).toBeVisible()

  await user.getByRole('tab', { name: ru('admin.users.account') }).click()
  await user.getByLabel(ru('profile.newPassword')).fill('five5')
  await user.getByRole('button', { name: ru('admin.users.setPassword') }).click()
  await expect(user.getByText(ru('admin.users.passwordShort', { count: 6 }))).toBeVisible()
  await user.getByLabel(ru('profile.newPassword')).fill('six666')
  await user.getByRole('button', { name: ru('admin.users.setPassword') }).click()
  await expect(page.getByText(ru('admin.users.passwordSet'))).toBeVisible()
  expect(await profileStatus()).toBe(401)
  expect([(await logIn(password)).status, (await logIn('six666')).status]).toEqual([401, 200])

  await user.getByRole('button', { name: ru('admin.users.block') }).click()
  await page
    .getByRole('dialog', { name: new RegExp(`^${ru('admin.users.block')}`) })
    .getByRole('button', { name: ru('admin.users.block') })
    .click()
  await expect(user.getByRole('button', { name: ru('admin.users.unblock') })).toBeVisible()
  expect((await logIn('six666')).status).toBe(403)
  await user.getByRole('button', { name: ru('admin.users.unblock') }).click()
  await expect(user.getByRole('button', { name: ru('admin.users.block') })).toBeVisible()
  expect((await logIn('six666')).status).toBe(200)

  await user.getByRole('button', { name: ru('admin.users.promote') }).click()
  const promote = page.getByRole('dialog').last()
  await expect(promote.getByRole('button', { name: ru('admin.users.promote') })).toBeDisabled()
  await promote.getByRole('textbox').fill(customer.nickname)
  await promote.getByRole('button', { name: ru('admin.users.promote') }).click()
  await expect(user.getByRole('button', { name: ru('admin.users.demote') })).toBeVisible()
  expect(complaints).toEqual([])
})

test('whoever can not let a user in again is told why, and can try once more', async ({ page }) => {
  const customer = await aCustomer(page)
  await openTab(page, 'users')
  await search(page, ru('admin.users.search'), customer.nickname)
  await page.getByRole('button', { name: customer.nickname }).click()
  const user = page.getByRole('dialog', { name: customer.nickname, exact: true })
  await user.getByRole('button', { name: ru('admin.users.block') }).click()
  await page
    .getByRole('dialog', { name: new RegExp(`^${ru('admin.users.block')}`) })
    .getByRole('button', { name: ru('admin.users.block') })
    .click()
  await page.route('**/api/admin/users/*/blocked', (route) => route.abort(), { times: 1 })
  await user.getByRole('button', { name: ru('admin.users.unblock') }).click()
  await expect(user.getByRole('alert')).toContainText(ru('failure.NETWORK_ERROR'))
  await user.getByRole('button', { name: ru('admin.users.unblock') }).click()
  await expect(user.getByRole('button', { name: ru('admin.users.block') })).toBeVisible()
  await expect(user.getByRole('alert')).toHaveCount(0)
})

test('rates: a wrong one is refused, a right one is in force, and the settings keep their bounds', async ({ page }) => {
  await openTab(page, 'currencyRates')
  const rate = page.getByRole('region', { name: 'USD → UZS' })
  await rate.getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'UZS' })).fill('0')
  await rate.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(rate.getByText(ru('field.invalid_amount'))).toBeVisible()
  const wanted = String(12_000 + Math.floor(Math.random() * 500))
  await rate.getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'UZS' })).fill(wanted)
  await rate.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(rate.getByText(ru('admin.rates.source', { source: ru('admin.rates.origin.admin') }))).toBeVisible()
  await rate.getByRole('button', { name: ru('admin.rates.history') }).click()
  await expect(rate.locator('.recharts-surface').first()).toBeVisible()

  await page.getByLabel(ru('admin.rates.timezone')).fill('Asia/Nowhere')
  const settings = page.getByRole('form', { name: ru('admin.rates.settings') })
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(settings.getByText(ru('field.invalid_timezone'))).toBeVisible()
  await page.getByLabel(ru('admin.rates.timezone')).fill('Asia/Tashkent')
  await page.getByRole('button', { name: ru('admin.rates.refresh') }).click()
  await expect(page.getByText(ru('admin.rates.refreshed'))).toBeVisible()
})

test('a message of a customer is answered', async ({ page }) => {
  const customer = await aCustomer(page)
  const message = {
    nickname: customer.nickname,
    userId: String(customer.userId),
    message: ru('admin.codes.edit', { code: 'не подошёл' }),
    contact: '@player',
  }
  await call(page, undefined, 'POST', '/support', message)
  const operator = await openTab(page, 'support')
  await search(page, ru('admin.support.search'), customer.nickname)
  await page.getByRole('button', { name: customer.nickname }).click()
  await expect(page.getByText('@player')).toBeVisible()
  await page.getByText(ru('admin.support.note'), { exact: true }).click()
  await page.getByLabel(ru('admin.support.noteLabel')).fill(ru('admin.audit.did.order.replace_code'))
  await page.getByRole('button', { name: ru('admin.support.keepNote') }).click()
  await expect(page.getByText(ru('admin.support.noteBy', { name: operator.nickname }))).toBeVisible()
  await page.getByText(ru('admin.support.answer'), { exact: true }).click()
  await page.getByLabel(ru('admin.support.answerLabel')).fill('Посмотрите в заказе')
  await page.getByRole('button', { name: ru('admin.support.sendAndClose') }).click()
  await expect(page.getByRole('log').getByText('Посмотрите в заказе')).toBeVisible()
  await page.getByRole('button', { name: ru('admin.support.back') }).click()
  // The list has been read again once it says so.
  await expect(page.getByRole('table').getByText(ru('admin.support.states.closed'))).toBeVisible()
  await expect(page.getByRole('table').getByText(operator.nickname)).toBeVisible()
})

test('the overview shows what is bought and runs out, and folds what nobody buys', async ({ page }) => {
  const operator = await anAdmin(page)
  const buyer = await aCustomer(page)
  const sold = await aNewProduct(page, operator.token, [fresh('SOLD-'), fresh('SOLD-')])
  const unsold = await aNewProduct(page, operator.token, [fresh('KEPT-')])
  await buy(page, buyer.token, sold)
  await openTab(page, 'dashboard', operator)
  const low = page.getByRole('region', { name: ru('admin.dashboard.low') })
  const line = ({ name }: { name: string }) => low.getByText(name, { exact: true }).filter({ visible: true })
  const unfold = low.getByRole('button', { name: new RegExp(ru('admin.dashboard.unsold')) })
  await expect(unfold).toBeVisible()
  // Other journeys sell out, too, and theirs come before.
  const all = low.getByRole('button', { name: new RegExp(ru('admin.dashboard.allLow', { count: 0 }).replace('0', '')) })
  if (await all.isVisible()) await all.click()
  await expect(line(sold)).toBeVisible()
  await expect(line(unsold)).toHaveCount(0)
  await unfold.click()
  await expect(line(unsold)).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('overview.png'), fullPage: true })
})

test('the overview says why payments failed, and leads to them', async ({ page }) => {
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  const amount = await fillCart(page, buyer.token, 1)
  const { body } = await call(page, buyer.token, 'POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
  const payment = new URL(body.pay_url).pathname.split('/').at(-1)
  await call(page, undefined, 'POST', `/sandbox/payments/${payment}/act`, { action: 'decline' })
  await openTab(page, 'dashboard')
  const failures = page
    .getByRole('region', { name: ru('admin.dashboard.service') })
    .getByRole('table')
    .filter({ has: page.getByRole('columnheader', { name: ru('admin.dashboard.whyFailed') }) })
  const declined = failures.getByRole('row').filter({ hasText: 'declined' })
  await expect(declined).toContainText('sandbox')
  await failures.scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('failures.png') })
  await page.setViewportSize({ width: 360, height: 740 })
  await failures.scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('failures-360.png') })
  await declined.getByRole('link').click()
  await expect(page).toHaveURL(
    /\/admin\/payments\?.*status=canceled&provider=sandbox&method=sandbox&canceled_why=declined$/,
  )
  await expect(page.getByText(body.order_id).filter({ visible: true })).toBeVisible()
  expect(complaints).toEqual([])
})

test('the overview says how long the store was there', async ({ page }) => {
  const complaints = watchConsole(page)
  await page.route('**/api/admin/service?*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ response, json: { data: { ...data, availability: { minutes: 10_080, up: 10_058 } } } })
  })
  await openTab(page, 'dashboard')
  const service = page.getByRole('region', { name: ru('admin.dashboard.service') })
  const share = service.getByText(ru('admin.dashboard.available', { percent: '99,78' }))
  await expect(share).toBeVisible()
  await expect(
    service.getByText(ru('admin.dashboard.away', { span: ru('product.spanMinutes', { minutes: 22 }) })),
  ).toBeVisible()
  await share.scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('availability.png') })
  await page.setViewportSize({ width: 360, height: 740 })
  await share.scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('availability-360.png') })
  expect(complaints).toEqual([])
})

test('the overview, the audit log and the ledger tell how things stand', async ({ page }) => {
  const complaints = watchConsole(page)
  const operator = await openTab(page, 'dashboard')
  await expect(page.getByText(ru('admin.dashboard.newUsers')).first()).toBeVisible()
  await expect(page.locator('.recharts-surface').first()).toBeVisible()
  await expect(page.getByText(ru('admin.dashboard.before')).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: ru('admin.dashboard.service') })).toBeVisible()
  const service = page.getByRole('region', { name: ru('admin.dashboard.service') })
  await expect(service.getByRole('link', { name: ru('admin.dashboard.conversations') })).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('service.png'), fullPage: true })
  // Packages that last as many days say so below.
  const period = page.getByRole('radiogroup', { name: ru('admin.dashboard.period') })
  await period.getByText(ru('admin.dashboard.days', { count: 7 }), { exact: true }).click()
  await expect(page).toHaveURL('/admin/dashboard?days=7')
  await page.getByText(ru('admin.dashboard.yesterday'), { exact: true }).click()
  await expect(page).toHaveURL('/admin/dashboard?days=yesterday')
  const asked = page.waitForRequest(/\/admin\/summary\?from=2026-01-01&to=2026-01-31$/)
  await page.getByLabel(ru('admin.audit.from')).fill('2026-01-01')
  await page.getByLabel(ru('admin.audit.to')).fill('2026-01-31')
  await page.getByLabel(ru('admin.audit.to')).press('Enter')
  await asked

  await page.goto(`/admin/audit?search=${operator.nickname}`)
  await expect(page.getByText(ru('admin.audit.empty')).or(page.getByText(ru('admin.list.nothing')))).toBeVisible()
  const customer = await aCustomer(page)
  await call(page, operator.token, 'PUT', `/admin/users/${customer.userId}/balance`, {
    balanceUsd: 7,
    reason: 'проверка',
  })
  await page.reload()
  await expect(page.getByText('user.balance')).toBeVisible()
  await expect(page.getByText('$7.00')).toBeVisible()
  await expect(page.getByText(`${ru('admin.audit.field.USD')}:`)).toBeVisible()
  await expect(page.getByText(`${ru('admin.audit.field.reason')}:`)).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('audit.png'), fullPage: true })
  // The other balance was not changed, so nothing is said of it.
  await expect(page.getByRole('row').filter({ hasText: 'user.balance' }).first()).not.toContainText('RUB')

  await page.goto('/admin/ledger')
  await page.getByRole('button', { name: ru('admin.ledger.again') }).click()
  await expect(page.getByText(ru('admin.ledger.sound'))).toBeVisible()
  await expect(page.getByText(ru('admin.ledger.rule.audit-chain'), { exact: false })).toBeVisible()
  expect(complaints).toEqual([])
})
