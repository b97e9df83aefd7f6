import { describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  pressPay,
  readAlerts,
  readState,
  setRate,
  tell,
  useCardShop,
  type WebhookFields,
} from '../../../test/card-orders.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useCardShop({ soumRate: 12_650.37 })
const admin = useUser(shop, { role: 'admin' })

/** Three codes at a dollar each: 37,951.11 soums, which are rounded up. */
const charged = 3_795_200
const inSoums = () => aCardOrder(shop, { quantity: 3, method: 'sandbox_soums' })
const pay = (order: CardOrder, fields: WebhookFields = {}) =>
  tell(shop, order, { amount: charged, currency: 'UZS', ...fields })

const readPayments = async (orderId: string) =>
  (await shop.call('GET', `/admin/payments?search=${orderId}`, { token: admin.token })).body.data
const readBooks = (orderId: string) =>
  shop.database.rows<{ kind: string; amount: number; currency: string }>(
    sql`SELECT kind, amount, currency FROM transfer WHERE order_id = ${orderId} ORDER BY id`,
  )
const readRefunds = (orderId: string) =>
  shop.database.rows<{ amount: number; charge_amount: number; status: string }>(sql`
    SELECT card_refund.amount, card_refund.charge_amount, card_refund.status FROM card_refund
    JOIN payment ON payment.id = payment_id WHERE order_id = ${orderId} ORDER BY card_refund.id`)
const atBank = async ({ paymentId }: CardOrder) =>
  (
    await shop.database.rows<{ amount: number }>(
      sql`SELECT amount FROM sandbox_refund WHERE payment_id = ${paymentId} AND status <> 'failed' ORDER BY created_at`,
    )
  ).map(({ amount }) => amount)
const refund = (orderId: string, wish: object) =>
  shop.call('POST', `/admin/orders/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card', ...wish },
  })
const readItem = async (orderId: string) =>
  (await shop.database.one<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId}`)).id

describe('an order in dollars that is paid in soums', () => {
  test('is charged at the frozen rate, and booked in dollars', async () => {
    const order = await inSoums()
    await setRate(shop, 'UZS', 13_000)
    expect((await pay(order)).statusCode).toBe(200)
    await setRate(shop, 'UZS', 12_650.37)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 3, usd: 0 })
    expect(await readBooks(order.orderId)).toEqual([{ kind: 'card', amount: 300, currency: 'USD' }])
    expect(await readPayments(order.orderId)).toMatchObject([
      {
        amount: 3,
        currency: 'USD',
        method: 'sandbox_soums',
        charge_amount: charged / 100,
        charge_currency: 'UZS',
        charge_rate: '12650.37000000',
        paid_amount: charged / 100,
        paid_currency: 'UZS',
        settled_to: 'order',
      },
    ])
    expect(await readAlerts(shop, order.orderId)).toEqual([])
  })

  test.each([
    ['a tiyin too little', { amount: charged - 1 }, 3],
    ['150 soums too little', { amount: charged - 15_000 }, 2.98],
    ['twice as much', { amount: 2 * charged }, 6],
    ['its price in dollars', { amount: 300, currency: 'USD' }, 3],
  ])('%s goes to the wallet', async (_what, fields, usd) => {
    const order = await inSoums()
    await pay(order, fields)
    expect(await readState(shop, order)).toMatchObject({ codes: 0, usd })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.wrong_amount'])
  })

  test.each([
    ['less than a cent', { amount: 100 }],
    ['another currency that no wallet has', { currency: 'KZT' }],
  ])('%s is left to the operator', async (_what, fields) => {
    const order = await inSoums()
    await pay(order, fields)
    expect(await readState(shop, order)).toMatchObject({ codes: 0, usd: 0 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.wrong_currency'])
  })

  test('a second charge goes to the wallet in dollars, and so does money for an order that ended', async () => {
    const order = await inSoums()
    await act(shop, order, 'pay_twice')
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 3, usd: 3 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.paid_before'])
  })

  test('refunds to the card go back in soums, and all of them are what was charged', async () => {
    const order = await inSoums()
    await act(shop, order, 'pay')
    const id = await readItem(order.orderId)
    for (const amount of [0.33, 1.01, 0.01]) {
      expect((await refund(order.orderId, { items: [{ id, amount }] })).status).toBe(200)
    }
    expect((await refund(order.orderId, {})).status).toBe(200)
    const made = await atBank(order)
    expect(made.every((amount) => amount % 100 === 0)).toBe(true)
    expect(made.reduce((sum, amount) => sum + amount, 0)).toBe(charged)
    expect((await readRefunds(order.orderId)).reduce((sum, { amount }) => sum + amount, 0)).toBe(300)
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 0 })
  })

  test('half refunded in the cabinet, the rest by the store', async () => {
    const order = await inSoums()
    await act(shop, order, 'pay')
    await act(shop, order, 'refund_outside_part')
    expect(await readRefunds(order.orderId)).toEqual([{ amount: 150, charge_amount: charged / 2, status: 'succeeded' }])
    expect(await readAlerts(shop, order.orderId)).toEqual(['refund.outside'])
    expect((await refund(order.orderId, {})).status).toBe(200)
    expect((await atBank(order)).reduce((sum, amount) => sum + amount, 0)).toBe(charged)
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 0 })
  })

  test('a dispute in soums is booked in dollars, and won again', async () => {
    const order = await inSoums()
    await act(shop, order, 'pay')
    await act(shop, order, 'dispute')
    await act(shop, order, 'win_dispute')
    expect(await readBooks(order.orderId)).toEqual([
      { kind: 'card', amount: 300, currency: 'USD' },
      { kind: 'chargeback', amount: 300, currency: 'USD' },
      { kind: 'chargeback_reversal', amount: 300, currency: 'USD' },
    ])
  })
})

