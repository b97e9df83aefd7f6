import { createHmac } from 'node:crypto'
import { isStorable } from '@olmos/contract/storable'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  expectSound,
  fillCart,
  openedBy,
  pressPay,
  sandboxSecret,
  startCardShop,
  startVendorShop,
  toWebhook,
} from '../../../test/card-orders.ts'
import { signCryptopay, startCryptopay } from '../../../test/doubles/cryptopay.ts'
import { startFazercards } from '../../../test/doubles/fazercards.ts'
import { startKinguin } from '../../../test/doubles/kinguin.ts'
import { signStripe } from '../../../test/doubles/stripe.ts'
import { disputesAt } from '../../../test/doubles/stripe-disputes.ts'
import { signTbank, startTbank } from '../../../test/doubles/tbank.ts'
import type { VendorDouble, VendorRequest } from '../../../test/doubles/vendor-double.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { benches, requestFor } from '../../../test/provider-benches.ts'
import { changes, spoil } from '../../../test/rubbish.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { supplierBenches } from '../../../test/supplier-benches.ts'
import { signWebhook } from '../../platform/vendor/adapters.ts'
import { stripe } from '../payments/providers/stripe.ts'

const runs = Number(process.env.HOSTILE_RUNS ?? 60)
const patient = { timeout: 120_000 }

/** Taken, refused, or to be told again: never a fault of ours. */
const answers = [200, 204, 400, 503]

type Signed = (body: string) => Record<string, string>
/** Signs a body inside of it. */
type Sealed = (body: string) => string

/** Every message, spoilt in every way there is time for, signed all the same. */
async function sendSpoilt(
  shop: TestShop,
  path: string,
  messages: readonly unknown[],
  sign: Signed,
  { expected = answers, seal = (body) => body }: { expected?: readonly number[]; seal?: Sealed } = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...messages), changes, async (message, spoiling) => {
      const body = seal(JSON.stringify(spoil(message, spoiling)))
      const answer = await shop.app.inject({
        method: 'POST',
        url: `/api${path}`,
        payload: body,
        headers: { 'content-type': 'application/json', ...sign(body) },
        remoteAddress: '127.0.0.1',
      })
      expect(expected, `${answer.statusCode} to ${body.slice(0, 2_000)}`).toContain(answer.statusCode)
    }),
    { numRuns: runs, interruptAfterTimeLimit: 60_000 },
  )
}

const messageIn = ({ body }: { body: Buffer | string }): unknown => JSON.parse(body.toString())

