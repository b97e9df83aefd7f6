import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  fillCart,
  openedBy,
  pressPay,
  startCardShop,
  startVendorShop,
  toWebhook,
} from '../../../test/card-orders.ts'
import { signStripe } from '../../../test/doubles/stripe.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { toSnapshot } from '../../../test/snapshot.ts'

interface Sent {
  body: string | Buffer
  headers?: Record<string, string>
  address?: string
}

const post = (shop: TestShop, provider: string, { body, headers = {}, address = '127.0.0.1' }: Sent) =>
  shop.app.inject({
    method: 'POST',
    url: `/api/payment/webhook/${provider}`,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
    remoteAddress: address,
  })

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Every one is refused, and nothing at all changes in the database. */
async function expectRefused(shop: TestShop, provider: string, forged: Sent[]): Promise<void> {
  expect(forged.length).toBeGreaterThanOrEqual(40)
  const before = await toSnapshot(shop.database)
  for (const sent of forged) {
    const answer = await post(shop, provider, sent)
    expect([answer.statusCode, sent]).toEqual([400, sent])
  }
  expect(await toSnapshot(shop.database)).toEqual(before)
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

describe('forged notices of the sandbox', () => {
  let shop: TestShop
  let mine: CardOrder
  let theirs: CardOrder
  beforeAll(async () => {
    shop = await startCardShop()
    mine = await aCardOrder(shop)
    theirs = await aCardOrder(shop)
  })
  afterAll(() => shop.close())

  const signed = ({ body, signature }: { body: string; signature: string }): Sent => ({
    body,
    headers: { 'sandbox-signature': signature },
  })

  test('are refused', async () => {
    const changed = (from: string, to: string) => {
      const { body, signature } = toWebhook(mine)
      expect(body).toContain(from)
      return signed({ body: body.replace(from, to), signature })
    }
    await expectRefused(shop, 'sandbox', [
      ...times(10, () => signed(toWebhook(mine, { secret: randomBytes(16).toString('hex') }))),
      ...times(8, (index) => signed(toWebhook(mine, { at: ago(301 + index * 1000) }))),
      ...times(4, (index) => signed(toWebhook(mine, { at: ago(-400 - index * 1000) }))),
      ...times(6, (index) => changed('"amount":100', `"amount":${100 - index - 1}`)),
      ...times(4, () => changed(mine.paymentId, theirs.paymentId)),
      ...times(4, () => changed(mine.key, randomUUID())),
      { body: toWebhook(mine).body },
      { body: toWebhook(mine).body, headers: { 'sandbox-signature': '' } },
      signed({ ...toWebhook(mine), signature: toWebhook(theirs).signature }),
      { body: toWebhook(mine).body, headers: { 'stripe-signature': toWebhook(mine).signature } },
    ])
  })

  test('a replay of a true one has no second effect', async () => {
    const webhook = signed(toWebhook(mine))
    expect((await post(shop, 'sandbox', webhook)).statusCode).toBe(200)
    const before = await toSnapshot(shop.database)
    for (let time = 0; time < 5; time++) expect((await post(shop, 'sandbox', webhook)).statusCode).toBe(200)
    expect(await toSnapshot(shop.database)).toEqual(before)
  })
})

describe('forged notices of the vendors', () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  beforeAll(async () => {
    shop = await startVendorShop()
  })
  afterAll(() => shop.close())

  const anOrder = async (currency: 'USD' | 'RUB') => {
    const [offer, buyer] = [await anOffer(shop, { stock: 1 }), await aUser(shop)]
    await fillCart(shop, buyer, offer)
    const pressed = await pressPay(shop, buyer, currency === 'USD' ? 100 : 8_000, { currency })
    return openedBy(shop, pressed)
  }
  const stripeId = (payUrl: string) => payUrl.split('/').at(-1) as string

  test('stripe', async () => {
    const mine = stripeId((await anOrder('USD')).payUrl)
    const theirs = stripeId((await anOrder('USD')).payUrl)
    shop.stripe.pay(mine)
    const changed = (from: string, to: string): Sent => {
      const { body, headers } = shop.stripe.webhook(mine)
      expect(body.toString()).toContain(from)
      return { body: body.toString().replaceAll(from, to), headers: { ...headers } }
    }
    const yookassa = JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id: mine } })
    await expectRefused(shop, 'stripe', [
      ...times(10, () => shop.stripe.webhook(mine, { secret: `whsec_${randomBytes(8).toString('hex')}` })),
      ...times(10, (index) => shop.stripe.webhook(mine, { at: ago(301 + index * 1000) })),
      ...times(8, (index) => changed('"amount_total":100', `"amount_total":${index + 1}`)),
      ...times(5, () => changed(mine, theirs)),
      ...times(3, () => ({ body: yookassa, headers: {} })),
      { ...signStripe(yookassa, 'the secret of the sandbox', new Date()) },
      { ...signStripe(yookassa, shop.stripe.webhookSecret, new Date()) },
      { body: shop.stripe.webhook(mine).body },
      { body: shop.stripe.webhook(mine).body, headers: { 'stripe-signature': 't=,v1=' } },
    ])
  })

  test('yookassa: who is not YooKassa is refused, and what it says is asked for again', async () => {
    const order = await anOrder('RUB')
    const [mine = ''] = [...shop.yookassa.payments.keys()]
    const payment = shop.yookassa.payments.get(mine)
    const claim = (object: object, event = 'payment.succeeded') =>
      JSON.stringify({ type: 'notification', event, object })
    const claimed = claim({ ...payment, status: 'succeeded', paid: true })
    await expectRefused(shop, 'yookassa', [
      ...times(20, (index) => ({ body: claimed, address: `203.0.113.${index}` })),
      ...times(4, (index) => ({ body: claimed, address: `2001:db8::${index}` })),
      ...times(6, () => ({ body: claim({ ...payment, id: randomUUID(), status: 'succeeded', paid: true }) })),
      ...times(4, () => ({ body: claim({ id: '../../refunds' }) })),
      ...times(4, () => ({ body: shop.stripe.webhook(stripeId(order.payUrl)).body })),
      { body: claim({}) },
      { body: JSON.stringify([claimed]) },
      { body: claimed.replace('notification', 'notice') },
    ])
    // From its own address but not true: YooKassa itself says the payment is still open, or of another shop.
    const before = await toSnapshot(shop.database)
    for (const value of ['80.00', '0.01', '8000.00']) {
      const lie = claim({ ...payment, status: 'succeeded', paid: true, amount: { value, currency: 'RUB' } })
      expect((await post(shop, 'yookassa', { body: lie })).statusCode).toBe(200)
    }
    if (payment) payment.recipient.account_id = 'another shop'
    shop.yookassa.pay(mine)
    expect((await post(shop, 'yookassa', { body: claimed })).statusCode).toBe(400)
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('yookassa out of reach: the notice is not accepted, and told again later', async () => {
    await anOrder('RUB')
    const id = [...shop.yookassa.payments.keys()].at(-1) ?? ''
    shop.yookassa.pay(id)
    const webhook = { body: shop.yookassa.webhook(id) }
    shop.yookassa.isSilent = true
    expect((await post(shop, 'yookassa', webhook)).statusCode).toBe(503)
    shop.yookassa.isSilent = false
    expect((await post(shop, 'yookassa', webhook)).statusCode).toBe(200)
  })
})

