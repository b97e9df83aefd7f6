import { randomUUID } from 'node:crypto'
import { type Decimal, parseDecimal } from '@olmos/contract/decimal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startShop, type TestShop } from '../../../../test/shop.ts'
import { aPlayer } from '../../../../test/topup-orders.ts'
import { sql } from '../../../platform/database/queries.ts'
import type { Account, SupplierOrder, SupplierRequest, VendorProduct, VendorService } from '../supplier.ts'
import { sandboxSupplier } from './sandbox.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())

const tenOClock = '2026-11-22T10:00:00Z'
const at = (time: string) =>
  sandboxSupplier.create({}, { database: shop.database, clock: { now: () => new Date(time) } })

const request = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
  key: randomUUID(),
  wanted: 'topup',
  account: { user_id: aPlayer() },
  item: 'pubg_mobile/60_uc',
  costAtMost: parseDecimal('100') as Decimal,
  ...change,
})

const readProducts = async (service: string, time = tenOClock): Promise<VendorProduct[]> => {
  const products: VendorProduct[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await at(time).listProducts?.(service, cursor)
    if (page?.kind !== 'done') throw new Error(JSON.stringify(page))
    products.push(...page.value.items)
    cursor = page.value.next
    if (cursor === undefined) return products
  }
}

describe('its catalogue', () => {
  test('has forty services of every form, on four pages', async () => {
    const services: VendorService[] = []
    const sizes: number[] = []
    for (let cursor: string | undefined, isOver = false; !isOver; isOver = cursor === undefined) {
      const page = await at(tenOClock).listServices?.(cursor)
      if (page?.kind !== 'done') throw new Error('no page')
      services.push(...page.value.items)
      sizes.push(page.value.items.length)
      cursor = page.value.next
    }
    expect(sizes).toEqual([10, 10, 10, 10])
    const forms = new Set(services.map(({ fields }) => fields.map(({ key }) => key).join(' ')))
    expect([...forms].toSorted()).toEqual(
      [
        '',
        'phone',
        'player_tag',
        'riot_id',
        'user_id',
        'user_id server',
        'user_id server_id',
        'user_id zone_id',
        'username',
        'username server',
      ].toSorted(),
    )
    expect(services.filter(({ kind }) => kind === 'code').length).toBe(7)
    expect(services.filter(({ checkReference, kind }) => kind === 'topup' && !checkReference)).toHaveLength(3)
    for (const { reference } of services) expect((await readProducts(reference)).length).toBeGreaterThan(2)
  })

  test('costs as much all the time within ten minutes, and by up to 2 % more or less after that', async () => {
    const read = async (time: string) => (await readProducts('mobile_legends', time)).map(({ cost }) => cost)
    expect(await read('2026-11-22T10:09:59Z')).toEqual(await read(tenOClock))
    const [before, after] = [await read(tenOClock), await read('2026-11-22T10:10:00Z')]
    expect(after).not.toEqual(before)
    for (const [index, cost] of after.entries()) {
      const ratio = Number(cost) / Number(before[index])
      expect(ratio > 0.95 && ratio < 1.05).toBe(true)
    }
  })

  test('has one game whose costs jump every hour, and packages that come and go with the hours', async () => {
    const read = async (service: string, time: string) =>
      (await readProducts(service, time)).map(({ cost }) => Number(cost))
    const [[calm = 0], [wild = 0]] = [
      await read('pubg_new_state', tenOClock),
      await read('pubg_new_state', '2026-11-22T11:00:00Z'),
    ]
    expect(wild / calm).toBeGreaterThan(1.3)
    const [even, odd] = [await read('efootball', tenOClock), await read('efootball', '2026-11-22T11:00:00Z')]
    expect(even.length - odd.length).toBe(1)
  })

  test('has choices, and says of codes how many there are', async () => {
    expect(await at(tenOClock).listOptions?.('genshin_impact', 'server')).toMatchObject({
      kind: 'done',
      value: [{ value: 'os_usa' }, { value: 'os_euro' }, { value: 'os_asia' }, { value: 'os_cht' }],
    })
    expect(await at(tenOClock).listOptions?.('no_such', 'server')).toEqual({
      kind: 'rejected',
      code: 'no_such_service',
    })
    for (const { stock } of await readProducts('itunes_us')) expect(stock).toBeGreaterThanOrEqual(0)
  })
})

