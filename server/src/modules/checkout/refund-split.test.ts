import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  expectSound,
  fillCart,
  openedBy,
  pressPay,
  readAlerts,
  readState,
  startVendorShop,
  useCardShop,
} from '../../../test/card-orders.ts'
import { stripeRefusals } from '../../../test/doubles/stripe.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { createPaymentBooks } from './payment-books.ts'
import { watchPayments } from './receive-webhook.ts'

type AnyShop = Pick<TestShop, 'call' | 'database'>

const refund = (shop: AnyShop, admin: TestUser, orderId: string, wish: object = {}) =>
  shop.call('POST', `/admin/orders/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card', ...wish },
  })
/** What went back of an order, in minor units: by card refunds that did not fail, and to the wallet. */
const readReturned = (shop: AnyShop, { orderId }: { orderId: string }) =>
  shop.database.one<{ card: number; wallet: number }>(sql`
    SELECT (SELECT coalesce(sum(card_refund.amount), 0)::bigint FROM card_refund JOIN payment ON payment.id = payment_id
        WHERE order_id = ${orderId} AND card_refund.status <> 'failed') AS card,
      (SELECT coalesce(sum(amount), 0)::bigint FROM transfer WHERE order_id = ${orderId} AND kind = 'refund') AS wallet`)
const toItem = async (shop: AnyShop, orderId: string) =>
  (await shop.database.one<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId} LIMIT 1`)).id

