import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { giveBalance, labels, open, register } from './customer.ts'
import { ru } from './ru.ts'
import { admin, startStore } from './start-store.ts'

const topUpNow = (page: Page) => page.getByRole('button', { name: ru('topups.topUpNow') })

async function find(page: Page, playerId: string): Promise<void> {
  await page.getByLabel(labels.playerId).fill(playerId)
  await page.getByRole('button', { name: ru('topups.find') }).click()
}

/** How a supplier can be of no use at a player check. */
const troubles: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'hangs up': (response) => response.destroy(),
  'answers HTML': (response) => response.setHeader('content-type', 'text/html').end('<h1>Maintenance</h1>'),
  'answers 10 MB': (response) =>
    response.end(`{"ok":true,"valid":true,"player_name":"${'x'.repeat(10 * 1024 * 1024)}"}`),
  breaks: (response) => response.writeHead(500).end('{}'),
}

test('a supplier that is down at the player check: the store says so, and nothing is sold', async ({ browser }) => {
  let trouble = troubles['hangs up']
  const supplier = createServer((_, response) => trouble?.(response)).listen(0, '127.0.0.1')
  await once(supplier, 'listening')
  const store = await startStore({
    SUPPLIERS: 'fazercards',
    FAZERCARDS_API_KEY: 'key',
    FAZERCARDS_WEBHOOK_SECRET: 'secret',
    FAZERCARDS_BASE_URL: `http://127.0.0.1:${(supplier.address() as AddressInfo).port}`,
  })
  const page = await browser.newPage({ baseURL: store.url })
  try {
    const complaints = watchConsole(page)
    await register(page)
    await giveBalance(page, { balanceRub: 1_000 })
    await open(page, '/products/pubg')
    await page.getByRole('button', { name: '385 UC', exact: true }).click()
    for (const name of Object.keys(troubles)) {
      trouble = troubles[name]
      await find(page, '5123456')
      const told = page.getByRole('alert').filter({ hasText: 'Не удалось проверить игрока' })
      await expect(told.first(), name).toBeVisible()
      await topUpNow(page).click()
      await expect(page.getByText(ru('topups.pubg.chooseAndVerify')).first()).toBeVisible()
      await expect(page).toHaveURL('/products/pubg')
      await expect(page.getByRole('alert')).toHaveCount(0)
    }
    await open(page, '/products/freefire')
    await page.getByRole('radio').first().click()
    await find(page, '5123456')
    await expect(page.getByRole('alert').getByText('Не удалось проверить игрока')).toBeVisible()
    await open(page, '/orders')
    await expect(page.getByText(ru('orders.empty'))).toBeVisible()
    await open(page, '/profile')
    await expect(page.getByText('1 000,00').first()).toBeVisible()
    expect(complaints).toEqual([])
  } finally {
    await page.close()
    await store.stop()
    supplier.closeAllConnections()
    supplier.close()
  }
})

interface OwnOffer {
  name: string
  switchOff(): Promise<void>
}

/** A package of Free Fire that no other journey has to do with, at 90 ₽ and small enough to be on the first page. */
async function anOwnOffer(page: Page): Promise<OwnOffer> {
  const session = await page.request.post('/api/auth/login', { data: admin })
  const headers = { authorization: `Bearer ${(await session.json()).token}` }
  for (let amount = 2; amount < 90; amount++) {
    const name = `${amount} Journey Diamonds`
    const data = { name, item_id: `journey-${amount}`, game_amount: amount, price_usd: 1.1, price_rub: 90 }
    const added = await page.request.post('/api/freefire-admin/denominations', { data, headers })
    // The journeys of the other size have taken it.
    if (added.status() === 409) continue
    expect(added.status(), await added.text()).toBe(201)
    const { id } = (await added.json()).data
    const change = { data: { is_active: false }, headers }
    const switchOff = async () => {
      const changed = await page.request.put(`/api/freefire-admin/denominations/${id}`, change)
      expect(changed.status(), await changed.text()).toBe(200)
    }
    return { name, switchOff }
  }
  throw new Error('no amount is left')
}

async function chooseFor(page: Page, offer: string | RegExp, playerId: string): Promise<void> {
  await open(page, '/products/freefire')
  await page.getByRole('radio', { name: offer }).click()
  await find(page, playerId)
  await expect(page.getByText(`Player_${playerId.slice(-4)}`).first()).toBeVisible()
  await topUpNow(page).click()
  await expect(page).toHaveURL('/checkout')
}

test('an offer that is switched off between its page and the payment is not sold, and nothing is taken', async ({
  page,
}) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  const offer = await anOwnOffer(page)
  await chooseFor(page, new RegExp(`^${offer.name}`), '5123456')
  await offer.switchOff()
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page.getByText(/сейчас не продаётся. Деньги не списаны/).first()).toBeVisible()
  await page.getByRole('button', { name: /^Оплатить .* картой$/ }).click()
  await expect(page.getByText(/сейчас не продаётся. Деньги не списаны/).first()).toBeVisible()
  await expect(page).toHaveURL('/checkout')
  await open(page, '/products/freefire')
  await expect(page.getByRole('radio').first()).toBeVisible()
  await expect(page.getByRole('radio', { name: new RegExp(`^${offer.name}`) })).toHaveCount(0)
  await open(page, '/profile')
  await expect(page.getByText('500,00').first()).toBeVisible()
})

test('a top-up that is paid by card: from the bank to its receipt, delivered', async ({ page }) => {
  const complaints = watchConsole(page)
  await register(page)
  await chooseFor(page, /^100 Diamonds/, '5127777')
  await page.getByRole('button', { name: /^Оплатить .* картой$/ }).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await page.getByRole('button', { name: /^Оплатить 79/ }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_7777 (5127777)' }))).toBeVisible()
  await expect(page.getByText(ru('orders.status.completed'), { exact: true })).toBeVisible()
  const steps = page.getByRole('list', { name: ru('topups.steps.title') }).getByRole('listitem')
  await expect(steps).toContainText([
    ru('topups.steps.name.paid'),
    ru('topups.steps.name.sent'),
    ru('orders.item.delivered'),
  ])
  await expect(page.getByText(ru('payMark.sandbox')).first()).toBeVisible()
  expect(complaints).toEqual([])
})
