import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFazercards } from '../../../test/doubles/fazercards.ts'
import { startKinguin } from '../../../test/doubles/kinguin.ts'
import type { Fault, VendorDouble } from '../../../test/doubles/vendor-double.ts'
import { type SupplierBench, supplierBenches } from '../../../test/supplier-benches.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import { type Decimal, parseDecimal } from '../rates/rate.rules.ts'
import type { SupplierOrder, SupplierRequest } from './supplier.ts'
import { fazercards } from './suppliers/fazercards.ts'
import { kinguin } from './suppliers/kinguin.ts'

const dollars = (text: string): Decimal => parseDecimal(text) as Decimal
const unnamed = { supplierOrderId: null, ageSeconds: 0 }

describe.each(Object.entries(supplierBenches))('%s', (_name, open) => {
  let bench: SupplierBench
  beforeAll(async () => {
    bench = await open()
  })
  afterAll(() => bench.close())

  const send = async (request: SupplierRequest): Promise<SupplierOrder> => {
    const outcome = await bench.supplier.order(request)
    if (outcome.kind !== 'done') throw new Error(`not ordered: ${JSON.stringify(outcome)}`)
    return outcome.value
  }
  const look = async (request: SupplierRequest, supplierOrderId: string | null = null) => {
    const outcome = await bench.supplier.lookUp(request, { supplierOrderId, ageSeconds: 60 })
    return outcome.kind === 'done' ? outcome.value : outcome
  }

  test('an order has a name there, is under way, and is done when it is', async () => {
    const request = bench.request()
    const { supplierOrderId, status } = await send(request)
    expect(status).toBe('pending')
    expect(await look(request, supplierOrderId)).toMatchObject({ supplierOrderId, status: 'pending' })
    await bench.finish(request.key)
    const done = await look(request, supplierOrderId)
    expect(done).toMatchObject({ supplierOrderId, status: 'done' })
    if (request.wanted === 'code') expect((done as SupplierOrder).codes).toHaveLength(1)
    expect(await bench.executions(request.key)).toBe(1)
  })

  test('an order whose answer was lost is found by the key alone', async () => {
    const request = bench.request()
    const { supplierOrderId } = await send(request)
    expect(await look(request)).toMatchObject({ supplierOrderId, status: 'pending' })
    await bench.finish(request.key)
    const { status } = (await look(request, supplierOrderId)) as SupplierOrder
    expect(status).toBe('done')
    expect(await bench.executions(request.key)).toBe(1)
  })

  test('an order that fails is failed, not unknown', async () => {
    if (!bench.fail) return expect(bench.supplier.name).toBe('sandbox')
    const request = bench.request()
    const { supplierOrderId } = await send(request)
    await bench.fail(request.key)
    expect(await look(request, supplierOrderId)).toMatchObject({ status: 'failed', why: expect.any(String) })
  })

  test('what it does not sell is a no, and nothing is bought', async () => {
    const request = { ...bench.unknownItem, key: randomUUID() }
    expect((await bench.supplier.order(request)).kind).toBe('rejected')
    expect(await bench.executions(request.key)).toBe(0)
  })

  test('what costs as much as it may is bought, and nothing that costs the least bit more', async () => {
    const [affordable, dear] = [bench.priced(), bench.priced()]
    expect((await bench.supplier.order(affordable)).kind).toBe('done')
    const refused = { ...dear, costAtMost: dear.costAtMost - 1n }
    expect(await bench.supplier.order(refused)).toMatchObject({
      kind: 'rejected',
      code: 'too_dear',
      facts: {
        cost: expect.stringMatching(/^\d+\.\d{2,} [A-Z]{3}$/),
        at_most: expect.stringMatching(/^\d+\.\d{2,} [A-Z]{3}$/),
      },
    })
    // A look-up that may send the order again buys it no dearer either.
    expect((await bench.supplier.lookUp(refused, unnamed)).kind).not.toBe('done')
    expect([await bench.executions(affordable.key), await bench.executions(refused.key)]).toEqual([1, 0])
  })

  test.each(['no-such-order', randomUUID(), '../balance', '%00'])('%j is not an order', async (id) => {
    if (!bench.vendor) return expect(bench.supplier.name).toBe('sandbox')
    expect((await bench.supplier.lookUp(bench.request(), { supplierOrderId: id, ageSeconds: 60 })).kind).toBe('unknown')
  })

  test('the money there is told', async () => {
    expect(await bench.supplier.readBalance?.()).toMatchObject({
      kind: 'done',
      value: { amount: expect.toSatisfy(Number.isSafeInteger), currency: expect.stringMatching(/^[A-Z]{3}$/) },
    })
  })

  test('a true notice is taken and names the order; a forged one is refused', async () => {
    const request = bench.request()
    const { supplierOrderId } = await send(request)
    await bench.finish(request.key)
    const reading = bench.supplier.readWebhook?.(await bench.webhook(request.key))
    expect(reading).toMatchObject({ verified: true, reply: { status: expect.toSatisfy((status) => status < 300) } })
    const [event] = reading?.verified ? reading.events : []
    expect([{ supplierOrderId }, { key: request.key }]).toContainEqual(event?.about)
  })

  test('bytes that mean nothing, and notices signed by somebody else, are refused and never throw', async () => {
    const request = bench.request()
    await send(request)
    const { headers } = await bench.webhook(request.key)
    const other = await bench.forged(request.key)
    expect(bench.supplier.readWebhook?.(other)).toMatchObject({ verified: false, reply: { status: 400 } })
    for (let round = 0; round < 100; round++) {
      const body = round % 4 === 0 ? Buffer.from('{"event_id":5,"data":[]}') : randomBytes(round * 7)
      const reading = bench.supplier.readWebhook?.({
        body,
        headers: round % 2 ? headers : {},
        address: '127.0.0.1',
        now: new Date(),
      })
      expect(reading).toMatchObject({ verified: false, reply: { status: 400 } })
    }
  })
})