describe('a refund of an order paid both ways', () => {
  const shop = useCardShop({ soumRate: 12_650.37 })
  const admin = useUser(shop, { role: 'admin' })
  /** Three codes at 3.33, of which the balance pays 4.00 and the card 5.99. */
  const aPaid = async (): Promise<CardOrder> => {
    const order = await aCardOrder(shop, { quantity: 3, priceUsd: 333, fromBalance: 400 })
    await act(shop, order, 'pay')
    return order
  }

  test('goes back both ways, each what it paid', async () => {
    const order = await aPaid()
    const { body } = await refund(shop, admin, order.orderId)
    expect(body.data).toMatchObject({
      status: 'refunded',
      refunds: [
        { amount: 5.99, destination: 'card', status: 'done' },
        { amount: 4, destination: 'wallet', status: 'done' },
      ],
    })
    expect(await readReturned(shop, order)).toEqual({ card: 599, wallet: 400 })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 4 })
    const receipt = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(receipt.body.items).toMatchObject([{ refunded_to: 'both' }])
  })

  test('in parts is exact to the cent', async () => {
    const order = await aPaid()
    const id = await toItem(shop, order.orderId)
    const returned: object[] = []
    for (const part of [{ quantity: 1 }, { amount: 0.01 }, { amount: 1.11 }, undefined]) {
      const answer = await refund(shop, admin, order.orderId, part && { items: [{ id, ...part }] })
      expect([answer.text, answer.status]).toEqual([answer.text, 200])
      returned.push(await readReturned(shop, order))
    }
    expect(returned).toEqual([
      { card: 199, wallet: 134 },
      { card: 200, wallet: 134 },
      { card: 266, wallet: 179 },
      { card: 599, wallet: 400 },
    ])
  })

  test('in a part is shown to have gone both ways', async () => {
    const order = await aPaid()
    const id = await toItem(shop, order.orderId)
    await refund(shop, admin, order.orderId, { items: [{ id, quantity: 1 }] })
    await refund(shop, admin, order.orderId, { items: [{ id, quantity: 1 }], to: 'wallet' })
    const receipt = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(receipt.body.items[0].partial_refunds).toEqual([
      { quantity: 1, amount: 3.33, destination: 'both' },
      { quantity: 1, amount: 3.33, destination: 'wallet' },
    ])
  })

  test('to the balance goes there as a whole', async () => {
    const order = await aPaid()
    await refund(shop, admin, order.orderId, { to: 'wallet' })
    expect(await readReturned(shop, order)).toEqual({ card: 0, wallet: 999 })
  })

  test('returns all that was charged in soums with the last part', async () => {
    const order = await aCardOrder(shop, {
      quantity: 3,
      priceUsd: 333,
      fromBalance: 400,
      method: 'sandbox_soums',
    })
    await act(shop, order, 'pay')
    const id = await toItem(shop, order.orderId)
    for (const part of [{ quantity: 1 }, { amount: 1 }, undefined])
      await refund(shop, admin, order.orderId, part && { items: [{ id, ...part }] })
    const { charged, back } = await shop.database.one<{ charged: number; back: number }>(sql`
      SELECT paid_amount AS charged, (SELECT sum(card_refund.charge_amount)::bigint FROM card_refund
        WHERE payment_id = payment.id) AS back
      FROM payment WHERE order_id = ${order.orderId}`)
    expect(back).toBe(charged)
    expect(await readReturned(shop, order)).toEqual({ card: 599, wallet: 400 })
  })

  test('of which somebody made a part in the cabinet returns the rest, and nothing twice', async () => {
    const order = await aCardOrder(shop, { quantity: 3, priceUsd: 333, fromBalance: 400 })
    await act(shop, order, 'pay')
    await act(shop, order, 'refund_outside')
    expect(await readReturned(shop, order)).toEqual({ card: 599, wallet: 0 })
    expect(await readState(shop, order)).toMatchObject({ status: 'partially_refunded', codes: 3, usd: 0 })
    await refund(shop, admin, order.orderId)
    expect(await readReturned(shop, order)).toEqual({ card: 599, wallet: 400 })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', codes: 0, usd: 4 })
  })

  test('beside refunds in the cabinet never returns more than was paid', async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const order = await aCardOrder(shop, { quantity: 3, priceUsd: 333, fromBalance: 400 })
        await act(shop, order, 'pay')
        return order
      }),
    )
    await Promise.all(
      orders.flatMap((order) => [
        act(shop, order, 'refund_outside_part'),
        refund(shop, admin, order.orderId),
        refund(shop, admin, order.orderId, { to: 'wallet' }),
      ]),
    )
    for (const order of orders) {
      for (let times = 0; times < 2; times++) await watchPayments(shop)
      const { card, wallet } = await readReturned(shop, order)
      expect(card).toBeLessThanOrEqual(599)
      expect(card + wallet).toBeGreaterThanOrEqual(999)
    }
  }, 60_000)

  test('is refused while its payment is disputed; charged back, what the balance paid can go back there', async () => {
    const order = await aPaid()
    await act(shop, order, 'dispute')
    expect((await refund(shop, admin, order.orderId)).body.error.details).toEqual({ reason: 'disputed' })
    await act(shop, order, 'lose_dispute')
    expect((await refund(shop, admin, order.orderId)).body.error.details).toEqual({ reason: 'charged_back' })
    const id = await toItem(shop, order.orderId)
    const rest = await refund(shop, admin, order.orderId, { items: [{ id, amount: 4 }] })
    expect([rest.text, rest.status]).toEqual([rest.text, 200])
    expect(await readReturned(shop, order)).toEqual({ card: 0, wallet: 400 })
  })

  test('after a part of it, and after the bank took all of the card back, has what is left', async () => {
    const order = await aPaid()
    const id = await toItem(shop, order.orderId)
    await refund(shop, admin, order.orderId, { items: [{ id, quantity: 1 }] })
    await act(shop, order, 'dispute')
    await act(shop, order, 'lose_dispute')
    const more = await refund(shop, admin, order.orderId, { items: [{ id, amount: 0.68 }] })
    expect(more.body.error.details).toEqual({ reason: 'charged_back' })
    await refund(shop, admin, order.orderId, { items: [{ id, amount: 0.67 }] })
    expect(await readReturned(shop, order)).toEqual({ card: 199, wallet: 201 })
  })

  test('is made by a provider that cancels what it performed: both parts go back', async () => {
    const books = createPaymentBooks(shop.database, 'sandbox')
    const order = await aCardOrder(shop, {
      quantity: 3,
      priceUsd: 333,
      fromBalance: 400,
      method: 'sandbox_soums',
    })
    const { amount } = await shop.database.one<{ amount: number }>(
      sql`SELECT charge_amount AS amount FROM payment WHERE order_id = ${order.orderId}`,
    )
    expect(await books.check(order.orderId, amount)).toBe('payable')
    expect(await books.check(order.orderId, amount + 100)).toEqual({ refused: 'wrong_amount' })
    const id = `transaction of ${order.orderId}`
    await books.begin(order.orderId, { id, amount, at: new Date() })
    await books.perform(id, new Date())
    const answers = await Promise.all(Array.from({ length: 20 }, () => books.cancel(id, '5', new Date())))
    expect(answers[0]).toMatchObject({ state: 'reversed' })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await readReturned(shop, order)).toEqual({ card: 599, wallet: 400 })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', codes: 0, usd: 4, available: 3 })
  })
})

