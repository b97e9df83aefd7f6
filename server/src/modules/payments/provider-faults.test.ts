import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault, VendorDouble } from '../../../test/doubles/vendor-double.ts'
import { asRefunding, type Bench, benches, requestFor } from '../../../test/provider-benches.ts'

/** Less than a slow vendor takes. */
const impatientMs = 500

const faults: readonly Fault[] = [
  'slow',
  'broken-after',
  'broken-before',
  'too-many',
  'html',
  'endless',
  'elsewhere',
  'hang-up',
]

/** Admins read the reason: the store has its own, and no name of an error in some library. */
const unknownForOwnReason = expect.objectContaining({
  kind: 'unknown',
  why: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
})

describe.each(Object.keys(benches).filter((name) => name !== 'sandbox'))('%s when it fails', (name) => {
  let bench: Bench & { vendor: VendorDouble }
  beforeAll(async () => {
    const opened = await benches[name]?.()
    if (!opened?.vendor) throw new Error('no vendor')
    bench = { ...opened, vendor: opened.vendor }
  })
  afterAll(() => bench.close())

  test.each(faults)('%s: the outcome is unknown, and the same key finds out', async (fault) => {
    const wanted = requestFor(bench)
    const provider = fault === 'slow' ? bench.like({ timeoutMs: impatientMs }) : bench.provider
    const known = bench.vendor.requests.length
    bench.vendor.fault = fault
    const broken = await provider.createPayment(wanted)
    bench.vendor.fault = undefined
    const found = await bench.provider.createPayment(wanted)
    expect(found.kind).toBe('done')
    const isLookedUp = bench.looksUp.includes(fault)
    expect(broken).toEqual(isLookedUp ? found : unknownForOwnReason)
    if (bench.repeatedKey === 'another_payment') {
      const name = found.kind === 'done' ? found.value.providerPaymentId : ''
      expect(await bench.provider.readPayment(name)).toMatchObject({ value: { reference: wanted.key } })
      return expect(bench.countFor(wanted.key)).toBeLessThanOrEqual(2)
    }
    expect(await bench.provider.createPayment(wanted)).toEqual(found)
    expect(bench.countFor(wanted.key)).toBe(1)
    if (bench.repeatedKey === 'looked_up') return

    const posts = bench.vendor.requests.slice(known).filter((sent) => sent.method === 'POST')
    const keys = posts.map(({ headers }) => headers['idempotency-key'] ?? headers['idempotence-key'])
    expect(posts).toHaveLength(3)
    expect(new Set(posts.map((sent) => sent.body)).size).toBe(1)
    expect(new Set(keys)).toEqual(new Set([wanted.key]))
  })

  test.for(faults)('%s: a refund happens once all the same', async (fault, { skip }) => {
    if (bench.lacks.includes('refunds')) skip('this provider takes no refunds by a call')
    const patient = asRefunding(bench.provider)
    if (!patient) throw new Error('the bench says that it makes refunds')
    const opened = await bench.provider.createPayment(requestFor(bench))
    const providerPaymentId = opened.kind === 'done' ? opened.value.providerPaymentId : ''
    await bench.pay(providerPaymentId)
    const refund = { providerPaymentId, amount: 1_999, currency: bench.currency, key: randomUUID() }
    bench.vendor.fault = fault
    const provider = fault === 'slow' ? asRefunding(bench.like({ timeoutMs: impatientMs })) : patient
    const broken = await (provider ?? patient).refund(refund)
    bench.vendor.fault = undefined
    const found = await patient.refund(refund)
    expect(found.kind).toBe('done')
    const isLookedUp = bench.looksUp.includes(fault)
    expect(broken).toEqual(isLookedUp ? found : unknownForOwnReason)
    expect((await patient.refund({ ...refund, key: randomUUID() })).kind).toBe('rejected')
  })

  // YooKassa's documents call every 4xx a failed operation; at the others a conflict may be with an earlier call.
  const statuses = [
    [408, 'unknown'],
    [409, name === 'yookassa' ? 'rejected' : 'unknown'],
    [422, 'rejected'],
  ] as const
  test.each(statuses)('an answer with status %i is %s', async (status, kind) => {
    bench.vendor.refusal = { status, body: { error: {} } }
    const answer = await bench.provider.createPayment(requestFor(bench))
    bench.vendor.refusal = undefined
    expect(answer.kind).toBe(kind)
  })

  test('wrong credentials are a no', async () => {
    const { kind } = await bench.like({ secretKey: 'wrong' }).createPayment(requestFor(bench))
    expect(kind).toBe('rejected')
  })
})
