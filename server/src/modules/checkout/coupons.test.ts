import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type CardOrder,
  fillCart,
  openedBy,
  passTime,
  payFromBalance,
  readAlerts,
  readState,
  startCardShop,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { aCoupon, countUses } from '../../../test/coupons.ts'
import { anOffer, aUser, type OfferWish, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { aFilling, allowFillings, readWallet } from '../../../test/fillings.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { orderTopup, pubgTopup, sellTopups, steamTopup, tenDollars, topupOffer } from '../../../test/topups.ts'
import { useUser } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { Sender } from '../../platform/database/batch.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })
beforeAll(() => sellTopups(shop))

const rich = { usd: 1_000_000, rub: 100_000_000 }

async function aBuyer(offers: readonly (readonly [TestOffer, number])[], wish = rich): Promise<TestUser> {
  const buyer = await aUser(shop, wish)
  for (const [offer, quantity] of offers) await fillCart(shop, buyer, offer, quantity)
  return buyer
}

const check = (buyer: TestUser, coupon: string, more: object = {}) =>
  shop.call('POST', '/checkout/coupon', { token: buyer.token, body: { coupon, currency: 'USD', ...more } })

const pay = (buyer: TestUser, coupon: string, amount: number, currency = 'USD') =>
  shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency, coupon, amount: amount / 100 } })

const press = (buyer: TestUser, coupon: string | undefined, amount: number, more: object = {}) =>
  shop.call('POST', '/payment/create', {
    token: buyer.token,
    body: { type: 'order', currency: 'USD', coupon, amount: amount / 100, ...more },
  })

async function aCardOrder(coupon: string, total: number, wish: OfferWish = {}): Promise<CardOrder> {
  const offer = await anOffer(shop, { priceUsd: 1_000, stock: 4, ...wish })
  const buyer = await aBuyer([[offer, 1]], { usd: 0, rub: 0 })
  const pressed = await press(buyer, coupon, total)
  if (pressed.status !== 201) throw new Error(pressed.text)
  return { buyer, offer, amount: total, ...(await openedBy(shop, pressed)) }
}

const readItems = (orderId: string) =>
  shop.database.rows<{ unit_price: number; unit_discount: number; quantity: number }>(
    sql`SELECT unit_price, unit_discount, quantity FROM order_item WHERE order_id = ${orderId} ORDER BY position`,
  )
const setFloor = (offer: TestOffer, usd: number) =>
  shop.database.run(sql`UPDATE offer SET floor_usd = ${usd}, floor_rub = ${usd * 8} WHERE id = ${offer.id}`)
const refusedBy = (answer: { body: { error: { code: string; details: { reason?: string } } } }) =>
  `${answer.body.error.code} ${answer.body.error.details?.reason ?? ''}`.trim()