describe('a signed event that is rubbish somewhere is never a failure of ours', () => {
  test('of the sandbox', patient, async () => {
    const shop = await startCardShop()
    const order = await aCardOrder(shop)
    const paid = await aCardOrder(shop)
    await act(shop, paid, 'pay')
    const id = 'a'
    const payment = { payment: paid.paymentId, key: paid.key, amount: paid.amount, currency: 'USD' }
    const dispute = { id: crypto.randomUUID(), kind: 'dispute', status: 'open', at: new Date().toISOString() }
    await sendSpoilt(
      shop,
      '/payment/webhook/sandbox',
      [
        messageIn(toWebhook(order)),
        messageIn(toWebhook(order, { status: 'canceled' })),
        { id, refund: { id: crypto.randomUUID() } },
        { id, dispute: { ...dispute, ...payment } },
      ],
      (body) => ({ 'sandbox-signature': signWebhook(sandboxSecret, body, new Date()) }),
    )
    await expectSound(shop)
    await shop.close()
  })

  describe('of the vendors of payments', () => {
    let shop: Awaited<ReturnType<typeof startVendorShop>>
    beforeAll(async () => {
      shop = await startVendorShop()
    })
    afterAll(() => shop.close())

    const anOrder = async (currency: 'USD' | 'RUB') => {
      const [offer, buyer] = [await anOffer(shop, { stock: 1 }), await aUser(shop)]
      await fillCart(shop, buyer, offer)
      const { payUrl } = await openedBy(
        shop,
        await pressPay(shop, buyer, currency === 'USD' ? 100 : 8_000, { currency }),
      )
      return payUrl.split('/').at(-1) as string
    }

    test('stripe', patient, async () => {
      const { stripe } = shop
      const disputes = disputesAt(stripe)
      const [open, paid] = [await anOrder('USD'), await anOrder('USD')]
      stripe.pay(paid)
      const refund = stripe.refundByHand(paid, 10)
      const dispute = disputes.open(paid)
      const told = [
        stripe.webhook(open),
        stripe.webhook(paid),
        stripe.webhook(paid, { type: 'charge.refunded' }),
        stripe.webhook(refund),
        disputes.event('charge.dispute.created', dispute),
        disputes.event('charge.dispute.closed', disputes.close(dispute, 'won')),
        disputes.event('radar.early_fraud_warning.created', disputes.warning(paid)),
      ]
      await sendSpoilt(
        shop,
        '/payment/webhook/stripe',
        told.map(messageIn),
        (body) => signStripe(body, stripe.webhookSecret, new Date()).headers,
      )
      await expectSound(shop)
    })

    test('stripe, from a time that is not yet', async () => {
      const id = await anOrder('USD')
      shop.stripe.pay(id)
      const answer = await shop.app.inject({
        method: 'POST',
        url: '/api/payment/webhook/stripe',
        ...(({ body, headers }) => ({ payload: body, headers: { 'content-type': 'application/json', ...headers } }))(
          shop.stripe.webhook(id, { at: new Date(Date.now() + 400_000) }),
        ),
      })
      expect([answer.statusCode, answer.body]).toEqual([400, 'wrong signature'])
    })

    test('yookassa', patient, async () => {
      const { yookassa } = shop
      await anOrder('RUB')
      const [id = ''] = [...yookassa.payments.keys()]
      yookassa.pay(id)
      const refund = yookassa.refundByHand(id, 100)
      await sendSpoilt(
        shop,
        '/payment/webhook/yookassa',
        [yookassa.webhook(id), yookassa.webhook(refund)].map((body) => messageIn({ body })),
        () => ({}),
      )
      await expectSound(shop)
    })

    test('yookassa, when what it answers to our questions is rubbish', patient, async () => {
      const { yookassa } = shop
      await anOrder('RUB')
      const id = [...yookassa.payments.keys()].at(-1) ?? ''
      yookassa.pay(id)
      const refund = yookassa.refundByHand(id, 100)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(id, refund), changes, async (about, spoiling) => {
          const body = yookassa.webhook(about)
          const truth = yookassa.payments.get(about) ?? yookassa.refunds.get(about)
          yookassa.refusal = { status: 200, body: spoil(truth, spoiling) }
          const headers = { 'content-type': 'application/json' }
          const url = '/api/payment/webhook/yookassa'
          const answer = await shop.app.inject({ method: 'POST', url, payload: body, headers })
          expect(answers, `${answer.statusCode} after ${JSON.stringify(yookassa.refusal)}`).toContain(answer.statusCode)
        }),
        { numRuns: runs, interruptAfterTimeLimit: 60_000 },
      )
      yookassa.refusal = undefined
      await expectSound(shop)
    })
  })

  test('of T-Bank and Crypto Pay', patient, async () => {
    const [tbank, cryptopay] = [await startTbank(), await startCryptopay()]
    const shop = await startCardShop({
      PAYMENT_PROVIDERS: 'tbank,cryptopay',
      TBANK_TERMINAL_KEY: tbank.terminalKey,
      TBANK_PASSWORD: tbank.password,
      TBANK_BASE_URL: tbank.url,
      CRYPTOPAY_TOKEN: cryptopay.token,
      CRYPTOPAY_BASE_URL: cryptopay.url,
    })
    for (const currency of ['RUB', 'USD'] as const) {
      const [offer, buyer] = [await anOffer(shop, { stock: 1 }), await aUser(shop)]
      await fillCart(shop, buyer, offer)
      await openedBy(shop, await pressPay(shop, buyer, currency === 'USD' ? 100 : 8_000, { currency }))
    }
    const [id = ''] = tbank.payments.keys()
    const [invoice = ''] = cryptopay.invoices.keys()
    const opened = messageIn({ body: tbank.notification(id) })
    tbank.pay(id)
    const paid = messageIn({ body: tbank.notification(id) })
    tbank.refundByHand(id, 500)
    const refunded = messageIn({ body: tbank.notification(id) })
    await sendSpoilt(shop, '/payment/webhook/tbank', [opened, paid, refunded], () => ({}), {
      seal: (body) => {
        const told: unknown = JSON.parse(body)
        if (typeof told !== 'object' || told === null || Array.isArray(told)) return body
        return JSON.stringify({ ...told, Token: signTbank(told as Record<string, unknown>, tbank.password) })
      },
    })
    cryptopay.pay(invoice)
    await sendSpoilt(shop, '/payment/webhook/cryptopay', [messageIn(cryptopay.webhook(invoice))], (body) =>
      signCryptopay(body, cryptopay.token),
    )
    await expectSound(shop)
    await shop.close()
    await Promise.all([tbank.close(), cryptopay.close()])
  })

  test('of the suppliers', patient, async () => {
    const [fazercards, kinguin] = [await startFazercards(), await startKinguin()]
    const shop = await startShop({
      SUPPLIERS: 'sandbox,fazercards,kinguin',
      SANDBOX_SECRET: sandboxSecret,
      FAZERCARDS_API_KEY: fazercards.apiKey,
      FAZERCARDS_WEBHOOK_SECRET: fazercards.webhookSecret,
      FAZERCARDS_BASE_URL: fazercards.url,
      KINGUIN_API_KEY: kinguin.apiKey,
      KINGUIN_WEBHOOK_SECRET: kinguin.webhookSecret,
      KINGUIN_BASE_URL: kinguin.url,
    })
    const id = crypto.randomUUID()
    const hmac = (body: string) => createHmac('sha256', fazercards.webhookSecret).update(body).digest('hex')
    const data = { order_id: 'ord-1', type: 'topup', status: 'completed' }
    await sendSpoilt(shop, '/supplier/webhook/fazercards', [{ event: 'a', event_id: id, data }], (body) => ({
      'x-webhook-signature': `sha256=${hmac(body)}`,
    }))
    const event = { orderId: 'a', orderExternalId: id, status: 'completed', updatedAt: new Date().toISOString() }
    await sendSpoilt(shop, '/supplier/webhook/kinguin', [event], () => ({
      'x-event-name': 'order.status',
      'x-event-secret': kinguin.webhookSecret,
    }))
    await sendSpoilt(shop, '/supplier/webhook/sandbox', [{ id, order: id }], (body) => ({
      'sandbox-signature': signWebhook(sandboxSecret, body, new Date()),
    }))
    await shop.close()
    await Promise.all([fazercards.close(), kinguin.close()])
  })
})