describe('anything at all', () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  beforeAll(async () => {
    shop = await startVendorShop()
  })
  afterAll(() => shop.close())

  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ';;', '']
  const parts = [
    '{',
    '"id":',
    '[[[[',
    'null',
    '"notification"',
    '\u0000',
    '1e999',
    '{"object":{}}',
    '"payment.succeeded"',
  ]

  test.each(['yookassa', 'stripe', 'sandbox', 'nobody', '..%2f..'])(
    'sent to %s is never a failure of ours',
    async (provider) => {
      const signature = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`
      const answers = await Promise.all(
        times(150, (index) => {
          const words = times(index % 12, () => parts[Math.floor(Math.random() * parts.length)]).join('')
          const type = types[index % types.length] as string
          return post(shop, provider, {
            body: index % 3 === 0 ? randomBytes(index) : words,
            headers: { 'content-type': type, 'stripe-signature': signature, 'sandbox-signature': signature },
          })
        }),
      )
      // A provider the store has no account with is not there; that is all a stranger learns.
      const expected = provider === 'sandbox' ? [503, 415] : [400, 404, 415]
      expect(
        answers.filter((answer) => !expected.includes(answer.statusCode)).map((answer) => answer.statusCode),
      ).toEqual([])
    },
  )

  test('too long a body is refused before it is read', async () => {
    expect((await post(shop, 'stripe', { body: Buffer.alloc(300_000) })).statusCode).toBe(413)
  })

  test('a provider that is not configured has no pay page either', async () => {
    expect((await shop.call('GET', `/sandbox/payments/${randomUUID()}`)).status).toBe(404)
    expect((await act(shop, { paymentId: randomUUID() }, 'pay')).body.error.code).toBe('NOT_FOUND')
  })
})