describe('a cart with a coupon', () => {
  test('costs what was seen before, is paid from the balance, and says so in every place', async () => {
    const [cheap, dear] = [await anOffer(shop, { stock: 2 }), await anOffer(shop, { priceUsd: 1_999, stock: 1 })]
    const buyer = await aBuyer([
      [cheap, 2],
      [dear, 1],
    ])
    const coupon = await aCoupon(shop, admin, { percent: 12.5 })
    const seen = await check(buyer, coupon.code.toLowerCase())
    // 12.5 percent of 1.00 and of 19.99, rounded down for each unit.
    expect(seen.body.data).toEqual({ code: coupon.code, discount: 2.73, total: 19.26, is_cut: false })
    expect((await pay(buyer, coupon.code, 1_927)).body.error).toMatchObject({
      code: 'PRICE_CHANGED',
      details: { total: 19.26 },
    })
    expect(await countUses(shop, coupon)).toBe(0)
    const paid = await pay(buyer, coupon.code.toLowerCase(), 1_926)
    expect(paid.status).toBe(201)
    const orderId = paid.body.order.id
    expect(await readItems(orderId)).toEqual([
      { unit_price: 88, unit_discount: 12, quantity: 2 },
      { unit_price: 1_750, unit_discount: 249, quantity: 1 },
    ])
    expect(await countUses(shop, coupon)).toBe(1)
    const shown = { total_amount: 19.26, coupon: { code: coupon.code, discount: 2.73 } }
    expect((await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body).toMatchObject(shown)
    expect((await shop.call('GET', '/orders', { token: buyer.token })).body.orders).toMatchObject([shown])
    const list = await shop.call('GET', `/admin/orders?search=${orderId}`, { token: admin.token })
    expect(list.body.data).toMatchObject([{ ...shown, profit: { revenue: 19.26 } }])
    const one = await shop.call('GET', `/admin/orders/${orderId}`, { token: admin.token })
    expect(one.body.data).toMatchObject({ ...shown, transfers: [{ amount: 19.26 }] })
    expect(one.body.data.timeline[0].details).toMatchObject({ coupon: coupon.code, discount: 2.73 })
    const coupons = await shop.call('GET', `/admin/coupons?search=${coupon.code}`, { token: admin.token })
    expect(coupons.body.data).toMatchObject([{ used: 1, given_usd: 2.73, given_rub: 0 }])
  })

  test('without one sends nothing about coupons, and seven statements with one', async () => {
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 4 })
    const { code } = await aCoupon(shop, admin, { max_uses_each: null })
    const countSent = async (body: object) => {
      const buyer = await aBuyer([[offer, 1]])
      const packets = vi.spyOn(pg.Client.prototype, 'query')
      const statements = vi.spyOn(Sender.prototype, 'send')
      const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body })
      const sent = { packets: packets.mock.calls.length, texts: statements.mock.calls.map(([{ text }]) => text) }
      packets.mockRestore()
      statements.mockRestore()
      expect(paid.status).toBe(201)
      return sent
    }
    const plain = { currency: 'USD', amount: 10 }
    await countSent(plain)
    const without = await countSent(plain)
    expect(without.texts.filter((text) => /\b(FROM|UPDATE|JOIN) coupon\b/.test(text))).toEqual([])
    const ofCoupons = (await countSent({ ...plain, amount: 9, coupon: code })).texts.filter(
      (text) => !without.texts.includes(text),
    )
    // A first try ends with the question whether the code exists; then what it is worth, the floors, and the use. The debit
    // and the sale are those whose answers are looked at.
    expect(ofCoupons).toHaveLength(7)
  })

  test('is refused without the total that was seen', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aBuyer([[offer, 1]])
    const { code } = await aCoupon(shop, admin)
    const body = { currency: 'USD', coupon: code }
    expect((await shop.call('POST', '/payment/from-balance', { token: buyer.token, body })).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { amount: 'required' },
    })
  })

  test('gets an amount off to the cent, though three units can’t share it, and refunds give back what was paid', async () => {
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 3 })
    const buyer = await aBuyer([[offer, 3]], { usd: 2_900, rub: 0 })
    const { code } = await aCoupon(shop, admin, { amount_usd: 1, amount_rub: 100 })
    const orderId = (await pay(buyer, code, 2_900)).body.order.id
    expect(await readItems(orderId)).toEqual([
      { unit_price: 966, unit_discount: 34, quantity: 1 },
      { unit_price: 967, unit_discount: 33, quantity: 2 },
    ])
    const { body } = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
    const [first, second] = body.items.map(({ id }: { id: number }) => id)
    const refund = (items: unknown) =>
      shop.call('POST', `/admin/orders/${orderId}/refund`, { token: admin.token, body: { items, reason: 'a test' } })
    expect((await refund([{ id: second, quantity: 1 }])).status).toBe(200)
    expect((await refund([{ id: second, amount: 1 }])).status).toBe(200)
    const tooMuch = await refund([{ id: second, amount: 8.68 }])
    expect(tooMuch.body.error.details).toMatchObject({ reason: 'above_left', left: 8.67 })
    expect((await refund([second])).status).toBe(200)
    expect((await refund([first])).status).toBe(200)
    const balance = await shop.call('GET', '/balance', { token: buyer.token })
    expect(balance.body).toContainEqual(expect.objectContaining({ currency: 'usd', amount: 29 }))
    const [coupon] = (await shop.call('GET', `/admin/coupons?search=${code}`, { token: admin.token })).body.data
    // Who got all of the money back has used the coupon all the same.
    expect(coupon).toMatchObject({ used: 1, given_usd: 1 })
  })

  test('never goes under the floor of an offer, and the customer sees the cut before paying', async () => {
    const [near, free] = [
      await anOffer(shop, { priceUsd: 1_000, stock: 1 }),
      await anOffer(shop, { priceUsd: 1_000, stock: 2 }),
    ]
    await setFloor(near, 950)
    const buyer = await aBuyer([
      [near, 1],
      [free, 1],
    ])
    const { code } = await aCoupon(shop, admin, { percent: 50 })
    expect((await check(buyer, code)).body.data).toMatchObject({ discount: 5.5, total: 14.5, is_cut: true })
    expect((await pay(buyer, code, 1_000)).body.error.code).toBe('PRICE_CHANGED')
    const orderId = (await pay(buyer, code, 1_450)).body.order.id
    expect(await readItems(orderId)).toMatchObject([{ unit_price: 950 }, { unit_price: 500 }])
    await expect(
      shop.database.run(sql`UPDATE order_item SET unit_price = 949 WHERE order_id = ${orderId} AND unit_floor = 950`),
    ).rejects.toThrow('order_item_whole')
    const costly = await anOffer(shop, { priceUsd: 1_000, priceRub: 8_000, stock: 1 })
    await setFloor(costly, 950)
    const inRubles = await check(await aBuyer([[costly, 1]]), code, { currency: 'RUB' })
    expect(inRubles.body.data).toMatchObject({ discount: 4, total: 76, is_cut: true })
    await setFloor(free, 1_000)
    const other = await aBuyer([[free, 1]])
    expect(refusedBy(await check(other, code))).toBe('COUPON_REFUSED at_floor')
  })
})

