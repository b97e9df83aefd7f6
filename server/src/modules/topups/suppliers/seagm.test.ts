import { randomUUID } from 'node:crypto'
import { type Decimal, parseDecimal } from '@olmos/contract/decimal'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SeagmDouble, startSeagm } from '../../../../test/doubles/seagm.ts'
import { createVendorFetch, type VendorFetch } from '../../../platform/vendor/vendor.ts'
import type { SupplierOrder, SupplierRequest } from '../supplier.ts'
import { seagm } from './seagm.ts'

const decimal = (text: string): Decimal => parseDecimal(text) as Decimal

let vendor: SeagmDouble
let rate: Decimal | undefined
let ratesAskedFor: string[]
beforeEach(async () => {
  vendor = await startSeagm()
  rate = decimal('4.15')
  ratesAskedFor = []
})
afterEach(() => vendor.close())

const supplier = (fetchVendor: VendorFetch = createVendorFetch()) =>
  seagm.create(
    { SEAGM_UID: '10001', SEAGM_SECRET_KEY: 'sg_test_secret', SEAGM_BASE_URL: vendor.url },
    {
      fetchVendor,
      rateToBuyBy: async (currency) => {
        ratesAskedFor.push(currency)
        return rate
      },
    },
  )

const request = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
  key: randomUUID(),
  wanted: 'topup',
  account: { player_id: '5123456789' },
  item: '1060',
  costAtMost: decimal('1'),
  ...change,
})
const aCode = { wanted: 'code', account: {}, item: '2010', costAtMost: decimal('100') } as const
const unnamed = { supplierOrderId: null, ageSeconds: 600 }
const posts = () => vendor.requests.filter(({ method }) => method === 'POST')

describe('a request', () => {
  test('is a form with the signature that another program computes, and the time in seconds', async () => {
    const asked: { url: string; init: RequestInit | undefined }[] = []
    const type = { unit_price: '4.15', currency: 'USD', fields: [{ name: 'playerid' }] }
    const fetchVendor: VendorFetch = async (url, init) => {
      asked.push({ url: String(url), init })
      return Response.json({ code: 200, msg: 'OK', data: type })
    }
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_999 })
    const key = '5f0c2f6e-7d2b-4f7e-9d53-0a4f6f1c2b3d'
    await supplier(fetchVendor).order(request({ key, costAtMost: decimal('5') }))
    vi.useRealTimers()
    const { url, init } = asked[1] as (typeof asked)[number]
    expect(url).toBe(
      `${vendor.url}/v1/recharge-orders?uid=10001&timestamp=1700000000&signature=e49bb7856065786142a6761cb810cceb39182a86d574a153708e08faa602ac45`,
    )
    expect(Object.fromEntries(new URLSearchParams(String(init?.body)))).toEqual({
      playerid: '5123456789',
      type_id: '1060',
      buy_amount: '1',
      mch_order_id: key,
    })
    expect(new Headers(init?.headers).get('content-type')).toBe('application/x-www-form-urlencoded')
  })

  test('is refused, and buys nothing, while the clocks are more than two minutes apart', async () => {
    vendor.aheadSeconds = 121
    const sent = request()
    expect(await supplier().order(sent)).toEqual({ kind: 'rejected', code: 'not_allowed' })
    vendor.aheadSeconds = 0
    expect(vendor.executions(sent.key)).toBe(0)
  })
})

