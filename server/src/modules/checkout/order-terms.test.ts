import { firstNumbers } from '@olmos/contract/shop-numbers'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  fillCart,
  openedBy,
  passMinutes,
  passTime,
  pressPay,
  readAlerts,
  readState,
  setRate,
  settleRates,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { freefireTopup, pubgTopup, sellTopups, steamTopup, tenDollars, topupOffer } from '../../../test/topups.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })
beforeAll(async () => {
  await sellTopups(shop)
  await settleRates(shop)
})

async function by(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, user: TestUser = admin) {
  const answer = await shop.call(method, path, { token: user.token, ...(body && { body }) })
  expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status) => status < 300), answer.text])
  return answer
}

const end = async ({ orderId }: { orderId: string }) => {
  await passTime(shop, orderId)
  await expireOverdueOrders(shop.database)
}
const price = (usd: number) => ({
  priceUsd: usd / 100,
  priceRub: Math.round(usd * 80) / 100,
  confirmPrices: true,
})
const reprice = ({ offer }: Pick<CardOrder, 'offer'>, usd: number) => by('PUT', `/admin/offers/${offer.id}`, price(usd))
const shelf = ({ offer }: Pick<CardOrder, 'offer'>) => `/admin/products/${offer.productId}`

const delivered = { status: 'completed', codes: 1, usd: 0, reserved: 0 }
const returned = { status: 'expired', codes: 0, usd: 1, available: 1, reserved: 0 }

type Deed = (order: CardOrder) => Promise<unknown>
const offSale: [string, Deed][] = [
  ['its package was switched off', ({ offer }) => by('PUT', `/admin/offers/${offer.id}`, { isActive: false })],
  ['its package was deleted', ({ offer }) => by('DELETE', `/admin/offers/${offer.id}`)],
  ['its product was hidden', (order) => by('PUT', shelf(order), { isActive: false })],
  ['its product was deleted', (order) => by('DELETE', shelf(order))],
  ['its region was withdrawn', (order) => by('PUT', `${shelf(order)}/regions`, { regionIds: [] })],
  ['its region was switched off', ({ offer }) => by('PUT', `/admin/regions/${offer.regionId}`, { is_active: false })],
]

describe('money that comes after the time of an order of codes', () => {
  test.each(offSale)('goes to the wallet when %s', async (_what, deed) => {
    const order = await aCardOrder(shop, { region: 'TR' })
    // Deleted while it still had the codes in reserve.
    await deed(order)
    await end(order)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ ...returned, available: expect.any(Number) })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.not_on_sale'])
  })

  test.each<[string, number[], object, string[]]>([
    ['the price was raised', [101], returned, ['payment.price_changed']],
    ['the price was raised and mended', [10_000, 100], delivered, []],
    ['the price was lowered', [99], delivered, []],
    ['the price was lowered and raised above it', [50, 150], returned, ['payment.price_changed']],
  ])('is measured by the price in force: %s', async (_what, prices, expected, alerts) => {
    const order = await aCardOrder(shop)
    await end(order)
    for (const usd of prices) await reprice(order, usd)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject(expected)
    expect(await readAlerts(shop, order.orderId)).toEqual(alerts)
  })

  test('is measured by each price by itself: one that fell does not pay for one that rose', async () => {
    const [one, other] = [await anOffer(shop, { stock: 1 }), await anOffer(shop, { stock: 1 })]
    const buyer = await aUser(shop)
    for (const offer of [one, other]) await fillCart(shop, buyer, offer)
    const order = { buyer, offer: one, amount: 200, ...(await openedBy(shop, await pressPay(shop, buyer, 200))) }
    await end(order)
    await reprice({ offer: one }, 50)
    await reprice({ offer: other }, 150)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ ...returned, usd: 2 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.price_changed'])
  })

  test('is compared too when no clock has ended the order within its longest time', async () => {
    const order = await aCardOrder(shop)
    await passMinutes(shop, order.orderId, firstNumbers.order_minutes + 1)
    await reprice(order, 150)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject(returned)
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.price_changed'])
  })

  test('buys no generated code whose product is no longer sold', async () => {
    const { offerId, productId, gameAmount } = await someGenerated(shop, admin, { count: 1 })
    const offer = {
      id: offerId,
      productId,
      gameAmount,
      slug: '',
      regionId: 0,
      priceUsd: 100,
      priceRub: 8_000,
      codes: [],
    }
    const order = await aCardOrder(shop, { offer })
    await end(order)
    await by('PUT', `/admin/products/${productId}`, { isActive: false })
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject(returned)
  })
})

