import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signStripe, startStripe } from '../../../test/doubles/stripe.ts'
import {
  asRefunding,
  type Bench,
  benchCapabilities,
  benches,
  home,
  now,
  requestFor,
} from '../../../test/provider-benches.ts'
import { signWebhook, type Webhook } from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { RefundingProvider } from './provider.ts'
import { stripe } from './providers/stripe.ts'

/** What each of them says when a payment of its double is declined. */
const reasons: Readonly<Record<string, string>> = {
  sandbox: 'declined',
  yookassa: 'insufficient_funds',
  stripe: 'expired',
  tbank: 'rejected',
  cryptopay: 'expired',
}

describe.each(Object.entries(benches))('%s', (name, open) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await open()
  })
  afterAll(() => bench.close())

  const request = () => requestFor(bench)
  const create = async (wanted = request()) => {
    const outcome = await bench.provider.createPayment(wanted)
    if (outcome.kind !== 'done') throw new Error(`not created: ${JSON.stringify(outcome)}`)
    return { ...outcome.value, key: wanted.key }
  }
  /** Refunds are made in the cabinet of some, as their benches say. */
  const requireRefunds = (skip: (note: string) => never): RefundingProvider => {
    if (bench.lacks.includes('refunds')) skip('this provider takes no refunds by a call')
    const provider = asRefunding(bench.provider)
    if (!provider) throw new Error('the bench says that it makes refunds')
    return provider
  }
  const read = async (id: string) => {
    const outcome = await bench.provider.readPayment(id)
    return outcome.kind === 'done' ? outcome.value : outcome
  }

  test('has what its bench does not say it lacks, and nothing of what it lacks', async () => {
    const { refund, readRefund, listRefunds, listPayments } = bench.provider
    const makes = [refund, readRefund, listRefunds].map((call) => call !== undefined)
    expect(new Set(makes).size).toBe(1)
    await paid()
    await bench.refuse('parameter')
    const refused = await bench.provider.createPayment(request())
    await bench.refuse('nothing')
    const has = {
      refunds: makes.every(Boolean),
      payment_list: listPayments !== undefined,
      disputes: bench.bank !== undefined,
      named_parameters: refused.kind === 'rejected' && refused.parameter !== undefined,
    }
    for (const capability of benchCapabilities) {
      expect(has[capability], capability).toBe(!bench.lacks.includes(capability))
    }
  })

  test('what was paid in a span of time is listed, its end left out, over all pages', async ({ skip }) => {
    if (bench.lacks.includes('payment_list')) skip('this provider lists no payments')
    const from = new Date(Math.floor(Date.now() / 1000) * 1000)
    const [unpaid, ...made] = [await create(), await paid(), await paid(), await paid(), await paid(), await paid()]
    const to = new Date(Date.now() + 1_000)
    const listed = await bench.provider.listPayments?.(from, to)
    const ids = listed?.kind === 'done' ? listed.value.map(({ providerPaymentId }) => providerPaymentId) : []
    expect(ids).toEqual(expect.arrayContaining(made.map(({ providerPaymentId }) => providerPaymentId)))
    expect(ids).not.toContain(unpaid?.providerPaymentId)
    expect(new Set(ids).size).toBe(ids.length)
    const own = listed?.kind === 'done' ? listed.value.find(({ reference }) => reference === made[0]?.key) : undefined
    expect(own).toMatchObject({ status: 'succeeded', amount: 1_999, currency: bench.currency })
    const dayBefore = [from.getTime() - 86_400_000, from.getTime() - 3_600_000].map((time) => new Date(time))
    expect(await bench.provider.listPayments?.(...(dayBefore as [Date, Date]))).toEqual({ kind: 'done', value: [] })
    if (!bench.vendor) return
    bench.vendor.isSilent = true
    expect((await bench.provider.listPayments?.(from, to))?.kind).toBe('unknown')
    bench.vendor.isSilent = false
  })

  test('a new payment has a page to pay at, and is pending for the amount asked', async () => {
    const { providerPaymentId, payUrl, key } = await create()
    expect(new URL(payUrl).protocol).toMatch(/^https?:$/)
    expect(await read(providerPaymentId)).toEqual({
      providerPaymentId,
      reference: key,
      status: 'pending',
      amount: 1_999,
      currency: bench.currency,
    })
  })

  test('the same key is the same payment, another key another', async () => {
    const wanted = request()
    const [first, again, other] = [await create(wanted), await create(wanted), await create()]
    if (bench.repeatedKey === 'another_payment') {
      expect(again.providerPaymentId).not.toBe(first.providerPaymentId)
      expect(await read(again.providerPaymentId)).toMatchObject({ reference: wanted.key })
    } else expect(again).toEqual(first)
    expect(other.providerPaymentId).not.toBe(first.providerPaymentId)
  })

  test('paid and declined payments are read as such', async () => {
    const [paid, declined] = [await create(), await create()]
    await bench.pay(paid.providerPaymentId)
    await bench.decline(declined.providerPaymentId)
    expect(await read(paid.providerPaymentId)).toMatchObject({ status: 'succeeded', amount: 1_999 })
    expect(await read(declined.providerPaymentId)).toMatchObject({ status: 'canceled' })
  })

  test('what is declined says why by one word, when it is read and when it is told', async () => {
    const { providerPaymentId } = await create()
    await bench.decline(providerPaymentId)
    const why = reasons[name]
    expect(await read(providerPaymentId)).toMatchObject({ status: 'canceled', why })
    const reading = await bench.provider.readWebhook(bench.webhook(providerPaymentId))
    const proven = reading.verified ? reading.events[0]?.proven : undefined
    if (proven) expect(proven.snapshot).toMatchObject({ status: 'canceled', why })
  })

  test.each(['no-such-payment', randomUUID(), '../refunds', '%00', ''])('%j is not a payment', async (id) => {
    expect((await bench.provider.readPayment(id)).kind).not.toBe('done')
  })

  test('a refund happens once a key, and never takes more than was paid', async ({ skip }) => {
    const provider = requireRefunds(skip)
    const { providerPaymentId } = await create()
    const refund = { providerPaymentId, amount: 1_000, currency: bench.currency, key: randomUUID() }
    expect((await provider.refund(refund)).kind).toBe('rejected')
    await bench.pay(providerPaymentId)
    const first = await provider.refund(refund)
    expect(first).toMatchObject({ kind: 'done', value: { status: 'succeeded' } })
    expect(await provider.refund(refund)).toEqual(first)
    expect((await provider.refund({ ...refund, key: randomUUID() })).kind).toBe('rejected')
    const id = first.kind === 'done' ? first.value.providerRefundId : ''
    expect(await provider.readRefund(id)).toEqual(first)
    expect((await provider.readRefund(randomUUID())).kind).toBe('rejected')
  })

  const refundAt = async (provider: RefundingProvider, wanted: { id: string; amount: number; key?: string }) =>
    provider.refund({
      providerPaymentId: wanted.id,
      amount: wanted.amount,
      currency: bench.currency,
      key: wanted.key ?? randomUUID(),
    })

  test('a refund says of which payment it is, and how much', async ({ skip }) => {
    const provider = requireRefunds(skip)
    const { providerPaymentId: id } = await paid()
    const key = randomUUID()
    const made = await refundAt(provider, { id, amount: 700, key })
    expect(made).toMatchObject({
      kind: 'done',
      value: { providerPaymentId: id, amount: 700, currency: bench.currency, status: 'succeeded' },
    })
    if (made.kind === 'done') expect([undefined, key]).toContain(made.value.reference)
    expect(await provider.listRefunds(id)).toEqual({ kind: 'done', value: [made.kind === 'done' && made.value] })
  })

  test('money goes back in parts to the last unit, and no further', async ({ skip }) => {
    const provider = requireRefunds(skip)
    const { providerPaymentId: id } = await paid()
    // As binary fractions of a rouble these three are more than their sum.
    for (const amount of [1, 2, 1_996]) {
      expect([amount, (await refundAt(provider, { id, amount })).kind]).toEqual([amount, 'done'])
    }
    expect((await refundAt(provider, { id, amount: 1 })).kind).toBe('rejected')
  })

  test.for([
    ['whole', 1_999],
    ['half', 999],
  ] as const)(
    'a refund of the %s made by hand is told of, and can be read and listed',
    async ([kind, amount], { skip }) => {
      const provider = requireRefunds(skip)
      const { providerPaymentId } = await paid()
      const providerRefundId = await bench.refundByHand(providerPaymentId, kind)
      const reading = await bench.provider.readWebhook(bench.refundWebhook(providerRefundId))
      expect(reading).toMatchObject({ verified: true, refunds: [providerRefundId], events: [] })
      const refund = { providerRefundId, providerPaymentId, reference: undefined, status: 'succeeded', amount }
      expect(await provider.readRefund(providerRefundId)).toMatchObject({ kind: 'done', value: refund })
      expect(await provider.listRefunds(providerPaymentId)).toMatchObject({ kind: 'done', value: [refund] })
      expect(await read(providerPaymentId)).toMatchObject({ status: 'succeeded', amount: 1_999 })
    },
  )

  test.for(['succeeded', 'failed'] as const)(
    'a pending refund is read as such, and as %s afterwards',
    async (end, { skip }) => {
      const provider = requireRefunds(skip)
      const { providerPaymentId } = await paid()
      const id = await bench.refundByHand(providerPaymentId, 'pending')
      expect(await provider.readRefund(id)).toMatchObject({ value: { status: 'pending' } })
      await bench.endRefund(providerPaymentId, id, end)
      expect(await provider.readRefund(id)).toMatchObject({ value: { status: end } })
      const reading = await bench.provider.readWebhook(bench.refundWebhook(id))
      expect(reading).toMatchObject({ verified: true, refunds: [id] })
    },
  )

  test('a refund whose answer was lost is unknown, a repeat may be refused, and the list has it', async ({ skip }) => {
    const provider = requireRefunds(skip)
    const { providerPaymentId: id } = await paid()
    const key = randomUUID()
    await bench.loseRefund(id, async () => {
      expect((await refundAt(provider, { id, amount: 1_999, key })).kind).toBe('unknown')
    })
    expect((await refundAt(provider, { id, amount: 1_999, key })).kind).toBe('rejected')
    await bench.refuse('nothing')
    expect(await provider.listRefunds(id)).toMatchObject({ kind: 'done', value: [{ amount: 1_999 }] })
  })

  test('who may not ask is told so, and a parameter that is refused is named', async () => {
    const provider = asRefunding(bench.provider)
    const { providerPaymentId: id } = await paid()
    await bench.refuse('all')
    expect(await bench.provider.createPayment(request())).toEqual({ kind: 'rejected', code: 'not_allowed' })
    expect(provider === undefined).toBe(bench.lacks.includes('refunds'))
    if (provider) expect(await refundAt(provider, { id, amount: 1 })).toEqual({ kind: 'rejected', code: 'not_allowed' })
    await bench.refuse('parameter')
    expect(await bench.provider.createPayment(request())).toMatchObject({
      kind: 'rejected',
      code: expect.any(String),
      ...(!bench.lacks.includes('named_parameters') && { parameter: expect.any(String) }),
    })
    await bench.refuse('nothing')
    expect((await bench.provider.createPayment(request())).kind).toBe('done')
  })

  test('a true notice is taken and names the payment', async () => {
    const { providerPaymentId, key } = await create()
    await bench.pay(providerPaymentId)
    const reading = await bench.provider.readWebhook(bench.webhook(providerPaymentId))
    expect(reading).toMatchObject({ verified: true, reply: { status: 200 }, events: [{ providerPaymentId }] })
    const proven = reading.verified ? reading.events[0]?.proven : undefined
    if (proven) {
      expect(proven.snapshot).toMatchObject({
        reference: key,
        status: 'succeeded',
        amount: 1_999,
        currency: bench.currency,
      })
    }
  })

  test('a dispute is told with its payment, its money and how it ended; a fraud warning moves none', async ({
    skip,
  }) => {
    if (!bench.bank) return skip('this provider sends nothing of disputes')
    const { provider } = bench
    const [{ providerPaymentId, key }, warned] = [await paid(), await paid()]
    const reported = async (webhook: Webhook) => {
      const reading = await provider.readWebhook(webhook)
      expect(reading).toMatchObject({ verified: true, reply: { status: 200 }, events: [], refunds: [] })
      const [dispute] = (reading.verified && reading.disputes) || []
      if (!dispute) throw new Error('no dispute was read')
      const read = await (provider.readDispute?.(dispute, now()) ?? { kind: 'done' as const, value: dispute })
      if (read.kind !== 'done') throw new Error(`not read: ${read.kind}`)
      return read.value
    }
    const opened = await reported(await bench.bank.open(providerPaymentId))
    expect(opened).toMatchObject({
      kind: 'dispute',
      status: 'open',
      funds: 'withdrawn',
      amount: 1_999,
      currency: bench.currency,
      reason: 'fraudulent',
      payment: { providerPaymentId, reference: key },
    })
    expect(opened.dueBy?.getTime()).toBeGreaterThan(Date.now())
    expect(await reported(await bench.bank.close(providerPaymentId, 'won'))).toMatchObject({
      providerDisputeId: opened.providerDisputeId,
      status: 'won',
      funds: 'reinstated',
    })
    expect(await reported(await bench.bank.warn(warned.providerPaymentId))).toMatchObject({
      kind: 'fraud_warning',
      status: 'open',
      funds: 'untouched',
      payment: { providerPaymentId: warned.providerPaymentId },
    })
  })

  test('bytes that mean nothing are refused and never throw', async () => {
    const { headers } = bench.webhook((await paid()).providerPaymentId)
    for (let round = 0; round < 200; round++) {
      const body =
        round % 4 === 0 ? Buffer.from('{"type":"notification","event":5,"object":[]}') : randomBytes(round * 7)
      const reading = await bench.provider.readWebhook({
        body,
        headers: round % 2 ? headers : {},
        address: home,
        now: now(),
      })
      expect(reading.verified).toBe(false)
      expect(reading.reply.status).toBe(400)
    }
  })

  const paid = async () => {
    const payment = await create()
    await bench.pay(payment.providerPaymentId)
    return payment
  }
})
describe('a session of Stripe that ended unpaid', () => {
  let vendor: Awaited<ReturnType<typeof startStripe>>
  beforeAll(async () => {
    vendor = await startStripe()
  })
  afterAll(() => vendor.close())

  const failed = 'checkout.session.async_payment_failed'

  test.each([
    ['the reason of the bank', { decline_code: 'insufficient_funds', code: 'card_declined' }, undefined],
    ['the code of Stripe, where the bank gave none', { decline_code: null, code: 'expired_card' }, undefined],
    ['that it expired, where no card was declined', null, undefined],
    ['that the money never came, where a slow way to pay failed', null, failed],
  ])('says %s', async (_what, last_payment_error, type) => {
    const provider = stripe.create(
      {
        STRIPE_SECRET_KEY: vendor.secretKey,
        STRIPE_WEBHOOK_SECRET: vendor.webhookSecret,
        STRIPE_BASE_URL: vendor.url,
      },
      { fetchVendor: createVendorFetch() },
    )
    const opened = await provider.createPayment(requestFor({ provider, currency: 'USD' }))
    const id = opened.kind === 'done' ? opened.value.providerPaymentId : ''
    const intent = `pi_${id}`
    vendor.decline(id)
    Object.assign(vendor.sessions.get(id) ?? {}, {
      payment_intent: intent,
      ...(type === failed && { status: 'complete' }),
    })
    vendor.others.set(intent, { object: 'payment_intent', id: intent, last_payment_error })
    const tell = async () => {
      const signed = vendor.webhook(id, { type })
      const reading = await provider.readWebhook({ ...signed, address: home, now: now() })
      return reading.verified ? reading.events[0]?.proven?.snapshot : undefined
    }
    const ended = type === failed ? 'payment_failed' : 'expired'
    const why = last_payment_error?.decline_code ?? last_payment_error?.code ?? ended
    expect(await tell()).toMatchObject({ status: 'canceled', why })
    if (type !== failed) expect(await provider.readPayment(id)).toMatchObject({ value: { status: 'canceled', why } })
    // What was signed counts where Stripe does not answer.
    vendor.isSilent = true
    expect(await tell()).toMatchObject({ status: 'canceled', why: ended })
    vendor.isSilent = false
  })
})

describe('signatures', () => {
  const secret = 'whsec_test'
  const body = '{"id":"evt_test","object":"event"}'
  const at = new Date(1_700_000_000_000)

  test("are those of Stripe's own vector", () => {
    const vector = 't=1700000000,v1=c25fec335f20601dcb662f0e7c4944646158a9324bb6ed8b7f6ab126449f507a'
    expect(signWebhook(secret, body, at)).toBe(vector)
    expect(signStripe(body, secret, at).headers['stripe-signature']).toBe(vector)
  })

  test('are taken for five minutes', async () => {
    const provider = stripe.create(
      { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: secret, STRIPE_BASE_URL: 'http://127.0.0.1:1' },
      { fetchVendor: createVendorFetch() },
    )
    const event = JSON.stringify({ id: 'evt_1', type: 'payout.paid', data: { object: {} } })
    const readAfter = async (seconds: number) => {
      const signed = signStripe(event, secret, at)
      const late = new Date(at.getTime() + seconds * 1000)
      return (await provider.readWebhook({ ...signed, address: home, now: late })).verified
    }
    expect(await readAfter(299)).toBe(true)
    expect(await readAfter(301)).toBe(false)
  })
})
