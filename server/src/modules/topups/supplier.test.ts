import { randomBytes, randomUUID } from 'node:crypto'
import { parseDecimal } from '@olmos/contract/decimal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault, VendorDouble } from '../../../test/doubles/vendor-double.ts'
import { type SupplierBench, supplierBenches } from '../../../test/supplier-benches.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { canRepeat, fillFields, type SupplierOrder, type SupplierRequest } from './supplier.ts'

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

  test('a second order under the same key is the first one, or the first one is found by it', async () => {
    const request = bench.request()
    const { supplierOrderId } = await send(request)
    const isByKey = typeof bench.supplier.remembers === 'object'
    const again = isByKey ? await send(request) : await look(request)
    expect(again).toMatchObject({ supplierOrderId, status: 'pending' })
    expect(await bench.executions(request.key)).toBe(bench.supplier.name === 'sandbox' ? 0 : 1)
  })

  test('what it costs is told with the order, in its own currency', async () => {
    const { cost } = await send(bench.request())
    expect(cost).toEqual({
      amount: expect.stringMatching(/^\d+\.\d{8}$/),
      currency: expect.stringMatching(/^[A-Z]{3}$/),
    })
    expect(parseDecimal(cost?.amount ?? '')).toBeGreaterThan(0n)
  })

  test('an account that does not say what is wanted is rejected, and nothing is bought', async () => {
    if (!bench.misfit) return expect(bench.request().wanted).toBe('code')
    const request = { ...bench.misfit, key: randomUUID() }
    expect(await bench.supplier.order(request)).toEqual({ kind: 'rejected', code: 'other_fields' })
    expect(await bench.executions(request.key)).toBe(0)
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
      expect(broken).not.toHaveProperty('isUnsent')
      expect(await bench.executions(request.key)).toBe(isDone ? 1 : 0)

      const found = await bench.supplier.lookUp(request, unnamed)
      if (bench.neverProvesAbsence && !isDone) {
        expect([found.kind, await bench.executions(request.key)]).toEqual(['unknown', 0])
        return
      }
      const certain = found.kind === 'rejected' ? await bench.supplier.order(request) : found
      if (found.kind === 'rejected') expect([found.code, isDone]).toEqual(['not_found', false])
      expect(certain).toMatchObject({ kind: 'done', value: { status: 'pending' } })
      // The success comes late, and is seen by the next look.
      await bench.finish(request.key)
      const { supplierOrderId } = (certain as { value: SupplierOrder }).value
      const late = await bench.supplier.lookUp(request, { supplierOrderId, ageSeconds: 100_000 })
      expect(late).toMatchObject({ kind: 'done', value: { supplierOrderId, status: 'done' } })
      expect(await bench.executions(request.key)).toBe(1)
    },
  )

  test.each<Fault>(['broken-before', 'too-many', 'elsewhere', 'html', 'hang-up'])(
    '%s before an order: what it needs could not be read, and it says that nothing was sent',
    async (fault) => {
      const request = bench.request()
      bench.vendor.readFault = fault
      const unsent = await bench.supplier.order(request)
      bench.vendor.readFault = undefined
      expect(unsent).toMatchObject({ kind: 'unknown', isUnsent: true })
      expect(await bench.executions(request.key)).toBe(0)
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

test.each([
  [{ keySeconds: 86_400 }, 69_120],
  [{ keySeconds: 1_800 }, 1_440],
])('a key remembered for %j is repeated for %i seconds', (remembers, seconds) => {
  expect([canRepeat(remembers, seconds), canRepeat(remembers, seconds + 0.1)]).toEqual([true, false])
})

const needs = (...keys: string[]) => keys.map((key) => ({ key: key.replace('?', ''), isRequired: !key.endsWith('?') }))
test.each([
  [needs('player_id'), { player_id: '5' }, { player_id: '5' }],
  [needs('player_id'), { user_id: '5' }, { player_id: '5' }],
  [needs('player_id', 'server_id?'), { user_id: '5' }, { player_id: '5' }],
  [needs('player_id', 'server_id?'), { server_id: '5' }, undefined],
  [needs('player_id', 'server_id'), { player_id: '5', zone_id: '7' }, undefined],
  [needs('player_id'), { player_id: '5', zone_id: '7' }, { player_id: '5' }],
  [needs('player_id'), { user_id: '5', zone_id: '7' }, undefined],
  [needs('player_id'), { player_id: '' }, undefined],
  [needs('constructor'), {}, undefined],
  [needs('player_id?'), {}, {}],
])('the fields %j are filled from %j as %j', (wanted, account, expected) => {
  expect(fillFields(wanted, account)).toEqual(expected)
})
