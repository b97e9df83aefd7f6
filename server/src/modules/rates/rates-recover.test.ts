import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BUSINESS } from '@olmos/contract/business'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGame } from '../../../test/any-game.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { aSource, storedPrice } from '../../../test/priced-offers.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { rateKeeping } from './rate-sources.ts'
import { readSettings, updateDueRates, updateRates } from './rates.ts'

/** Formats a day as a bank does, so many days from now. */
const day = (days = 0) => {
  const [year, month, date] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${date}.${month}.${year}`
}

interface Quote {
  nominal?: string
  value: string
}

const valute = (code: string, { nominal = '1', value }: Quote) =>
  `<Valute><CharCode>${code}</CharCode><Nominal>${nominal}</Nominal><Name>-</Name><Value>${value}</Value></Valute>`

const all: Record<string, Quote> = {
  USD: { value: '80,5' },
  KZT: { nominal: '100', value: '15,2' },
  UZS: { nominal: '10000', value: '67,9347' },
  EUR: { value: '93,1' },
}
const list = (quotes: Record<string, Quote | undefined> = {}, date = day()) =>
  `<ValCurs Date="${date}" name="Foreign Currency Market">${Object.entries({ ...all, ...quotes })
    .map(([code, quote]) => quote && valute(code, quote))
    .join('')}</ValCurs>`

let bank: Server
let answer: { status: number; body: string }
let shop: TestShop
let admin: TestUser
let keeping: ReturnType<typeof rateKeeping>

beforeAll(async () => {
  bank = createServer((_request, response) => {
    response.writeHead(answer.status)
    response.end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(bank, 'listening')
  const url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`
  shop = await startShop({ RATES_SOURCE: 'cbr', CBR_BASE_URL: url, CBU_BASE_URL: url })
  admin = await aUser(shop, { role: 'admin' })
  keeping = rateKeeping(shop.config)
})
afterAll(async () => {
  await shop.close()
  bank.close()
})
beforeEach(async () => {
  answer = { status: 200, body: list() }
  await shop.database.run(sql`UPDATE currency_settings SET source = NULL, timezone = 'UTC', last_run_at = NULL,
    last_success_at = NULL, last_error = NULL, failures = 0, update_time = '00:00', markup_percent = 0,
    max_jump_percent = 10, auto_update = true`)
  await shop.database.run(sql`UPDATE currency_rate SET auto_update = to_currency <> 'EUR', held_rate = NULL, held_at = NULL,
    rate = CASE to_currency WHEN 'RUB' THEN 80 WHEN 'KZT' THEN 520 WHEN 'UZS' THEN 12000 ELSE rate END`)
  await shop.database.run(sql`DELETE FROM alert`)
})

const toRate = async (currency: string) =>
  Number(
    (await shop.database.one<{ rate: string }>(sql`SELECT rate FROM currency_rate WHERE to_currency = ${currency}`))
      .rate,
  )
const update = () => updateRates(shop.database, keeping)
const isTried = async () => (await updateDueRates(shop.database, keeping).catch(() => 'failed')) !== undefined
/** Moves the last reading so many minutes into the past. */
const later = (minutes: number) =>
  shop.database.run(sql`UPDATE currency_settings SET last_run_at = last_run_at - ${minutes}::int * interval '1 minute'`)
const alerts = () =>
  shop.database.rows<{ kind: string; subject: string; details: object; is_taken: boolean; is_over: boolean }>(sql`
    SELECT kind, subject, details, acknowledged_at IS NOT NULL AS is_taken, resolved_at IS NOT NULL AS is_over
    FROM alert ORDER BY id`)
const open = async (kind: string) => (await alerts()).filter((alert) => alert.kind === kind && !alert.is_over)
const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  shop.call(method, path, { token: admin.token, body })

