import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  expectSound,
  fillCart,
  passTime,
  pressPay,
  startVendorShop,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { yookassaRefusals } from '../../../test/doubles/yookassa.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { createPaymentBooks } from './payment-books.ts'
import { expireUnpaidOrders, watchPayments } from './receive-webhook.ts'
import { settlePayment } from './settle-payment.ts'

const readPayment = ({ database }: Pick<TestShop, 'database'>, orderId: string) =>
  database.one<{ status: string; why: string | null }>(sql`
    SELECT status, canceled_why AS why FROM payment WHERE order_id = ${orderId}`)

describe('at the sandbox', () => {
  const shop = useCardShop({ soumRate: 12_650.37 })
  const readNow = ({ orderId }: { orderId: string }) => readPayment(shop, orderId)
  /** Moves the payment so many hours into the past. */
  const passHours = ({ orderId }: { orderId: string }, hours: number) =>
    shop.database.run(sql`
      UPDATE payment SET created_at = created_at - make_interval(hours => ${hours}) WHERE order_id = ${orderId}`)

  test('a payment that was declined says so, and one that is paid after all has no reason', async () => {
    const order = await aCardOrder(shop)
    await act(shop, order, 'decline')
    expect(await readNow(order)).toEqual({ status: 'canceled', why: 'declined' })
    await tell(shop, order)
    expect(await readNow(order)).toEqual({ status: 'succeeded', why: null })
  })

  test.each([
    ['a word', 'insufficient_funds', 'insufficient_funds'],
    ['a number', '-5017', '-5017'],
    ['nothing', undefined, null],
    ['an empty word', '', null],
    ['a word that is too long', 'x'.repeat(300), 'x'.repeat(100)],
    ['a sentence, which may name the payer', 'Card 4111 of Ivan Petrov was declined', null],
    ['bytes that are no text', 'a\u0000b', null],
  ])('of %s a provider says, what is kept', async (_what, why, kept) => {
    const order = await aCardOrder(shop)
    const { key: reference, paymentId: providerPaymentId, amount } = order
    const snapshot = { providerPaymentId, reference, status: 'canceled', amount, currency: 'USD' } as const
    await shop.database.transaction((tx) =>
      settlePayment(tx, 'sandbox', { key: randomUUID(), snapshot: { ...snapshot, ...(why !== undefined && { why }) } }),
    )
    expect(await readNow(order)).toEqual({ status: 'canceled', why: kept })
  })

  test('a payment that nobody makes is given up after a day, and not before', async () => {
    const order = await aCardOrder(shop)
    await passHours(order, 23)
    await watchPayments(shop)
    expect(await readNow(order)).toEqual({ status: 'open', why: null })
    await passHours(order, 2)
    await watchPayments(shop)
    expect(await readNow(order)).toEqual({ status: 'canceled', why: 'not_paid' })
    // The first reason stays, whatever is told later.
    await tell(shop, order, { status: 'canceled' })
    expect((await readNow(order)).why).toBe('not_paid')
  })

  test('a provider that asks says it by the number it cancels a transaction with', async () => {
    const order = await aCardOrder(shop, { method: 'sandbox_soums' })
    const books = createPaymentBooks(shop.database, 'sandbox')
    const id = randomUUID()
    await books.begin(order.orderId, { id, amount: 1_265_100, at: new Date() })
    expect(await books.cancel(id, '4', new Date())).toMatchObject({ state: 'canceled' })
    expect(await readNow(order)).toEqual({ status: 'canceled', why: '4' })
  })
})

describe('at other providers', () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  beforeAll(async () => {
    shop = await startVendorShop()
  })
  afterAll(async () => {
    await expectSound(shop)
    await shop.close()
  })
  beforeEach(() => Object.assign(shop.yookassa, { fault: undefined, refusal: undefined }))

  const press = async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressed = await pressPay(shop, buyer, 8_000, { currency: 'RUB' })
    const { orderId } = await shop.database.one<{ orderId: string }>(
      sql`SELECT id AS "orderId" FROM orders WHERE user_id = ${buyer.id}`,
    )
    return { pressed, orderId }
  }

  test('what the bank said comes with the answer about the payment', async () => {
    const { pressed, orderId } = await press()
    expect(pressed.status).toBe(201)
    const { id } = await shop.database.one<{ id: string }>(
      sql`SELECT provider_payment_id AS id FROM payment WHERE order_id = ${orderId}`,
    )
    shop.yookassa.decline(id)
    await watchPayments(shop)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'canceled', why: 'insufficient_funds' })
  })

  test('one that the provider refuses to open was refused', async () => {
    shop.yookassa.refusal = yookassaRefusals.parameter
    const { pressed, orderId } = await press()
    expect(pressed.status).toBe(502)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'canceled', why: 'refused' })
  })

  test('one that the provider never opened was not opened', async () => {
    shop.yookassa.fault = 'broken-before'
    const { pressed, orderId } = await press()
    expect(pressed.status).toBe(502)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'opening', why: null })
    await passTime(shop, orderId)
    await expireUnpaidOrders(shop)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'canceled', why: 'not_opened' })
  })
})
