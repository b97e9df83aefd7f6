import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatDecimal } from '@olmos/contract/decimal'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { rateKeeping } from './rate-sources.ts'
import { rateToBuyBy, updateDueRates, updateRates } from './rates.ts'

/** Formats the day so many days ago as a bank does. */
const day = (daysAgo = 0) => {
  const [year, month, date] = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${date}.${month}.${year}`
}

const cbrList = (
  usd: string,
  date = day(),
) => `<?xml version="1.0" encoding="windows-1251"?><ValCurs Date="${date}" name="Foreign Currency Market">
<Valute ID="R01235"><NumCode>840</NumCode><CharCode>USD</CharCode><Nominal>1</Nominal><Name>Доллар США</Name><Value>${usd}</Value><VunitRate>${usd}</VunitRate></Valute>
<Valute ID="R01239"><NumCode>978</NumCode><CharCode>EUR</CharCode><Nominal>1</Nominal><Name>Евро</Name><Value>92,5000</Value><VunitRate>92,5</VunitRate></Valute>
<Valute ID="R01335"><NumCode>398</NumCode><CharCode>KZT</CharCode><Nominal>100</Nominal><Name>Тенге</Name><Value>15,2000</Value></Valute>
<Valute ID="R01717"><NumCode>860</NumCode><CharCode>UZS</CharCode><Nominal>10000</Nominal><Name>Сумов</Name><Value>67,9347</Value><VunitRate>0,00679347</VunitRate></Valute></ValCurs>`

const cbuList = (date = day()) => [
  { id: 68, Code: '840', Ccy: 'USD', Nominal: '1', Rate: '11808.76', Date: date },
  { id: 21, Code: '978', Ccy: 'EUR', Nominal: '1', Rate: '13576.53', Date: date },
  { id: 57, Code: '643', Ccy: 'RUB', Nominal: '1', Rate: '147.61', Date: date },
]

/** Encodes windows-1251, as the Bank of Russia sends it: the letters are 0x350 below their Unicode places. */
const windows1251 = (text: string) =>
  Buffer.from(Array.from(text, (letter) => (letter > '\u007f' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0))))

let bank: Server
let answer: { status: number; body: Buffer | string }
/** Where the bank redirects a path, instead of answering. */
let redirects: Record<string, string>
let asked: { path: string; agent: string | undefined }[]
let shop: TestShop
let keeping: ReturnType<typeof rateKeeping>

beforeAll(async () => {
  bank = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, agent: request.headers['user-agent'] })
    const location = redirects[path]
    if (location !== undefined) return void response.writeHead(302, { location }).end()
    response.writeHead(answer.status)
    response.end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(bank, 'listening')
  const url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`
  shop = await startShop({ RATES_SOURCE: 'cbr', CBR_BASE_URL: url, CBU_BASE_URL: url })
  keeping = rateKeeping(shop.config)
})
afterAll(async () => {
  await shop.close()
  bank.close()
})
beforeEach(async () => {
  redirects = {}
  asked = []
  answer = { status: 200, body: windows1251(cbrList('80,5000')) }
  await shop.database.run(sql`UPDATE currency_settings SET source = NULL, timezone = NULL, last_run_at = NULL,
    last_success_at = NULL, failures = 0, update_time = '09:00', markup_percent = 0, max_jump_percent = 10, auto_update = true`)
  await shop.database.run(sql`UPDATE currency_rate SET auto_update = true, held_rate = NULL, held_at = NULL,
    rate = CASE to_currency WHEN 'RUB' THEN 80 WHEN 'KZT' THEN 520 WHEN 'EUR' THEN 0.9 ELSE 12000 END,
    source = 'cbr', updated_at = now()`)
})

const rates = async () => {
  const rows = await shop.database.rows<{ to_currency: string; rate: string; held_rate: string | null }>(
    sql`SELECT to_currency, rate, held_rate FROM currency_rate ORDER BY id`,
  )
  return Object.fromEntries(
    rows.map((row) => [row.to_currency, [Number(row.rate), row.held_rate && Number(row.held_rate)]]),
  )
}

