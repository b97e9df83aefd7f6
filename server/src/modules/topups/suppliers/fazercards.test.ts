import { randomUUID } from 'node:crypto'
import { type Decimal, parseDecimal } from '@olmos/contract/decimal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFazercards } from '../../../../test/doubles/fazercards.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import type { Account, SupplierOrder, SupplierRequest } from '../supplier.ts'
import { fazercards } from './fazercards.ts'

const dollars = (text: string): Decimal => parseDecimal(text) as Decimal
const unnamed = { supplierOrderId: null, ageSeconds: 0 }

let vendor: Awaited<ReturnType<typeof startFazercards>>
const supplier = () =>
  fazercards.create(
    {
      FAZERCARDS_API_KEY: vendor.apiKey,
      FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret,
      FAZERCARDS_BASE_URL: vendor.url,
    },
    { fetchVendor: createVendorFetch() },
  )
beforeAll(async () => {
  vendor = await startFazercards()
})
afterAll(() => vendor.close())
const request = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
  key: randomUUID(),
  wanted: 'topup',
  account: { player_id: '5123456789' },
  item: 'pubg_mobile_auto/60_uc',
  costAtMost: dollars('100'),
  ...change,
})

test.each([
  ['5123456789', { kind: 'done', value: { name: 'Name 5123456789' } }],
  ['5123404', { kind: 'rejected', code: 'not_found' }],
  ['5123422', { kind: 'unknown', why: 'Could not confirm' }],
])('the player %s', async (player, expected) => {
  for (const game of ['pubg_mobile', 'free_fire']) {
    expect(await supplier().checkPlayer?.(game, { player_id: player })).toEqual(expected)
  }
})

test('its own rates for Steam, and its money to the cent below', async () => {
  expect(await supplier().readSteamRates?.()).toEqual({
    kind: 'done',
    value: { usd: '1', rub: '81.25', kzt: '515.1' },
  })
  expect(await supplier().readBalance?.()).toEqual({ kind: 'done', value: { amount: 10_049, currency: 'USD' } })
})

test('a conflict on the key is unknown, and so is an order it may have forgotten', async () => {
  const sent = request()
  await supplier().order(sent)
  expect(await supplier().order({ ...sent, account: { player_id: '5999999999' } })).toEqual({
    kind: 'unknown',
    why: 'http_409',
  })
  const posts = vendor.requests.length
  // Four fifths of the 24 hours for which it remembers a key.
  expect(await supplier().lookUp(sent, { supplierOrderId: null, ageSeconds: 69_121 })).toEqual({
    kind: 'unknown',
    why: 'too_old',
  })
  expect(vendor.requests).toHaveLength(posts)
  expect((await supplier().lookUp(sent, { supplierOrderId: null, ageSeconds: 69_120 })).kind).toBe('done')
})

test('a card that is completed without its code is under way', async () => {
  const sent = request({ wanted: 'code', account: {}, item: 'itunes/10_usd' })
  const { value } = (await supplier().order(sent)) as { value: SupplierOrder }
  vendor.set(sent.key, { status: 'completed', cards: [] })
  const look = () => supplier().lookUp(sent, { supplierOrderId: value.supplierOrderId, ageSeconds: 1 })
  expect(await look()).toMatchObject({ value: { status: 'pending' } })
  vendor.set(sent.key, { status: 'weird' })
  expect(await look()).toEqual({ kind: 'unknown', why: 'unknown_status' })
})

test.each([
  [{ status: 'completed' }, 'topup', { status: 'done' }],
  [{ status: 'failed' }, 'topup', { status: 'failed', why: 'failed' }],
  [{ status: 'processing' }, 'topup', { status: 'pending' }],
  [{}, 'topup', { status: 'pending' }],
  [{ status: 'completed', cards: ['A-1'] }, 'code', { status: 'done', codes: ['A-1'] }],
  [{ status: 'completed' }, 'code', { status: 'pending' }],
])('its flat answer %j to an order of a %s is read with its status', async (flat, service, expected) => {
  vendor.flat = flat
  const wanted = service as SupplierRequest['wanted']
  const item = wanted === 'code' ? 'itunes/10_usd' : 'pubg_mobile_auto/60_uc'
  const answer = await supplier().order(request({ wanted, item }))
  vendor.flat = undefined
  expect(answer).toMatchObject({ kind: 'done', value: expected })
})

test('a flat answer with a status that nobody knows leaves everything open', async () => {
  vendor.flat = { status: 'weird' }
  expect(await supplier().order(request())).toEqual({ kind: 'unknown', why: 'unknown_status' })
  vendor.flat = undefined
})

