import { firstShop } from '@olmos/contract/first-shop'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { fillCart, pressPay } from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { cacheShop, numberInForce, readNumbers } from './shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })

const noLook = {
  logo: null,
  icon: null,
  accent_dark: null,
  ground_dark: null,
  accent_light: null,
  ground_light: null,
}
const languages = { languages: ['ru', 'en', 'uz'], default_language: 'ru' }
const currencies = { currencies: ['RUB', 'USD'], default_currency: 'RUB', shown_currencies: ['UZS', 'KZT'] }
const zone = 'Asia/Tashkent'

test('the name and the contacts are what the owner says, for everybody at once', async () => {
  const known = cacheShop(shop.database)
  expect(await known.read()).toMatchObject({ name: firstShop.name, email: null })
  const before = (await ask('GET', '/admin/shop')).body.data
  const contacts = { name: 'Kamon Games', messenger_url: 'https://t.me/kamon', working_hours: '10:00–22:00' }
  const { status, body } = await ask('PUT', '/admin/shop', { ...contacts, version: before.version })
  expect([status, body.data]).toEqual([
    200,
    {
      ...contacts,
      email: null,
      phone: null,
      ...noLook,
      ...languages,
      ...currencies,
      time_zone: null,
      server_time_zone: zone,
      version: before.version + 1,
      changed_by: admin.nickname,
      changed_at: body.data.changed_at,
    },
  ])
  expect((await shop.call('GET', '/shop')).body.data).toEqual({
    ...contacts,
    email: null,
    phone: null,
    ...noLook,
    ...languages,
    ...currencies,
    time_zone: zone,
  })
  known.clear()
  expect(await known.read()).toMatchObject(contacts)
})

test.each([
  [{ name: ' ' }, { name: 'required' }],
  [{ name: 'x'.repeat(25) }, { name: 'too_long' }],
  [{ messenger_url: 'javascript:alert(1)' }, { messenger_url: 'invalid' }],
  [{ messenger_url: 'https://t.me/"><script>' }, { messenger_url: 'invalid' }],
  [{ email: 'nobody' }, { email: 'invalid_email' }],
  [{ phone: 'call me' }, { phone: 'invalid' }],
  [{ accent_dark: 'red' }, { accent_dark: 'invalid_color' }],
  [{ ground_light: '#fff;}body{display:none' }, { ground_light: 'invalid_color' }],
  [{ logo: 'https://elsewhere.example/logo.webp' }, { logo: 'invalid_picture' }],
  [{ icon: `/pictures/${'0'.repeat(32)}.png` }, { icon: 'picture_missing' }],
])('what is no name or contact is refused: %o', async (change, details) => {
  const before = (await ask('GET', '/admin/shop')).body.data
  const { status, body } = await ask('PUT', '/admin/shop', change)
  expect([status, body.error.details]).toEqual([400, details])
  expect((await ask('GET', '/admin/shop')).body.data).toEqual(before)
})