describe('updating', () => {
  test('reads the Bank of Russia: nominal, decimal comma, windows-1251', async () => {
    expect(await updateRates(shop.database, keeping)).toMatchObject({ updated: 4, pending: [] })
    expect(await rates()).toEqual({
      RUB: [80.5, null],
      KZT: [529.60526316, null],
      UZS: [11849.61440913, null],
      EUR: [0.87027027, null],
    })
  })

  test('reads the Central Bank of Uzbekistan; a currency it does not know keeps its rate', async () => {
    await shop.database.run(sql`UPDATE currency_settings SET source = 'cbu'`)
    answer = { status: 200, body: JSON.stringify(cbuList()) }
    expect(await updateRates(shop.database, keeping)).toMatchObject({ updated: 3 })
    expect(await rates()).toEqual({
      RUB: [79.99972902, null],
      KZT: [520, null],
      UZS: [11808.76, null],
      EUR: [0.86979221, null],
    })
  })

  test('a jump is pending approval with an alert, and the last good rate stays in force', async () => {
    answer = { status: 200, body: windows1251(cbrList('95,0000')) }
    const { pending } = await updateRates(shop.database, keeping)
    expect(pending.map((rate) => rate.to_currency)).toContain('RUB')
    expect((await rates()).RUB).toEqual([80, 95])
    const alerts = await shop.database.rows(sql`SELECT FROM alert WHERE kind = 'rate.held' AND subject = 'rate:1'`)
    expect(alerts).toHaveLength(1)
  })

  test.each([
    ['cbr', () => windows1251(cbrList('80,5000', day(15)))],
    ['cbu', () => JSON.stringify(cbuList(day(15)))],
  ])('quotes of %s that are too old are pending approval with an alert, however near', async (source, body) => {
    await shop.database.run(sql`UPDATE currency_settings SET source = ${source}`)
    await shop.database.run(sql`DELETE FROM alert`)
    answer = { status: 200, body: body() }
    expect(await updateRates(shop.database, keeping)).toMatchObject({ updated: 0 })
    expect((await rates()).RUB).toEqual([80, source === 'cbr' ? 80.5 : 79.99972902])
    const alerts = await shop.database.rows(sql`SELECT FROM alert WHERE kind = 'rate.held' AND subject = 'rate:1'`)
    expect(alerts).toHaveLength(1)
  })

  test('the markup of the shop comes on top; a rate that does not update by itself stays', async () => {
    await shop.database.run(sql`UPDATE currency_settings SET markup_percent = 2`)
    await shop.database.run(sql`UPDATE currency_rate SET auto_update = false WHERE to_currency = 'KZT'`)
    await updateRates(shop.database, keeping)
    expect(await rates()).toMatchObject({ RUB: [82.11, null], KZT: [520, null] })
  })

  test('the markup is not on euros: what suppliers are paid in earns the shop nothing', async () => {
    await shop.database.run(sql`UPDATE currency_settings SET markup_percent = 5`)
    await updateRates(shop.database, keeping)
    expect(await rates()).toMatchObject({ EUR: [0.87027027, null] })
  })

  test.each([
    ['an error page', 502, '<html>Bad gateway</html>'],
    ['HTML instead of the list', 200, '<html></html>'],
    ['ten megabytes', 200, Buffer.alloc(10_000_000, 'x')],
    ['nothing', 200, ''],
  ])('%s changes nothing, is noted and alerts until it is well again', async (_name, status, body) => {
    answer = { status, body }
    await expect(updateRates(shop.database, keeping)).rejects.toThrow()
    expect(await rates()).toMatchObject({ RUB: [80, null], KZT: [520, null] })
    const { last_error } = await shop.database.one<{ last_error: string }>(
      sql`SELECT last_error FROM currency_settings`,
    )
    expect(last_error).not.toBe('')
    const openAlerts = () =>
      shop.database.rows(sql`SELECT FROM alert WHERE kind = 'rates.failed' AND resolved_at IS NULL`)
    expect(await openAlerts()).toHaveLength(1)

    answer = { status: 200, body: windows1251(cbrList('80,5000')) }
    await updateRates(shop.database, keeping)
    expect(await openAlerts()).toEqual([])
  })
})

