import { randomUUID } from 'node:crypto'
import { type Decimal, parseDecimal } from '@olmos/contract/decimal'
import { isStorable } from '@olmos/contract/storable'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { startG2bulk } from '../../../../test/doubles/g2bulk.ts'
import { changes, spoil } from '../../../../test/rubbish.ts'
import { createVendorFetch, type VendorFetch } from '../../../platform/vendor/vendor.ts'
import type { SupplierOrder, SupplierRequest } from '../supplier.ts'
import { g2bulk } from './g2bulk.ts'

const dollars = (text: string): Decimal => parseDecimal(text) as Decimal

type Deps = Parameters<typeof g2bulk.create>[1]

let vendor: Awaited<ReturnType<typeof startG2bulk>>
beforeAll(async () => {
  vendor = await startG2bulk()
})
afterAll(() => vendor.close())

const make = (
  change: Partial<z.output<typeof g2bulk.settings>> = {},
  { fetchVendor = createVendorFetch(), publicUrl = 'http://localhost:3000' }: Partial<Deps> = {},
) => {
  const settings = g2bulk.settings.parse({ G2BULK_API_KEY: vendor.apiKey, G2BULK_BASE_URL: vendor.url, ...change })
  return g2bulk.create(settings, { fetchVendor, publicUrl })
}
const request = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
  key: randomUUID(),
  wanted: 'topup',
  account: { player_id: '5123456789' },
  item: 'pubgm/60 UC',
  costAtMost: dollars('100'),
  ...change,
})
const minutes = (count: number) => ({ supplierOrderId: null, ageSeconds: count * 60 })

/** Sends an order whose answer gets lost on the way. */
async function sendInVain(change: Partial<SupplierRequest> = {}): Promise<SupplierRequest> {
  const sent = request(change)
  vendor.fault = 'hang-up'
  expect((await make().order(sent)).kind).toBe('unknown')
  vendor.fault = undefined
  return sent
}

/** What was sent to this path while `act` ran. */
async function sentTo(path: RegExp, act: () => Promise<unknown>) {
  const before = vendor.requests.length
  await act()
  return vendor.requests.slice(before).filter((one) => path.test(one.path))
}

describe('a player', () => {
  test.each([
    ['5123456789', { kind: 'done', value: { name: 'Name 5123456789' } }],
    ['5123404', { kind: 'rejected', code: 'not_found' }],
    ['5123422', { kind: 'unknown', why: 'http_400' }],
  ])('%s', async (player, expected) => {
    for (const game of ['pubgm', 'freefire_global']) {
      expect(await make().checkPlayer?.(game, { player_id: player })).toEqual(expected)
    }
  })

  test('is looked for on a server, where the game has some', async () => {
    const account = { player_id: '5123456789', server_id: '2001' }
    const checks = await sentTo(/checkPlayerId/, async () => {
      expect(await make().checkPlayer?.('mlbb', account)).toMatchObject({ kind: 'done' })
      expect(await make().checkPlayer?.('mlbb', { zone_id: '2001', user_id: '5' })).toEqual({
        kind: 'unknown',
        why: 'other_fields',
      })
    })
    expect(checks.map(({ body }) => JSON.parse(body))).toEqual([
      { game: 'mlbb', user_id: '5123456789', server_id: '2001' },
    ])
  })

  test.each([
    [200, { valid: 'invalid' }, { kind: 'rejected', code: 'not_found' }],
    [200, { valid: 'soon' }, { kind: 'unknown', why: 'bad_answer' }],
    [404, { valid: 'invalid' }, { kind: 'unknown', why: 'http_404' }],
  ])('is judged by what the vendor says for certain: %i %j', async (status, body, expected) => {
    vendor.refusal = { status, body }
    expect(await make().checkPlayer?.('pubgm', { player_id: '5123456789' })).toMatchObject(expected)
    vendor.refusal = undefined
  })
})