/** A png of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('the shop has its own logo, icon and colours, and every one of them comes back with its version', async () => {
  const upload = async (use: string) => (await ask('POST', '/admin/shop-pictures', { content: dot, use })).body.data
  const [logo, icon] = [await upload('logo'), await upload('icon')]
  const before = (await ask('GET', '/admin/shop')).body.data
  const colors = { accent_dark: '#FFD400', ground_light: '#eef2ff' }
  const changed = await ask('PUT', '/admin/shop', { logo: logo.address, icon: icon.address, ...colors })
  expect([changed.status, changed.body.data]).toMatchObject([
    200,
    { logo: logo.address, icon: icon.address, accent_dark: '#ffd400', ground_light: '#eef2ff', accent_light: null },
  ])
  const known = cacheShop(shop.database)
  expect(await known.read()).toMatchObject({ logo: { ...logo, width: 1, height: 1 }, accent_dark: '#ffd400' })
  // A change of something else leaves the look as it is.
  expect((await ask('PUT', '/admin/shop', { phone: null })).body.data).toMatchObject({ logo: logo.address })
  expect((await ask('PUT', '/admin/shop', { icon: logo.address })).body.error.details).toEqual({
    icon: 'picture_missing',
  })
  await ask('POST', '/admin/shop-versions/shop/restore', { restored: before.version })
  expect((await ask('GET', '/admin/shop')).body.data).toMatchObject(noLook)
})

test.each([
  [
    { accent_light: '#ffd400' },
    { field: 'accent_light', pair: 'accent_on_ground', ratio: expect.any(Number), least: 3 },
  ],
  [{ ground_dark: '#8a8a8a' }, { field: 'ground_dark', pair: 'accent_on_ground', ratio: expect.any(Number), least: 3 }],
])('colours in which something can’t be read are refused with their contrast: %o', async (colors, details) => {
  const before = (await ask('GET', '/admin/shop')).body.data
  const { status, body } = await ask('PUT', '/admin/shop', colors)
  expect([status, body.error.code, body.error.details]).toEqual([400, 'UNREADABLE_COLOR', details])
  expect(body.error.details.ratio).toBeLessThan(body.error.details.least)
  expect((await ask('GET', '/admin/shop')).body.data).toEqual(before)
})

test('a text of the pages is put in own words, language by language, and brought back', async () => {
  const key = 'home.hero'
  const words = { en: 'Codes at once', ru: 'Коды <b>сразу</b>' }
  expect((await ask('PUT', '/admin/shop-texts', { key, words })).body.data.texts).toEqual({
    en: { [key]: words.en },
    ru: { [key]: words.ru },
  })
  const { body } = await ask('PUT', '/admin/shop-texts', { key, words: { ru: null } })
  expect(body.data.texts).toEqual({ en: { [key]: words.en } })
})

test('an earlier version is in force again, as a new one', async () => {
  const { version, name } = (await ask('GET', '/admin/shop')).body.data
  await ask('PUT', '/admin/shop', { name: 'Another' })
  const path = '/admin/shop-versions/shop'
  const versions = (await ask('GET', path)).body.data
  expect(versions.slice(0, 2)).toMatchObject([
    { version: version + 1, value: { name: 'Another' }, changed_by: admin.nickname },
    { version, value: { name } },
  ])
  expect((await ask('POST', `${path}/restore`, { restored: version, version: version + 1 })).status).toBe(200)
  expect((await ask('GET', '/admin/shop')).body.data).toMatchObject({ name, version: version + 2 })
  const [entry] = (await ask('GET', '/admin/audit?search=shop:shop')).body.data
  expect(entry).toMatchObject({
    action: 'shop.restore',
    actor_id: admin.id,
    before: { version: version + 1 },
    after: { version: version + 2, restored: version },
  })
  expect((await ask('POST', `${path}/restore`, { restored: 900 })).status).toBe(404)
  const late = await ask('POST', `${path}/restore`, { restored: 1, version })
  expect(late.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'changed_meanwhile' } })
})

test.each([
  ['numbers', { reserved_codes_per_user: 2 }, { reserved_codes_per_new_user: 'contradicts' }],
  ['numbers', { low_stock_days: 1_000 }, { low_stock_days: 'invalid' }],
  ['shop', { name: 'Old', languages: ['ru'], default_language: 'en' }, { default_language: 'language_off' }],
  ['shop', { name: 'Old', time_zone: 'Mars/Olympus' }, { time_zone: 'invalid' }],
  ['shop', { name: 'Old', logo: `/pictures/${'a'.repeat(32)}.webp` }, { logo: 'picture_missing' }],
  ['front', { action_url: null, featured: [2_000_000_000], banner: null, questions: {} }, { featured: 'invalid' }],
  ['notifications', { en: { answered: 'No way to the answer' } }, { 'en.answered': 'invalid' }],
  ['operators', { en: { raised: 'No way to it' } }, { 'en.raised': 'invalid' }],
])('of %s, what could not be saved today is not brought back: %o', async (section, value, details) => {
  const path = `/admin/shop-versions/${section}`
  const [{ version }] = (await ask('GET', path)).body.data
  // It was saved by an earlier version of the store, and something else since.
  await shop.database.run(sql`
    INSERT INTO shop_setting (section, version, value)
    VALUES (${section}, ${version + 1}, ${JSON.stringify(value)}::jsonb)`)
  await shop.database.run(sql`
    INSERT INTO shop_setting (section, version, value)
    SELECT section, ${version + 2}, value FROM shop_setting WHERE section = ${section} AND version = ${version}`)
  const refused = await ask('POST', `${path}/restore`, { restored: version + 1, version: version + 2 })
  expect([refused.status, refused.body.error.details]).toEqual([400, details])
  expect((await ask('GET', path)).body.data[0]).toMatchObject({ version: version + 2 })
})

test('no more own words are kept than pages can carry', async () => {
  const texts = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`home.own${at}`, 'x']))
  const { version } = (await ask('GET', '/admin/shop-texts')).body.data
  await shop.database.run(sql`
    INSERT INTO shop_setting (section, version, value)
    VALUES ('texts', ${version + 1}, ${JSON.stringify({ uz: texts })}::jsonb)`)
  const { status, body } = await ask('PUT', '/admin/shop-texts', { key: 'home.one_more', words: { uz: 'x' } })
  expect([status, body.error.details]).toEqual([400, { key: 'list_too_long' }])
})

test('a number of the business is what the owner says, within its bounds', async () => {
  expect((await ask('PUT', '/admin/shop-numbers', { low_stock_codes: 25 })).body.data).toMatchObject({
    ...firstNumbers,
    low_stock_codes: 25,
  })
  expect(await readNumbers(shop.database)).toEqual({ ...firstNumbers, low_stock_codes: 25 })
  await ask('PUT', '/admin/shop-numbers', { low_stock_days: 7 })
  expect(await readNumbers(shop.database)).toEqual({ ...firstNumbers, low_stock_codes: 25, low_stock_days: 7 })
  for (const wrong of [-1, 10_001, 1.5, null, '5']) {
    const { status, body } = await ask('PUT', '/admin/shop-numbers', { low_stock_codes: wrong })
    expect([status, body.error.details]).toEqual([400, { low_stock_codes: 'invalid' }])
  }
})

test.each([
  [{ reserved_codes_per_new_user: 21 }, { reserved_codes_per_new_user: 'contradicts' }],
  [{ reserved_codes_per_user: 2 }, { reserved_codes_per_user: 'contradicts' }],
  [{ reserved_codes_per_user: 300 }, { reserved_codes_per_user: 'contradicts' }],
  [{ reserved_codes_per_offer: 19 }, { reserved_codes_per_offer: 'contradicts' }],
  [{ order_minutes: 14 }, { order_minutes: 'contradicts' }],
  [{ order_minutes: 20, reservation_minutes: 21 }, { reservation_minutes: 'contradicts' }],
  [{ steam_least_usd: 6, steam_most_usd: 5 }, { steam_least_usd: 'contradicts' }],
])('a limit for some is never above the one for all, nor the least above the most: %o', async (body, details) => {
  const before = await readNumbers(shop.database)
  const refused = await ask('PUT', '/admin/shop-numbers', body)
  expect([refused.status, refused.body.error.details]).toEqual([400, details])
  expect(await readNumbers(shop.database)).toEqual(before)
})

test('statements go by a number of the business as soon as it is another one', async () => {
  const read = () =>
    shop.database.one<{ number: number }>(sql`SELECT ${numberInForce('regular_buyer_orders')} AS number`)
  const buyer = await aUser(shop)
  const wanted = async () =>
    (await shop.call('GET', '/profile', { token: buyer.token })).body.purchase_status.total as number
  expect([await read(), await wanted()]).toEqual([{ number: firstNumbers.regular_buyer_orders }, 10])
  expect((await ask('PUT', '/admin/shop-numbers', { regular_buyer_orders: 3 })).status).toBe(200)
  expect([await read(), await wanted()]).toEqual([{ number: 3 }, 3])
})

test('an order that is not paid reserves no more codes than the owner lets one customer have', async () => {
  await ask('PUT', '/admin/shop-numbers', { reserved_codes_per_new_user: 1 })
  const buyer = await aUser(shop)
  const offer = await anOffer(shop, { stock: 10 })
  await fillCart(shop, buyer, offer, 2)
  const refused = await pressPay(shop, buyer, 200)
  expect(refused.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'too_many_codes', limit: 1 } })
  await ask('PUT', '/admin/shop-numbers', { reserved_codes_per_new_user: 2 })
  expect((await pressPay(shop, buyer, 200)).status).toBe(201)
})

test('each section has its own versions, every one of them, the newest first', async () => {
  const sections = ['shop', 'texts', 'numbers', 'front', 'notifications', 'operators']
  await ask('PUT', '/admin/shop', { name: 'Versions' })
  await ask('PUT', '/admin/shop-numbers', { low_stock_days: 4 })
  for (const section of sections) {
    const versions: number[] = (await ask('GET', `/admin/shop-versions/${section}`)).body.data.map(
      ({ version }: { version: number }) => version,
    )
    expect([section, versions]).toEqual([section, Array.from(versions, (_, at) => versions.length - at)])
    const beyond = versions.length + 1
    const { status } = await ask('POST', `/admin/shop-versions/${section}/restore`, { restored: beyond })
    expect([section, status]).toEqual([section, 404])
  }
})

test('every node is told of what the owner changes, and its pages are rendered with other words', async () => {
  const listener = new Client({ connectionString: shop.config.databaseUrl })
  await listener.connect()
  onTestFinished(() => listener.end())
  const payloads: (string | undefined)[] = []
  listener.on('notification', (message) => payloads.push(message.payload))
  await listener.query('LISTEN catalogue')
  // One word at a time: those that wait together for their way out are sent once.
  const heard = (times: number) =>
    expect.poll(() => payloads, { timeout: 30_000 }).toEqual(Array.from({ length: times }, () => 'shop'))
  const known = cacheShop(shop.database)
  const rendered = new Set([(await known.read()).version])
  for (const [path, body] of [
    ['shop', { name: 'Heard' }],
    ['shop-texts', { key: 'home.hero', words: { ru: 'Слышно' } }],
    ['shop-numbers', { support_reply_hours: 2 }],
  ] as const) {
    expect((await ask('PUT', `/admin/${path}`, body)).status).toBe(200)
    known.clear()
    rendered.add((await known.read()).version)
    await heard(rendered.size - 1)
  }
  expect(rendered.size).toBe(4)
  await ask('PUT', '/admin/shop-front', { action_url: '/heard' })
  await heard(4)
  await ask('PUT', '/admin/pages/about', { is_published: false, texts: { ru: 'Слышно' } })
  await heard(5)
})
