import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  act,
  expectSound,
  fillCart,
  onFullShelf,
  openedBy,
  pressPay,
  sandboxSecret,
} from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { allowFillings, pressFill, readWallet } from '../../../test/fillings.ts'
import { useTwoNodes, useUser } from '../../../test/use-shop.ts'
import { cacheShop } from '../shop/shop.ts'

const { here, there } = useTwoNodes({ SANDBOX_SECRET: sandboxSecret, PAYMENT_PROVIDERS: 'sandbox' })
const admin = useUser(here, { role: 'admin' })
beforeAll(() => allowFillings(here))

const set = (body: object) => here.call('PUT', '/admin/shop', { token: admin.token, body })
const both = { currencies: ['RUB', 'USD'], default_currency: 'RUB' }
const dollars = { currencies: ['USD'], default_currency: 'USD' }
const off = { code: 'STATE_CONFLICT', details: { reason: 'currency_off', currency: 'RUB' } }

beforeEach(async () => {
  expect((await set(both)).status).toBe(200)
})
afterEach(() => expectSound(here))

/** A buyer with an offer at 80 ₽ or $1 in the cart, and so much in the balance, in kopecks. */
async function aCart(rub = 0) {
  const offer = await anOffer(here, { stock: 2 })
  const buyer = await aUser(here, { rub })
  await fillCart(here, buyer, offer)
  const pay = (fromBalance = 0) =>
    onFullShelf(there, offer, () => pressPay(there, buyer, 8_000, { currency: 'RUB', fromBalance }))
  return { offer, buyer, pay }
}

describe('a currency that is off', () => {
  test('begins no payment on any node, however many press at once, and the other one does', async () => {
    const carts = await Promise.all(Array.from({ length: 20 }, () => aCart()))
    await set(dollars)
    const pressed = await Promise.all(carts.map(({ pay }) => pay()))
    for (const { status, body } of pressed) expect([status, body.error]).toMatchObject([409, off])
    const filled = await Promise.all(
      carts.map(({ buyer }) => pressFill(there, buyer, { amount: 50_000, currency: 'RUB' })),
    )
    for (const { status, body } of filled) expect([status, body.error]).toMatchObject([409, off])
    const { buyer, offer } = await aCart()
    expect((await onFullShelf(there, offer, () => pressPay(there, buyer, 100))).status).toBe(201)
    expect((await pressFill(there, buyer)).status).toBe(201)
  })

  test('can still be spent by who has money in it', async () => {
    const { buyer } = await aCart(8_000)
    await set(dollars)
    const balances = await there.call('GET', '/balance', { token: buyer.token })
    expect(balances.body).toContainEqual(expect.objectContaining({ currency: 'rub', amount: 80 }))
    const body = { currency: 'RUB' }
    const paid = await there.call('POST', '/payment/from-balance', { token: buyer.token, body })
    expect(paid.status).toBe(201)
    expect(await readWallet(here, buyer, 'RUB')).toBe(0)
  })

  test('keeps no money back that is too little for anything: the rest can be paid, or filled up', async () => {
    const { buyer, pay } = await aCart(3_000)
    await set(dollars)
    expect((await pressFill(there, buyer, { amount: 50_000, currency: 'RUB' })).status).toBe(201)
    const pressed = await pay(3_000)
    expect(pressed.status).toBe(201)
    // Pressed again it is the same order, though its part has left the balance.
    expect((await pay(3_000)).body.order_id).toBe(pressed.body.order_id)
    await act(there, await openedBy(there, pressed), 'pay')
    const { body } = await there.call('GET', `/orders/${pressed.body.order_id}`, { token: buyer.token })
    expect(body.status).toBe('completed')
  })

  test('ends nothing that is under way, and takes refunds', async () => {
    const { buyer, pay } = await aCart()
    const pressed = await pay()
    expect(pressed.status).toBe(201)
    await set(dollars)
    expect((await pay()).body.order_id).toBe(pressed.body.order_id)
    await act(there, await openedBy(there, pressed), 'pay')
    const refund = { token: admin.token, body: { reason: 'Wrong region' } }
    const refunded = await there.call('POST', `/admin/orders/${pressed.body.order_id}/refund`, refund)
    expect(refunded.status, refunded.text).toBe(200)
    expect(await readWallet(here, buyer, 'RUB')).toBe(8_000)
  })
})

describe('the owner chooses', () => {
  test('which currencies there are, the default one first, and the earlier ones come back', async () => {
    const known = cacheShop(there.database)
    const told = async () => {
      known.clear()
      const { data } = (await there.call('GET', '/shop')).body
      return [(await known.read()).currencies, data.currencies, data.default_currency]
    }
    const { version } = (await here.call('GET', '/admin/shop', { token: admin.token })).body.data
    expect(await told()).toEqual([['RUB', 'USD'], ['RUB', 'USD'], 'RUB'])
    await set({ default_currency: 'USD' })
    expect(await told()).toEqual([['USD', 'RUB'], ['RUB', 'USD'], 'USD'])
    await set(dollars)
    // What else is changed leaves them.
    await set({ phone: null })
    expect(await told()).toEqual([['USD'], ['USD'], 'USD'])
    const back = { token: admin.token, body: { restored: version } }
    expect((await here.call('POST', '/admin/shop-versions/shop/restore', back)).status).toBe(200)
    expect(await told()).toEqual([['RUB', 'USD'], ['RUB', 'USD'], 'RUB'])
  })

  test('which currencies prices are shown in beside them, down to none', async () => {
    for (const shown_currencies of [['KZT'], [], ['UZS', 'KZT']]) {
      expect((await set({ shown_currencies })).status).toBe(200)
      expect((await there.call('GET', '/shop')).body.data).toMatchObject({ ...both, shown_currencies })
    }
    // Dollars are what the soums and the tenge stand for, and no order is in those.
    for (const shown_currencies of [['USD'], ['UZS', 'UZS']]) {
      expect((await set({ shown_currencies })).status).toBe(400)
    }
  })

  test.each([
    [{ currencies: [] }, { currencies: 'required' }],
    [{ currencies: ['USD', 'USD'] }, { currencies: 'invalid' }],
    [{ currencies: ['UZS'] }, { 'currencies.0': 'invalid' }],
    [{ default_currency: 'EUR' }, { default_currency: 'invalid' }],
    [{ currencies: ['USD'] }, { default_currency: 'currency_off' }],
    [{ currencies: ['USD'], default_currency: 'RUB' }, { default_currency: 'currency_off' }],
  ])('and nothing that leaves no default: %o', async (body, details) => {
    const { status, body: answer } = await set(body)
    expect([status, answer.error.details]).toEqual([400, details])
    expect((await there.call('GET', '/shop')).body.data).toMatchObject(both)
  })
})