test('a smaller part than the smallest unit of what was charged is refused before anything moves', async () => {
  const order = await inSoums()
  await act(shop, order, 'pay')
  const before = await readBooks(order.orderId)
  // So little was charged that nothing is left of it for a cent.
  await shop.database.run(sql`
    UPDATE payment SET paid_amount = 1, charge_amount = 100, charge_rate = 0.00000001 WHERE order_id = ${order.orderId}`)
  const id = await readItem(order.orderId)
  expect(await refund(order.orderId, { items: [{ id, amount: 0.01 }] })).toMatchObject({
    status: 409,
    body: { error: { details: { reason: 'too_small_for_card', amount: 0.01, currency: 'USD' } } },
  })
  expect(await readBooks(order.orderId)).toEqual(before)
  await shop.database.run(sql`
    UPDATE payment SET paid_amount = ${charged}, charge_amount = ${charged}, charge_rate = 12650.37
    WHERE order_id = ${order.orderId}`)
})

test('another method makes another payment of the same order', async () => {
  const order = await inSoums()
  const press = (method?: string) => pressPay(shop, order.buyer, 300, { method })
  expect((await press('sandbox_soums')).body).toMatchObject({ order_id: order.orderId, pay_url: order.payUrl })
  expect((await press()).body).toMatchObject({ order_id: order.orderId, pay_url: order.payUrl })
  const other = (await press('sandbox')).body
  expect(other.order_id).toBe(order.orderId)
  expect(other.pay_url).not.toBe(order.payUrl)
  expect((await readPayments(order.orderId)).map((payment: { method: string }) => payment.method).sort()).toEqual([
    'sandbox',
    'sandbox_soums',
  ])
  expect(await press('nothing')).toMatchObject({
    status: 409,
    body: { error: { code: 'METHOD_UNAVAILABLE', details: { method: 'nothing', reason: 'not_offered' } } },
  })
})

describe('the customer reads how an order is paid', () => {
  const read = async ({ buyer, orderId }: CardOrder) => {
    const { body: receipt } = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
    const { body: list } = await shop.call('GET', '/orders', { token: buyer.token })
    expect(list.orders[0].paid_by).toEqual(receipt.paid_by)
    return receipt.paid_by
  }
  const noFee = { fee: 0, fee_refunded: 0 }
  const inSoumsPaidBy = {
    method: 'sandbox_soums',
    mark: 'sandbox_soums',
    charge: { amount: charged / 100, currency: 'UZS' },
    ...noFee,
  }

  test('while it waits for its payment, and once it is paid', async () => {
    const order = await inSoums()
    expect(await read(order)).toEqual(inSoumsPaidBy)
    await act(shop, order, 'pay')
    expect(await read(order)).toEqual(inSoumsPaidBy)
  })

  test('by the payment that paid it, and not by a later one', async () => {
    const order = await inSoums()
    await pressPay(shop, order.buyer, 300, { method: 'sandbox' })
    expect(await read(order)).toEqual({ method: 'sandbox', mark: 'sandbox', charge: null, ...noFee })
    await act(shop, order, 'pay')
    expect(await read(order)).toEqual(inSoumsPaidBy)
  })

  test('by a method that the shop had before there were any, or no longer has', async () => {
    const order = await inSoums()
    const paidWith = async (provider: string, method: string | null) => {
      await shop.database.run(
        sql`UPDATE payment SET provider = ${provider}, method = ${method} WHERE order_id = ${order.orderId}`,
      )
      return read(order)
    }
    expect(await paidWith('sandbox', null)).toMatchObject({ method: 'sandbox', mark: 'sandbox' })
    expect(await paidWith('sandbox', 'sandbox_shells')).toMatchObject({ method: 'sandbox_shells', mark: null })
    expect(await paidWith('stripe', 'stripe')).toMatchObject({ method: 'stripe', mark: null })
    await paidWith('sandbox', 'sandbox_soums')
  })
})

test('the methods are listed with what they charge', async () => {
  const read = async (query: string) => (await shop.call('GET', `/payment/methods?${query}`)).body
  expect(await read('currency=usd&amount=3')).toEqual({
    data: [
      {
        name: 'sandbox',
        title: null,
        marks: ['sandbox'],
        charge_currencies: ['USD', 'RUB'],
        charge: { currency: 'USD', rate: null, amount: 3 },
        least: 0.01,
        most: null,
        fee: null,
        needs: [],
      },
      {
        name: 'sandbox_soums',
        title: null,
        marks: ['sandbox_soums'],
        charge_currencies: ['UZS'],
        charge: { currency: 'UZS', rate: '12650.37000000', amount: charged / 100 },
        least: 0.01,
        most: null,
        fee: null,
        needs: [],
      },
    ],
  })
  expect((await read('currency=RUB')).data[1].charge).toMatchObject({ currency: 'UZS', amount: null })
  expect((await read('currency=RUB&amount=1.234')).error.code).toBe('VALIDATION_FAILED')
})