describe('a reading that failed', () => {
  test('is tried again the same day, after 5, 15 and 60 minutes, until one succeeds', async () => {
    answer = { status: 500, body: '' }
    expect(await isTried()).toBe(true)
    for (const minutes of [...SERVER_LIMITS.rateRetryMinutes, 60, 60]) {
      await later(minutes - 1)
      expect(await isTried()).toBe(false)
      await later(1)
      expect(await isTried()).toBe(true)
    }
    answer = { status: 200, body: list() }
    await later(60)
    expect(await isTried()).toBe(true)
    expect(await toRate('RUB')).toBe(80.5)
    await later(60)
    expect(await isTried()).toBe(false)
  })

  test('of the night before is tried again after midnight', async () => {
    await shop.database.run(sql`UPDATE currency_settings SET update_time = '23:30', failures = 1,
      last_run_at = '2026-03-02T23:31:00Z', last_success_at = '2026-03-01T23:30:30Z'`)
    const isDue = async (at: string) => (await readSettings(shop.database, keeping.defaults, new Date(at))).is_due
    expect(await isDue('2026-03-03T00:05:00Z')).toBe(true)
  })

  test('is forgotten by a later one that succeeds, also by hand and from another source', async () => {
    answer = { status: 500, body: '' }
    await expect(update()).rejects.toThrow()
    expect(await open('rates.failed')).toHaveLength(1)
    expect((await call('GET', '/currency-settings/settings')).body.data.last_error).not.toBeNull()
    await call('POST', '/currency-settings/settings', { source: 'fixed' })
    expect((await call('POST', '/admin/currency-rates/refresh', {})).status).toBe(200)
    expect((await call('GET', '/currency-settings/settings')).body.data).toMatchObject({
      last_error: null,
      last_success_at: expect.any(String),
    })
    expect(await open('rates.failed')).toEqual([])
  })

  test('of one source says nothing about another that is chosen afterwards', async () => {
    answer = { status: 500, body: '' }
    expect(await isTried()).toBe(true)
    await call('POST', '/currency-settings/settings', { source: 'fixed' })
    expect(await isTried()).toBe(true)
    expect(await open('rates.failed')).toEqual([])
  })
})

describe('a currency that the source', () => {
  test.each([
    ['leaves out', undefined],
    ['quotes with a nominal of nothing', { nominal: '0', value: '15,2' }],
    ['quotes at nothing', { value: '0,0000' }],
  ])('%s keeps its rate, rings, and is silent again once it is back', async (_name, quote) => {
    answer = { status: 200, body: list({ KZT: quote }) }
    await update()
    await update()
    expect([await toRate('KZT'), await toRate('RUB')]).toEqual([520, 80.5])
    expect(await open('rate.missing')).toMatchObject([
      { subject: 'rate:2', details: { pair: 'USD → KZT', source: 'cbr' } },
    ])
    answer = { status: 200, body: list() }
    await update()
    expect(await open('rate.missing')).toEqual([])
  })

  test('leaves out is none of an alert while it does not follow the source, or there is none', async () => {
    answer = { status: 200, body: list({ KZT: undefined }) }
    await update()
    await shop.database.run(sql`UPDATE currency_rate SET auto_update = false WHERE to_currency = 'KZT'`)
    await update()
    expect(await open('rate.missing')).toEqual([])
    await shop.database.run(sql`UPDATE currency_rate SET auto_update = true WHERE to_currency = 'KZT'`)
    await update()
    await call('POST', '/currency-settings/settings', { source: 'fixed' })
    await update()
    expect(await open('rate.missing')).toEqual([])
  })
})

describe('a list', () => {
  test.each([
    ['of 31 February', '31.02.2026'],
    ['of a month that is none', '01.13.2026'],
    ['of three days ahead', day(3)],
    ['of 2099', '01.01.2099'],
  ])('%s is refused as a failure, and changes nothing', async (_name, date) => {
    answer = { status: 200, body: list({}, date) }
    await expect(update()).rejects.toThrow()
    expect(await toRate('RUB')).toBe(80)
    expect(await open('rates.failed')).toHaveLength(1)
    expect(await open('rate.held')).toEqual([])
  })

  test('of tomorrow, which banks set the day before, is in force', async () => {
    answer = { status: 200, body: list({}, day(1)) }
    await update()
    expect(await toRate('RUB')).toBe(80.5)
  })
})

describe('the daily run', () => {
  const isDue = async (at: string) => (await readSettings(shop.database, keeping.defaults, new Date(at))).is_due
  const ranAt = (at: string) =>
    shop.database.run(sql`UPDATE currency_settings SET last_run_at = ${at}, last_success_at = ${at}`)

  test('happens once on a day whose hour does not exist, and once on one where it comes twice', async () => {
    await shop.database.run(sql`UPDATE currency_settings SET timezone = 'Europe/Berlin', update_time = '02:30'`)
    for (const [yesterday, minutes] of [
      ['2026-03-28T01:30:10Z', '2026-03-29T00:00:00Z'],
      ['2026-10-24T00:30:10Z', '2026-10-25T00:00:00Z'],
    ] as const) {
      await ranAt(yesterday)
      let runs = 0
      // Every ten minutes of the night.
      for (let at = Date.parse(minutes); at < Date.parse(minutes) + 6 * 3_600_000; at += 600_000) {
        const now = new Date(at).toISOString()
        if (!(await isDue(now))) continue
        await ranAt(now)
        runs++
      }
      expect(runs).toBe(1)
    }
  })

  test('is not put off by a last one in the future, which a clock that went wrong has left', async () => {
    await ranAt('2099-01-01T00:00:00Z')
    expect(await isTried()).toBe(true)
    expect(await isTried()).toBe(false)
    await shop.database.run(sql`UPDATE currency_settings SET failures = 2, last_success_at = '2026-01-01',
      last_run_at = '2099-01-01'`)
    expect(await isTried()).toBe(true)
  })
})