test('an account of several fields is sent as it is, and looked for by the names that the check has', async () => {
  const account = { player_id: '1313232551', server_id: '6618' }
  const sent = request({ item: 'mobile_legends_ru/275_diamonds', account })
  expect((await supplier().order(sent)).kind).toBe('done')
  const bodies = () =>
    vendor.requests.filter(({ body }) => body.includes('1313232551')).map(({ body }) => JSON.parse(body))
  expect(bodies()).toEqual([{ category_id: 'mobile_legends_ru', offer_id: '275_diamonds', fields: account }])
  expect(await supplier().checkPlayer?.('mobile_legends', account)).toMatchObject({ kind: 'done' })
  expect(bodies()[1].fields).toEqual({ player_id: '1313232551', zone_id: '6618' })
})

test('an account of one value fills the one field that is wanted, and what nobody wants is not sent', async () => {
  const accounts: Account[] = [{ user_id: '5777' }, { player_id: '5777', zone_id: '2001' }]
  for (const account of accounts) {
    const sent = request({ account })
    expect((await supplier().order(sent)).kind).toBe('done')
    const { body } = vendor.requests.find(({ headers }) => headers['idempotency-key'] === sent.key) as {
      body: string
    }
    expect(JSON.parse(body).fields).toEqual({ player_id: '5777' })
  }
})

test('its games are looked for under names of their own, its wallet too, and a game that wants a password is left out', async () => {
  const answer = await supplier().listServices?.()
  const services = answer?.kind === 'done' ? answer.value.items : []
  const checks = services.map(({ reference, checkReference }) => [reference, checkReference])
  expect(checks.slice(0, 5)).toEqual([
    ['steam', 'steam'],
    ['pubg_mobile_auto', 'pubg_mobile'],
    ['free_fire_cis', 'free_fire'],
    ['mobile_legends_ru', 'mobile_legends'],
    ['genshin_impact', undefined],
  ])
  expect(services.map(({ reference }) => reference)).not.toContain('login_game')
  const server = services.find(({ reference }) => reference === 'genshin_impact')?.fields[1]
  expect(server).toMatchObject({
    key: 'server',
    type: 'select',
    options: [{ value: 'os_asia' }, { value: 'os_euro' }],
  })
  expect(await supplier().listOptions?.('genshin_impact', 'server')).toEqual({ kind: 'done', value: server?.options })
})

test('reads the offers of a category once for its fields and its products', async () => {
  const own = supplier()
  await own.listServices?.()
  const countReads = () => vendor.requests.filter(({ path }) => path === '/topups/offers').length
  const before = countReads()
  for (const _ of [1, 2]) expect(await own.listProducts?.('pubg_mobile_auto')).toMatchObject({ kind: 'done' })
  expect(countReads() - before).toBe(1)
})

test('a plan without gift cards sells top-ups all the same', async () => {
  const ask = createVendorFetch()
  const fetchVendor: typeof ask = (url, init) =>
    String(url).includes('/giftcards') ? Promise.resolve(Response.json({ ok: false }, { status: 403 })) : ask(url, init)
  const settings = {
    FAZERCARDS_API_KEY: vendor.apiKey,
    FAZERCARDS_WEBHOOK_SECRET: '',
    FAZERCARDS_BASE_URL: vendor.url,
  }
  const answer = await fazercards.create(settings, { fetchVendor }).listServices?.('giftcards:')
  expect(answer).toEqual({ kind: 'done', value: { items: [] } })
})

test.each([
  ['gabe', { kind: 'done', value: { name: null } }],
  ['gabe404', { kind: 'rejected', code: 'not_found' }],
  ['gabe_new', { kind: 'done', value: { name: null } }],
  ['gabe500', { kind: 'unknown', why: 'http_500' }],
])('whether the Steam login %s can be topped up', async (login, expected) => {
  expect(await supplier().checkPlayer?.('steam', { login })).toEqual(expected)
})

test('a price that nobody can read buys nothing, and leaves open whether it will', async () => {
  vendor.prices['pubg_mobile_auto/60_uc'] = 'soon'
  const sent = request()
  expect(await supplier().order(sent)).toEqual({ kind: 'unknown', why: 'bad_answer', isUnsent: true })
  vendor.prices['pubg_mobile_auto/60_uc'] = '0.8800'
  expect(vendor.executions(sent.key)).toBe(0)
  // It certainly was not sent, and so it may be looked up, which sends it.
  expect(await supplier().lookUp(sent, unnamed)).toMatchObject({ kind: 'done' })
  expect(vendor.executions(sent.key)).toBe(1)
})

test.each([
  [{ item: 'pubg_mobile_auto/poor' }, 'float_empty'],
  [{ item: null }, 'no_item'],
  [{ item: 'a/b/c' }, 'no_item'],
  [{ code: 'UC-1' }, 'no_item'],
  [{ item: 'pubg_mobile/60_uc' }, 'Category not found'],
  [{ item: 'pubg_mobile_auto/61_uc' }, 'OFFER_NOT_FOUND'],
  [{ item: 'login_game/100_coins', account: { login: 'gabe' } }, 'OFFER_NOT_FOUND'],
])('%j is refused: %s', async (change, code) => {
  expect(await supplier().order(request(change))).toEqual({ kind: 'rejected', code })
})
