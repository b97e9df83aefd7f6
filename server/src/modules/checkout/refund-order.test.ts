import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  expectSound,
  fillCart,
  openedBy,
  payFromBalance,
  pressPay,
  readAlerts,
  startVendorShop,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { watchPayments } from './receive-webhook.ts'

const refund = (shop: TestShop, admin: TestUser, orderId: string, wish: object = {}, key?: string) =>
  shop.call('POST', `/admin/orders/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'the code did not work', ...wish },
    headers: key ? { 'idempotency-key': key } : {},
  })
const readReceipt = async (shop: TestShop, buyer: TestUser, orderId: string) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
const toUsd = async (shop: TestShop, buyer: TestUser) => {
  const { body } = await shop.call('GET', '/balance', { token: buyer.token })
  return body.find((entry: { currency: string }) => entry.currency === 'usd').amount
}
const readCodes = async (shop: TestShop, offer: TestOffer) => {
  const rows = await shop.database.rows<{ status: string }>(
    sql`SELECT status FROM code WHERE offer_id = ${offer.id} ORDER BY id`,
  )
  return rows.map((row) => row.status)
}

describe('to the wallet', () => {
  const shop = useCardShop()
  const admin = useUser(shop, { role: 'admin' })

  /** Two lines: two of one offer at a dollar, one of another at three. */
  const anOrder = async () => {
    const [small, big] = [await anOffer(shop, { stock: 2 }), await anOffer(shop, { stock: 1, priceUsd: 300 })]
    const buyer = await aUser(shop, { usd: 500 })
    await fillCart(shop, buyer, small, 2)
    await fillCart(shop, buyer, big)
    const { id } = (await payFromBalance(shop, buyer)).body.order
    const items: number[] = (await shop.call('GET', '/orders', { token: buyer.token })).body.orders[0].items.map(
      (item: { id: number }) => item.id,
    )
    return { buyer, small, big, id, items }
  }

  test('a whole order: the money is back, and codes nobody saw are for sale again', async () => {
    const { buyer, small, big, id, items } = await anOrder()
    const answer = await refund(shop, admin, id)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      id,
      status: 'refunded',
      refunds: [
        { item_id: items[0], amount: 2, destination: 'wallet', status: 'done', reason: 'the code did not work' },
        { item_id: items[1], amount: 3, destination: 'wallet', status: 'done' },
      ],
    })
    expect(await toUsd(shop, buyer)).toBe(5)
    expect([...(await readCodes(shop, small)), ...(await readCodes(shop, big))]).toEqual(Array(3).fill('available'))
    const receipt = await readReceipt(shop, buyer, id)
    expect(receipt).toMatchObject({
      status: 'refunded',
      items: [
        { status: 'refunded', refunded_to: 'wallet', code: null },
        { status: 'refunded', refunded_to: 'wallet', code: null },
      ],
    })
    const history = await shop.call('GET', '/balance/history', { token: buyer.token })
    expect(history.body.data[0]).toMatchObject({ kind: 'refund', order_id: id, balance_after: 5 })
  })

  test('a code that was seen is never sold again, one that was not can be', async () => {
    const { buyer, small, big, id } = await anOrder()
    await readReceipt(shop, buyer, id)
    await refund(shop, admin, id)
    expect([...(await readCodes(shop, small)), ...(await readCodes(shop, big))]).toEqual(Array(3).fill('quarantined'))

    const unseen = await anOrder()
    await refund(shop, admin, unseen.id)
    const next = await aUser(shop, { usd: 500 })
    await fillCart(shop, next, unseen.small, 2)
    const bought = (await payFromBalance(shop, next)).body.order.id
    expect((await readReceipt(shop, next, bought)).items[0].code.split('\n')).toHaveLength(2)
    // The customer who was refunded no longer sees it.
    expect((await readReceipt(shop, unseen.buyer, unseen.id)).items[0].code).toBeNull()
  })

  test('one item, then the other, then nothing is left', async () => {
    const { buyer, id, items } = await anOrder()
    expect((await refund(shop, admin, id, { items: [items[1]] })).body.data.status).toBe('partially_refunded')
    expect(await toUsd(shop, buyer)).toBe(3)
    expect((await readReceipt(shop, buyer, id)).items[0].code).toContain('CODE-')
    expect((await refund(shop, admin, id, { items })).body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { items: [{ id: items[1], status: 'refunded' }] },
    })
    expect((await refund(shop, admin, id)).body.data.status).toBe('refunded')
    expect((await refund(shop, admin, id)).body.error.code).toBe('STATE_CONFLICT')
    expect(await toUsd(shop, buyer)).toBe(5)
  })

  test('is written down with who and why', async () => {
    const { id, items } = await anOrder()
    await refund(shop, admin, id, { items: [items[0]] })
    const entry = await shop.database.one<{ actor_id: number; after: object }>(
      sql`SELECT actor_id, after FROM audit_entry WHERE subject = ${`order:${id}`} AND action = 'order.refund'`,
    )
    expect(entry).toMatchObject({
      actor_id: admin.id,
      after: {
        status: 'partially_refunded',
        items: [items[0]],
        amount: 200,
        to: 'wallet',
        reason: 'the code did not work',
      },
    })
  })

  test.each([
    ['no reason', { reason: '' }, 'VALIDATION_FAILED'],
    ['an item of nobody', { items: [999_999] }, 'NOT_FOUND'],
    ['to a card it was not paid with', { to: 'card' }, 'STATE_CONFLICT'],
  ])('%s is refused', async (_what, wish, code) => {
    const { buyer, id } = await anOrder()
    expect((await refund(shop, admin, id, wish)).body.error.code).toBe(code)
    expect(await toUsd(shop, buyer)).toBe(0)
  })

  test('an order that is not paid has nothing to refund', async () => {
    const order = await aCardOrder(shop)
    expect((await refund(shop, admin, order.orderId)).body.error.code).toBe('STATE_CONFLICT')
    expect((await refund(shop, admin, 'AAAAAAAAAA')).body.error.code).toBe('NOT_FOUND')
  })

  test('twenty at once, by one key, by many, and item by item: the money is back once', async () => {
    const { buyer, id, items } = await anOrder()
    const key = randomUUID()
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => refund(shop, admin, id, {}, key)),
      ...Array.from({ length: 6 }, () => refund(shop, admin, id)),
      ...items.flatMap((item) => Array.from({ length: 6 }, () => refund(shop, admin, id, { items: [item] }))),
    ])
    expect(answers.every((answer) => [200, 409].includes(answer.status))).toBe(true)
    expect(await toUsd(shop, buyer)).toBe(5)
    expect((await readReceipt(shop, buyer, id)).status).toBe('refunded')
  })

  test('against the customer who looks at the codes at the same moment: no code is both seen and for sale', async () => {
    for (let round = 0; round < 20; round++) {
      const offer = await anOffer(shop, { stock: 1 })
      const buyer = await aUser(shop, { usd: 100 })
      await fillCart(shop, buyer, offer)
      const { id } = (await payFromBalance(shop, buyer)).body.order
      const [seen] = await Promise.all([readReceipt(shop, buyer, id), refund(shop, admin, id)])
      const wasSeen = seen.items[0].code !== null
      expect(await readCodes(shop, offer)).toEqual([wasSeen ? 'quarantined' : 'available'])
    }
  })
})

describe('to the card', () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  let admin: TestUser
  beforeAll(async () => {
    shop = await startVendorShop()
    admin = await aUser(shop, { role: 'admin' })
  })
  afterAll(async () => {
    await expectSound(shop)
    await shop.close()
  })

  const announceRefund = (id: string, webhook = shop.stripe.webhook(id)) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/payment/webhook/stripe',
      payload: webhook.body,
      headers: webhook.headers,
    })
  const aPaidOrder = async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    const { orderId, paymentId } = await openedBy(shop, await pressPay(shop, buyer, 100))
    shop.stripe.pay(paymentId)
    await announceRefund(paymentId)
    return { buyer, offer, orderId, session: shop.stripe.sessions.get(paymentId) }
  }
  beforeEach(() => {
    shop.stripe.fault = undefined
    shop.stripe.readFault = undefined
  })

  const toCard = (orderId: string) => refund(shop, admin, orderId, { to: 'card' })
  const refundsAt = (intent: string | null | undefined) =>
    [...shop.stripe.refunds.values()].filter((made) => made.payment_intent === intent)
  const watch = () => watchPayments(shop)
  const forgetLease = () => shop.database.run(sql`UPDATE card_refund SET attempt_until = NULL`)

  test('the provider gives it back, and the books of both agree', async () => {
    const { buyer, offer, orderId, session } = await aPaidOrder()
    const answer = await toCard(orderId)
    expect(answer.body.data.refunds).toMatchObject([{ amount: 1, destination: 'card', status: 'done' }])
    expect(refundsAt(session?.payment_intent)).toMatchObject([{ amount: 100 }])
    expect(await toUsd(shop, buyer)).toBe(0)
    expect((await readReceipt(shop, buyer, orderId)).items[0]).toMatchObject({
      status: 'refunded',
      refunded_to: 'card',
    })
    expect(await readCodes(shop, offer)).toEqual(['available'])
    const { net } = await shop.database.one<{ net: number }>(sql`
      SELECT sum(CASE kind WHEN 'card' THEN amount ELSE -amount END)::int AS net FROM transfer WHERE order_id = ${orderId}`)
    expect(net).toBe(0)
  })

  test('without an answer it waits, and is sent again under the same key', async () => {
    const { orderId, session } = await aPaidOrder()
    shop.stripe.fault = 'hang-up'
    expect((await toCard(orderId)).body.data.refunds).toMatchObject([{ destination: 'card', status: 'waiting' }])
    await forgetLease()
    await watch()
    shop.stripe.fault = undefined
    await watch()
    expect(refundsAt(session?.payment_intent)).toHaveLength(1)
    const { status } = await shop.database.one<{ status: string }>(
      sql`SELECT status FROM card_refund ORDER BY id DESC LIMIT 1`,
    )
    expect(status).toBe('succeeded')
  })

  test('a no of the provider, at once or days later, puts the money into the wallet and calls the operator', async () => {
    const atOnce = await aPaidOrder()
    if (atOnce.session) atOnce.session.amount_total = 1
    expect((await toCard(atOnce.orderId)).body.data.refunds).toMatchObject([{ destination: 'wallet', status: 'done' }])
    expect(await toUsd(shop, atOnce.buyer)).toBe(1)
    expect(await readAlerts(shop, atOnce.orderId)).toEqual(['refund.failed'])

    const later = await aPaidOrder()
    await toCard(later.orderId)
    const [made] = refundsAt(later.session?.payment_intent)
    if (made) made.status = 'failed'
    for (let times = 0; times < 3; times++) await announceRefund(made?.id ?? '')
    expect(await toUsd(shop, later.buyer)).toBe(1)
    expect(await readAlerts(shop, later.orderId)).toEqual(['refund.failed'])
  })

  test('what could not be read before it was sent is no try of it: the no to the next one is a first no', async () => {
    const { buyer, orderId, session } = await aPaidOrder()
    shop.stripe.readFault = 'broken-before'
    await toCard(orderId)
    shop.stripe.readFault = undefined
    if (session) session.amount_total = 1
    await watch()
    const { status } = await shop.database.one<{ status: string }>(
      sql`SELECT status FROM card_refund ORDER BY id DESC LIMIT 1`,
    )
    expect([status, await toUsd(shop, buyer)]).toEqual(['failed', 1])
    expect(await readAlerts(shop, orderId)).toEqual(['refund.failed'])
  })

  test('one that could not be sent at all for a day calls the operator too, and is sent when it can be', async () => {
    const { orderId, session } = await aPaidOrder()
    shop.stripe.readFault = 'broken-before'
    await toCard(orderId)
    expect(await readAlerts(shop, orderId)).toEqual([])
    const age = () =>
      shop.database.run(sql`
        UPDATE card_refund SET next_at = NULL, created_at = now() - interval '21 hours' WHERE status = 'sending'`)
    await age()
    await watch()
    expect(await readAlerts(shop, orderId)).toEqual(['refund.stuck'])
    // The look for one that was made in the dashboard meanwhile is no try either.
    await age()
    await watch()
    shop.stripe.readFault = undefined
    await age()
    await watch()
    expect(refundsAt(session?.payment_intent)).toMatchObject([{ amount: 100 }])
  })

  test('one whose answers were lost for a day is not sent again: the operator is called', async () => {
    const { orderId, session } = await aPaidOrder()
    shop.stripe.fault = 'broken-before'
    await toCard(orderId)
    shop.stripe.fault = undefined
    await shop.database.run(sql`
      UPDATE card_refund SET attempt_until = NULL, created_at = now() - interval '21 hours' WHERE status = 'sending'`)
    await watch()
    expect(refundsAt(session?.payment_intent)).toEqual([])
    expect(await readAlerts(shop, orderId)).toEqual(['refund.stuck'])
  })

  test('ten at once send one', async () => {
    const { orderId, session } = await aPaidOrder()
    const answers = await Promise.all(Array.from({ length: 10 }, () => toCard(orderId)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    await watch()
    expect(refundsAt(session?.payment_intent)).toHaveLength(1)
  })
})
