import { describe, expect, onTestFinished, test } from 'vitest'
import { aCardOrder, act } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, toCart } from '../../../test/factories.ts'
import { aPlayer, aTopupOffer, aTopupOrder, fillPool, scripted, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import { minuteEndedAt, noteMinute } from './service-report.ts'
import { warnOfLowStock } from './summary.ts'

const shop = useShop({ TIMEZONE: 'Asia/Tashkent' })
const admin = useUser(shop, { role: 'admin' })

const read = (query = '') => shop.call('GET', `/admin/summary${query}`, { token: admin.token })

test('what was sold by day and currency, what runs out, and what waits', async () => {
  const plenty = await anOffer(shop, { stock: 12, priceUsd: 250 })
  const scarce = await anOffer(shop, { stock: 2, priceRub: 9_900 })
  const buyer = await aUser(shop, { usd: 1_000, rub: 20_000 })
  const buy = async (offer: typeof plenty, quantity: number, currency: string) => {
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })
    const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency } })
    return paid.body.order.id as string
  }
  // 23:30 on the 1st and 00:30 on the 2nd in Tashkent.
  const at = (id: string, time: string) =>
    shop.database.run(sql`UPDATE orders SET created_at = ${time} WHERE id = ${id}`)
  await at(await buy(plenty, 2, 'USD'), '2026-02-01T18:30:00Z')
  await at(await buy(scarce, 1, 'RUB'), '2026-02-01T19:30:00Z')
  const unpaid = await buy(plenty, 1, 'USD')
  await shop.database.run(sql`
    UPDATE orders SET status = 'awaiting_payment', expires_at = now(), created_at = '2026-02-01T19:30:00Z' WHERE id = ${unpaid}`)
  await shop.database.run(sql`UPDATE users SET created_at = '2026-02-03T00:00:00Z' WHERE id = ${buyer.id}`)
  await shop.call('POST', '/support', { body: { nickname: 'N', userId: '1', message: 'Help' } })

  const { data } = (await read('?from=2026-02-01&to=2026-02-03')).body
  const nothing = {
    sales_usd: 0,
    sales_rub: 0,
    orders_usd: 0,
    orders_rub: 0,
    refunds_usd: 0,
    refunds_rub: 0,
    deposits_usd: 0,
    deposits_rub: 0,
    deposit_refunds_usd: 0,
    deposit_refunds_rub: 0,
    new_users: 0,
  }
  expect(data.days).toEqual([
    { ...nothing, date: '2026-02-01', sales_usd: 5, orders_usd: 1 },
    { ...nothing, date: '2026-02-02', sales_rub: 99, orders_rub: 1 },
    { ...nothing, date: '2026-02-03', new_users: 1 },
  ])
  expect(data.totals).toEqual({ ...nothing, sales_usd: 5, orders_usd: 1, sales_rub: 99, orders_rub: 1, new_users: 1 })
  expect(data.stock.map((product: { available_count: number }) => product.available_count)).toEqual([9, 1])
  expect(data.low_stock.map((entry: { offer_id: number }) => entry.offer_id)).toEqual([scarce.id, plenty.id])
  expect(data).toMatchObject({
    timezone: 'Asia/Tashkent',
    deliveries_with_operator: 0,
    unpaid_holds: { orders: 1, codes: 0 },
    support_open: 1,
  })
})

test('the days before are as many, and are summed up beside them', async () => {
  const { data } = (await read('?from=2026-02-02&to=2026-02-03')).body
  expect(data.before).toMatchObject({ from: '2026-01-31', to: '2026-02-01', totals: { sales_usd: 5, sales_rub: 0 } })
  expect([data.totals.sales_usd, data.totals.sales_rub, data.days.length]).toEqual([0, 99, 2])
  const { data: alone } = (await read('?from=2026-02-02')).body
  expect(alone.before.to).toBe('2026-02-01')
})

const nothingEarned = { revenue: 0, cost: 0, margin: 0, unknown_revenue: 0, units: 0, known_units: 0 }
const unknownProfit = (revenue: number, units: number) => ({
  ...nothingEarned,
  revenue,
  cost: null,
  margin: null,
  unknown_revenue: revenue,
  units,
})