/** Every text that came through, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null && !(value instanceof Date)
      ? Object.values(value).flatMap(textsIn)
      : []

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : []

/** An outcome says what can be written down, and nothing was thrown. */
function expectUsable(outcome: { kind: string }): void {
  expect(['done', 'rejected', 'unknown']).toContain(outcome.kind)
  expect(textsIn(outcome).filter((text) => !isStorable(text))).toEqual([])
  expect(numbersIn(outcome).filter((number) => !Number.isSafeInteger(number))).toEqual([])
}

const connectionHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']

/** What a vendor answers to these calls when they are made once more. */
async function repeatCalls({ url }: VendorDouble, requests: readonly VendorRequest[]): Promise<unknown[]> {
  const truths: unknown[] = []
  for (const { method, path, query, body, headers } of requests) {
    const told = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name))
    const answer = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
      method,
      headers: told.map(([name, value]): [string, string] => [name, String(value)]),
      ...(method === 'POST' && { body }),
    })
    if (answer.ok) truths.push(await answer.json())
  }
  return truths
}

describe.each(Object.keys(benches).filter((name) => name !== 'sandbox'))('whatever %s answers', (name) => {
  test('is understood, or is no answer', patient, async () => {
    const bench = await (benches[name] as (typeof benches)[string])()
    const { provider, vendor } = bench
    if (!vendor) throw new Error('nobody is asked')
    const opened = await provider.createPayment(requestFor(bench))
    if (opened.kind !== 'done') throw new Error(`not opened: ${opened.kind}`)
    const id = opened.value.providerPaymentId
    await bench.pay(id)
    const refundId = bench.lacks.includes('refunds') ? '' : await bench.refundByHand(id, 'half')
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
    const before = vendor.requests.length
    await provider.createPayment(requestFor(bench))
    await provider.listPayments?.(from, to)
    await provider.readPayment(id)
    await provider.readRefund?.(refundId)
    await provider.listRefunds?.(id)
    const dispute = await bench.bank?.open(id)
    const reading = dispute && (await provider.readWebhook(dispute))
    const told = reading?.verified ? reading.disputes?.[0] : undefined
    if (told) await provider.readDispute?.(told, new Date())
    const truths = await repeatCalls(vendor, vendor.requests.slice(before))
    expect(truths.length).toBeGreaterThan(2)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...truths),
        fc.constantFrom(200, 200, 200, 400, 404),
        changes,
        async (truth, status, spoiling) => {
          vendor.refusal = {
            status,
            body: spoil(
              status === 200 ? truth : { error: { type: 'a', code: 'b', param: 'c' }, code: 'd', parameter: 'e' },
              spoiling,
            ),
          }
          expectUsable(await provider.readPayment(id))
          if (provider.listPayments) expectUsable(await provider.listPayments(from, to))
          if (provider.readRefund) expectUsable(await provider.readRefund(refundId))
          if (provider.listRefunds) expectUsable(await provider.listRefunds(id))
          expectUsable(await provider.createPayment(requestFor(bench)))
          const refund = { providerPaymentId: id, amount: 1, currency: bench.currency, key: crypto.randomUUID() }
          if (provider.refund) expectUsable(await provider.refund(refund))
          if (told && provider.readDispute) expectUsable(await provider.readDispute(told, new Date()))
        },
      ),
      { numRuns: runs, interruptAfterTimeLimit: 60_000 },
    )
    await bench.close()
  })
})