describe('an order from its catalogue', () => {
  const zone = (user_id = aPlayer()) => ({ user_id, zone_id: '2001' })
  const genshin = 'genshin_impact/60_genesis_crystals'

  test.each<[string, Partial<SupplierRequest>, string]>([
    ['what it does not have', { item: 'pubg_mobile/61_uc' }, 'gone'],
    ['what is not there at this hour', { item: 'efootball/12800_coins' }, 'gone'],
    ['an account without a zone', { item: 'mobile_legends/86_diamonds' }, 'other_fields'],
    [
      'a server that there is not',
      { item: genshin, account: { user_id: '512345', server: 'os_mars' } },
      'no_such_option',
    ],
    ['a code as a top-up', { item: 'itunes_us/10_usd' }, 'no_item'],
    ['a top-up as a code', { wanted: 'code', account: {} }, 'no_item'],
    ['a currency that nobody has a rate of', { wanted: 'code', account: {}, item: 'touch_n_go/10_myr' }, 'no_rate'],
    ['a cost above the limit', { costAtMost: parseDecimal('0.5') as Decimal }, 'too_dear'],
  ])('with %s is rejected', async (_what, change, code) => {
    expect(await at('2026-11-22T11:00:00Z').order(request(change))).toMatchObject({ kind: 'rejected', code })
  })

  test('costs what the catalogue says at the time, and is the same order when it is gone by then', async () => {
    const sent = request({ item: 'efootball/12800_coins' })
    const first = await at(tenOClock).order(sent)
    expect(first).toMatchObject({ kind: 'done', value: { status: 'done' } })
    expect(await at('2026-11-22T11:00:00Z').order(sent)).toMatchObject({
      value: { supplierOrderId: (first as { value: SupplierOrder }).value.supplierOrderId },
    })
    const [own] = (await readProducts('pubg_mobile', new Date().toISOString())).filter(({ name }) => name === '60 UC')
    expect(await at(tenOClock).order(request())).toMatchObject({
      value: { cost: { amount: expect.stringMatching(/^0\.8\d{7}$/), currency: own?.currency } },
    })
  })

  test('takes the token of the check for its own account, and for no other', async () => {
    const account = zone()
    const check = await at(tenOClock).checkPlayer?.('mobile_legends', account)
    const token = check?.kind === 'done' ? check.value.token : undefined
    expect(token).toEqual(expect.any(String))
    const item = 'mobile_legends/86_diamonds'
    const order = (change: { account: Account; token?: string }) => at(tenOClock).order(request({ item, ...change }))
    expect((await order({ account, token: token ?? '' })).kind).toBe('done')
    expect((await order({ account })).kind).toBe('done')
    for (const [other, wrong] of [
      [zone(), token],
      [account, 'made up'],
      [account, ''],
    ] as const) {
      expect(await order({ account: other, token: wrong ?? '' })).toEqual({ kind: 'rejected', code: 'wrong_token' })
    }
  })
})

describe('a player', () => {
  test.each<[string, Account, object]>([
    ['pubg_mobile', { user_id: '512345' }, { kind: 'done', value: { name: 'Player_2345' } }],
    ['any_game', { zone_id: '2001', user_id: '512345' }, { kind: 'done', value: { name: 'Player_2345' } }],
    ['pubg_mobile', { user_id: '512404' }, { kind: 'rejected', code: 'not_found' }],
    ['pubg_mobile', { user_id: '5123' }, { kind: 'rejected', code: 'not_found' }],
    ['mobile_legends', { user_id: '512345' }, { kind: 'unknown', why: 'other_fields' }],
    ['steam', { login: 'gabe' }, { kind: 'done', value: { name: null } }],
    ['steam', { login: 'gabe404' }, { kind: 'rejected', code: 'not_found' }],
  ])('of %s: %j', async (service, account, expected) => {
    expect(await at(tenOClock).checkPlayer?.(service, account)).toEqual(expected)
  })

  test('is refused by any value of the account that says so, and known by the text that the store has for it', async () => {
    const account = { server: 'os_asia', user_id: aPlayer() }
    const item = 'genshin_impact/60_genesis_crystals'
    expect((await at(tenOClock).order(request({ item, account }))).kind).toBe('done')
    const rows = await shop.database.rows<{ account: string }>(
      sql`SELECT account FROM sandbox_execution ORDER BY id DESC LIMIT 1`,
    )
    expect(rows).toEqual([{ account: `${account.user_id} (os_asia)` }])
    const refused = request({ item, account: { ...account, user_id: aPlayer('6001') } })
    expect(await at(tenOClock).order(refused)).toEqual({ kind: 'rejected', code: 'refused' })
  })
})