test.each(offSale)('an order that waits is paid at its price, though %s', async (_what, deed) => {
  const order = await aCardOrder(shop, { region: 'TR' })
  await passMinutes(shop, order.orderId, firstNumbers.reservation_minutes - 1)
  await reprice(order, 10_000)
  await deed(order)
  await tell(shop, order)
  expect(await readState(shop, order)).toMatchObject(delivered)
  expect(await readAlerts(shop, order.orderId)).toEqual([])
})

const pay = (user: TestUser, topupData: unknown, amount: number, currency = 'USD') =>
  shop.call('POST', '/payment/create', { token: user.token, body: { amount, currency, type: 'order', topupData } })

async function aTopup(topupData: unknown, amount: number, currency = 'USD') {
  const buyer = await aUser(shop)
  const pressed = await pay(buyer, topupData, amount, currency)
  expect(pressed.text).toContain('pay_url')
  return { buyer, amount, currency, ...(await openedBy(shop, pressed)) }
}

async function readTopupState({ buyer, orderId, currency }: Awaited<ReturnType<typeof aTopup>>) {
  const { status } = await shop.database.one<{ status: string }>(sql`SELECT status FROM orders WHERE id = ${orderId}`)
  const { balance } = await shop.database.one<{ balance: number }>(
    sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = ${currency}`,
  )
  return { status, balance, alerts: await readAlerts(shop, orderId) }
}

describe('money that comes after the time of a top-up', () => {
  const uc = () => topupOffer(shop, 'pubg', 60)
  const diamonds = () => topupOffer(shop, 'freefire', 310)
  const repriceUc = async (prices: object) =>
    by('PUT', `/pubg-admin/denominations/${(await uc()).id}`, { ...prices, confirmPrices: true })

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>, string]>([
    [
      'a denomination dearer than before',
      async () => repriceUc({ price_usd: 99, price_rub: 7_900 }),
      async () => repriceUc({ price_usd: 0.99, price_rub: 79 }),
      'payment.price_changed',
    ],
    [
      'a denomination that was switched off',
      async () => by('PUT', `/pubg-admin/denominations/${(await uc()).id}`, { is_active: false }),
      async () => by('PUT', `/pubg-admin/denominations/${(await uc()).id}`, { is_active: true }),
      'payment.not_on_sale',
    ],
    [
      'a game that was switched off',
      () => shop.database.run(sql`UPDATE product SET is_active = false WHERE slug = 'pubg'`),
      () => shop.database.run(sql`UPDATE product SET is_active = true WHERE slug = 'pubg'`),
      'payment.not_on_sale',
    ],
  ])('of %s goes to the wallet', async (_what, change, undo, alert) => {
    const order = await aTopup(pubgTopup([[await uc(), 1]]), 0.99)
    await end(order)
    await change()
    await act(shop, order, 'pay_late')
    await undo()
    expect(await readTopupState(order)).toEqual({ status: 'expired', balance: 99, alerts: [alert] })
  })

  test('of a denomination that was deleted goes to the wallet', async () => {
    const order = await aTopup(freefireTopup(await diamonds()), 2.89)
    await end(order)
    await by('DELETE', `/freefire-admin/denominations/${(await diamonds()).id}`)
    await act(shop, order, 'pay_late')
    expect(await readTopupState(order)).toEqual({ status: 'expired', balance: 289, alerts: ['payment.not_on_sale'] })
  })

  const thousandRoubles = steamTopup({ amount: 1_000, currency: 'rub', price_usd: 12.88, price_rub: 1_030 })
  test.each<[string, unknown, number, string, ['RUB' | 'KZT', number], boolean]>([
    ['roubles at half a rate, paid in dollars', thousandRoubles, 12.88, 'USD', ['RUB', 40], false],
    ['roubles that became cheaper, paid in dollars', thousandRoubles, 12.88, 'USD', ['RUB', 90], true],
    ['roubles, paid in roubles, at any rate', thousandRoubles, 1_030, 'RUB', ['RUB', 120], true],
    ['dollars at a dearer rate, paid in roubles', steamTopup(tenDollars), 824, 'RUB', ['RUB', 90], false],
    ['dollars two per cent dearer, paid in roubles', steamTopup(tenDollars), 824, 'RUB', ['RUB', 81.6], false],
    ['dollars less than one per cent dearer', steamTopup(tenDollars), 824, 'RUB', ['RUB', 80.7], true],
    ['dollars, paid in dollars, at any rate', steamTopup(tenDollars), 10.3, 'USD', ['RUB', 160], true],
  ])('for Steam is measured by the rate in force: %s', async (_what, topup, amount, currency, rate, isDelivered) => {
    const order = await aTopup(topup, amount, currency)
    await end(order)
    await setRate(shop, ...rate)
    await act(shop, order, 'pay_late')
    await setRate(shop, 'RUB', 80)
    expect(await readTopupState(order)).toEqual(
      isDelivered
        ? { status: 'pending', balance: 0, alerts: [] }
        : { status: 'expired', balance: Math.round(amount * 100), alerts: ['payment.price_changed'] },
    )
  })

  test('for Steam goes to the wallet when Steam is not sold any more', async () => {
    const order = await aTopup(steamTopup(tenDollars), 10.3)
    await end(order)
    await shop.database.run(sql`UPDATE product SET is_active = false WHERE slug = 'steam'`)
    await act(shop, order, 'pay_late')
    await shop.database.run(sql`UPDATE product SET is_active = true WHERE slug = 'steam'`)
    expect(await readTopupState(order)).toEqual({ status: 'expired', balance: 1_030, alerts: ['payment.not_on_sale'] })
  })
})

describe('Pay pressed again', () => {
  test.each([false, true])(
    'after the price changed is refused with the new one (declined before: %s)',
    async (isDeclined) => {
      const order = await aCardOrder(shop, { stock: 2 })
      if (isDeclined) await act(shop, order, 'decline')
      await reprice(order, 150)
      const refused = await pressPay(shop, order.buyer, 100)
      expect(refused.body.error).toMatchObject({
        code: 'PRICE_CHANGED',
        details: { items: [{ offer_id: order.offer.id, price_usd: 1.5, price_rub: 120 }] },
      })
      expect((await shop.call('GET', '/orders', { token: order.buyer.token })).body.total).toBe(1)
      // Once the customer has seen the new price, another order takes the place of the first.
      await shop.call('GET', '/cart', { token: order.buyer.token })
      const second = { ...order, amount: 150, ...(await openedBy(shop, await pressPay(shop, order.buyer, 150))) }
      expect(second.orderId).not.toBe(order.orderId)
      await tell(shop, order)
      expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: 1, reserved: 0 })
      expect(await readAlerts(shop, order.orderId)).toEqual(['payment.superseded'])
      await tell(shop, second)
      expect(await readState(shop, second)).toMatchObject({ status: 'completed', codes: 1, usd: 1 })
    },
  )

  test('on what costs less now is refused too, so that nobody pays more than others', async () => {
    const order = await aCardOrder(shop)
    await reprice(order, 50)
    expect((await pressPay(shop, order.buyer, 100)).body.error.code).toBe('PRICE_CHANGED')
  })

  test('on prices whose sum alone is the same is refused', async () => {
    const [one, other] = [await anOffer(shop, { stock: 2 }), await anOffer(shop, { stock: 2 })]
    const buyer = await aUser(shop)
    for (const offer of [one, other]) await fillCart(shop, buyer, offer)
    const first = await openedBy(shop, await pressPay(shop, buyer, 200))
    await reprice({ offer: one }, 50)
    await reprice({ offer: other }, 150)
    expect((await pressPay(shop, buyer, 200)).body.error.code).toBe('PRICE_CHANGED')
    await shop.call('GET', '/cart', { token: buyer.token })
    expect((await openedBy(shop, await pressPay(shop, buyer, 200))).orderId).not.toBe(first.orderId)
  })

  test.each(offSale)('resumes nothing when %s, though the first page is paid in time', async (what, deed) => {
    const order = await aCardOrder(shop, { region: 'TR' })
    await deed(order)
    const refused = await pressPay(shop, order.buyer, 100)
    expect([what, refused.body.error?.code]).toEqual([what, 'OUT_OF_STOCK'])
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject(delivered)
  })

  test('resumes no top-up of the cart that nobody delivers any more', async () => {
    const buyer = await aUser(shop)
    const offer = await topupOffer(shop, 'pubg', 325)
    await by('POST', '/cart/add-topup', { topupData: pubgTopup([[offer, 1]]) }, buyer)
    await act(shop, await openedBy(shop, await pressPay(shop, buyer, offer.priceUsd)), 'decline')
    const sellers = await shop.database.rows<{ supplier: string; sells: string[] }>(
      sql`SELECT supplier, sells FROM supplier_health`,
    )
    await shop.database.run(sql`UPDATE supplier_health SET sells = '{}'`)
    const refused = await pressPay(shop, buyer, offer.priceUsd)
    for (const { supplier, sells } of sellers)
      await shop.database.run(sql`UPDATE supplier_health SET sells = ${sells} WHERE supplier = ${supplier}`)
    expect(refused.body.error?.code).toBe('OUT_OF_STOCK')
  })

  test('for a top-up whose price changed names both prices in force', async () => {
    const offer = await topupOffer(shop, 'pubg', 325)
    const order = await aTopup(pubgTopup([[offer, 1]]), offer.priceUsd / 100)
    await act(shop, order, 'decline')
    await by('PUT', `/pubg-admin/denominations/${offer.id}`, { price_usd: 9, price_rub: 720, confirmPrices: true })
    const refused = await pay(order.buyer, pubgTopup([[offer, 1]]), offer.priceUsd / 100)
    expect(refused.body.error).toMatchObject({ code: 'PRICE_CHANGED', details: { price_usd: 9, price_rub: 720 } })
    const seen = { ...offer, priceUsd: 900, priceRub: 72_000 }
    const again = await openedBy(shop, await pay(order.buyer, pubgTopup([[seen, 1]]), 9))
    expect(again.orderId).not.toBe(order.orderId)
    await act(shop, again, 'pay')
    expect((await readTopupState({ ...order, orderId: again.orderId })).status).toBe('pending')
  })

  test('for Steam at another rate is refused, and so is what is off sale', async () => {
    const order = await aTopup(steamTopup(tenDollars), 824, 'RUB')
    await act(shop, order, 'decline')
    await setRate(shop, 'RUB', 160)
    expect((await pay(order.buyer, steamTopup(tenDollars), 824, 'RUB')).body.error).toMatchObject({
      code: 'PRICE_CHANGED',
      details: { price_usd: 10.3, price_rub: 1_648 },
    })
    await setRate(shop, 'RUB', 80)
    await shop.database.run(sql`UPDATE product SET is_active = false WHERE slug = 'steam'`)
    expect((await pay(order.buyer, steamTopup(tenDollars), 824, 'RUB')).body.error.code).toBe('OUT_OF_STOCK')
    await shop.database.run(sql`UPDATE product SET is_active = true WHERE slug = 'steam'`)
  })
})

describe('however often it is declined and resumed, an order', () => {
  const toMinutes = async (orderId: string) => {
    const { minutes } = await shop.database.one<{ minutes: number }>(sql`
      SELECT extract(epoch FROM expires_at - created_at)::float8 / 60 AS minutes FROM orders WHERE id = ${orderId}`)
    return minutes
  }

  test('waits no longer than half an hour from when it was placed, and then gives its codes back', async () => {
    const order = await aCardOrder(shop)
    let latest: { orderId: string; paymentId: string } = order
    for (const minutes of [10, 10, 8]) {
      await act(shop, latest, 'decline')
      await passMinutes(shop, order.orderId, minutes)
      latest = await openedBy(shop, await pressPay(shop, order.buyer, 100))
      expect(latest.orderId).toBe(order.orderId)
    }
    expect(await toMinutes(order.orderId)).toBeCloseTo(firstNumbers.order_minutes, 1)
    await passMinutes(shop, order.orderId, 3)
    await expireOverdueOrders(shop.database)
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', available: 1, reserved: 0 })
    const next = await openedBy(shop, await pressPay(shop, order.buyer, 100))
    expect(next.orderId).not.toBe(order.orderId)
  })

  test('has its time again when it is declined at once', async () => {
    const order = await aCardOrder(shop)
    await passMinutes(shop, order.orderId, 5)
    await act(shop, order, 'decline')
    await pressPay(shop, order.buyer, 100)
    expect(await toMinutes(order.orderId)).toBeCloseTo(firstNumbers.reservation_minutes + 5, 1)
  })

  test.each([
    ['within it', 40, delivered],
    ['after it', 50, returned],
  ])('goes by the longest time that was in force when it was placed, paid %s', async (_when, minutes, state) => {
    await shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value, changed_at)
      SELECT 'numbers', max(version) + 1, '{"order_minutes": 45}', now() - interval '1 day'
      FROM shop_setting WHERE section = 'numbers'`)
    const order = await aCardOrder(shop)
    await shop.call('PUT', '/admin/shop-numbers', { token: admin.token, body: { order_minutes: 20 } })
    await passMinutes(shop, order.orderId, minutes)
    await reprice(order, 150)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject(state)
    await shop.call('PUT', '/admin/shop-numbers', {
      token: admin.token,
      body: { order_minutes: firstNumbers.order_minutes },
    })
  })

  test('waits as long as the owner says, from its first press and from each one that renews it', async () => {
    const set = (reservation_minutes: number) =>
      shop.call('PUT', '/admin/shop-numbers', { token: admin.token, body: { reservation_minutes } })
    expect((await set(6)).status).toBe(200)
    const order = await aCardOrder(shop)
    expect(await toMinutes(order.orderId)).toBeCloseTo(6, 1)
    await passMinutes(shop, order.orderId, 4)
    await act(shop, order, 'decline')
    await pressPay(shop, order.buyer, 100)
    expect(await toMinutes(order.orderId)).toBeCloseTo(10, 1)
    expect((await set(31)).status).toBe(400)
    await set(firstNumbers.reservation_minutes)
  })
})

