import { beforeAll, expect, test } from 'vitest'
import { aCardOrder, fillCart, tell, useCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { aTopupOrder, scripted, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import { manual } from '../topups/suppliers.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })

const read = async (path: string) => {
  const { status, body } = await shop.call('GET', `/admin${path}`, { token: admin.token })
  expect([path, status]).toEqual([path, 200])
  return body
}
const total = async (path: string): Promise<number> => (await read(path)).total
const sum = async (path: string, currency: string): Promise<number> =>
  (await read(path)).data
    .filter((order: { currency: string }) => order.currency === currency)
    .reduce((all: number, order: { total_amount: number }) => all + order.total_amount, 0)

let days = ''
let product = 0

/** What every figure has something of, and what none of them may count. */
beforeAll(async () => {
  const offer = await anOffer(shop, { stock: 30, priceUsd: 250, priceRub: 9_000, cost: { cost: '2', currency: 'USD' } })
  product = offer.productId
  const buyer = await aUser(shop, { usd: 100_000, rub: 1_000_000 })
  const buy = async (currency: 'USD' | 'RUB', quantity = 1): Promise<string> => {
    await fillCart(shop, buyer, offer, quantity)
    const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency } })
    return paid.body.order.id
  }
  const [first, second] = [await buy('USD', 2), await buy('RUB')]
  await buy('USD')
  const refund = (id: string, reason: string) =>
    shop.call('POST', `/admin/orders/${id}/refund`, { token: admin.token, body: { to: 'wallet', reason } })
  await refund(first, 'bought by mistake')
  await refund(second, 'the code did not work')
  const byCard = await aCardOrder(shop, { offer })
  expect((await tell(shop, byCard)).statusCode).toBe(200)
  await aCardOrder(shop, { offer })
  const failed = await aCardOrder(shop, { offer })
  await shop.database.run(sql`
    UPDATE payment SET status = 'canceled', canceled_why = 'declined' WHERE order_id = ${failed.orderId}`)
  const silent = await aCardOrder(shop, { offer })
  await shop.database.run(sql`UPDATE payment SET status = 'canceled' WHERE order_id = ${silent.orderId}`)
  const dispute = { reason: 'fraudulent', reference: 'dp_1', status: 'open' }
  const opened = await shop.call('POST', `/admin/orders/${byCard.orderId}/dispute`, {
    token: admin.token,
    body: dispute,
  })
  expect(opened.status).toBe(201)
  const cost = { amount: '0.7', currency: 'USD' }
  let sent = 0
  for (const known of [true, false]) {
    await aTopupOrder(shop)
    const say = () => done<SupplierOrder>({ supplierOrderId: `list-${++sent}`, status: 'done', ...(known && { cost }) })
    await workOff(shopFor(shop, scripted('fazercards', say).supplier))
  }
  const { orderId } = await aTopupOrder(shop)
  await workOff(shopFor(shop, manual.create()))
  const [{ id }] = (await read(`/deliveries?search=${orderId}`)).data
  const body = { reason: 'a test', reference: 'R-17' }
  await shop.call('POST', `/admin/deliveries/${id}/complete`, { token: admin.token, body })
  await aTopupOrder(shop)
  await shop.call('POST', '/support', { body: { nickname: 'N', userId: '1', message: 'Help' } })
  const { data } = await read('/summary?period=7')
  days = `from=${data.from}&to=${data.to}`
}, 240_000)

/** As the links of the overview have it. */
const sold = 'purpose=goods&paid=true'

test('sales, orders, refunds, new users and what is unpaid are those of the lists they lead to', async () => {
  const { data } = await read(`/summary?${days}`)
  const { totals } = data
  expect(totals.orders_usd).toBeGreaterThan(2)
  expect(await total(`/orders?${days}&${sold}`)).toBe(totals.orders_usd + totals.orders_rub)
  for (const currency of ['USD', 'RUB'] as const) {
    const name = currency === 'USD' ? 'usd' : 'rub'
    const path = `/orders?${days}&${sold}&currency=${currency}&pageSize=100`
    expect([currency, await total(path)]).toEqual([currency, totals[`orders_${name}`]])
    expect(await sum(path, currency)).toBeCloseTo(totals[`sales_${name}`], 2)
    const [from, to] = [data.from, data.to]
    expect(await total(`/orders?refunded_from=${from}&refunded_to=${to}&purpose=goods&currency=${currency}`)).toBe(1)
  }
  expect(await total('/orders?refunded_to=2020-01-01')).toBe(0)
  expect(await total(`/users?${days}`)).toBe(totals.new_users)
  expect(await total('/users?to=2020-01-01')).toBe(0)
  expect(await total('/orders?status=awaiting_payment')).toBe(data.unpaid_holds.orders)
  expect(await total(`/orders?${days}&paid=false`)).toBe(data.unpaid_holds.orders)
})