describe('a top-up', () => {
  test('has the player in the one field that its type names, whatever that is called', async () => {
    Object.assign(vendor.types['recharge/1060'] ?? {}, { fields: [{ name: 'charge_account', type: 'input' }] })
    const sent = request()
    expect(await supplier().order(sent)).toMatchObject({ kind: 'done', value: { status: 'pending' } })
    expect(vendor.orders[0]?.fields).toEqual({ charge_account: '5123456789' })
  })

  test.each([
    ['more than a player', [{ name: 'user_id' }, { name: 'zone_id' }]],
    ['nothing', []],
    ['a password', [{ name: 'login' }, { name: 'password' }]],
    ['what is called as its own parameter', [{ name: 'uid' }]],
  ])('of a type that wants %s is refused before it is ordered', async (_what, fields) => {
    Object.assign(vendor.types['recharge/1060'] ?? {}, { fields })
    expect(await supplier().order(request())).toEqual({ kind: 'rejected', code: 'other_fields' })
    expect(posts()).toEqual([])
  })

  test.each([
    [{ item: '402' }, 'float_empty'],
    [{ item: '9999' }, 'no_such_type'],
    [{ item: null }, 'no_item'],
    [{ item: '../me' }, 'no_item'],
    [{ code: 'UC-1' }, 'no_item'],
    // A card is another thing than the top-up with its number.
    [{ wanted: 'code' as const, item: '1060' }, 'no_such_type'],
    [{ wanted: 'code' as const, item: 'recharge/1060' }, 'no_item'],
    [{ item: 'card/2010' }, 'no_item'],
  ])('%j is refused: %s', async (change, code) => {
    for (const refusesWithin200 of [false, true]) {
      vendor.refusesWithin200 = refusesWithin200
      const sent = request(change)
      expect(await supplier().order(sent)).toEqual({ kind: 'rejected', code })
      expect(vendor.executions(sent.key)).toBe(0)
    }
  })
})

test('a top-up of several fields has them by their names, and is named as the catalogue names it', async () => {
  const account = { user_id: '5123456789', zone_id: '2001' }
  expect((await supplier().order(request({ item: 'recharge/1100', account, costAtMost: decimal('2') }))).kind).toBe(
    'done',
  )
  expect(vendor.orders[0]?.fields).toEqual(account)
})

describe('the catalogue', () => {
  const readShelf = async (service: string) => {
    const answer = await supplier().listProducts?.(service)
    return answer?.kind === 'done' ? answer.value.items : []
  }

  test('has a category once with the fields of its first type, and no type that wants other fields', async () => {
    const answer = await supplier().listServices?.('recharge:recharge/19')
    const services = answer?.kind === 'done' ? answer.value.items : []
    const input = { type: 'text', isRequired: true }
    expect(services.find(({ reference }) => reference === 'recharge/2')?.fields).toEqual([
      { key: 'user_id', label: 'User ID', ...input },
      { key: 'zone_id', label: 'Zone ID', ...input },
    ])
    expect((await readShelf('recharge/2')).map(({ reference }) => reference)).toEqual(['recharge/1100'])
  })

  test('leaves out what wants a password', async () => {
    const answer = await supplier().listServices?.('recharge:recharge/19')
    const services = answer?.kind === 'done' ? answer.value.items : []
    expect(services.map(({ reference }) => reference)).not.toContain('recharge/3')
    expect(await supplier().listProducts?.('recharge/3')).toEqual({ kind: 'unknown', why: 'bad_answer' })
  })

  test('has the choices of a field, once somebody has seen what they look like', async () => {
    const fields = [{ name: 'server', type: 'select', label: 'Server', options: ['Asia', 'Europe'] }]
    Object.assign(vendor.types['recharge/1060'] ?? {}, { fields })
    const options = ['Asia', 'Europe'].map((value) => ({ value, label: value }))
    expect(await supplier().listOptions?.('recharge/1', 'server')).toEqual({ kind: 'done', value: options })
  })

  test('says of a card that is sold out that there is none', async () => {
    expect(await readShelf('card/181')).toMatchObject([
      { reference: 'card/2010', cost: '43.5', currency: 'MYR', quantityMin: 1, quantityMax: 10 },
      { reference: 'card/2011', stock: 0 },
    ])
  })
})

describe('the price', () => {
  test('is in the currency of the account, and counts by its rate', async () => {
    expect(await supplier().order(request({ costAtMost: decimal('0.99999999') }))).toEqual({
      kind: 'rejected',
      code: 'too_dear',
      facts: { cost: '4.15 MYR', at_most: '4.14999995 MYR' },
    })
    expect((await supplier().order(request())).kind).toBe('done')
    expect(ratesAskedFor).toEqual(['MYR', 'MYR'])
  })

  test('in dollars needs no rate', async () => {
    Object.assign(vendor.types['recharge/1060'] ?? {}, { currency: 'USD', unit_price: 0.95 })
    rate = undefined
    expect((await supplier().order(request())).kind).toBe('done')
    expect(await supplier().order(request({ costAtMost: decimal('0.94') }))).toMatchObject({ code: 'too_dear' })
    expect(ratesAskedFor).toEqual([])
  })

  test('without a rate buys nothing', async () => {
    rate = undefined
    expect(await supplier().order(request())).toEqual({ kind: 'rejected', code: 'no_rate' })
    expect(posts()).toEqual([])
  })

  test.each(['soon', '0', '-1', '1e3', '0.000000001'])('%j that nobody can read buys nothing', async (unit_price) => {
    Object.assign(vendor.types['recharge/1060'] ?? {}, { unit_price })
    expect(await supplier().order(request())).toEqual({ kind: 'unknown', why: 'bad_answer', isUnsent: true })
    expect(posts()).toEqual([])
  })
})