describe('a bank on the net', () => {
  const list = '/scripts/XML_daily.asp'

  test('is told who asks, as it refuses what names no browser and no product', async () => {
    await updateRates(shop.database, keeping)
    expect(asked).toEqual([{ path: list, agent: expect.stringMatching(/^Mozilla\/5\.0 \(compatible; Olmos/) }])
  })

  test('may have moved its list: redirects are followed, and every machine on the way is told who asks', async () => {
    redirects = { [list]: '/new/list', '/new/list': 'list?of=today' }
    expect(await updateRates(shop.database, keeping)).toMatchObject({ updated: 4 })
    expect(asked.map(({ path }) => path)).toEqual([list, '/new/list', '/new/list?of=today'])
    expect(new Set(asked.map(({ agent }) => agent)).size).toBe(1)
  })

  test.each([
    ['in a circle', list],
    ['to a machine without https', 'http://localhost:1/list'],
    ['to what is no address of the web', 'file:///etc/hostname'],
    ['to nowhere', 'http://'],
  ])('is not followed %s', async (_name, location) => {
    redirects = { [list]: location }
    await expect(updateRates(shop.database, keeping)).rejects.toThrow('redirect')
    expect(asked.length).toBeLessThanOrEqual(4)
    expect(await rates()).toMatchObject({ RUB: [80, null] })
  })
})

describe('a rate to buy by', () => {
  test('is the one in force, once a source or an admin has said it', async () => {
    expect(formatDecimal((await rateToBuyBy(shop.database, 'EUR')) ?? 0n)).toBe('0.90000000')
  })

  test.each([
    ['nobody knows', 'XXX', ''],
    ['nobody has said yet', 'EUR', "source = 'fixed'"],
    ['is too old', 'EUR', "updated_at = now() - interval '14 days 1 minute'"],
    ['is in doubt, as a new one waits for an admin', 'EUR', 'held_rate = 2, held_at = now()'],
  ])('is none that %s', async (_name, currency, change) => {
    if (change) await shop.database.pool.query(`UPDATE currency_rate SET ${change} WHERE to_currency = 'EUR'`)
    expect(await rateToBuyBy(shop.database, currency)).toBeUndefined()
  })
})

describe('the daily time', () => {
  // A zone in which it is about noon now, so that a minute before or after is the same day.
  const offset = 12 - new Date().getUTCHours()
  const noonZone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`

  test.each([
    ['not before it', "(now() AT TIME ZONE '@zone' + interval '1 minute')::time", null, false],
    ['after it, once', "(now() AT TIME ZONE '@zone' - interval '1 minute')::time", null, true],
    ['not again on the same day', "(now() AT TIME ZONE '@zone' - interval '1 minute')::time", 'now()', false],
    ['again the day after, also when it was missed', "time '00:00'", "now() - interval '2 days'", true],
  ])('%s', async (_name, time, lastRun, isDue) => {
    await shop.database.pool.query(
      `UPDATE currency_settings SET timezone = '${noonZone}', update_time = ${time.replace('@zone', noonZone)},
        last_run_at = ${lastRun}, last_success_at = ${lastRun}`,
    )
    expect((await updateDueRates(shop.database, keeping)) !== undefined).toBe(isDue)
  })
})

describe('the calls', () => {
  test('an admin sees, sets and refreshes rates; setting one decides what was pending', async () => {
    const { id, token } = await aUser(shop, { role: 'admin' })
    answer = { status: 200, body: windows1251(cbrList('95,0000')) }
    const refreshed = await shop.call('POST', '/admin/currency-rates/refresh', { token })
    const rouble = refreshed.body.data.find((rate: { to_currency: string }) => rate.to_currency === 'RUB')
    expect(rouble).toMatchObject({ from_currency: 'USD', rate: 80, held_rate: 95 })
    const changed = await shop.call('PUT', `/admin/currency-rates/${rouble.id}`, {
      token,
      body: { rate: 95, auto_update: false, confirmJump: true, version: rouble.version },
    })
    expect(changed.body.data).toMatchObject({ rate: 95, held_rate: null, auto_update: false, source: 'admin' })
    const late = await shop.call('PUT', `/admin/currency-rates/${rouble.id}`, {
      token,
      body: { rate: 90, version: rouble.version },
    })
    expect([late.status, late.body.error.details]).toMatchObject([409, { current: { rate: 95, auto_update: false } }])
    const history = await shop.call('GET', `/admin/currency-rates/${rouble.id}/history`, { token })
    expect(history.body.data[0]).toMatchObject({ rate: 95, source: 'admin' })
    const written = await shop.database.rows<{ action: string; after: object }>(
      sql`SELECT action, after FROM audit_entry WHERE actor_id = ${id} ORDER BY id`,
    )
    expect(written.map(({ action }) => action)).toEqual(['rates.refresh', 'rate.change'])
    expect(written[0]?.after).toMatchObject({ source: 'cbr', held: expect.arrayContaining([rouble.id]) })
  })

  test.each([0, -1, 5e-324, 0.000_000_001, 1e10])('a rate of %s, which can not be kept, is refused', async (rate) => {
    const { token } = await aUser(shop, { role: 'admin' })
    const listed = await shop.call('GET', '/admin/currency-rates', { token })
    const refused = await shop.call('PUT', `/admin/currency-rates/${listed.body.data[0].id}`, { token, body: { rate } })
    expect([refused.status, refused.body.error.details]).toEqual([400, { rate: 'invalid_amount' }])
  })

  test('a source that is down answers 502 and the rates stay', async () => {
    const { token } = await aUser(shop, { role: 'admin' })
    answer = { status: 500, body: '' }
    const refused = await shop.call('POST', '/admin/currency-rates/refresh', { token })
    expect([refused.status, refused.body.error.code]).toEqual([502, 'SUPPLIER_UNAVAILABLE'])
    expect(await rates()).toMatchObject({ RUB: [80, null] })
  })

  test('the settings are read and changed, wrong ones refused', async () => {
    const { token } = await aUser(shop, { role: 'admin' })
    const before = await shop.call('GET', '/currency-settings/settings', { token })
    expect(before.body.data).toMatchObject({
      auto_update: true,
      update_time: '09:00',
      source: 'cbr',
      timezone: 'Asia/Tashkent',
    })
    const body = { update_time: '08:30', timezone: 'Asia/Almaty', source: 'cbu', max_jump_percent: 5 }
    const changed = await shop.call('POST', '/currency-settings/settings', { token, body })
    expect(changed.body.data).toMatchObject(body)
    for (const wrong of [
      { update_time: '25:00' },
      { timezone: 'Mars/Base' },
      { source: 'ecb' },
      { max_jump_percent: 0 },
    ]) {
      expect((await shop.call('POST', '/currency-settings/settings', { token, body: wrong })).status).toBe(400)
    }
  })
})