const impatientMs = 500
const vendors = Object.entries(supplierBenches).filter(([name]) => name !== 'sandbox')
/** Whether the vendor carries the order out all the same. */
const faults: readonly (readonly [Fault, boolean])[] = [
  ['slow', true],
  ['broken-after', true],
  ['html', true],
  ['endless', true],
  ['hang-up', true],
  ['broken-before', false],
  ['too-many', false],
  ['elsewhere', false],
]

describe.each(vendors)('%s when it fails', (_name, open) => {
  let bench: SupplierBench & { vendor: VendorDouble }
  beforeAll(async () => {
    const opened = await open()
    if (!opened.vendor) throw new Error('no vendor')
    bench = { ...opened, vendor: opened.vendor }
  })
  afterAll(() => bench.close())

  test.each(faults)(
    '%s: the outcome is unknown, and a look-up finds out without buying twice',
    async (fault, isDone) => {
      const request = bench.request()
      const supplier = fault === 'slow' ? bench.like({ timeoutMs: impatientMs }) : bench.supplier
      bench.vendor.fault = fault
      const broken = await supplier.order(request)
      bench.vendor.fault = undefined
      expect(broken.kind).toBe('unknown')
      expect(await bench.executions(request.key)).toBe(isDone ? 1 : 0)

      const found = await bench.supplier.lookUp(request, unnamed)
      const certain = found.kind === 'rejected' ? await bench.supplier.order(request) : found
      if (found.kind === 'rejected') expect([found.code, isDone]).toEqual(['not_found', false])
      expect(certain).toMatchObject({ kind: 'done', value: { status: 'pending' } })
      expect(await bench.executions(request.key)).toBe(1)
    },
  )

  test.each([
    ['7', 7],
    ['0', undefined],
    [' 12 ', 12],
    ['86400', SERVER_LIMITS.retryAfterSecondsMax],
    ['a date', 90],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    [undefined, undefined],
  ])('is asked again when it says so: Retry-After %j', async (said, seconds) => {
    const date = new Date(Date.now() + (seconds ?? 0) * 1_000).toUTCString()
    Object.assign(bench.vendor, { fault: 'too-many', retryAfter: said === 'a date' ? date : said })
    const answer = await bench.supplier.order(bench.request())
    Object.assign(bench.vendor, { fault: undefined, retryAfter: undefined })
    expect(answer).toMatchObject({ kind: 'unknown', why: 'http_429' })
    const told = 'retryAfterSeconds' in answer ? answer.retryAfterSeconds : undefined
    if (seconds === undefined) expect(told).toBeUndefined()
    else expect(Math.abs((told ?? Number.NaN) - Math.max(seconds, 0))).toBeLessThanOrEqual(2)
  })

  test('wrong credentials are a no', async () => {
    expect((await bench.like({ apiKey: 'wrong' }).order(bench.request())).kind).toBe('rejected')
  })

  test('a vendor that is silent leaves everything open', async () => {
    bench.vendor.isSilent = true
    const request = bench.request()
    expect((await bench.supplier.lookUp(request, { supplierOrderId: 'x', ageSeconds: 60 })).kind).toBe('unknown')
    expect((await bench.supplier.lookUp(request, unnamed)).kind).toBe('unknown')
    expect((await bench.supplier.readBalance?.())?.kind).toBe('unknown')
    bench.vendor.isSilent = false
  })
})