describe('a refusal', () => {
  const within = (code: number, msg: string) => ({ code, msg, error_info: { info_code: 20_077, info_message: msg } })

  test.each([
    [401, { kind: 'rejected', code: 'not_allowed' }],
    [403, { kind: 'rejected', code: 'not_allowed' }],
    [409, { kind: 'rejected', code: 'not_allowed' }],
    [400, { kind: 'rejected', code: 'A reason' }],
    [408, { kind: 'unknown', why: 'http_408', isUnsent: true }],
    [413, { kind: 'unknown', why: 'http_413', isUnsent: true }],
    [418, { kind: 'unknown', why: 'http_418', isUnsent: true }],
    [429, { kind: 'unknown', why: 'http_429', isUnsent: true }],
    [500, { kind: 'unknown', why: 'http_500', isUnsent: true }],
    [20_033, { kind: 'unknown', why: 'http_20033', isUnsent: true }],
  ])('with %i means one thing, whether HTTP says so or the envelope alone', async (code, expected) => {
    for (const status of code < 600 ? [code, 200] : [200]) {
      vendor.refusal = { status, body: within(code, 'A reason') }
      expect(await supplier().order(request())).toEqual(expected)
    }
  })

  test('is none while HTTP and the envelope do not agree that it is one', async () => {
    vendor.refusal = { status: 502, body: within(400, 'A reason') }
    expect(await supplier().order(request())).toEqual({ kind: 'unknown', why: 'http_502', isUnsent: true })
  })

  test.each([400, 401, 403, 404])('with %i that is not the vendor speaking says nothing', async (status) => {
    vendor.refusal = { status, body: { error: 'proxy' } }
    expect(await supplier().order(request())).toEqual({ kind: 'unknown', why: `http_${status}`, isUnsent: true })
    expect(await supplier().lookUp(request(), unnamed)).toEqual({ kind: 'unknown', why: `http_${status}` })
  })

  /** Answers orders with this, once the vendor has taken them or not, and everything else as the vendor does. */
  const answering = (code: number, { isBought }: { isBought: boolean }): VendorFetch => {
    const ask = createVendorFetch()
    return async (url, init) => {
      if (init?.method !== 'POST') return ask(url, init)
      if (isBought) await ask(url, init)
      return Response.json(within(code, 'A reason'), { status: code })
    }
  }

  test.each([400, 401, 404])('with %i of an order that is there all the same is not believed', async (code) => {
    const sent = request()
    expect(await supplier(answering(code, { isBought: true })).order(sent)).toMatchObject({
      kind: 'done',
      value: { supplierOrderId: String(vendor.orders[0]?.id), status: 'pending' },
    })
    expect(vendor.executions(sent.key)).toBe(1)
  })

  test('of an order with 409 may be of its key, and leaves everything open', async () => {
    const answer = await supplier(answering(409, { isBought: false })).order(request())
    expect(answer).toEqual({ kind: 'unknown', why: 'http_409' })
  })

  test('of a key that was used before answers with the order that it has', async () => {
    const sent = request()
    const [first, second] = [await supplier().order(sent), await supplier().order(sent)]
    expect(second).toEqual(first)
    expect(vendor.executions(sent.key)).toBe(1)
  })

  test('is no refusal while nobody says that the order is not there', async () => {
    const ask = answering(400, { isBought: true })
    const isLookUp = (url: unknown) => String(url).includes('mchOrderId')
    const fetchVendor: VendorFetch = async (url, init) => {
      if (isLookUp(url)) throw new TypeError('the line is cut')
      return ask(url, init)
    }
    expect(await supplier(fetchVendor).order(request())).toEqual({ kind: 'unknown', why: 'network' })
  })
})