test('how it went: by what orders were paid, who delivered and how long it took, and how long answers took', async () => {
  const offer = await anOffer(shop, { stock: 5, priceRub: 10_000 })
  const order = await aCardOrder(shop, { offer })
  const buyer = await aUser(shop, { rub: 50_000 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, 2) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'RUB' } })
  const topups = [await aTopupOrder(shop), await aTopupOrder(shop), await aTopupOrder(shop)]
  let sent = 0
  const say = () => done<SupplierOrder>({ supplierOrderId: `went-${++sent}`, status: 'done' })
  await workOff(shopFor(shop, scripted('fazercards', say).supplier))
  const day = '2026-03-10T08:00:00Z'
  const ids = [order.orderId, paid.body.order.id, ...topups.map(({ orderId }) => orderId)]
  await shop.database.run(sql`UPDATE orders SET created_at = ${day} WHERE id = ANY (${ids})`)
  await shop.database.run(sql`
    UPDATE payment SET status = 'canceled', canceled_why = 'declined' WHERE order_id = ${order.orderId}`)
  // Two minutes, four, and a quarter of an hour.
  for (const [at, minutes] of [2, 4, 15].entries())
    await shop.database.run(sql`
      UPDATE delivery SET created_at = ${day}, decided_at = ${day}::timestamptz + make_interval(mins => ${minutes})
      WHERE order_item_id IN (SELECT id FROM order_item WHERE order_id = ${topups[at]?.orderId ?? ''})`)
  for (const minutes of [3, 7, undefined]) {
    const { id } = (await shop.call('POST', '/support', { body: { nickname: 'N', userId: '1', message: 'Help' } })).body
    await shop.database.run(sql`
      UPDATE conversation SET created_at = ${day}, last_customer_at = ${day},
        first_answered_at = ${day}::timestamptz + make_interval(mins => ${minutes ?? null}) WHERE id = ${id}`)
  }
  const { body } = await shop.call('GET', '/admin/service?from=2026-03-10&to=2026-03-10', { token: admin.token })
  expect(body.data).toEqual({
    from: '2026-03-10',
    to: '2026-03-10',
    timezone: 'Asia/Tashkent',
    methods: [
      { method: 'balance', currency: 'USD', orders: 3, amount: 3, failed: 0, profit: unknownProfit(3, 3) },
      { method: 'balance', currency: 'RUB', orders: 1, amount: 200, failed: 0, profit: unknownProfit(200, 2) },
      { method: 'sandbox', currency: 'USD', orders: 0, amount: 0, failed: 1, profit: nothingEarned },
    ],
    failures: [{ method: 'sandbox', provider: 'sandbox', reason: 'declined', payments: 1 }],
    availability: null,
    suppliers: [
      {
        supplier: 'fazercards',
        units: 3,
        minutes: { p50: 4, p95: 15 },
        profit: { usd: unknownProfit(3, 3), rub: nothingEarned },
      },
    ],
    refunds: [],
    disputes: 0,
    dispute_reasons: [],
    answers: { conversations: 3, answered: 2, minutes: { p50: 3, p95: 7 } },
  })
  const none = await shop.call('GET', '/admin/service?from=2026-03-11&to=2026-03-11', { token: admin.token })
  expect(none.body.data).toMatchObject({
    methods: [],
    failures: [],
    suppliers: [],
    answers: { conversations: 0, minutes: null },
  })
})