describe('fazercards', () => {
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
    wanted: 'pubg',
    account: '5123456789',
    item: 'pubg_mobile_auto/60_uc',
    costAtMost: dollars('100'),
    ...change,
  })

  test.each([
    ['5123456789', { kind: 'done', value: { name: 'Name 5123456789' } }],
    ['5123404', { kind: 'rejected', code: 'not_found' }],
    ['5123422', { kind: 'unknown', why: 'Could not confirm' }],
  ])('the player %s', async (player, expected) => {
    for (const game of ['pubg', 'freefire'] as const) {
      expect(await supplier().checkPlayer?.(game, player)).toEqual(expected)
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
    expect(await supplier().order({ ...sent, account: '5999999999' })).toEqual({ kind: 'unknown', why: 'http_409' })
    const posts = vendor.requests.length
    expect(await supplier().lookUp(sent, { supplierOrderId: null, ageSeconds: 21 * 3_600 })).toEqual({
      kind: 'unknown',
      why: 'too_old',
    })
    expect(vendor.requests).toHaveLength(posts)
  })

  test('a card that is completed without its code is under way', async () => {
    const sent = request({ wanted: 'code', account: '', item: 'itunes/10_usd' })
    const { value } = (await supplier().order(sent)) as { value: SupplierOrder }
    vendor.set(sent.key, { status: 'completed', cards: [] })
    const look = () => supplier().lookUp(sent, { supplierOrderId: value.supplierOrderId, ageSeconds: 1 })
    expect(await look()).toMatchObject({ value: { status: 'pending' } })
    vendor.set(sent.key, { status: 'weird' })
    expect(await look()).toEqual({ kind: 'unknown', why: 'unknown_status' })
  })

  test.each([
    [{ status: 'completed' }, 'pubg', { status: 'done' }],
    [{ status: 'failed' }, 'pubg', { status: 'failed', why: 'failed' }],
    [{ status: 'processing' }, 'pubg', { status: 'pending' }],
    [{}, 'pubg', { status: 'pending' }],
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

  test.each([
    ['gabe', { kind: 'done', value: { canRefill: true } }],
    ['gabe404', { kind: 'done', value: { canRefill: false } }],
    ['gabe_new', { kind: 'done', value: { canRefill: true } }],
    ['gabe500', { kind: 'unknown', why: 'http_500' }],
  ])('whether the Steam login %s can be topped up', async (login, expected) => {
    expect(await supplier().checkSteamLogin?.(login)).toEqual(expected)
  })

  test('a price that nobody can read buys nothing, and leaves open whether it will', async () => {
    vendor.prices['pubg_mobile_auto/60_uc'] = 'soon'
    const sent = request()
    expect(await supplier().order(sent)).toEqual({ kind: 'unknown', why: 'bad_answer' })
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
    [{ item: 'pubg_mobile/60_uc' }, 'OFFER_NOT_FOUND'],
  ])('%j is refused: %s', async (change, code) => {
    expect(await supplier().order(request(change))).toEqual({ kind: 'rejected', code })
  })
})

describe('kinguin', () => {
  let vendor: Awaited<ReturnType<typeof startKinguin>>
  let euroRate: Decimal | undefined = dollars('0.9')
  const supplier = () =>
    kinguin.create(
      {
        KINGUIN_API_KEY: vendor.apiKey,
        KINGUIN_WEBHOOK_SECRET: vendor.webhookSecret,
        KINGUIN_BASE_URL: vendor.url,
      },
      { fetchVendor: createVendorFetch(), rateToBuyBy: async () => euroRate },
    )
  beforeAll(async () => {
    vendor = await startKinguin()
  })
  afterAll(() => vendor.close())
  const request = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
    key: randomUUID(),
    wanted: 'code',
    account: '',
    item: '5c9b0a1b2c3d',
    costAtMost: dollars('6.44'),
    ...change,
  })

  test('an order completed without its codes is under way', async () => {
    const sent = request()
    await supplier().order(sent)
    vendor.set(sent.key, 'completed')
    vendor.isSlowWithKeys = true
    expect(await supplier().lookUp(sent, unnamed)).toMatchObject({ value: { status: 'pending' } })
    vendor.isSlowWithKeys = false
    expect(await supplier().lookUp(sent, unnamed)).toMatchObject({
      value: { status: 'done', codes: [expect.stringMatching(/^KEY-/)] },
    })
  })

  test('two orders under one key are nobody knows which', async () => {
    const sent = request()
    await supplier().order(sent)
    await supplier().order(sent)
    expect(await supplier().lookUp(sent, unnamed)).toEqual({ kind: 'unknown', why: 'several_orders' })
  })

  test.each([
    [{ item: 'poor' }, 'float_empty'],
    [{ item: null }, 'no_item'],
    [{ item: 'no such' }, 'ProductNotFound'],
  ])('%j is refused: %s', async (change, code) => {
    expect(await supplier().order(request(change))).toEqual({ kind: 'rejected', code })
  })

  test('its euros are not taken for dollars, and the price that was read is the price that is named', async () => {
    // 6.44 USD are 5.796 EUR, 6.43 USD only 5.787.
    expect(await supplier().order(request({ costAtMost: dollars('6.43') }))).toEqual({
      kind: 'rejected',
      code: 'too_dear',
      facts: { cost: '5.79 EUR', at_most: '5.787 EUR' },
    })
    const sent = request()
    expect((await supplier().order(sent)).kind).toBe('done')
    const { body } = vendor.requests.find((one) => one.body.includes(sent.key)) as { body: string }
    expect(JSON.parse(body).products[0].price).toBe(5.79)
  })

  test('that has become dearer meanwhile is refused before it is asked for', async () => {
    vendor.price = 5.8
    const sent = request()
    expect(await supplier().order(sent)).toMatchObject({ kind: 'rejected', code: 'too_dear' })
    vendor.price = 5.79
    expect(vendor.requests.some(({ body }) => body.includes(sent.key))).toBe(false)
  })

  test('without a rate of euros nothing is bought, and nobody is asked', async () => {
    const count = vendor.requests.length
    euroRate = undefined
    expect(await supplier().order(request())).toEqual({ kind: 'rejected', code: 'no_rate' })
    euroRate = dollars('0.9')
    expect(vendor.requests).toHaveLength(count)
  })

  test('its notice of a product is taken, asks for nothing, and a forged one is refused', async () => {
    const told = (secret?: string) => ({ ...vendor.productWebhook(secret), address: '127.0.0.1', now: new Date() })
    expect(supplier().readWebhook?.(told())).toEqual({
      verified: true,
      events: [],
      reply: { status: 204, body: '' },
    })
    expect(supplier().readWebhook?.(told('another'))).toMatchObject({ verified: false, reply: { status: 400 } })
  })
})