describe('an order', () => {
  const bought = async (change: Partial<SupplierRequest> = {}) => {
    const sent = request(change)
    const answer = await supplier().order(sent)
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer))
    return { sent, supplierOrderId: answer.value.supplierOrderId }
  }
  const lookAt = async (change: Partial<SeagmDouble['orders'][number]>, wanted: Partial<SupplierRequest> = {}) => {
    const { sent, supplierOrderId } = await bought(wanted)
    vendor.set(sent.key, change)
    const byName = await supplier().lookUp(sent, { supplierOrderId, ageSeconds: 1 })
    expect(await supplier().lookUp(sent, unnamed)).toEqual(byName)
    return byName
  }

  test.each<[string, object, Partial<SupplierOrder>]>([
    ['waits', { status_code: 10_001 }, { status: 'pending' }],
    ['is being sent', { status_code: '10002' }, { status: 'pending' }],
    ['is done', { status_code: '10003' }, { status: 'done' }],
    ['failed and is paid', { status_code: 10_004 }, { status: 'pending' }],
    ['failed and has half of it back', { status_code: 10_004, refunded_amount: '2.00' }, { status: 'pending' }],
    ['failed, unpaid', { status_code: 10_004, pay_status_code: '1' }, { status: 'failed', why: 'failed' }],
    [
      'failed, refunded',
      { status_code: 10_004, refunded_amount: '4.15', refunded_reason: 'Wrong player' },
      { status: 'failed', why: 'Wrong player' },
    ],
    ['is refunded', { status_code: 10_005, pay_amount: 'x' }, { status: 'failed', why: 'refunded' }],
  ])('that %s: %j', async (_what, change, expected) => {
    const cost = expected.status === 'failed' ? {} : { cost: { amount: '4.15000000', currency: 'MYR' } }
    expect(await lookAt(change)).toEqual({
      kind: 'done',
      value: { supplierOrderId: String(vendor.orders[0]?.id), ...expected, ...cost },
    })
  })

  test('with a status that nobody knows leaves everything open', async () => {
    expect(await lookAt({ status_code: 10_006 })).toEqual({ kind: 'unknown', why: 'unknown_status' })
  })

  test('of a card that is done has its pin, and is under way until it has', async () => {
    const card = { sn: 'SN-7', pin: 'PIN-7', expired: '2030-12-30' }
    expect(await lookAt({ status_code: 10_003, cards: [card] }, aCode)).toMatchObject({
      value: { status: 'done', codes: ['PIN-7'] },
    })
    const cards = [{ card_number: 'SN-8', card_pin: 'PIN-8', expired: '-' }]
    expect(await lookAt({ status_code: 10_003, cards }, aCode)).toMatchObject({ value: { codes: ['PIN-8'] } })
    for (const cards of [[], [{ ...card, pin: '' }], undefined]) {
      expect(await lookAt({ status_code: 10_003, ...(cards && { cards }) }, aCode)).toMatchObject({
        value: { status: 'pending' },
      })
    }
  })

  test('that was asked for by the key and is of another key is nobody knows what', async () => {
    const { sent } = await bought()
    const other = { code: 200, msg: 'OK', data: { ...vendor.orders[0], mch_order_id: randomUUID() } }
    vendor.refusal = { status: 200, body: other }
    expect(await supplier().lookUp(sent, unnamed)).toEqual({ kind: 'unknown', why: 'other_order' })
  })

  test('that has a name there, and is not found by it, is not gone', async () => {
    const { sent } = await bought()
    expect(await supplier().lookUp(sent, { supplierOrderId: '1', ageSeconds: 600 })).toEqual({
      kind: 'unknown',
      why: 'not_found',
    })
  })

  test('is looked up without being sent again, and is not gone for not being found', async () => {
    const sent = request()
    expect(await supplier().lookUp(sent, unnamed)).toEqual({ kind: 'unknown', why: 'not_found' })
    expect(posts()).toEqual([])
  })
})

test('the money there is read to the hundredth below', async () => {
  expect(await supplier().readBalance?.()).toEqual({ kind: 'done', value: { amount: 10_049, currency: 'MYR' } })
})
