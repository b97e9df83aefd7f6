import { type Browser, expect, type Page, type Route } from '@playwright/test'
import { call, callHere } from './calls.ts'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { anAdmin, openTab } from './operator.ts'
import { ru } from './ru.ts'

const log = (page: Page) => page.getByRole('log', { name: ru('talk.messages') })
const message = (page: Page) => page.getByLabel(ru('support.message'))
const send = (page: Page) => page.getByRole('button', { name: ru('support.send') })
const answer = (page: Page) => page.getByLabel(ru('admin.support.answerLabel'))
const sendAnswer = (page: Page) => page.getByRole('button', { name: ru('admin.support.send'), exact: true })

/** Tells later whether the page was never reloaded. */
const keepsPage = async (page: Page) => {
  await page.evaluate(() => Object.assign(window, { isKept: true }))
  return () => page.evaluate(() => Reflect.get(window, 'isKept') === true)
}

/** Keeps a call from the store until it is told to go on, and then waits for its answer. */
async function delay(page: Page, address: string) {
  let resume = () => {}
  const isOpen = new Promise<void>((resolve) => {
    resume = resolve
  })
  await page.route(address, async (route) => {
    await isOpen
    await route.continue()
  })
  const answer = page.waitForResponse(address)
  return {
    isSent: page.waitForRequest(address),
    resume: async () => {
      resume()
      await answer
    },
  }
}