describe('a coupon is for', () => {
  test('the first order of who has filled a balance and activated the code of a gift', async () => {
    await allowFillings(shop)
    const batch = await someGenerated(shop, admin)
    const line = { productId: batch.productId, gameAmount: batch.gameAmount, gameCurrency: 'diamonds' }
    const giver = await aUser(shop, rich)
    const body = { ...line, priceUsd: 1, priceRub: 80, quantity: 1, regionId: 0 }
    expect((await shop.call('POST', '/cart/add', { token: giver.token, body })).status).toBe(201)
    const gift = await payFromBalance(shop, giver)
    const receipt = await shop.call('GET', `/orders/${gift.body.order.id}`, { token: giver.token })
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 2 })
    const buyer = await aBuyer([[offer, 1]])
    const { code } = await aCoupon(shop, admin, { is_first_order: true, max_uses_each: 2 })
    await tell(shop, await aFilling(shop, { buyer }))
    expect(await readWallet(shop, buyer)).toBe(rich.usd + 2_000)
    const activated = await shop.call('POST', '/freefire/activate-code', {
      token: buyer.token,
      body: { playerID: '5123456789', code: receipt.body.items[0].code },
    })
    expect(activated.status).toBe(200)
    expect((await pay(buyer, code, 900)).status).toBe(201)
  })

  test('an order of exactly the least amount', async () => {
    const buyer = await aBuyer([[await anOffer(shop, { priceUsd: 1_000, stock: 1 }), 1]])
    const { code } = await aCoupon(shop, admin, { least_usd: 10 })
    expect((await pay(buyer, code, 900)).status).toBe(201)
  })

  test('an order again, once an unpaid one with it has expired', async () => {
    const { code } = await aCoupon(shop, admin)
    const { orderId, buyer } = await aCardOrder(code, 900)
    await passTime(shop, orderId)
    await expireOverdueOrders(shop.database)
    expect((await check(buyer, code)).status).toBe(200)
    expect((await press(buyer, code, 900)).status).toBe(201)
  })
})