describe('an order', () => {
  test.each([
    [{ item: 'pubgm/60 UC' }, { catalogue_name: '60 UC', player_id: '5123456789' }],
    [{ item: 'pubgm/300/25 UC' }, { catalogue_name: '300/25 UC', player_id: '5123456789' }],
    [
      { item: 'freefire_global/100 Diamonds', account: { user_id: '5123456789' } },
      { catalogue_name: '100 Diamonds', player_id: '5123456789' },
    ],
    [
      { item: 'ragnarok/100 Points', account: { player_id: '5', server_id: '7', charname: 'Poring' } },
      { catalogue_name: '100 Points', player_id: '5', server_id: '7', charname: 'Poring' },
    ],
  ] as const)('of %j names it as the catalogue does, with the key', async (change, expected) => {
    const sent = request(change)
    const posts = await sentTo(/order$/, () => make().order(sent))
    expect(posts).toHaveLength(1)
    const [{ headers, body }] = posts as [(typeof posts)[0]]
    expect(headers).toMatchObject({ 'x-api-key': vendor.apiKey, 'x-idempotency-key': sent.key })
    expect(JSON.parse(body)).toEqual({ ...expected, remark: expect.stringContaining(sent.key) })
  })

  test.each([
    ['https://shop.example', 'https://shop.example/api/supplier/webhook/g2bulk'],
    ['http://localhost:3000', undefined],
  ])('asks a store at %s for webhooks to %s', async (publicUrl, expected) => {
    expect((await make({}, { publicUrl }).order(request())).kind).toBe('done')
    expect(vendor.orders.at(-1)?.callback_url).toBe(expected)
  })

  test('shows the API key to no call that is public', async () => {
    const supplier = make()
    const calls = await sentTo(/catalogue|checkPlayerId/, async () => {
      await supplier.order(request())
      await supplier.checkPlayer?.('pubgm', { player_id: '5123456789' })
    })
    expect(calls.map(({ headers }) => headers['x-api-key'])).toEqual([undefined, undefined])
  })

  test.each([
    [{ item: 'pubgm/poor' }, 'float_empty'],
    [{ item: null }, 'no_item'],
    [{ item: 'pubgm' }, 'no_item'],
    [{ item: '/60 UC' }, 'no_item'],
    [{ code: 'UC-1' }, 'no_item'],
    [{ item: 'pubgm/60 uc' }, 'no_such_offer'],
    [{ item: 'chess/60 UC' }, 'Game not found'],
    [{ account: { player_id: '5123404' } }, 'Invalid player ID. Please check and try again.'],
  ])('of %j is refused: %s', async (change, code) => {
    expect(await make().order(request(change))).toEqual({ kind: 'rejected', code })
  })

  test.each([
    [0.1 + 0.2, '0.30', '0.29999999'],
    ['0.840', '0.84', '0.83999999'],
    [0.00000001, '0.00000001', undefined],
  ])('at a price of %j costs %s', async (price, affordable, short) => {
    vendor.prices['pubgm/60 UC'] = price
    expect((await make().order(request({ costAtMost: dollars(affordable) }))).kind).toBe('done')
    if (short) expect(await make().order(request({ costAtMost: dollars(short) }))).toMatchObject({ code: 'too_dear' })
    vendor.prices['pubgm/60 UC'] = 0.88
  })

  test.each(['soon', -1, 0, 1e21, null])('at a price of %j is not sent', async (price) => {
    vendor.prices['pubgm/60 UC'] = price
    const sent = request()
    expect(await make().order(sent)).toEqual({ kind: 'unknown', why: 'bad_answer', isUnsent: true })
    vendor.prices['pubgm/60 UC'] = 0.88
    expect(vendor.executions(sent.key)).toBe(0)
  })

  test.each([
    [200, 'unknown'],
    [400, 'rejected'],
    [409, 'unknown'],
    [500, 'unknown'],
  ])('that is refused with %i is %s', async (status, kind) => {
    const refusePosts: VendorFetch = (url, init) =>
      init?.method === 'POST'
        ? Promise.resolve(Response.json({ success: false, message: 'Insufficient balance' }, { status }))
        : createVendorFetch()(url, init)
    expect((await make({}, { fetchVendor: refusePosts }).order(request())).kind).toBe(kind)
  })
})

