import { expect, type Page, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { giveBalance, labels, open, password, register, registerHere } from './customer.ts'
import { ru } from './ru.ts'

const topUpNow = (page: Page) => page.getByRole('button', { name: ru('topups.topUpNow') })

/** Types the ID and presses Find; the sandbox calls a player by the last digits. An account that is remembered gives way. */
async function find(page: Page, playerId: string): Promise<void> {
  const change = page.getByRole('button', { name: ru('topups.change') })
  if (await change.isVisible()) await change.click()
  await page.getByLabel(labels.playerId).fill(playerId)
  await page.getByRole('button', { name: ru('topups.find') }).click()
}

async function found(page: Page, playerId: string): Promise<void> {
  await find(page, playerId)
  await expect(page.getByText(`Player_${playerId.slice(-4)}`).first()).toBeVisible()
}

async function payFromBalance(page: Page): Promise<void> {
  await expect(page).toHaveURL('/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
}

async function openReceipt(page: Page): Promise<void> {
  await expect(page).toHaveURL('/orders')
  await page
    .getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
}

test('Free Fire: choose, find the player, pay from the balance', async ({ page }) => {
  const complaints = watchConsole(page)
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/Products/FreeFire')
  const packages = page.getByRole('radiogroup', { name: ru('product.choosePackage') }).getByRole('radio')
  await expect(packages).toHaveCount(9)
  await page.getByRole('button', { name: ru('pager.page', { page: '2' }) }).click()
  await expect(packages).not.toHaveCount(9)
  await page.getByRole('button', { name: ru('pager.previous') }).click()

  await topUpNow(page).click()
  await expect(page.getByRole('alert').getByText(ru('topups.freefire.chooseOffer'))).toBeVisible()
  await packages.filter({ hasText: '100 алмазов' }).click()
  await found(page, '5123456')
  await topUpNow(page).click()

  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456' }))).toBeVisible()
  await page.reload()
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456' }))).toBeVisible()
  await payFromBalance(page)
  const unfolded = page.getByRole('region', { name: ru('orders.paidNow') })
  await expect(unfolded.getByRole('heading', { name: '100 алмазов' })).toBeVisible()
  await expect(unfolded.getByRole('status')).toHaveText(/Пополняем|Готово/)
  await openReceipt(page)
  await expect(page.getByText('100 алмазов')).toBeVisible()
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456 (5123456)' }))).toBeVisible()
  await open(page, '/profile')
  await expect(page.getByText('421,00').first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('PUBG: an amount becomes packages, and only a found player can be topped up', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 2000 })
  await open(page, '/products/pubg')
  await expect(topUpNow(page)).toBeDisabled()
  const amount = page.getByLabel(ru('topups.pubg.custom', { unit: 'UC' }))
  await amount.fill('1a0b0')
  await expect(amount).toHaveValue('100')
  // The smallest package once for what fits, and once more for the rest.
  await expect(page.getByText('60 UC × 2')).toBeVisible()
  await amount.fill('100001')
  await expect(page.getByText(ru('topups.pubg.most', { amount: '100 000', unit: 'UC' }))).toBeVisible()
  await amount.fill('0')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await page.getByRole('button', { name: '385 UC', exact: true }).click()
  await page.getByRole('checkbox', { name: /^60 UC/ }).click()
  await expect(amount).toHaveValue('')
  await expect(page.getByRole('complementary').getByText('445 UC').first()).toBeVisible()

  await page.getByLabel(labels.playerId).fill('5123456')
  await topUpNow(page).click()
  await expect(page.getByRole('alert').getByText(ru('topups.pubg.chooseAndVerify'))).toBeVisible()
  await found(page, '5123456')
  await topUpNow(page).click()
  await payFromBalance(page)
  await openReceipt(page)
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456 (5123456)' })).first()).toBeVisible()
  await open(page, '/profile')
  await expect(page.getByText('1 462,00').first()).toBeVisible()
})

test('PUBG says what is cheaper than the packages it put together, and takes it at one press', async ({ page }) => {
  await open(page, '/products/pubg')
  const amount = page.getByLabel(ru('topups.pubg.custom', { unit: 'UC' }))
  await amount.fill('300')
  await expect(page.getByText('60 UC × 5')).toBeVisible()
  await expect(page.getByText(/^325 UC дешевле: 389,00\s₽, на 6,00\s₽ меньше$/)).toBeVisible()
  await page.getByRole('button', { name: ru('topups.pubg.takeCheaper', { amount: '325 UC' }) }).click()
  await expect(page.getByRole('checkbox', { name: /^325 UC/ })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /^60 UC/ })).not.toBeChecked()
  await expect(amount).toHaveValue('300')
  await expect(page.getByText(/дешевле/)).toHaveCount(0)
})

