import { expect, test } from '@playwright/test'
import { aCustomer, anAdmin, call, openTab } from './operator.ts'
import { type Store, startStore } from './start-store.ts'
import { watchConsole } from './watch-console.ts'

/** The sandbox refuses players whose ids end so; then it is the operator's turn. */
const refused = '126001'

let store: Store
test.beforeAll(async () => {
  store = await startStore({ SUPPLIERS: 'sandbox,manual' })
})
test.afterAll(() => store.stop())

test('what no supplier delivers waits for the operator, who delivers it or gives the money back', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: store.url })).newPage()
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  const { body } = await call(page, undefined, 'GET', '/freefire/offers')
  const [offer, other] = body.offers
  const topUp = async (wanted: typeof offer) => {
    const topupData = {
      service: 'freefire',
      player_id: refused,
      offer_id: wanted.item_id,
      price_usd: wanted.price,
      price_rub: wanted.price_rub,
    }
    const made = await call(page, buyer.token, 'POST', '/orders/topup', { topupData, currency: 'RUB' })
    expect(made.status).toBe(201)
    return made.body.order.id as string
  }
  const statusOf = async (id: string) => (await call(page, buyer.token, 'GET', `/orders/${id}`)).body.status
  const delivered = await topUp(offer)
  const returned = await topUp(other)

  const operator = await anAdmin(page)
  const queue = async () => (await call(page, operator.token, 'GET', '/admin/deliveries?state=operator')).body.total
  await expect.poll(queue, { timeout: 60_000 }).toBe(2)
  await openTab(page, 'deliveries?state=operator', operator)
  const rowOf = (orderId: string) => page.getByRole('row').filter({ hasText: orderId })
  await expect(rowOf(delivered).getByText('Ждёт вас')).toBeVisible()

  await rowOf(delivered).getByRole('button', { name: 'Доставлено' }).click()
  const complete = page.getByRole('dialog', { name: 'Это доставлено?' })
  await expect(complete.getByRole('button', { name: 'Доставлено' })).toBeDisabled()
  await complete.getByLabel('Причина').fill('пополнил с телефона')
  await complete.getByLabel('Подтверждение').fill('чек 17')
  await complete.getByRole('button', { name: 'Доставлено' }).click()
  await expect(page.getByText('Пополнение считается доставленным')).toBeVisible()
  expect(await statusOf(delivered)).toBe('completed')

  await rowOf(returned).getByRole('button', { name: 'Вернуть деньги' }).click()
  const refund = page.getByRole('dialog', { name: 'Вернуть деньги?' })
  await refund.getByLabel('Причина').fill('игрока больше нет')
  await refund.getByRole('button', { name: 'Вернуть деньги' }).click()
  await expect(page.getByText('Деньги на балансе')).toBeVisible()
  expect(await statusOf(returned)).toBe('refunded')
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()

  await page.goto(`/admin/orders?order=${delivered}`)
  await expect(page.getByText('Доставлено администратором')).toBeVisible()
  await expect(page.getByText(refused).first()).toBeVisible()
  await page.goto('/admin/suppliers')
  await expect(page.getByRole('region', { name: 'sandbox' }).getByText('Работает')).toBeVisible()
  expect(complaints).toEqual([])
  await page.context().close()
})