test('a customer writes about an order, and sees the answer without a reload; so does the operator', async ({
  page,
  browser,
}) => {
  const nickname = await register(page)
  await giveBalance(page, { balanceRub: 100 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page).toHaveURL('/orders')
  await open(page, '/support')
  const listed = page.getByLabel(ru('support.order')).getByRole('option').filter({ hasText: 'Roblox' })
  const order = (await listed.getAttribute('value')) ?? ''
  await page.getByLabel(ru('support.order')).selectOption(order)
  await message(page).fill('Код не подошёл\nчто делать?')
  await send(page).click()
  const thanks = page.getByRole('dialog', { name: ru('support.thanks') })
  await thanks.getByRole('link', { name: ru('talk.open') }).click()
  await expect(page).toHaveURL(/\/support\/\d+$/)
  await expect(log(page).getByText('что делать?')).toBeVisible()
  await expect(page.getByText(ru('talk.state.open'))).toBeVisible()
  expect([await isTooWide(page), await axeOn(page)]).toEqual([false, []])
  const isCustomersKept = await keepsPage(page)

  const desk = await (await browser.newContext()).newPage()
  const operator = await openTab(desk, `support?search=${nickname}`)
  await desk.getByRole('button', { name: nickname }).click()
  await expect(desk.getByText(ru('admin.support.ownOrder'))).toBeVisible()
  await expect(desk.getByRole('link', { name: order })).toBeVisible()
  const isDesksKept = await keepsPage(desk)
  await desk.getByText(ru('admin.support.note'), { exact: true }).click()
  await desk.getByLabel(ru('admin.support.noteLabel')).fill('Каждую неделю одно и то же')
  await desk.getByRole('button', { name: ru('admin.support.keepNote') }).click()
  await expect(log(desk).getByText('Каждую неделю')).toBeVisible()
  await desk.getByText(ru('admin.support.answer'), { exact: true }).click()
  await answer(desk).fill('Заменили, посмотрите в заказе')
  expect(await axeOn(desk)).toEqual([])
  await sendAnswer(desk).click()

  await expect(log(page).getByText('Заменили, посмотрите в заказе')).toBeVisible()
  await expect(page.getByText(ru('talk.state.waiting'))).toBeVisible()
  await expect(page.getByText('Каждую неделю')).toHaveCount(0)
  await expect(page.getByText(operator.nickname)).toHaveCount(0)
  // What is typed and not sent survives a reload, and is sent by the button.
  await message(page).fill('Спасибо, подошёл')
  await expect(log(desk).getByText('Спасибо, подошёл')).toHaveCount(0)
  expect([await isCustomersKept(), await isDesksKept()]).toEqual([true, true])
  await page.reload()
  await expect(message(page)).toHaveValue('Спасибо, подошёл')
  await send(page).click()
  await expect(log(desk).getByText('Спасибо, подошёл')).toBeVisible()
  await expect(message(page)).toHaveValue('')
  expect(await isDesksKept()).toBe(true)

  // What was shown of a change that could not be sent is put back, also while the store can't be asked how things stand.
  await desk.route('**/api/admin/conversations/*', (route) => route.abort())
  const lost = desk.waitForEvent('requestfailed', (request) => request.method() === 'PUT')
  const close = desk.getByRole('button', { name: ru('admin.support.close'), exact: true })
  await close.click()
  await lost
  await expect(close).toBeVisible()
  await desk.unroute('**/api/admin/conversations/*')

  await open(page, '/profile')
  const own = page.getByRole('link', { name: new RegExp(`${order} .*:`) })
  await expect(own).toContainText('Спасибо, подошёл')
  await answer(desk).fill('Хорошей игры')
  await desk.getByRole('button', { name: ru('admin.support.sendAndClose') }).click()
  await expect(own).toContainText(ru('talk.unread'))
  await own.click()
  await expect(page.getByText(ru('talk.reopens'))).toBeVisible()
})

test('what was sent is no draft any more, though one leaves before the answer', async ({ page, browser }) => {
  const nickname = await register(page)
  const { id } = await callHere(page, 'POST', '/support', { nickname, userId: nickname, message: 'Где мой код?' })
  await open(page, `/support/${id}`)
  const reply = await delay(page, '**/api/support/conversations/*/messages')
  await message(page).fill('Уже нашёл')
  await send(page).click()
  await reply.isSent
  await page
    .getByRole('banner')
    .getByRole('link', { name: ru('header.home') })
    .first()
    .click()
  await expect(page).toHaveURL('/')
  await reply.resume()
  await page.goBack()
  await expect(log(page).getByText('Уже нашёл')).toBeVisible()
  await expect(message(page)).toHaveValue('')

  const desk = await (await browser.newContext()).newPage()
  await openTab(desk, `support?search=${nickname}`)
  await desk.getByRole('button', { name: nickname }).click()
  await answer(desk).fill('Хорошей игры')
  const answered = await delay(desk, '**/api/admin/conversations/*/answers')
  await sendAnswer(desk).click()
  await answered.isSent
  await expect(desk.getByRole('radio', { name: ru('admin.support.note') })).toBeDisabled()
  await desk.getByRole('button', { name: ru('admin.support.back') }).click()
  await expect(answer(desk)).toHaveCount(0)
  await answered.resume()
  await desk.getByRole('button', { name: nickname }).click()
  await expect(log(desk).getByText('Хорошей игры')).toBeVisible()
  await expect(answer(desk)).toHaveValue('')
})

test('a reply that was kept though its answer was lost is shown as sent, and is no draft any more', async ({
  page,
}) => {
  const nickname = await register(page)
  const { id } = await callHere(page, 'POST', '/support', { nickname, userId: nickname, message: 'Где мой код?' })
  await open(page, `/support/${id}`)
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/api/support/conversations/*/messages', lose, { times: 1 })
  await message(page).fill('Уже нашёл')
  await send(page).click()
  await expect(log(page).locator('[data-pending=false]').getByText('Уже нашёл')).toHaveCount(1)
  await expect(message(page)).toBeEditable()
  await expect(message(page)).toHaveValue('')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

/** An operator's page with a question of a customer, open to be answered. */
async function openQuestion(browser: Browser, page: Page) {
  const nickname = await register(page)
  const { id } = await callHere(page, 'POST', '/support', { nickname, userId: nickname, message: 'Где мой код?' })
  const desk = await (await browser.newContext()).newPage()
  await openTab(desk, `support?conversation=${id}`)
  return { desk, id }
}

test('an answer that was begun before one takes the conversation is sent unasked', async ({ page, browser }) => {
  const { desk, id } = await openQuestion(browser, page)
  await answer(desk).fill('Смотрим')
  const path = `/api/admin/conversations/${id}`
  const isTaken = desk.waitForResponse((of) => of.url().endsWith(path) && of.request().method() === 'PUT')
  await desk.getByRole('button', { name: ru('admin.support.take') }).click()
  const { data: taken } = await (await isTaken).json()
  expect(taken.is_mine).toBe(true)
  const answered = desk.waitForResponse(`**${path}/answers`)
  await sendAnswer(desk).click()
  expect((await answered).status()).toBe(201)
})

test('what a colleague answered meanwhile is told as theirs, whosever the conversation is', async ({
  page,
  browser,
}) => {
  const { desk, id } = await openQuestion(browser, page)
  const [assignee, author] = [await anAdmin(desk), await anAdmin(desk)]
  await answer(desk).fill('Нашли ваш код')
  expect((await call(desk, assignee.token, 'PUT', `/admin/conversations/${id}`, { mine: true })).status).toBe(200)
  const text = 'Я уже отвечаю'
  expect((await call(desk, author.token, 'POST', `/admin/conversations/${id}/answers`, { text })).status).toBe(201)
  await expect(desk.getByText(ru('admin.support.meanwhile'))).toBeVisible()
  await sendAnswer(desk).click()
  const question = desk.getByRole('dialog', { name: ru('admin.support.meanwhileTitle') })
  await expect(question).toContainText(`${author.nickname}: ${text}`)
  await expect(question).not.toContainText(assignee.nickname)
})

test('a visitor keeps a link, which no server is told, and reads the answer there', async ({ page, browser }) => {
  await open(page, '/support')
  await message(page).fill('Забыла пароль')
  await page.getByLabel(/^Никнейм/).fill('kamila')
  await send(page).click()
  const thanks = page.getByRole('dialog', { name: ru('support.thanks') })
  const link = (await thanks.getByText(/\/conversation#/).textContent()) ?? ''
  const token = link.split('#')[1] ?? ''
  expect(token).toMatch(/^[\w-]{32}$/)
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), ...Object.values(request.headers())))
  await thanks.getByRole('link', { name: ru('talk.open') }).click()
  await expect(log(page).getByText('Забыла пароль')).toBeVisible()
  await page.reload()
  await expect(log(page).getByText('Забыла пароль')).toBeVisible()
  expect(addresses.filter((address) => address.includes(token))).toEqual([])
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  expect([await isTooWide(page), await axeOn(page)]).toEqual([false, []])

  const desk = await (await browser.newContext()).newPage()
  const { token: operator } = await openTab(desk, 'support')
  const { body } = await call(desk, operator, 'GET', '/admin/conversations?state=open&search=kamila')
  await call(desk, operator, 'POST', `/admin/conversations/${body.data[0].id}/answers`, {
    text: 'Напишите номер заказа',
  })
  await expect(log(page).getByText('Напишите номер заказа')).toBeVisible()

  await open(page, '/conversation#made-up')
  await page.reload()
  await expect(page.getByRole('heading', { name: ru('talk.over') })).toBeVisible()
})