describe('a coupon is refused', () => {
  const hour = 3_600_000
  const moment = (ms: number) => new Date(Date.now() + ms).toISOString()

  test.each<[string, () => Promise<{ code: string }>]>([
    ['unknown', async () => ({ code: 'NOBODY-HAS-IT' })],
    ['not_started', () => aCoupon(shop, admin, { starts_at: moment(hour) })],
    ['ended', () => aCoupon(shop, admin, { ends_at: moment(-hour) })],
    ['ended', () => aCoupon(shop, admin, { is_active: false })],
    ['below_minimum', () => aCoupon(shop, admin, { least_usd: 10.01 })],
    ['other_products', async () => aCoupon(shop, admin, { product_ids: [(await anOffer(shop)).productId] })],
  ])('as %s, and moves nothing', async (reason, make) => {
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 1 })
    const buyer = await aBuyer([[offer, 1]])
    const { code } = await make()
    for (const answer of [await check(buyer, code), await pay(buyer, code, 900), await press(buyer, code, 900)])
      expect([answer.status, refusedBy(answer)]).toEqual([409, `COUPON_REFUSED ${reason}`])
    expect((await shop.call('GET', '/orders', { token: buyer.token })).body.total).toBe(0)
  })

  test('as used by the customer, once it was used so often', async () => {
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 3 })
    const buyer = await aBuyer([[offer, 1]])
    const { code } = await aCoupon(shop, admin, { max_uses_each: 2 })
    expect((await pay(buyer, code, 900)).status).toBe(201)
    await fillCart(shop, buyer, offer)
    expect((await pay(buyer, code, 900)).status).toBe(201)
    await fillCart(shop, buyer, offer)
    expect(refusedBy(await pay(buyer, code, 900))).toBe('COUPON_REFUSED used_by_you')
    expect(refusedBy(await check(buyer, code))).toBe('COUPON_REFUSED used_by_you')
  })

  test('as no first order, after any other that was paid', async () => {
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 3 })
    const buyer = await aBuyer([[offer, 1]])
    const first = { is_first_order: true, max_uses_each: null }
    const { code } = await aCoupon(shop, admin, first)
    expect((await pay(buyer, code, 900)).status).toBe(201)
    await fillCart(shop, buyer, offer)
    const another = await aCoupon(shop, admin, first)
    expect(refusedBy(await pay(buyer, another.code, 900))).toBe('COUPON_REFUSED not_first_order')
  })

  test('as no first order while another first order waits for its payment', async () => {
    const first = { is_first_order: true }
    const small = await topupOffer(shop, 'pubg', 60)
    const waiting = await aCardOrder((await aCoupon(shop, admin, first)).code, 900)
    const { code } = await aCoupon(shop, admin, first)
    const topup = pubgTopup([[small, 1]])
    const total = small.priceUsd - Math.floor(small.priceUsd / 10)
    expect((await check(waiting.buyer, code, { topupData: topup })).status).toBe(200)
    const answer = await press(waiting.buyer, code, total, { topupData: topup })
    expect(refusedBy(answer)).toBe('COUPON_REFUSED not_first_order')
  })
})

