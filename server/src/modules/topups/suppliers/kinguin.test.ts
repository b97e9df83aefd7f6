import { randomUUID } from 'node:crypto'
import { type Decimal, parseDecimal } from '@olmos/contract/decimal'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startKinguin } from '../../../../test/doubles/kinguin.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import type { SupplierRequest } from '../supplier.ts'
import { kinguin } from './kinguin.ts'

const dollars = (text: string): Decimal => parseDecimal(text) as Decimal
const unnamed = { supplierOrderId: null, ageSeconds: 0 }

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
afterEach(() => {
  vendor.distort = undefined
  euroRate = dollars('0.9')
})
afterAll(() => vendor.close())
const request = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
  key: randomUUID(),
  wanted: 'code',
  account: {},
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

test('a repeat that is refused is the first order, where that came after all', async () => {
  const [sent, never] = [request(), request()]
  await supplier().order(sent)
  // It has become dearer in the moment after its price was read.
  vendor.distort = (body) => ({ ...(body as object), offers: [], price: 1 })
  const refused = { kind: 'rejected', code: 'ConstraintViolation' }
  expect(await supplier().order({ ...sent, isRepeat: true })).toMatchObject({
    kind: 'done',
    value: { status: 'pending' },
  })
  expect(await supplier().order({ ...never, isRepeat: true })).toEqual(refused)
  const asked = vendor.requests.length
  expect(await supplier().order(never)).toEqual(refused)
  expect(vendor.requests.length - asked).toBe(2)
  expect([vendor.executions(sent.key), vendor.executions(never.key)]).toEqual([1, 0])
})

test.each<[string, object, Partial<SupplierRequest>]>([
  ['ProductUnavailable', { offers: [{ price: 5.79, availableTextQty: 0 }] }, {}],
  ['too_dear', { offers: [], price: 9 }, {}],
  ['ProductNotFound', {}, { item: 'no such' }],
  ['no_rate', {}, {}],
])(
  'a repeat that is refused before it is sent, for %s, is the first order all the same',
  async (code, product, change) => {
    const [sent, never] = [request(), request()]
    await supplier().order(sent)
    // The first order has the last key, or the cheapest; or the product, or the rate of euros, is gone since.
    vendor.distort = (body) => ({ ...(body as object), ...product })
    if (code === 'no_rate') euroRate = undefined
    const repeat = { ...change, isRepeat: true }
    expect(await supplier().order({ ...sent, ...repeat })).toMatchObject({ kind: 'done', value: { status: 'pending' } })
    expect(await supplier().order({ ...never, ...repeat })).toMatchObject({ kind: 'rejected', code })
    expect([vendor.executions(sent.key), vendor.executions(never.key)]).toEqual([1, 0])
  },
)

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

test('its shelves are its platforms, each once, and have every product that can be bought now', async () => {
  const services = await supplier().listServices?.()
  const titles = services?.kind === 'done' ? services.value.items.map(({ title }) => title) : []
  expect(titles).toEqual(['PC Steam', 'EA App', 'PC'])
  const read = async (cursor?: string) => {
    const page = await supplier().listProducts?.('EA App', cursor)
    if (page?.kind !== 'done') throw new Error(JSON.stringify(page))
    return page.value
  }
  const pages = [await read(), await read('2'), await read('3')]
  expect(pages.map(({ items, next, pages }) => [items.length, next, pages])).toEqual([
    // One is not out yet, one is free, and one has a price that nobody can pay.
    [22, '2', 3],
    [25, '3', 3],
    [10, undefined, 3],
  ])
  expect(pages[0]?.items[0]).toEqual({
    reference: '5c9b0a1b2c3d',
    name: 'Game 1949',
    cost: '5.79',
    currency: 'EUR',
    stock: 149,
    region: 'Region free',
  })
})

test.each([
  ['says to have 149', { textQty: 149 }, 149],
  ['says to have none, though a dearer offer has some,', { textQty: 0 }, undefined],
  ['says to have none, and names no offers,', { textQty: 0, offers: [] }, 0],
  ['does not say how many it has', { textQty: null }, undefined],
])('of a product that %s the stock is read so', async (_, told, stock) => {
  vendor.distort = (body) => {
    const { results } = body as { results?: object[] }
    return results ? { ...(body as object), results: results.map((row) => ({ ...row, ...told })) } : body
  }
  const page = await supplier().listProducts?.('EA App')
  expect(page?.kind === 'done' && page.value.items[0]?.stock).toBe(stock)
})

test('what it took is what it charged, in euros', async () => {
  const sent = request()
  const cost = { amount: '5.29000000', currency: 'EUR' }
  expect(await supplier().order(sent)).toMatchObject({ value: { cost } })
  expect(await supplier().lookUp(sent, unnamed)).toMatchObject({ value: { cost } })
})