test('an order of several lines is one order with what each line earned, less what was refunded since', async () => {
  const day = '2026-03-14T08:00:00Z'
  const known = await anOffer(shop, { stock: 3, priceUsd: 300, cost: { cost: '2', currency: 'USD' } })
  const unknown = await anOffer(shop, { stock: 1, priceUsd: 500 })
  const buyer = await aUser(shop, { usd: 1_400 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(known, 3) })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(unknown, 1) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  const { id } = paid.body.order
  const [first] = await shop.database.rows<{ id: number }>(sql`
    SELECT id FROM order_item WHERE order_id = ${id} ORDER BY position LIMIT 1`)
  for (const amount of [1, 0.5]) {
    const refund = { items: [{ id: first?.id, amount }], to: 'wallet', reason: 'a part' }
    const answer = await shop.call('POST', `/admin/orders/${id}/refund`, { token: admin.token, body: refund })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
  }
  const byCard = await aCardOrder(shop, { priceUsd: 700 })
  await act(shop, byCard, 'pay')
  await shop.database.run(sql`UPDATE orders SET created_at = ${day} WHERE id = ANY (${[id, byCard.orderId]})`)
  const { data } = (await shop.call('GET', '/admin/service?from=2026-03-14&to=2026-03-14', { token: admin.token })).body
  expect(data.methods).toEqual([
    {
      method: 'balance',
      currency: 'USD',
      orders: 1,
      amount: 14,
      failed: 0,
      profit: { revenue: 12.5, cost: 6, margin: 1.5, unknown_revenue: 5, units: 4, known_units: 3 },
    },
    { method: 'sandbox', currency: 'USD', orders: 1, amount: 7, failed: 0, profit: unknownProfit(7, 1) },
  ])
})

test('what a code of the pool delivered cost what the code did', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['SERVICEPOOL1', 'SERVICEPOOL2'])
  await shop.database.run(sql`
    WITH bought AS (
      UPDATE code_batch SET cost = 0.7, cost_currency = 'USD' WHERE product_id = ${offer.productId}
      RETURNING id, cost, cost_currency)
    INSERT INTO code_batch_cost (batch_id, cost, cost_currency) SELECT id, cost, cost_currency FROM bought`)
  const order = await aTopupOrder(shop, { offer, players: [aPlayer(), aPlayer()] })
  await workOff(shopFor(shop))
  await shop.database.run(sql`
    UPDATE delivery SET created_at = '2026-03-16T08:00:00Z'
    WHERE order_item_id IN (SELECT id FROM order_item WHERE order_id = ${order.orderId})`)
  const { data } = (await shop.call('GET', '/admin/service?from=2026-03-16&to=2026-03-16', { token: admin.token })).body
  const usd = { revenue: 2, cost: 1.4, margin: 0.6, unknown_revenue: 0, units: 2, known_units: 2 }
  expect(data.suppliers).toMatchObject([{ supplier: 'sandbox', units: 2, profit: { usd, rub: nothingEarned } }])
})

test('the store was there in the minutes that were noted with few answers of 5xx, from the first that ever was', async () => {
  const ofDays = async (days: string) =>
    (await shop.call('GET', `/admin/service?${days}`, { token: admin.token })).body.data.availability
  onTestFinished(async () => void (await shop.database.run(sql`DELETE FROM service_minute`)))
  // In Tashkent the day begins at 19:00 of the day before by UTC: minute by minute from 18:50 to 19:09.
  await shop.database.run(sql`
    INSERT INTO service_minute SELECT '2026-03-09T18:50:00Z'::timestamptz + make_interval(mins => n), 100, 0
    FROM generate_series(0, 19) AS n`)
  const set = (minute: string, answers: number, faults: number) =>
    shop.database.run(sql`
      UPDATE service_minute SET answers = ${answers}, faults = ${faults} WHERE minute = ${`2026-03-09T${minute}:00Z`}`)
  expect(await ofDays('from=2026-03-10&to=2026-03-10')).toEqual({ minutes: 1_440, up: 10 })
  await set('19:00', 100, 5)
  await set('19:01', 100, 6)
  await set('19:02', 3, 2)
  await set('19:03', 3, 3)
  await set('19:04', 0, 0)
  await set('18:59', 100, 100)
  expect(await ofDays('from=2026-03-10&to=2026-03-10')).toEqual({ minutes: 1_440, up: 8 })
  // Before the first one nothing is known, and no minute that is to come is missing.
  expect(await ofDays('from=2026-03-09&to=2026-03-09')).toEqual({ minutes: 10, up: 9 })
  expect(await ofDays('from=2026-03-08&to=2026-03-08')).toBeNull()
  const { minutes } = await ofDays('period=today')
  const { passed } = await shop.database.one<{ passed: number }>(sql`
    SELECT (extract(epoch FROM now() - date_trunc('day', now() AT TIME ZONE 'Asia/Tashkent') AT TIME ZONE 'Asia/Tashkent') / 60)::int
      AS passed`)
  expect(Math.abs(passed - 1 - minutes)).toBeLessThanOrEqual(2)
})