describe('an order by card', () => {
  test('has its use while it waits, and keeps it once it is paid', async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 1 })
    const order = await aCardOrder(coupon.code, 900)
    expect(await countUses(shop, coupon)).toBe(1)
    const bill = await shop.call('GET', `/sandbox/payments/${order.paymentId}`, {})
    expect(bill.body).toMatchObject({ amount: 9, currency: 'USD' })
    // Pressed again, it is the same order, and no second use.
    expect((await press(order.buyer, coupon.code, 900)).body.order_id).toBe(order.orderId)
    for (let times = 0; times < 3; times++) await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
    expect(await countUses(shop, coupon)).toBe(1)
    const other = await aBuyer([[order.offer, 1]])
    expect(refusedBy(await pay(other, coupon.code, 900))).toBe('COUPON_REFUSED used_up')
  })

  test('that nobody pays releases its use, once, whichever node ends it', async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 20 })
    const orders = await Promise.all(Array.from({ length: 20 }, () => aCardOrder(coupon.code, 900)))
    expect(await countUses(shop, coupon)).toBe(20)
    await Promise.all(orders.map(({ orderId }) => passTime(shop, orderId)))
    await Promise.all(Array.from({ length: 20 }, () => expireOverdueOrders(shop.database)))
    expect(await countUses(shop, coupon)).toBe(0)
  })

  test('of the last use is superseded by the same cart without it, with another, and with it again', async () => {
    const [coupon, other] = [await aCoupon(shop, admin, { max_uses: 1 }), await aCoupon(shop, admin, { percent: 20 })]
    const order = await aCardOrder(coupon.code, 900)
    expect((await check(order.buyer, coupon.code)).body.data).toMatchObject({ total: 9 })
    const plain = await press(order.buyer, undefined, 1_000)
    expect(plain.body.order_id).not.toBe(order.orderId)
    expect(await countUses(shop, coupon)).toBe(0)
    expect((await press(order.buyer, other.code, 800)).status).toBe(201)
    expect((await press(order.buyer, coupon.code, 900)).status).toBe(201)
    expect([await countUses(shop, coupon), await countUses(shop, other)]).toEqual([1, 0])
    // What the unpaid order has of it pays from the balance, too.
    await shop.call('PUT', `/admin/users/${order.buyer.id}/balance`, {
      token: admin.token,
      body: { balanceUsd: 9, reason: 'a test' },
    })
    expect((await pay(order.buyer, coupon.code, 900)).status).toBe(201)
    expect(await countUses(shop, coupon)).toBe(1)
  })

  test('that an operator ends releases its use', async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 1 })
    const { orderId } = await aCardOrder(coupon.code, 900)
    const body = { status: 'expired', reason: 'a test' }
    expect((await shop.call('PUT', `/admin/orders/${orderId}/status`, { token: admin.token, body })).status).toBe(200)
    expect(await countUses(shop, coupon)).toBe(0)
  })

  test('paid late takes its use again', async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 1 })
    const order = await aCardOrder(coupon.code, 900)
    await passTime(shop, order.orderId)
    await expireOverdueOrders(shop.database)
    expect(await countUses(shop, coupon)).toBe(0)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
    expect(await countUses(shop, coupon)).toBe(1)
  })

  test('paid late goes to the balance when somebody else has used it meanwhile', async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 1 })
    const order = await aCardOrder(coupon.code, 900)
    await passTime(shop, order.orderId)
    await expireOverdueOrders(shop.database)
    const other = await aBuyer([[order.offer, 1]])
    expect((await pay(other, coupon.code, 900)).status).toBe(201)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: 9 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.coupon_gone'])
    expect(await countUses(shop, coupon)).toBe(1)
  })

  test.each<[string, 'PUT' | 'DELETE', object | undefined]>([
    ['deleted', 'DELETE', undefined],
    ['switched off', 'PUT', { is_active: false }],
    ['put off to a later day', 'PUT', { starts_at: '2100-01-01T00:00:00.000Z', ends_at: null }],
  ])('paid late goes to the balance when the coupon was %s meanwhile', async (_what, method, body) => {
    const coupon = await aCoupon(shop, admin)
    const order = await aCardOrder(coupon.code, 900)
    await passTime(shop, order.orderId)
    await expireOverdueOrders(shop.database)
    await shop.call(method, `/admin/coupons/${coupon.id}`, { token: admin.token, ...(body && { body }) })
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: 9 })
    expect(await countUses(shop, coupon)).toBe(0)
  })

  test.each([
    ['has used it for something else', { max_uses_each: 1 }, true],
    ['is no new customer any more', { is_first_order: true }, false],
  ])('paid late goes to the balance when its buyer %s meanwhile', async (_what, wish, withCoupon) => {
    const coupon = await aCoupon(shop, admin, wish)
    const order = await aCardOrder(coupon.code, 900)
    await passTime(shop, order.orderId)
    await expireOverdueOrders(shop.database)
    const given = { balanceUsd: 10, reason: 'a test' }
    await shop.call('PUT', `/admin/users/${order.buyer.id}/balance`, { token: admin.token, body: given })
    const small = await topupOffer(shop, 'pubg', 60)
    const price = withCoupon ? small.priceUsd - Math.floor(small.priceUsd / 10) : small.priceUsd
    const seen = withCoupon ? { coupon: coupon.code, amount: price / 100 } : {}
    const bought = await orderTopup(shop, order.buyer, pubgTopup([[small, 1]], '5123456799'), seen)
    expect(bought.status).toBe(201)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: (1_900 - price) / 100 })
    expect(await countUses(shop, coupon)).toBe(withCoupon ? 1 : 0)
  })

  test('paid late without its part of the balance leaves the use alone', async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 1 })
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 2 })
    const buyer = await aBuyer([[offer, 1]], { usd: 400, rub: 0 })
    const pressed = await press(buyer, coupon.code, 900, { from_balance: 4 })
    const order = { buyer, offer, amount: 500, ...(await openedBy(shop, pressed)) }
    await passTime(shop, order.orderId)
    await expireOverdueOrders(shop.database)
    await shop.call('PUT', `/admin/users/${buyer.id}/balance`, {
      token: admin.token,
      body: { balanceUsd: 0, reason: 'a test' },
    })
    await tell(shop, order)
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.part_gone'])
    expect(await countUses(shop, coupon)).toBe(0)
  })

  test('is no filling of a balance', async () => {
    const { code } = await aCoupon(shop, admin)
    const answer = await press(await aUser(shop), code, 900, { type: 'balance' })
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { coupon: 'invalid' } })
  })
})