test('Steam: register on the way, come back to what was typed, see the commission and pay', async ({ page }) => {
  await open(page, '/products/steam')
  await page.getByRole('button', { name: ru('topups.steam.help') }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(4)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('topups.close') })
    .click()
  await page.getByLabel(labels.steamLogin).fill(' gabe_n ')
  await page.getByLabel(ru('topUp.amount'), { exact: true }).fill('500')
  const warning = page.getByRole('alert').filter({ hasText: ru('topups.steam.notCalculated.loginToCalculate') })
  await expect(warning.getByRole('button', { name: ru('header.logIn'), exact: true })).toBeVisible()
  await page.getByRole('button', { name: ru('topups.steam.loginToContinue') }).click()
  await expect(page.getByText(ru('topups.steam.loginToBuy'))).toBeVisible()
  await expect(page).toHaveURL('/login')

  await page.getByRole('link', { name: ru('login.register') }).click()
  await registerHere(page)
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Steam' }).first().click()
  await expect(page.getByLabel(labels.steamLogin)).toHaveValue('gabe_n')
  await giveBalance(page, { balanceRub: 1000, balanceUsd: 50 })
  await expect(page.getByText('515,00').first()).toBeVisible()
  await expect(page.getByText('$0.19')).toBeVisible()
  await page
    .getByRole('radiogroup', { name: ru('topups.steam.currency') })
    .getByText('USD')
    .click()
  await page.getByLabel(ru('topUp.amount'), { exact: true }).fill('10')
  await expect(page.getByText('$0.30')).toBeVisible()
  await topUpNow(page).click()

  await expect(page).toHaveURL('/checkout')
  await page.getByRole('radio', { name: /Доллары/ }).click()
  await page.getByRole('button', { name: ru('sandbox.pay', { amount: '$10.30 с баланса' }) }).click()
  await openReceipt(page)
  await expect(page.getByText(ru('topups.forAccount', { account: 'gabe_n' }))).toBeVisible()
  await open(page, '/profile')
  await expect(page.getByText('$39.70').first()).toBeVisible()
})

/** What is wrong with the ID stands at its field, which has the focus. */
async function isSaidAtField(page: Page): Promise<void> {
  const field = page.getByLabel(labels.playerId)
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(new RegExp(ru('topups.invalidId')))
}

test('an empty, a malformed and an unknown player ID are told apart, and nothing is charged', async ({ page }) => {
  await open(page, '/products/pubg')
  await find(page, '')
  await expect(page.getByRole('alert').getByText(ru('topups.enterId'))).toBeVisible()
  await find(page, 'ID: 51-23 404')
  await expect(page.getByLabel(labels.playerId)).toHaveValue('5123404')
  await expect(page.getByRole('alert').getByText(ru('topups.invalidId'))).toBeVisible()
  await isSaidAtField(page)

  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/products/freefire')
  await page.getByRole('radio', { name: /^100 алмазов/ }).click()
  await page.getByLabel(labels.playerId).fill('5123404')
  await topUpNow(page).click()
  await expect(page.getByRole('alert').getByText(ru('topups.invalidId'))).toBeVisible()
  await isSaidAtField(page)
  await expect(page).toHaveURL('/products/freefire')
  await open(page, '/profile')
  await expect(page.getByText('500,00').first()).toBeVisible()
})