describe('an order that an operator ended', () => {
  const endByHand = ({ orderId }: { orderId: string }) =>
    by('PUT', `/admin/orders/${orderId}/status`, { status: 'expired', reason: 'fraud' })

  test('is not delivered when it is paid: the money waits in the wallet, and the operator is told', async () => {
    const [codes, topup] = [await aCardOrder(shop), await aTopup(steamTopup(tenDollars), 10.3)]
    await endByHand(codes)
    await tell(shop, codes)
    expect(await readState(shop, codes)).toMatchObject(returned)
    expect(await readAlerts(shop, codes.orderId)).toEqual(['payment.superseded'])
    await endByHand(topup)
    await act(shop, topup, 'pay')
    expect(await readTopupState(topup)).toEqual({ status: 'expired', balance: 1_030, alerts: ['payment.superseded'] })
  })

  test('is never resumed by a customer who presses at the same moment', async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, () => aCardOrder(shop, { stock: 2 })))
    await Promise.all(orders.map((order) => act(shop, order, 'decline')))
    await Promise.all(orders.flatMap((order) => [endByHand(order), pressPay(shop, order.buyer, 100)]))
    for (const order of orders) {
      const { open } = await shop.database.one<{ open: number }>(sql`
        SELECT count(*)::int AS open FROM payment JOIN orders ON orders.id = order_id
        WHERE order_id = ${order.orderId} AND orders.status = 'expired' AND payment.status = 'opening'`)
      expect(open).toBe(0)
      await tell(shop, order)
      expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: 1 })
    }
  })
})