describe('a top-up with a coupon', () => {
  test('is bought from the balance, and undelivered units go back at what was paid', async () => {
    const small = await topupOffer(shop, 'pubg', 60)
    const buyer = await aUser(shop, rich)
    const topup = pubgTopup([[small, 3]])
    const { code } = await aCoupon(shop, admin, { amount_usd: 0.5, amount_rub: 40 })
    const total = small.priceUsd * 3 - 50
    expect((await check(buyer, code, { topupData: topup })).body.data).toMatchObject({ total: total / 100 })
    const stale = await orderTopup(shop, buyer, topup, { coupon: code, amount: (total + 1) / 100 })
    expect(stale.body.error.code).toBe('PRICE_CHANGED')
    const bought = await orderTopup(shop, buyer, topup, { coupon: code, amount: total / 100 })
    expect(bought.status).toBe(201)
    const items = await readItems(bought.body.order.id)
    expect(items.map(({ quantity, unit_discount }) => `${quantity}x${unit_discount}`)).toEqual(['2x17', '1x16'])
    const twice = await orderTopup(shop, buyer, topup, {})
    expect(twice.body.error.details).toMatchObject({ reason: 'repeat', order_id: bought.body.order.id })
  })

  test('of an amount costs what arrives at least', async () => {
    const buyer = await aUser(shop, rich)
    const { code } = await aCoupon(shop, admin, { percent: 50 })
    const topup = steamTopup(tenDollars)
    const seen = (await check(buyer, code, { topupData: topup })).body.data
    expect(seen).toMatchObject({ total: 10, is_cut: true })
    const rubles = (await check(buyer, code, { topupData: topup, currency: 'RUB' })).body.data
    const bought = await orderTopup(shop, buyer, topup, { currency: 'rub', coupon: code, amount: rubles.total })
    expect(bought.status).toBe(201)
  })

  test('of an amount whose rubles come out in parts of a kopeck costs the whole next one at least', async () => {
    const setRate = (rate: number) =>
      shop.database.run(
        sql`UPDATE currency_rate SET rate = ${rate} WHERE from_currency = 'USD' AND to_currency = 'RUB'`,
      )
    const { rate } = await shop.database.one<{ rate: number }>(
      sql`SELECT rate::float8 AS rate FROM currency_rate WHERE from_currency = 'USD' AND to_currency = 'RUB'`,
    )
    onTestFinished(async () => {
      await setRate(rate)
    })
    await setRate(80.013)
    const { code } = await aCoupon(shop, admin, { percent: 50 })
    const topupData = steamTopup({ amount: 10.01, price_usd: 10.32, price_rub: 824.97 })
    const { body } = await check(await aUser(shop, rich), code, { topupData, currency: 'RUB' })
    // What arrives costs 1001 cents times 80.013, which are 80,093.013 kopecks.
    expect(body.data).toMatchObject({ total: 800.94, is_cut: true })
  })

  test('is bought by card, and pressed again it is the same order', async () => {
    const small = await topupOffer(shop, 'pubg', 60)
    const buyer = await aUser(shop)
    const { code } = await aCoupon(shop, admin, { percent: 10 })
    const topup = pubgTopup([[small, 1]], '5123456780')
    const total = small.priceUsd - Math.floor(small.priceUsd / 10)
    const first = await press(buyer, code, total, { topupData: topup })
    expect(first.status).toBe(201)
    expect((await press(buyer, code, total, { topupData: topup })).body.order_id).toBe(first.body.order_id)
    const without = await press(buyer, undefined, small.priceUsd, { topupData: topup })
    expect(without.body.order_id).not.toBe(first.body.order_id)
  })
})