test('what several nodes answered in a minute is one row', async () => {
  onTestFinished(async () => void (await shop.database.run(sql`DELETE FROM service_minute`)))
  const nodes = Array.from({ length: 20 }, () => ({ answers: 10, faults: 1 }))
  await Promise.all(nodes.map((counted) => noteMinute(shop.database, counted)))
  const sums = await shop.database.one<{ answers: number; faults: number; last: boolean }>(sql`
    SELECT sum(answers)::int AS answers, sum(faults)::int AS faults,
      max(minute) BETWEEN now() - interval '3 minutes' AND now() AS last FROM service_minute`)
  expect(sums).toEqual({ answers: 200, faults: 20, last: true })
})

test.each([
  ['10:01:00.000', '10:00'],
  ['10:01:59.998', '10:01'],
  ['10:03:00.004', '10:02'],
])('at %s the minute of %s has ended, however the clocks differ', async (time, minute) => {
  const { ended } = await shop.database.one<{ ended: Date }>(
    sql`SELECT ${minuteEndedAt(sql`${`2026-03-01T${time}Z`}::timestamptz`)} AS ended`,
  )
  expect(ended.toISOString().slice(11, 16)).toBe(minute)
})

test('payments that failed are counted by method and reason, the most frequent first, and no more than twenty', async () => {
  const day = '2026-03-20T08:00:00Z'
  const { orderId } = await aCardOrder(shop, {})
  await shop.database.run(sql`UPDATE orders SET created_at = ${day} WHERE id = ${orderId}`)
  const fail = (method: string, why: string | null, times: number, status = 'canceled') =>
    shop.database.run(sql`
      INSERT INTO payment (order_id, provider, method, amount, currency, status, canceled_why, provider_payment_id)
      SELECT order_id, 'yookassa', ${method}, amount, currency, ${status}, ${why}, gen_random_uuid()::text
      FROM payment, generate_series(1, ${times}) WHERE id = (SELECT min(id) FROM payment WHERE order_id = ${orderId})`)
  await fail('yookassa_card', 'insufficient_funds', 3)
  await fail('yookassa_sbp', 'insufficient_funds', 4)
  await fail('yookassa_card', null, 2)
  await fail('yookassa_card', 'not_paid', 5, 'open')
  const failures = async (days: string) =>
    (await shop.call('GET', `/admin/service?${days}`, { token: admin.token })).body.data.failures
  const provider = 'yookassa'
  expect(await failures('from=2026-03-20&to=2026-03-20')).toEqual([
    { method: 'yookassa_sbp', provider, reason: 'insufficient_funds', payments: 4 },
    { method: 'yookassa_card', provider, reason: 'insufficient_funds', payments: 3 },
    { method: 'yookassa_card', provider, reason: null, payments: 2 },
  ])
  expect(await failures('from=2026-03-21&to=2026-03-21')).toEqual([])
  for (let at = 10; at < 30; at++) await fail('yookassa_card', `reason_${at}`, 1)
  const most = await failures('from=2026-03-20&to=2026-03-20')
  expect(most).toHaveLength(20)
  expect(most[0]).toMatchObject({ method: 'yookassa_sbp', payments: 4 })
  // Money for a balance is no sale.
  await shop.database.run(sql`UPDATE orders SET purpose = 'balance', cart_version = NULL WHERE id = ${orderId}`)
  expect(await failures('from=2026-03-20&to=2026-03-20')).toEqual([])
})