describe('at a provider', () => {
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
  beforeEach(() => {
    Object.assign(shop.stripe, { fault: undefined, refusal: undefined })
  })
  const press = async (fromBalance = 400) => {
    const offer = await anOffer(shop, { stock: 2, priceUsd: 1_000 })
    const buyer = await aUser(shop, { usd: 2_000 })
    await fillCart(shop, buyer, offer)
    return { buyer, offer, pressed: await pressPay(shop, buyer, 1_000, { fromBalance }) }
  }
  const readWallet = async ({ id }: TestUser) =>
    (
      await shop.database.one<{ balance: number }>(
        sql`SELECT balance FROM account WHERE user_id = ${id} AND currency = 'USD'`,
      )
    ).balance
  const announce = (id: string, webhook = shop.stripe.webhook(id)) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/payment/webhook/stripe',
      payload: webhook.body,
      headers: webhook.headers,
    })
  const aPaid = async () => {
    const { buyer, offer, pressed } = await press()
    const opened = await openedBy(shop, pressed)
    const { id: paymentId } = await shop.database.one<{ id: string }>(
      sql`SELECT provider_payment_id AS id FROM payment WHERE order_id = ${opened.orderId}`,
    )
    shop.stripe.pay(paymentId)
    await announce(paymentId)
    return { buyer, offer, ...opened, paymentId }
  }

  test('a rest below what it takes is refused with its least, before there is an order', async () => {
    const { buyer, pressed } = await press(951)
    expect([pressed.status, pressed.body.error]).toMatchObject([
      400,
      { code: 'BELOW_LEAST_AMOUNT', details: { least: 0.5, currency: 'USD' } },
    ])
    expect(await readWallet(buyer)).toBe(2_000)
  })

  test('a payment that is refused ends the order and returns the part', async () => {
    shop.stripe.refusal = stripeRefusals.parameter
    const { buyer, pressed } = await press()
    expect(pressed.status).toBe(502)
    expect(await readWallet(buyer)).toBe(2_000)
    expect((await shop.call('GET', '/orders', { token: buyer.token })).body.orders).toMatchObject([
      { status: 'expired', from_balance: 4 },
    ])
  })

  test('a refund sends the card its own part, and a failed one falls to the balance', async () => {
    const order = await aPaid()
    await refund(shop, admin, order.orderId)
    const made = [...shop.stripe.refunds.values()]
    expect(made.map(({ amount }) => amount)).toEqual([600])
    expect(await readWallet(order.buyer)).toBe(2_000)
    if (made[0]) made[0].status = 'failed'
    for (let times = 0; times < 3; times++) await announce(made[0]?.id ?? '')
    expect(await readWallet(order.buyer)).toBe(2_600)
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.failed'])
  })
})
