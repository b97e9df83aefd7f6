import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, type Response, test } from '@playwright/test'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { anAdmin, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

/** What the bank says of a dollar; nothing: it is out of order. */
let dollar: string | undefined = '80,0000'
const today = new Date().toLocaleDateString('ru-RU')
const valute = (code: string, roubles: number, units: number) =>
  `<Valute><CharCode>${code}</CharCode><Nominal>${units}</Nominal><Value>${roubles.toFixed(4)}</Value></Valute>`
/** Every currency the shop keeps a rate of; but for the rouble they stay at what a dollar is from the start. */
const toList = (usd: string) => {
  const dollar = Number(usd.replace(',', '.'))
  const others = [
    valute('EUR', dollar / 0.87, 1),
    valute('KZT', (dollar * 100) / 520, 100),
    valute('UZS', (dollar * 10_000) / 12_000, 10_000),
  ]
  return `<ValCurs Date="${today}">${valute('USD', dollar, 1)}${others.join('')}</ValCurs>`
}

let bank: Server
let store: Store
test.beforeAll(async () => {
  bank = createServer((_request, response) => {
    response.writeHead(dollar === undefined ? 500 : 200)
    response.end(dollar === undefined ? 'out of order' : toList(dollar))
  }).listen(0, '127.0.0.1')
  await once(bank, 'listening')
  const url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`
  // Without suppliers nothing has a cost, which the rates of this journey would raise above prices.
  store = await startStore({ RATES_SOURCE: 'cbr', CBR_BASE_URL: url, SUPPLIERS: 'none' })
})
test.afterAll(async () => {
  await store.stop()
  bank.close()
})

const rate = (page: Page) => page.getByRole('region', { name: 'USD → RUB' })
const refresh = async (page: Page, usd: string | undefined) => {
  dollar = usd
  // The rates of the moment are listed again afterwards; what is changed before that is somebody else's change.
  let isRefreshed = false
  const isListed = (response: Response) => {
    const path = new URL(response.url()).pathname
    isRefreshed ||= path.endsWith('/currency-rates/refresh')
    return isRefreshed && path.endsWith('/admin/currency-rates')
  }
  await Promise.all([
    page.waitForResponse(isListed),
    page.getByRole('button', { name: ru('admin.rates.refresh') }).click(),
  ])
}

test('a rate that jumped is held and rings; the operator lets it in or keeps the old one', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await (await browser.newContext({ baseURL: store.url, isMobile, viewport })).newPage()
  const complaints = watchConsole(page)
  const operator = await anAdmin(page)
  const inForce = async () => {
    const { body } = await call(page, operator.token, 'GET', '/admin/currency-rates')
    const row = body.data.find((one: { to_currency: string }) => one.to_currency === 'RUB')
    return [row.rate, row.held_rate]
  }
  const ringing = async () => {
    const { body } = await call(page, operator.token, 'GET', '/admin/alerts?state=open')
    return body.data.map(({ kind }: { kind: string }) => kind)
  }
  await openTab(page, 'currencyRates', operator)
  await refresh(page, '80,5000')
  await expect(rate(page).getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'RUB' }))).toHaveValue('80.5')

  await refresh(page, '99,0000')
  const pending = rate(page).getByRole('alert')
  await expect(pending).toContainText(ru('admin.rates.held', { rate: '99', jump: '23.0' }))
  expect(await inForce()).toEqual([80.5, 99])
  expect(await ringing()).toEqual(['rate.held'])
  await pending.getByRole('button', { name: ru('admin.rates.reject') }).click()
  await expect(pending).toHaveCount(0)
  expect(await inForce()).toEqual([80.5, null])
  expect(await ringing()).toEqual([])

  await refresh(page, '98,0000')
  await expect(pending).toContainText('98')
  await pending.getByRole('button', { name: ru('admin.rates.approve') }).click()
  await expect(rate(page).getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'RUB' }))).toHaveValue('98')
  await expect(pending).toHaveCount(0)
  expect(await inForce()).toEqual([98, null])

  await rate(page)
    .getByRole('button', { name: ru('admin.rates.history') })
    .click()
  // Every rate that was in force, the last one too, drawn as a line.
  await expect(rate(page).locator('.recharts-line-curve')).toHaveAttribute('d', /^M[\d.]+,[\d.]+/)

  await refresh(page, '50,0000')
  await expect(pending).toContainText('50')
  await refresh(page, undefined)
  await expect(page.getByText(ru('admin.rates.lastError'))).toBeVisible()
  await page.goto('/admin/products')
  const bell = (text: string) => page.getByRole('banner').getByRole('link', { name: text })
  await bell(ru('admin.alerts.unseen', { count: 2 })).click()
  await expect(page).toHaveURL('/admin/alerts')
  const alert = (text: string) => page.getByRole('row').filter({ hasText: text })
  await alert(ru('admin.alerts.kind.rates.failed'))
    .getByRole('button', { name: ru('admin.alerts.acknowledge') })
    .click()
  await expect(alert(ru('admin.alerts.kind.rates.failed'))).toContainText(operator.nickname)
  await alert('Курс изменился слишком сильно')
    .filter({ hasText: ru('admin.alerts.states.open') })
    .getByRole('button', { name: ru('admin.alerts.resolve') })
    .click()
  await expect.poll(ringing).toEqual([])
  await alert(ru('admin.alerts.kind.rates.failed'))
    .getByRole('link', { name: ru('admin.tabs.currencyRates') })
    .click()
  await expect(page).toHaveURL('/admin/currencyRates')
  await expect(page.getByRole('link', { name: /новы[ех] проблем/ })).toHaveCount(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('how rates are kept is refused at its field, saved, and a rate that is left to the operator stays', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await (await browser.newContext({ baseURL: store.url, isMobile, viewport })).newPage()
  const { token } = await openTab(page, 'currencyRates')
  const settings = page.getByRole('form', { name: ru('admin.rates.settings') })
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await settings.getByLabel(label).fill(value)
  }
  await fill({
    [ru('admin.rates.timezone')]: 'Asia/Nowhere',
    Время: '07:45',
    [ru('admin.rates.maxJump')]: '12.5',
    Надбавка: '1.5',
  })
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(settings.getByText(ru('field.invalid_timezone'))).toBeVisible()
  await fill({ [ru('admin.rates.timezone')]: 'Asia/Samarkand' })
  await settings.getByRole('switch', { name: ru('admin.rates.daily') }).press('Space')
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.form.saved'))).toBeVisible()
  const { body } = await call(page, token, 'GET', '/currency-settings/settings')
  expect(body.data).toMatchObject({
    auto_update: false,
    update_time: '07:45',
    timezone: 'Asia/Samarkand',
    max_jump_percent: 12.5,
    markup_percent: 1.5,
  })

  await refresh(page, '80,0000')
  await expect(page.getByText(ru('admin.rates.refreshed'))).toBeVisible()
  const field = rate(page).getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'RUB' }))
  const own = Number(await field.inputValue()) + 1
  const saved = async (change: () => Promise<void>) => {
    const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
    await change()
    expect((await answer).ok()).toBe(true)
  }
  await field.fill(String(own))
  const save = rate(page).getByRole('button', { name: ru('admin.form.save') })
  await saved(() => save.click())
  await expect(save).toBeDisabled()
  // Busy until the saved rate is listed: what is changed before that is somebody else's change.
  await expect(save).not.toHaveAttribute('data-loading')
  const follows = rate(page).getByRole('switch', { name: ru('admin.rates.auto') })
  await saved(() => follows.press('Space'))
  await page.reload()
  await expect(follows).not.toBeChecked()
  await refresh(page, '81,0000')
  await expect(page.getByText(ru('admin.rates.refreshed'))).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue(String(own))
  await page.context().close()
})

test('a rate typed wrong is asked about with both, and nothing is set by who says no', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await (await browser.newContext({ baseURL: store.url, isMobile, viewport })).newPage()
  const complaints = watchConsole(page)
  const { token } = await openTab(page, 'currencyRates')
  const kept = page.getByRole('region', { name: 'USD → KZT' })
  const field = kept.getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'KZT' }))
  const inForce = async () => {
    const { body } = await call(page, token, 'GET', '/admin/currency-rates')
    return body.data.find((one: { to_currency: string }) => one.to_currency === 'KZT').rate
  }
  const before = await inForce()
  const typo = String(Math.round(before) * 10)
  await field.fill(typo)
  await kept.getByRole('button', { name: ru('admin.form.save') }).click()
  const question = page.getByRole('dialog', { name: ru('admin.ask.rateTitle') })
  await expect(question).toContainText(`${before} → ${typo}`)
  await question
    .getByRole('button', { name: ru('admin.form.cancel') })
    .last()
    .click()
  await expect(question).toHaveCount(0)
  await expect(field).toHaveValue(typo)
  expect(await inForce()).toBe(before)
  await kept.getByRole('button', { name: ru('admin.form.save') }).click()
  await question.getByRole('button', { name: ru('admin.ask.setRate') }).click()
  await expect(page.getByText(ru('admin.form.saved'))).toBeVisible()
  expect(await inForce()).toBe(Number(typo))
  await field.fill(String(before))
  await kept.getByRole('button', { name: ru('admin.form.save') }).click()
  await question.getByRole('button', { name: ru('admin.ask.setRate') }).click()
  await expect.poll(inForce).toBe(before)
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  await page.context().close()
})