test('what each product earned is of the orders it leads to, and what is in stock of the codes', async () => {
  const { data } = await read(`/profit?${days}`)
  const row = data.products.find((one: { product_id: number }) => one.product_id === product)
  const margins = (await read(`/orders?${days}&${sold}&currency=USD&productId=${product}`)).data.map(
    ({ profit }: { profit: { margin: number } }) => profit.margin,
  )
  expect(margins.reduce((all: number, one: number) => all + one, 0)).toBeCloseTo(row.usd.margin, 2)
  const { data: summary } = await read(`/summary?${days}`)
  const stock = summary.stock.find((one: { product_id: number }) => one.product_id === product)
  expect(stock.available_count).toBeGreaterThan(0)
  expect(await total(`/codes?productId=${product}&status=available`)).toBe(stock.available_count)
  for (const { offer_id, available_count } of summary.low_stock)
    expect(await total(`/codes?productId=${product}&offerId=${offer_id}&status=available`)).toBe(
      stock.packages.some((one: { offer_id: number }) => one.offer_id === offer_id) ? available_count : 0,
    )
})

test('each row of how it went is counted of the list it leads to', async () => {
  const { data } = await read(`/service?${days}`)
  expect(data.methods.map(({ method }: { method: string }) => method)).toEqual(
    expect.arrayContaining(['balance', 'sandbox']),
  )
  for (const { method, currency, orders } of data.methods)
    expect([method, await total(`/orders?${days}&${sold}&currency=${currency}&paid_by=${method}`)]).toEqual([
      method,
      orders,
    ])
  const failed = data.methods.find(({ method }: { method: string }) => method === 'sandbox').failed
  const canceled = `/payments?${days}&purpose=goods&status=canceled`
  expect([failed, await total(`${canceled}&method=sandbox`)]).toEqual([2, 2])
  expect(data.failures).toHaveLength(2)
  for (const { method, provider, reason, payments } of data.failures)
    expect(await total(`${canceled}&method=${method}&provider=${provider}&canceled_why=${reason ?? 'none'}`)).toBe(
      payments,
    )
  expect(await total('/payments?to=2020-01-01')).toBe(0)
  for (const { supplier, units } of data.suppliers)
    expect(await total(`/deliveries?${days}&state=done&delivered_by=${supplier ?? 'by_hand'}`)).toBe(units)
  expect(await total('/deliveries?to=2020-01-01')).toBe(0)
  expect(data.answers.conversations).toBe(1)
  expect(await total(`/conversations?${days}`)).toBe(1)
  expect(await total('/conversations?to=2020-01-01')).toBe(0)

  const [from, to] = [data.from, data.to]
  expect(data.refunds).toEqual([
    { reason: 'bought by mistake', currency: 'USD', orders: 1, amount: 5 },
    { reason: 'the code did not work', currency: 'RUB', orders: 1, amount: 90 },
  ])
  for (const { reason, currency, orders } of data.refunds) {
    const query = new URLSearchParams({ refunded_from: from, refunded_to: to, refund_reason: reason, currency })
    expect(await total(`/orders?${query}`)).toBe(orders)
  }
  expect([data.disputes, data.dispute_reasons]).toEqual([1, [{ reason: 'fraudulent', payments: 1 }]])
  const disputed = `/payments?disputed_from=${from}&disputed_to=${to}`
  expect([await total(disputed), await total(`${disputed}&dispute_reason=fraudulent`)]).toEqual([1, 1])
  expect(await total(`${disputed}&dispute_reason=other`)).toBe(0)
})

test('margins stand by method and by supplier, and what nobody knows the cost of is said to be unknown', async () => {
  const { data } = await read(`/service?${days}`)
  const method = (name: string, currency: string) =>
    data.methods.find((row: { method: string; currency: string }) => row.method === name && row.currency === currency)
  // Sold for 2.50 with a cost of 2.
  expect(method('sandbox', 'USD').profit).toMatchObject({
    revenue: 2.5,
    cost: 2,
    margin: 0.5,
    units: 1,
    known_units: 1,
  })
  const { usd } = (await read(`/profit?${days}`)).data.totals
  const margins = data.methods
    .filter(({ currency }: { currency: string }) => currency === 'USD')
    .reduce((all: number, { profit }: { profit: { margin: number | null } }) => all + (profit.margin ?? 0), 0)
  expect(margins).toBeCloseTo(usd.margin, 2)
  expect(data.suppliers).toMatchObject([
    {
      supplier: 'fazercards',
      units: 2,
      profit: { usd: { revenue: 2, cost: 0.7, margin: 0.3, unknown_revenue: 1, units: 2, known_units: 1 } },
    },
    { supplier: null, units: 1, profit: { usd: { unknown_revenue: 1, units: 1 } } },
  ])
})
