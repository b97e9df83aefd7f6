import { expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, toCart } from '../../../test/factories.ts'
import { aTopupOrder, scripted, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'

const shop = useShop({ TIMEZONE: 'Asia/Tashkent' })
const admin = useUser(shop, { role: 'admin' })

const read = async (path: string) => (await shop.call('GET', `/admin/profit${path}`, { token: admin.token })).body

const startExport = (days: object) =>
  shop.call('POST', '/admin/exports', { token: admin.token, body: { what: 'sales', format: 'csv', days } })

async function buy(offer: TestOffer, quantity: number, currency: 'USD' | 'RUB', at: string): Promise<string> {
  const buyer = await aUser(shop, { usd: 10_000, rub: 1_000_000 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency } })
  await place(paid.body.order.id, at)
  return paid.body.order.id
}

const place = (orderId: string, at: string) =>
  shop.database.run(sql`UPDATE orders SET created_at = ${at} WHERE id = ${orderId}`)

const nothing = { revenue: 0, cost: 0, margin: 0, unknown_revenue: 0, units: 0, known_units: 0 }

test('revenue, cost and margin stand by day and product, each currency by itself, and the unknown by itself', async () => {
  const known = await anOffer(shop, { stock: 6, priceUsd: 250, priceRub: 20_000, cost: { cost: '2', currency: 'USD' } })
  const unknown = await anOffer(shop, { stock: 2, priceUsd: 500 })
  // 23:30 on the 1st and 00:30 on the 2nd in Tashkent.
  await buy(known, 2, 'USD', '2026-02-01T18:30:00Z')
  await buy(known, 1, 'RUB', '2026-02-01T19:30:00Z')
  await buy(unknown, 1, 'USD', '2026-02-01T19:30:00Z')
  const refunded = await buy(known, 1, 'USD', '2026-02-01T19:30:00Z')
  await shop.call('POST', `/admin/orders/${refunded}/refund`, {
    token: admin.token,
    body: { to: 'wallet', reason: 'a test' },
  })
  const unpaid = await buy(known, 1, 'USD', '2026-02-01T19:30:00Z')
  await shop.database.run(sql`UPDATE orders SET status = 'expired' WHERE id = ${unpaid}`)
  const topup = await aTopupOrder(shop)
  const cost = { amount: '0.7', currency: 'USD' }
  const say = () => done<SupplierOrder>({ supplierOrderId: 'profit-1', status: 'done', cost })
  await workOff(shopFor(shop, scripted('fazercards', say).supplier))
  await place(topup.orderId, '2026-02-02T20:00:00Z')

  const { data } = await read('?from=2026-02-01&to=2026-02-03')
  const first = { revenue: 5, cost: 4, margin: 1, unknown_revenue: 0, units: 2, known_units: 2 }
  const rub = { revenue: 200, cost: 160, margin: 40, unknown_revenue: 0, units: 1, known_units: 1 }
  const secret = { revenue: 5, cost: null, margin: null, unknown_revenue: 5, units: 1, known_units: 0 }
  const topped = { revenue: 1, cost: 0.7, margin: 0.3, unknown_revenue: 0, units: 1, known_units: 1 }
  expect(data).toMatchObject({ from: '2026-02-01', to: '2026-02-03', timezone: 'Asia/Tashkent' })
  expect(data.days).toEqual([
    { date: '2026-02-01', usd: first, rub: nothing },
    { date: '2026-02-02', usd: secret, rub },
    { date: '2026-02-03', usd: topped, rub: nothing },
  ])
  expect(data.totals).toEqual({
    usd: { revenue: 11, cost: 4.7, margin: 1.3, unknown_revenue: 5, units: 4, known_units: 3 },
    rub,
  })
  expect(data.products).toHaveLength(3)
  expect(data.products[0]).toMatchObject({ product_id: known.productId, kind: 'code', usd: first, rub })
  expect(data.products).toContainEqual(
    expect.objectContaining({ product_id: unknown.productId, usd: secret, rub: nothing }),
  )
  expect(data.products).toContainEqual(
    expect.objectContaining({ product_id: topup.offer.productId, kind: 'topup', usd: topped }),
  )

  const { body: started } = await startExport({ from: '2026-02-01', to: '2026-02-02' })
  const { text } = await shop.call('GET', started.data.path.replace(/^\/api/, ''))
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[1]).toMatch(/,\w{10},Выполнен,.*,2,Доставлено,USD,5.00,4.00,1.00,0.00,2,2,Баланс,0.00,0.00$/)
  expect(lines.some((line: string) => line.endsWith(',USD,5.00,,,5.00,1,0,Баланс,0.00,0.00'))).toBe(true)
})

test('without dates it is the last 30 days, today included', async () => {
  const { data } = await read('')
  expect(data.days).toHaveLength(30)
  expect(data.days.at(-1).date).toBe(data.to)
})

test.each([
  ['an end before its beginning', { from: '2026-02-02', to: '2026-02-01' }],
  ['more than a year', { from: '2024-01-01', to: '2026-01-01' }],
  ['no date', { from: 'yesterday' }],
])('%s is refused', async (_what, days) => {
  expect((await read(`?${new URLSearchParams(days)}`)).error.code).toBe('VALIDATION_FAILED')
  expect((await startExport(days)).body.error.code).toBe('VALIDATION_FAILED')
})