describe('an order without an answer', () => {
  test('is sent again under its key for 24 minutes, and bought once', async () => {
    const sent = await sendInVain()
    const posts = await sentTo(/pubgm\/order$/, async () => {
      expect(await make().lookUp(sent, minutes(24))).toMatchObject({ kind: 'done', value: { status: 'pending' } })
    })
    expect(posts.map(({ headers }) => headers['x-idempotency-key'])).toEqual([sent.key])
    expect(vendor.executions(sent.key)).toBe(1)
  })

  test('is only looked for in the list after that, as the vendor may have forgotten its key', async () => {
    const sent = await sendInVain()
    vendor.set(sent.key, { status: 'COMPLETED' })
    vendor.forgetKeys()
    const found = await make().lookUp(sent, minutes(24.1))
    expect(found).toMatchObject({ kind: 'done', value: { status: 'done' } })
    expect(vendor.executions(sent.key)).toBe(1)
    const { supplierOrderId } = (found as { value: SupplierOrder }).value
    expect(await make().lookUp(sent, { supplierOrderId, ageSeconds: 9_000 })).toEqual(found)
  })

  test('is found among the latest 300 orders', async () => {
    const sent = await sendInVain()
    const [last] = vendor.orders.slice(-1) as [(typeof vendor.orders)[0]]
    const others = (count: number) => Array.from({ length: count }, () => ({ ...last, remark: `${randomUUID()}.x` }))
    vendor.orders.push(...others(299))
    expect((await make().lookUp(sent, minutes(30))).kind).toBe('done')
    vendor.orders.push(...others(1))
    expect(await make().lookUp(sent, minutes(30))).toEqual({ kind: 'unknown', why: 'not_in_list' })
    vendor.orders.length -= 300
  })

  test('is never sent again because the list does not show it', async () => {
    const [never, hidden] = [request(), await sendInVain()]
    vendor.listsRemarks = false
    for (const sent of [never, hidden]) {
      expect(await make().lookUp(sent, minutes(30))).toEqual({ kind: 'unknown', why: 'not_in_list' })
    }
    vendor.listsRemarks = true
    expect([vendor.executions(never.key), vendor.executions(hidden.key)]).toEqual([0, 1])
  })

  test('that was bought twice is nobody knows which', async () => {
    const sent = await sendInVain()
    vendor.forgetKeys()
    await make().order(sent)
    expect(await make().lookUp(sent, minutes(30))).toEqual({ kind: 'unknown', why: 'several_orders' })
  })

  test('is found although it has become too dear to be sent again; and if it was not bought, it is not', async () => {
    const never = request({ costAtMost: dollars('0.88') })
    const bought = await sendInVain({ costAtMost: dollars('0.88') })
    vendor.prices['pubgm/60 UC'] = 0.9
    expect(await make().lookUp(bought, minutes(1))).toMatchObject({ kind: 'done', value: { status: 'pending' } })
    expect(await make().lookUp(never, minutes(1))).toEqual({
      kind: 'unknown',
      why: 'too_dear',
      facts: { cost: '0.90 USD', at_most: '0.88 USD' },
    })
    vendor.prices['pubgm/60 UC'] = 0.88
    expect([vendor.executions(never.key), vendor.executions(bought.key)]).toEqual([0, 1])
  })
})

describe('the status of an order', () => {
  const lookAt = async (change: Parameters<typeof vendor.set>[1]) => {
    const sent = request()
    const { value } = (await make().order(sent)) as { value: SupplierOrder }
    vendor.set(sent.key, change)
    return make().lookUp(sent, { supplierOrderId: value.supplierOrderId, ageSeconds: 1 })
  }

  test.each([
    ['PROCESSING', { kind: 'done', value: { status: 'pending' } }],
    ['completed', { kind: 'done', value: { status: 'done' } }],
    ['FAILED', { kind: 'done', value: { status: 'failed', why: 'No such region' } }],
    ['PARTIAL', { kind: 'unknown', why: 'unknown_status' }],
  ])('%s', async (status, expected) => {
    expect(await lookAt({ status, message: 'No such region' })).toMatchObject(expected)
  })

  test('is not that of another order', async () => {
    vendor.refusal = { status: 200, body: { success: true, order: { order_id: 7, status: 'COMPLETED' } } }
    const answer = await make().lookUp(request(), { supplierOrderId: '42', ageSeconds: 1 })
    vendor.refusal = undefined
    expect(answer).toEqual({ kind: 'unknown', why: 'other_order' })
  })
})

test('a key that was refused is not used for an hour, because the vendor bans those who keep trying', async () => {
  const supplier = make({ G2BULK_API_KEY: 'wrong' })
  const refused = { kind: 'rejected', code: 'not_allowed' }
  const useKey = async () => {
    expect(await supplier.order(request())).toEqual(refused)
    expect(await supplier.readBalance?.()).toEqual(refused)
    expect((await supplier.lookUp(request(), { supplierOrderId: '42', ageSeconds: 1 })).kind).toBe('unknown')
  }
  const keyed = async () => (await sentTo(/./, useKey)).filter(({ headers }) => 'x-api-key' in headers)
  expect(await keyed()).toHaveLength(1)
  expect(await keyed()).toHaveLength(0)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000)
  expect(await keyed()).toHaveLength(1)
  clock.mockRestore()
})