describe('an order of a buyer who was blocked', () => {
  const block = (user: TestUser, blocked = true) => by('PUT', `/admin/users/${user.id}/blocked`, { blocked })
  const read = async (order: CardOrder) => {
    const { status, usd, reserved } = await shop.database.one<{ status: string; usd: number; reserved: number }>(sql`
      SELECT status, balance AS usd, (SELECT count(*)::int FROM code_hold JOIN order_item ON order_item.id = order_item_id
        WHERE order_id = orders.id) AS reserved
      FROM orders JOIN account ON account.user_id = orders.user_id AND account.currency = 'USD'
      WHERE orders.id = ${order.orderId}`)
    return { status, usd, reserved, alerts: await readAlerts(shop, order.orderId) }
  }
  const kept = { status: 'expired', usd: 100, reserved: 0, alerts: ['payment.buyer_blocked'] }

  test.each<[string, Deed[]]>([
    ['in time', [({ buyer }) => block(buyer)]],
    ['blocked, then its time was over', [({ buyer }) => block(buyer), end]],
    ['its time was over, then blocked', [end, ({ buyer }) => block(buyer)]],
  ])('is not delivered when it is paid: %s', async (_what, deeds) => {
    const order = await aCardOrder(shop)
    for (const deed of deeds) await deed(order)
    await tell(shop, order)
    expect(await read(order)).toEqual(kept)
    // Nothing is lost: who is let in again spends it.
    await block(order.buyer, false)
    expect((await read(order)).usd).toBe(100)
  })

  test('is not delivered from the answer on that the buyer is blocked, 20 times at the same moment', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => aCardOrder(shop)))
    const statusThen = new Map<CardOrder, string>()
    await Promise.all(
      orders.flatMap((order) => [
        tell(shop, order),
        block(order.buyer).then(async () => {
          statusThen.set(order, (await read(order)).status)
        }),
      ]),
    )
    for (const order of orders) {
      await tell(shop, order)
      const { status, usd } = await read(order)
      expect([status, usd]).toEqual(statusThen.get(order) === 'completed' ? ['completed', 0] : ['expired', 100])
    }
  })
})