test('without dates it is the last 30 days, today included', async () => {
  const { data } = (await read()).body
  expect(data.days).toHaveLength(30)
  expect(data.days.at(-1)).toMatchObject({ date: data.to })
  expect(data.days.at(-1).new_users).toBeGreaterThan(0)
})

test.each([
  ['?from=2026-02-30', { from: 'invalid_date' }],
  ['?from=2026-02-02&to=2026-02-01', { to: 'invalid_range' }],
  ['?from=2020-01-01&to=2026-02-01', { to: 'range_too_long' }],
])('%s is refused', async (query, details) => {
  const answer = await read(query)
  expect([answer.status, answer.body.error.details]).toEqual([400, details])
})

describe('an alert of what runs out', () => {
  const raised = async (offer: TestOffer) =>
    shop.database.rows<{ details: { codes: number }; is_open: boolean }>(sql`
      SELECT details, resolved_at IS NULL AS is_open FROM alert
      WHERE kind = 'codes.low' AND subject = ${`product:${offer.productId}:offer:${offer.id}`}`)
  const setLow = (offer: TestOffer, lowStock: number | null) =>
    shop.call('PUT', `/admin/offers/${offer.id}`, { token: admin.token, body: { lowStock } })
  const buy = async (offer: TestOffer, quantity: number) => {
    const buyer = await aUser(shop, { usd: 10_000 })
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })
    const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
    expect(paid.status).toBe(201)
  }

  test('rings once for what somebody buys, and is over when there are codes again', async () => {
    const [bought, unloved] = [await anOffer(shop, { stock: 12 }), await anOffer(shop, { stock: 2 })]
    await warnOfLowStock(shop)
    expect([await raised(bought), await raised(unloved)]).toEqual([[], []])
    await buy(bought, 3)
    await warnOfLowStock(shop)
    await buy(bought, 1)
    await warnOfLowStock(shop)
    expect(await raised(bought)).toMatchObject([{ details: { codes: 8 }, is_open: true }])
    expect(await raised(unloved)).toEqual([])
    const lines = [...Array(900)].map((_, n) => `LOW-${n},1,80,100`)
    await shop.call('POST', '/admin/codes/bulk', { token: admin.token, body: { productId: bought.productId, lines } })
    await warnOfLowStock(shop)
    expect(await raised(bought)).toMatchObject([{ is_open: false }])
  })

  test('follows the number of the package, which is edited like its price', async () => {
    const offer = await anOffer(shop, { stock: 30 })
    const set = await setLow(offer, 30)
    expect([set.status, set.body.data.low_stock]).toEqual([200, 30])
    const { data } = (await read()).body
    expect(data.low_stock).toContainEqual(
      expect.objectContaining({ offer_id: offer.id, low_stock: 30, version: set.body.data.version }),
    )
    await warnOfLowStock(shop)
    expect(await raised(offer)).toMatchObject([{ details: { codes: 30 }, is_open: true }])
    await setLow(offer, 0)
    await buy(offer, 29)
    await warnOfLowStock(shop)
    expect(await raised(offer)).toMatchObject([{ is_open: false }])
    await setLow(offer, null)
    await warnOfLowStock(shop)
    expect(await raised(offer)).toMatchObject([{ is_open: false }, { is_open: true }])
    expect((await setLow(offer, 10_001)).status).toBe(400)
    const entries = await shop.database.rows<{ after: object }>(sql`
      SELECT after FROM audit_entry WHERE action = 'offer.update' AND subject = ${`offer:${offer.id}`} ORDER BY id`)
    expect(entries.map(({ after }) => after)).toMatchObject([{ low_stock: 30 }, { low_stock: 0 }, { low_stock: null }])
  })

  test('ends for what is not on sale any more', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    await buy(offer, 1)
    await warnOfLowStock(shop)
    expect(await raised(offer)).toMatchObject([{ is_open: true }])
    await shop.database.run(sql`UPDATE product SET is_active = false WHERE id = ${offer.productId}`)
    await warnOfLowStock(shop)
    expect(await raised(offer)).toMatchObject([{ is_open: false }])
  })
})