describe('a rate that is pending approval', () => {
  const jump = async (value: string) => {
    answer = { status: 200, body: list({ USD: { value } }) }
    await update()
  }

  test('is over with the next good one', async () => {
    await jump('120,0')
    expect((await open('rate.held')).map(({ subject }) => subject)).toContain('rate:1')
    await jump('81,0')
    expect(await open('rate.held')).toEqual([])
    const { held_rate } = await shop.database.one<{ held_rate: string | null }>(
      sql`SELECT held_rate FROM currency_rate WHERE id = 1`,
    )
    expect(held_rate).toBeNull()
  })

  test('has prices follow a source that can be paid at once, and the cheaper one again when it is decided', async () => {
    const [offer] = (await aGame(shop)).offers
    await shop.database.run(
      sql`UPDATE offer SET price_mode = 'rule', price_usd = 1000, price_rub = 80000 WHERE id = ${offer}`,
    )
    await aSource(shop, offer, ['8', 'EUR'])
    await aSource(shop, offer, ['12', 'USD'], { rank: 2 })
    // No other rate is renewed, for which prices would be made anyway.
    await shop.database.run(sql`
      UPDATE currency_rate SET auto_update = to_currency = 'EUR', rate = CASE to_currency WHEN 'EUR' THEN 0.8 ELSE rate END`)
    const price = async () => (await storedPrice(shop, offer)).price_usd
    answer = { status: 200, body: list({ USD: { value: '80' }, EUR: { value: '100' } }) }
    await update()
    expect(await price()).toBe(11_00)
    await jump('60')
    expect(await open('rate.held')).toHaveLength(1)
    expect(await price()).toBe(13_20)
    const { id, version } = (await call('GET', '/admin/currency-rates')).body.data.find(
      ({ to_currency }: { to_currency: string }) => to_currency === 'EUR',
    )
    expect((await call('PUT', `/admin/currency-rates/${id}`, { rate: 0.8, version })).status).toBe(200)
    expect(await price()).toBe(11_00)
  })

  test('rings again for new numbers, and not for the same', async () => {
    await jump('120,0')
    const id = async () => (await call('GET', '/admin/alerts?search=rate:1')).body.data[0].id
    await call('PUT', `/admin/alerts/${await id()}`, { state: 'acknowledged' })
    await jump('120,0')
    const rouble = async () => (await open('rate.held')).find(({ subject }) => subject === 'rate:1')
    expect(await rouble()).toMatchObject({ is_taken: true, details: { held: '120.00000000' } })
    await jump('125,0')
    expect(await rouble()).toMatchObject({
      is_taken: false,
      details: { held: '125.00000000', in_force: '80.00000000' },
    })
  })
})

describe('a rate that is set by hand', () => {
  const set = (rate: number, more: object = {}) => call('PUT', '/admin/currency-rates/1', { rate, ...more })

  test.each([850, 8.5, 88.1, 71.9])(
    'to %d from 80 is asked about with both, and set once it is confirmed',
    async (rate) => {
      const refused = await set(rate)
      expect([refused.status, refused.body.error]).toMatchObject([
        409,
        { code: 'RATE_JUMP', details: { was: 80, rate, max_jump_percent: 10 } },
      ])
      expect(await toRate('RUB')).toBe(80)
      expect((await set(rate, { confirmJump: true })).body.data.rate).toBe(rate)
    },
  )

  test.each([88, 72, 80])('to %d needs no word of anybody', async (rate) => {
    expect((await set(rate)).status).toBe(200)
  })

  test('is asked about also where it decides one that is pending', async () => {
    answer = { status: 200, body: list({ USD: { value: '850,0' } }) }
    await update()
    expect((await set(850)).body.error.code).toBe('RATE_JUMP')
    expect((await set(850, { confirmJump: true })).status).toBe(200)
    expect(await open('rate.held')).not.toContainEqual(expect.objectContaining({ subject: 'rate:1' }))
  })

  test('has a markup of so much at most', async () => {
    const settings = (markup_percent: number) => call('POST', '/currency-settings/settings', { markup_percent })
    expect((await settings(BUSINESS.rateMarkupPercentMax)).status).toBe(200)
    const refused = await settings(BUSINESS.rateMarkupPercentMax + 0.01)
    expect([refused.status, refused.body.error.details]).toEqual([400, { markup_percent: 'invalid_amount' }])
  })
})