describe('a webhook', () => {
  const read = (webhook: { body: Buffer; headers: Record<string, string> }, supplier = make()) =>
    supplier.readWebhook?.({ ...webhook, address: '127.0.0.1', now: new Date() })

  test('is about the key that its order was bought under, and has one name however often it comes', async () => {
    const { key } = await sendInVain()
    const first = read(vendor.webhook(key))
    expect(first).toMatchObject({ verified: true, events: [{ eventKey: `${key}:PENDING`, about: { key } }] })
    expect(read(vendor.webhook(key))).toEqual(first)
  })

  test('is taken from nobody who has not seen the remark', async () => {
    const { key } = await sendInVain()
    const genuine = vendor.webhook(key)
    expect(read(genuine, make({ G2BULK_API_KEY: 'the key of another shop' }))).toMatchObject({ verified: false })
    const other = await sendInVain()
    const [, proof] = vendor.orders.at(-1)?.remark?.split('.') ?? []
    expect(read(vendor.webhook(other.key, `${other.key}.${proof}`))).toMatchObject({ verified: true })
    for (const remark of ['', key, `${key}.`, `${key}.${proof}`, `${randomUUID()}.${proof}`]) {
      expect(read(vendor.webhook(key, remark)), remark).toMatchObject({ verified: false, reply: { status: 400 } })
    }
  })
})

test('a webhook that is rubbish somewhere is refused, or is about its order', async () => {
  const { key } = await sendInVain()
  const message = JSON.parse(vendor.webhook(key).body.toString())
  fc.assert(
    fc.property(changes, (spoiling) => {
      const body = Buffer.from(JSON.stringify(spoil(message, spoiling)))
      const reading = make().readWebhook?.({ body, headers: {}, address: '127.0.0.1', now: new Date() })
      const events = reading?.verified ? reading.events : []
      expect(reading?.reply.status).toBe(reading?.verified ? 200 : 400)
      for (const event of events) expect(event).toEqual({ eventKey: expect.toSatisfy(isStorable), about: { key } })
    }),
    { numRuns: 500 },
  )
})

test('its money is told to the cent below', async () => {
  expect(await make().readBalance?.()).toEqual({ kind: 'done', value: { amount: 874, currency: 'USD' } })
})

describe('its catalogue', () => {
  const readGames = async () => {
    const [first, second] = [await make().listServices?.(), await make().listServices?.('game_25')]
    return [first, second].flatMap((page) => (page?.kind === 'done' ? page.value.items : []))
  }

  test('has the fields of a game as an order calls them, and a choice where there is a list of servers', async () => {
    const games = new Map((await readGames()).map((game) => [game.reference, game.fields]))
    const player = { key: 'player_id', label: 'User ID', type: 'text', isRequired: true }
    const server = { key: 'server_id', label: 'Server ID', type: 'text', isRequired: true }
    expect(games.get('pubgm')).toEqual([player])
    // It lists none.
    expect(games.get('freefire_global')).toEqual([player])
    expect(games.get('mlbb')).toEqual([player, server])
    const options = [
      { value: 'Asia', label: 'Asia' },
      { value: 'Europe', label: 'Europe' },
    ]
    expect(games.get('genshin')).toEqual([player, { ...server, type: 'select', options }])
    expect(await make().listOptions?.('genshin', 'server_id')).toEqual({ kind: 'done', value: options })
    expect(await make().listOptions?.('mlbb', 'server_id')).toEqual({ kind: 'done', value: [] })
    expect(games.get('ragnarok')?.[2]).toMatchObject({ key: 'charname', label: 'Not available for Indonesia users' })
  })

  test('leaves a game out whose fields an order can not carry', async () => {
    expect((await readGames()).map(({ reference }) => reference)).not.toContain('by_password')
  })

  test.each([
    [[], ['player_id']],
    [
      ['User_ID', 'serverID'],
      ['player_id', 'server_id'],
    ],
    [['serverid'], undefined],
    [['userid', 'constructor'], undefined],
    ['userid', undefined],
  ])('takes the fields %j for %j', async (fields, expected) => {
    Object.assign(vendor.fields, { pubgm: fields })
    const answer = await make().listServices?.('mlbb')
    Object.assign(vendor.fields, { pubgm: ['userid'] })
    const games = answer?.kind === 'done' ? answer.value.items : []
    expect(games.find(({ reference }) => reference === 'pubgm')?.fields.map(({ key }) => key)).toEqual(expected)
  })

  test('passes no game over that comes or goes while it is read', async () => {
    const first = await make().listServices?.()
    const [{ next } = {}] = first?.kind === 'done' ? [first.value] : []
    delete vendor.prices['freefire_global/100 Diamonds']
    const second = await make().listServices?.(next)
    vendor.prices['freefire_global/100 Diamonds'] = 0.95
    const games = [first, second].flatMap((page) => (page?.kind === 'done' ? page.value.items : []))
    expect(games.filter(({ reference }) => reference.startsWith('game_'))).toHaveLength(20)
  })

  test('shows the API key to nobody', async () => {
    const calls = await sentTo(/./, async () => {
      await readGames()
      await make().listProducts?.('pubgm')
    })
    expect(calls.filter(({ headers }) => 'x-api-key' in headers)).toEqual([])
  })
})