describe('at the same moment', () => {
  test('of 500 who use the last one gets it', { timeout: 300_000 }, async () => {
    const coupon = await aCoupon(shop, admin, { max_uses: 3 })
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 505 })
    const buyers = await Promise.all(Array.from({ length: 502 }, () => aBuyer([[offer, 1]], { usd: 900, rub: 0 })))
    for (const early of buyers.splice(0, 2)) expect((await pay(early, coupon.code, 900)).status).toBe(201)
    const answers = await Promise.all(buyers.map((buyer) => pay(buyer, coupon.code, 900)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(
      answers.filter((answer) => answer.status === 409 && refusedBy(answer) === 'COUPON_REFUSED used_up'),
    ).toHaveLength(499)
    expect(await countUses(shop, coupon)).toBe(3)
  })

  test('one customer who presses everywhere uses it once', async () => {
    const coupon = await aCoupon(shop, admin)
    const small = await topupOffer(shop, 'pubg', 60)
    const offer = await anOffer(shop, { priceUsd: 1_000, stock: 4 })
    const buyer = await aBuyer([[offer, 1]])
    const total = small.priceUsd - Math.floor(small.priceUsd / 10)
    const player = (n: number) => pubgTopup([[small, 1]], `51234567${10 + n}`)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? pay(buyer, coupon.code, 900)
          : orderTopup(shop, buyer, player(n), { coupon: coupon.code, amount: total / 100 }),
      ),
    )
    const orders = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.order.id] : [])))
    expect(orders.size).toBe(1)
    expect(await countUses(shop, coupon)).toBe(1)
  })
})

test('a coupon that an admin changes while it is being used takes off what was seen, or nothing is bought', async () => {
  const coupon = await aCoupon(shop, admin)
  const buyer = await aBuyer([[await anOffer(shop, { priceUsd: 1_000, stock: 1 }), 1]])
  const { paying } = await shop.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE coupon SET percent = 100 WHERE id = ${coupon.id}`)
    const paying = pay(buyer, coupon.code, 900)
    await untilWaiting(shop.database, 1)
    return { paying }
  })
  expect((await paying).body.error.code).toBe('OVERLOADED')
  expect(await countUses(shop, coupon)).toBe(0)
  expect((await shop.call('GET', '/orders', { token: buyer.token })).body.total).toBe(0)
})

test('guessing codes is limited, and a right one is not counted', async () => {
  const strict = await startCardShop({ RATE_LIMITS: 'on' })
  try {
    const owner = await aUser(strict, { role: 'admin' })
    const { code } = await aCoupon(strict, owner)
    const offer = await anOffer(strict, { stock: 1 })
    const buyer = await aUser(strict, rich)
    await fillCart(strict, buyer, offer)
    const ask = (coupon: string) =>
      strict.call('POST', '/checkout/coupon', { token: buyer.token, body: { coupon, currency: 'USD' } })
    for (let times = 0; times < 25; times++) expect((await ask(code)).status).toBe(200)
    for (let times = 0; times < 19; times++) expect((await ask(`GUESS-${times}`)).status).toBe(409)
    const body = { currency: 'USD', coupon: 'GUESS-20', amount: 1 }
    expect((await strict.call('POST', '/payment/from-balance', { token: buyer.token, body })).status).toBe(409)
    expect((await ask('GUESS-21')).body.error.code).toBe('RATE_LIMITED')
    expect((await strict.call('POST', '/payment/from-balance', { token: buyer.token, body })).status).toBe(429)

    // However many customers somebody is, from one address there are so many guesses.
    const answers: string[] = []
    for (let others = 0; others < 5; others++) {
      const { token } = await aUser(strict)
      const guess = { token, body: { coupon: 'GUESS-22', currency: 'USD' } }
      for (let times = 0; times < 20; times++)
        answers.push((await strict.call('POST', '/checkout/coupon', guess)).body.error.code)
    }
    expect(answers.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThan(15)
  } finally {
    await strict.close()
  }
})