test.each(['null', '7', '"text"', 'true', '[]', '', '{'])(
  'stripe answering %s is no answer, and nothing waits for ever',
  async (body) => {
    const reply = async () => new Response(body, { status: 200, headers: { 'content-type': 'application/json' } })
    const settings = {
      STRIPE_SECRET_KEY: 'sk',
      STRIPE_WEBHOOK_SECRET: 'whsec',
      STRIPE_BASE_URL: 'https://stripe.example',
    }
    expect((await stripe.create(settings, { fetchVendor: reply }).readPayment('cs_1')).kind).toBe('unknown')
  },
)

describe.each(Object.keys(supplierBenches).filter((name) => name !== 'sandbox'))('whatever %s answers', (name) => {
  test('is understood, or is no answer', patient, async () => {
    const bench = await (supplierBenches[name] as (typeof supplierBenches)[string])()
    const { supplier, vendor } = bench
    if (!vendor) throw new Error('nobody is asked')
    const request = bench.request()
    await supplier.order(request)
    await bench.finish(request.key)
    await supplier.lookUp(request, { supplierOrderId: null, ageSeconds: 1 })
    await supplier.readBalance?.()
    await supplier.readSteamRates?.()
    await supplier.checkPlayer?.('pubgm', { player_id: '512345678' })
    const truths = await repeatCalls(vendor, [...vendor.requests])
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...truths),
        fc.constantFrom(200, 200, 200, 400, 404),
        changes,
        async (truth, status, spoiling) => {
          const problem = { ok: false, error: 'a', code: 'b', kind: 'c' }
          vendor.refusal = { status, body: spoil(status === 200 ? truth : problem, spoiling) }
          const sent = { supplierOrderId: 'a', ageSeconds: 200 }
          expectUsable(await supplier.order(bench.request()))
          expectUsable(await supplier.lookUp(request, sent))
          expectUsable(await supplier.lookUp(request, { ...sent, supplierOrderId: null }))
          for (const read of [supplier.readBalance, supplier.readSteamRates]) if (read) expectUsable(await read())
          if (supplier.checkPlayer) expectUsable(await supplier.checkPlayer('pubgm', { player_id: '512345678' }))
          if (supplier.checkPlayer) expectUsable(await supplier.checkPlayer('steam', { login: 'gabe' }))
        },
      ),
      { numRuns: runs, interruptAfterTimeLimit: 60_000 },
    )
    await bench.close()
  })
})
