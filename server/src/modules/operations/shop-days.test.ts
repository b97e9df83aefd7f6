import { beforeEach, describe, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import { useTwoNodes, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { reconcileYesterday } from '../payments/reconcile.ts'
import { dateIn } from './summary.ts'

const { here, there, ground } = useTwoNodes({ TIMEZONE: 'Asia/Tashkent', PAYMENT_PROVIDERS: 'sandbox' })
const admin = useUser(here, { role: 'admin' })

const choose = (time_zone: string | null, node: TestShop = here) =>
  node.call('PUT', '/admin/shop', { token: admin.token, body: { time_zone } })
const chooseForRates = (timezone: string, node: TestShop = here) =>
  node.call('POST', '/currency-settings/settings', { token: admin.token, body: { timezone } })
const ask = async (path: string) => {
  const answer = await there.call('GET', path, { token: admin.token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

beforeEach(async () => {
  expect((await choose(null)).status).toBe(200)
})

describe('the time zone that is chosen on one node', () => {
  test('decides on the other which orders are of a day', async () => {
    const offer = await anOffer(here, { stock: 1 })
    const buyer = await aUser(here, { usd: 1_000 })
    await here.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    const paid = await here.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
    const { id } = paid.body.order
    // The 10th in Tashkent, the 9th in London.
    await here.database.run(sql`UPDATE orders SET created_at = '2026-05-09T19:00:00Z' WHERE id = ${id}`)
    const daysWithIt = async (): Promise<string[][]> => {
      const ordersOn = async (day: string) =>
        (await ask(`/admin/orders?from=${day}&to=${day}`)).data.map((order: { id: string }) => order.id)
      const days = ['2026-05-09', '2026-05-10']
      const listed = await Promise.all(days.map(ordersOn))
      const { data: summary } = await ask('/admin/summary?from=2026-05-09&to=2026-05-10')
      const { data: profit } = await ask('/admin/profit?from=2026-05-09&to=2026-05-10')
      return [
        days.filter((_, at) => listed[at].includes(id)),
        days.filter((_, at) => summary.days[at].orders_usd === 1),
        days.filter((_, at) => profit.days[at].usd.units === 1),
      ]
    }
    expect(await daysWithIt()).toEqual([['2026-05-10'], ['2026-05-10'], ['2026-05-10']])
    await choose('Europe/London')
    expect(await daysWithIt()).toEqual([['2026-05-09'], ['2026-05-09'], ['2026-05-09']])
  })

  test('and where one has 23 hours or 25, which order is of which', async () => {
    await choose('Europe/Berlin')
    const offer = await anOffer(here, { stock: 6 })
    const buyer = await aUser(here, { usd: 100_000 })
    // A minute before each midnight, and a minute after it: the days begin at 23:00, 22:00, 22:00 and 23:00 of UTC.
    const moments = ['03-27T23:01', '03-28T22:59', '03-28T23:01', '03-29T21:59', '03-29T22:01', '10-25T22:59']
    for (const moment of moments) {
      await here.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
      const paid = await here.call('POST', '/payment/from-balance', {
        token: buyer.token,
        body: { currency: 'USD', confirmRepeat: true },
      })
      expect(paid.status, paid.text).toBe(201)
      await here.database.run(sql`
        UPDATE orders SET created_at = ${`2026-${moment}:00Z`} WHERE id = ${paid.body.order.id}`)
    }
    const units = async (from: string, to: string) =>
      (await ask(`/admin/profit?from=2026-${from}&to=2026-${to}`)).data.days.map(
        (day: { usd: { units: number } }) => day.usd.units,
      )
    expect(await units('03-28', '03-30')).toEqual([2, 2, 1])
    expect(await units('10-25', '10-26')).toEqual([1, 0])
  })

  // Their dates are never the same.
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('decides what is today: %s', async (zone) => {
    await choose(zone)
    const today = dateIn(zone, new Date())
    const [yesterday, weekAgo] = [1, 6].map((days) =>
      new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10),
    )
    for (const report of ['summary', 'profit']) {
      const read = async (query = '') => (await ask(`/admin/${report}${query}`)).data
      expect(await read()).toMatchObject({ to: today, timezone: zone })
      expect(await read('?period=today')).toMatchObject({ from: today, to: today, days: [{ date: today }] })
      expect(await read('?period=yesterday')).toMatchObject({ from: yesterday, to: yesterday })
      expect(await read('?period=7')).toMatchObject({ from: weekAgo, to: today })
    }
    const { data: reconciled } = await ask('/admin/reconciliation')
    expect([reconciled.timezone, reconciled.days[0].day]).toEqual([zone, today])
    expect(await reconcileYesterday(there)).toMatchObject([{ day: yesterday }])
  })

  test('is that of times in files, and of the date in their names', async () => {
    await choose('Pacific/Pago_Pago')
    const body = { what: 'customers', format: 'csv' }
    const headers = { 'accept-language': 'en' }
    const started = await here.call('POST', '/admin/exports', { token: admin.token, body, headers })
    const file = await there.call('GET', started.body.data.path.replace('/api', ''))
    expect(file.text).toContain('Created (Pacific/Pago_Pago)')
    const today = dateIn('Pacific/Pago_Pago', new Date())
    expect(file.text).toContain(`${admin.nickname},${today} `)
    expect(file.headers['content-disposition']).toContain(`customers-${today}.csv`)
  })

  test('ends the last day of codes that are bought from then on', async () => {
    const offer = await anOffer(here, { stock: 1 })
    const batch = sql`SELECT id, sold_until FROM code_batch WHERE product_id = ${offer.productId}`
    const { id } = await here.database.one<{ id: number; sold_until: Date | null }>(batch)
    await choose('America/New_York')
    const body = { expires_on: '2031-01-09' }
    expect((await there.call('PUT', `/admin/code-batches/${id}`, { token: admin.token, body })).status).toBe(200)
    const { sold_until } = await here.database.one<{ id: number; sold_until: Date | null }>(batch)
    expect(sold_until?.toISOString()).toBe('2031-01-10T05:00:00.000Z')
  })

  test('is the one in which the rates of the day are read, unless they have their own', async () => {
    const zone = async () => (await ask('/currency-settings/settings')).data.timezone
    await choose('Asia/Almaty')
    expect(await zone()).toBe('Asia/Almaty')
    await chooseForRates('Europe/Berlin')
    await choose('Asia/Tokyo')
    expect(await zone()).toBe('Europe/Berlin')
    // The form sends the zone with every other field: that of the shop is not one of their own.
    await chooseForRates('Asia/Tokyo')
    await choose(null)
    expect(await zone()).toBe('Asia/Tashkent')
  })

  test('is told, and the earlier one comes back with its version', async () => {
    const told = async () => {
      const [{ data: shop }, { data: settings }] = [await ask('/shop'), await ask('/admin/shop')]
      return [shop.time_zone, settings.time_zone, settings.server_time_zone]
    }
    const { version } = (await ask('/admin/shop')).data
    await choose('UTC')
    expect(await told()).toEqual(['UTC', 'UTC', 'Asia/Tashkent'])
    // What else is changed leaves it.
    await here.call('PUT', '/admin/shop', { token: admin.token, body: { phone: null } })
    expect((await ask('/admin/summary')).data.timezone).toBe('UTC')
    const back = { token: admin.token, body: { restored: version } }
    expect((await here.call('POST', '/admin/shop-versions/shop/restore', back)).status).toBe(200)
    expect(await told()).toEqual(['Asia/Tashkent', null, 'Asia/Tashkent'])
    expect((await ask('/admin/summary')).data.timezone).toBe('Asia/Tashkent')
  })
})

describe('a time zone is refused at its field', () => {
  const refused = { code: 'VALIDATION_FAILED', details: { time_zone: 'invalid_timezone' } }

  // PostgreSQL reads the sign of an offset the other way round.
  test.each(['Mars/Base', '', '+05:00', '-11', 'UTC+5', "UTC'"])('%j is none', async (zone) => {
    const { status, body } = await choose(zone)
    expect([status, body.error]).toMatchObject([400, refused])
    expect((await ask('/admin/shop')).data.time_zone).toBeNull()
    const rates = await chooseForRates(zone)
    expect([rates.status, rates.body.error.details]).toEqual([400, { timezone: 'invalid_timezone' }])
  })

  test('an offset that was kept for the rates before does not keep them from being read', async () => {
    await here.database.run(sql`UPDATE currency_settings SET timezone = '+05:00'`)
    expect((await ask('/currency-settings/settings')).data.timezone).toBe('+05:00')
    await here.database.run(sql`UPDATE currency_settings SET timezone = NULL`)
  })

  test.each(['UTC', 'Etc/GMT+5', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'America/Argentina/Ushuaia'])(
    '%s is one',
    async (zone) => {
      expect((await choose(zone)).status).toBe(200)
      expect((await ask('/admin/summary?period=today')).data.timezone).toBe(zone)
    },
  )

  test('that PostgreSQL does not know, as every report would fail in it', async () => {
    await here.database.run(sql`CREATE VIEW public.pg_timezone_names AS
      SELECT * FROM pg_catalog.pg_timezone_names WHERE name <> 'Asia/Samarkand'`)
    const url = new URL(ground.url)
    url.searchParams.set('options', '-c search_path=public,pg_catalog')
    const node = await openShop({}, { ...ground, url: url.href })
    try {
      const { status, body } = await choose('Asia/Samarkand', node)
      expect([status, body.error]).toMatchObject([400, refused])
      const rates = await chooseForRates('Asia/Samarkand', node)
      expect([rates.status, rates.body.error.details]).toEqual([400, { timezone: 'invalid_timezone' }])
      expect((await choose('Asia/Almaty', node)).status).toBe(200)
    } finally {
      await node.close()
      await here.database.run(sql`DROP VIEW public.pg_timezone_names`)
    }
  })
})

test.each([
  ['?period=tomorrow', { period: 'invalid' }],
  ['?period=today&from=2026-02-01', { period: 'invalid' }],
])('%s is refused', async (query, details) => {
  const answer = await there.call('GET', `/admin/summary${query}`, { token: admin.token })
  expect([answer.status, answer.body.error.details]).toEqual([400, details])
})