test('the same top-up again is asked about; too little money leads to the way that can pay', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 200 })
  for (const time of ['first', 'again', 'once too often']) {
    await open(page, '/products/freefire')
    await page.getByRole('radio', { name: /^100 алмазов/ }).click()
    await found(page, '5123456')
    await topUpNow(page).click()
    if (time === 'once too often') break
    await payFromBalance(page)
    if (time !== 'first') {
      await expect(page.getByRole('dialog')).toContainText('Такое же пополнение вы купили только что')
      await page.getByRole('button', { name: ru('checkout.repeatBuy') }).click()
    }
    await expect(page).toHaveURL('/orders')
  }
  const fromBalance = page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
  await expect(fromBalance).toBeDisabled()
  await expect(fromBalance).toHaveAccessibleDescription(/На балансе не хватает 37,00/)
  await expect(page.locator('[data-thumb-bar]').getByRole('button', { name: /картой$/ })).toBeEnabled()
  await open(page, '/orders')
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(2)
})

test('checkout without a top-up is the cart', async ({ page }) => {
  await register(page)
  await open(page, '/checkout')
  await expect(page.getByText(ru('checkout.empty'))).toBeVisible()
})

test('the pages of top-ups can be read without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  for (const [path, title, text] of [
    ['/products/freefire', 'Free Fire', '79,00'],
    ['/products/pubg', 'PUBG Mobile', '459,00'],
    ['/products/steam', 'Steam', 'кроме Крыма'],
  ] as const) {
    // Routes match in any case, and search engines learn the canonical one.
    await page.goto(path.toUpperCase())
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.getByText(text).first()).toBeVisible()
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${path}$`))
    await expect(page.locator('script[type="application/ld+json"]')).toBeAttached()
  }
  await context.close()
})

test('a code bought here is activated once, for the player that was found', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 1000 })
  await open(page, '/products/freefire-codes')
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await open(page, '/checkout')
  await payFromBalance(page)
  await openReceipt(page)
  await page.getByRole('button', { name: ru('receipt.show', { count: 1 }) }).click()
  const code = (await page.locator('code').textContent()) ?? ''
  expect(code).not.toBe('')

  await open(page, '/products/freefire')
  await page.getByRole('tab', { name: ru('topups.freefire.activate') }).click()
  await expect(page).toHaveURL('/products/freefire?tab=activate')
  const activate = page.getByRole('button', { name: ru('topups.freefire.activateNow') })
  await activate.click()
  await expect(page.getByRole('alert').getByText(ru('topups.freefire.fillAll'))).toBeVisible()
  await found(page, '5123456')
  await page.getByLabel(ru('secondFactor.code'), { exact: true }).fill(` ${code.toLowerCase()} `)
  await activate.click()
  const follow = page.getByRole('link', { name: ru('topups.freefire.follow') })
  await expect(follow).toBeVisible()
  await expect(page.getByLabel(labels.playerId)).toHaveValue('')
  await expect(page.getByLabel(ru('secondFactor.code'), { exact: true })).toHaveValue('')
  await expect(page.getByText(ru('topups.playerFound'))).toHaveCount(0)

  for (const [typed, refusal] of [
    [code, ru('failure.CODE_ALREADY_USED')],
    ['FF-NO-SUCH-CODE', ru('failure.CODE_NOT_FOUND')],
  ] as const) {
    await page.getByLabel(labels.playerId).fill('5123456')
    await page.getByLabel(ru('secondFactor.code'), { exact: true }).fill(typed)
    await activate.click()
    await expect(page.getByText(refusal)).toBeVisible()
  }
  await follow.click()
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456 (5123456)' }))).toBeVisible()
  await expect(page.getByText(ru('receipt.methods.code'), { exact: true })).toBeVisible()
  // It was paid when the code was bought.
  await expect(page.getByRole('main')).not.toContainText(/\$|₽/)
  await expect(page.getByText(ru('orders.item.delivered')).first()).toBeVisible()
  // The tabs left no trace: back is the tab that was open, then the page before.
  await page.goBack()
  await expect(page).toHaveURL('/products/freefire?tab=activate')
  await page.goBack()
  await expect(page).toHaveURL(/\/orders\//)
})

/** Buys 100 diamonds for the player from the balance and opens the receipt. */
async function buyDiamonds(page: Page, playerId: string): Promise<void> {
  await open(page, '/products/freefire')
  await page.getByRole('radio', { name: /^100 алмазов/ }).click()
  await found(page, playerId)
  await topUpNow(page).click()
  await payFromBalance(page)
  await openReceipt(page)
}

const steps = (page: Page) => page.getByRole('list', { name: ru('topups.steps.title') }).getByRole('listitem')

test('a delivery that takes its time is followed by the clock, and seen the moment it arrives', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 100 })
  const told = page.waitForResponse((answer) => answer.url().endsWith('/api/orders/events'))
  await buyDiamonds(page, '5126005')
  expect((await told).status()).toBe(200)
  await expect(page.getByText(/Осталось 14:\d\d из обещанных 15 минут/)).toBeVisible()
  await expect(steps(page).last()).toContainText(ru('topups.steps.now.delivered'))
  await expect(steps(page)).toContainText(
    [ru('topups.steps.name.paid'), ru('topups.steps.name.sent'), ru('orders.item.delivered')],
    { timeout: 60_000 },
  )
  await expect(page.getByText(ru('orders.status.completed'))).toBeVisible()
})

test('a delivery that is refused is refunded, while one looks on', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 100 })
  await buyDiamonds(page, '5126001')
  await expect(page.getByText(ru('receipt.refundedToWallet'))).toBeVisible()
  await expect(steps(page).last()).toContainText(ru('receipt.refunded'))
  await expect(page.getByText(ru('receipt.refundedText'))).toBeVisible()
  await open(page, '/profile')
  await expect(page.getByText('100,00').first()).toBeVisible()
})

test('a delivery nobody knows of is being looked into, and the money stays where it is', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 100 })
  await buyDiamonds(page, '5126004')
  await expect(steps(page)).toContainText([
    ru('topups.steps.name.paid'),
    ru('topups.steps.name.sent'),
    ru('orders.item.unknown'),
    ru('orders.item.delivered'),
  ])
  await open(page, '/profile')
  await expect(page.getByText('21,00').first()).toBeVisible()
})

test('a top-up in the cart that was bought a moment ago is asked about, and bought once more when it is meant', async ({
  page,
}) => {
  const complaints = watchConsole(page)
  const nickname = await register(page)
  await giveBalance(page, { balanceRub: 500 })
  const session = await page.request.post('/api/auth/login', { data: { nickname, password } })
  const headers = { authorization: `Bearer ${(await session.json()).token}` }
  const { offers } = await (await page.request.get('/api/freefire/offers')).json()
  const {
    item_id: offer_id,
    price: price_usd,
    price_rub,
  } = offers.find(({ name }: { name: string }) => name === '100 Diamonds')
  const fill = async (player_id: string) => {
    const topupData = { service: 'freefire', login: '', player_id, offer_id, price_usd, price_rub }
    const added = await page.request.post('/api/cart/add-topup', { data: { topupData }, headers })
    expect(added.status(), await added.text()).toBe(201)
    await open(page, '/checkout')
    await payFromBalance(page)
  }
  await fill('5123456')
  await expect(page).toHaveURL('/orders')
  await fill('0005123456')
  const question = page.getByRole('dialog', { name: ru('checkout.repeatTitle') })
  await expect(question).toContainText('только что купили для того же игрока')
  await question
    .getByRole('button', { name: ru('checkout.repeatCancel') })
    .last()
    .click()
  await expect(page).toHaveURL('/checkout')
  await payFromBalance(page)
  await question.getByRole('button', { name: ru('checkout.repeatBuy') }).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(2)
  await open(page, '/profile')
  await expect(page.getByText('342,00').first()).toBeVisible()
  // Browsers note every refused call by themselves.
  expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
})
