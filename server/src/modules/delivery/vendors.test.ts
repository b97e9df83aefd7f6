import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { startFazercards } from '../../../test/doubles/fazercards.ts'
import type { Fault } from '../../../test/doubles/vendor-double.ts'
import { aUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { aTopupOrder, passDeliveryTime, readTopupState, type TopupOrder, workOff } from '../../../test/topup-orders.ts'
import { orderTopup, pubgTopup, sellTopups, steamTopup, topupOffer } from '../../../test/topups.ts'
import { sql } from '../../platform/database/queries.ts'
import { keepSteamRates } from '../topups/price-steam.ts'
import type { DeliveryShop } from './deliveries.ts'

let vendor: Awaited<ReturnType<typeof startFazercards>>
let shop: TestShop
beforeAll(async () => {
  vendor = await startFazercards()
  shop = await startShop({
    SUPPLIERS: 'manual,fazercards',
    FAZERCARDS_API_KEY: vendor.apiKey,
    FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret,
    FAZERCARDS_BASE_URL: vendor.url,
  })
  await sellTopups(shop)
})
afterAll(async () => {
  await shop.close()
  await vendor.close()
})
afterEach(() => expectSound(shop))

const work = () => workOff(shop)
const toKey = async ({ orderId }: Pick<TopupOrder, 'orderId'>) =>
  (
    await shop.database.one<{ key: string }>(sql`
      SELECT key FROM supplier_order JOIN delivery ON delivery.id = delivery_id
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} AND supplier = 'fazercards'
      ORDER BY supplier_order.id DESC LIMIT 1`)
  ).key
const tell = async (key: string) => {
  const { body, headers } = vendor.webhook(key)
  const answer = await shop.app.inject({
    method: 'POST',
    url: '/api/supplier/webhook/fazercards',
    payload: body,
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect(answer.statusCode).toBe(200)
}

describe('with a supplier on the net', () => {
  test('a top-up is under way until the supplier tells that it is done', async () => {
    const order = await aTopupOrder(shop)
    await work()
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['sent'] })
    const key = await toKey(order)
    vendor.set(key, { status: 'completed' })
    await tell(key)
    await work()
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done'] })
  })

  test('a notice is not believed: what it says is looked up', async () => {
    const order = await aTopupOrder(shop)
    await work()
    await tell(await toKey(order))
    await work()
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['sent'] })
    vendor.set(await toKey(order), { status: 'refunded' })
    await tell(await toKey(order))
    await work()
    // The operator is the next route.
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent (operator)'] })
  })

  test('a key it does not take calls the operator, who has the order then', async () => {
    const order = await aTopupOrder(shop)
    const { apiKey } = vendor
    vendor.apiKey = 'another'
    await work()
    vendor.apiKey = apiKey
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent (operator)'], balance: 0 })
    expect(await shop.database.rows(sql`SELECT subject FROM alert WHERE kind = 'supplier.not_allowed'`)).toEqual([
      { subject: 'fazercards' },
    ])
  })

  test.each<Fault>(['broken-after', 'html', 'endless', 'hang-up', 'broken-before', 'too-many', 'elsewhere'])(
    '%s: it is bought once all the same',
    async (fault) => {
      const order = await aTopupOrder(shop)
      vendor.fault = fault
      await work()
      vendor.fault = undefined
      expect(await readTopupState(shop, order)).toMatchObject({ items: ['unknown'], balance: 0 })
      await passDeliveryTime(shop, 6)
      await work()
      const key = await toKey(order)
      expect(vendor.executions(key)).toBe(1)
      vendor.set(key, { status: 'completed' })
      await passDeliveryTime(shop, 20)
      await work()
      expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed' })
      expect(await toKey(order)).toBe(key)
    },
  )
})

describe('the store says of a player', () => {
  const check = (playerID: string) => shop.call('POST', '/pubg/check-id', { body: { playerID } })

  test('what the supplier says', async () => {
    expect((await check('5777000')).body.data.player_name).toBe('Name 5777000')
    expect((await check('5777404')).body.error.code).toBe('PLAYER_NOT_FOUND')
    expect((await check('5777422')).body.error.code).toBe('SUPPLIER_UNAVAILABLE')
  })

  test.each<Fault>(['html', 'endless', 'hang-up', 'broken-after', 'elsewhere'])(
    'that nobody can tell, when the supplier answers %s; and nothing is charged',
    async (fault) => {
      await sellTopups(shop)
      const offer = await topupOffer(shop, 'pubg', 60)
      const buyer = await aUser(shop, { usd: 10_000 })
      vendor.fault = fault
      const refused = await orderTopup(shop, buyer, pubgTopup([[offer, 1]], '5888000'))
      vendor.fault = undefined
      expect([refused.status, refused.body.error.code]).toEqual([502, 'SUPPLIER_UNAVAILABLE'])
      const { balance } = await shop.database.one<{ balance: number }>(
        sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = 'USD'`,
      )
      expect(balance).toBe(10_000)
    },
  )
})

test('a supplier that is down delivers once it is back, and its no gives the money back once', async () => {
  const order = await aTopupOrder(shop)
  const { configured } = shop.suppliers
  const alone = {
    ...shop,
    suppliers: { configured: configured.filter(({ name }) => name !== 'manual'), off: [], sandbox: undefined },
  }
  vendor.isSilent = true
  const [offer, visitor] = [await topupOffer(shop, 'pubg', 60), await aUser(shop, { usd: 10_000 })]
  const refused = await orderTopup(shop, visitor, pubgTopup([[offer, 1]], '5889000'))
  expect([refused.status, refused.body.error.code]).toEqual([502, 'SUPPLIER_UNAVAILABLE'])
  await workOff(alone)
  await passDeliveryTime(shop, 31)
  await workOff(alone)
  vendor.isSilent = false
  expect(await readTopupState(shop, order)).toMatchObject({ units: ['queued'], balance: 0 })
  await passDeliveryTime(shop, 61)
  await workOff(alone)
  vendor.set(await toKey(order), { status: 'failed' })
  await passDeliveryTime(shop, 600)
  await Promise.all(Array.from({ length: 20 }, () => workOff(alone)))
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', units: ['rejected'], balance: 100 })
})

describe('Steam is priced', () => {
  const keep = () => keepSteamRates(shop)
  const toPrice = async (amount: number, inputCurrency: string) => {
    const { token } = await aUser(shop)
    const body = { amount, inputCurrency, userBalanceCurrency: 'usd' }
    return (await shop.call('POST', '/steam/calculate', { token, body })).body.calculation.amountInUserCurrency
  }

  test("by the supplier's own rates, and by the shop's while there are none", async () => {
    expect(await toPrice(8_125, 'rub')).toBe(104.61)
    await keep()
    expect(await toPrice(8_125, 'rub')).toBe(103)
    expect(await toPrice(5_151, 'kzt')).toBe(10.3)
    const buyer = await aUser(shop, { rub: 1_000_000 })
    // 100 USD plus 3 %, in roubles at the shop's rate.
    const topup = steamTopup({ amount: 8_125, currency: 'rub', login: 'gabe', price_usd: 103, price_rub: 8_240 })
    expect((await orderTopup(shop, buyer, topup, { currency: 'rub' })).status).toBe(201)
    await shop.database.run(sql`UPDATE steam_rate SET seen_at = seen_at - interval '61 minutes'`)
    expect(await toPrice(8_125, 'rub')).toBe(104.61)
    await keep()
    expect(await toPrice(8_125, 'rub')).toBe(103)
    // The order was made while the first of the two was in force.
    await shop.database.run(sql`UPDATE steam_rate SET seen_at = seen_at + interval '61 minutes' WHERE id < 3`)
  })

  test('by its last word while it is silent, and never by one that is far off', async () => {
    vendor.isSilent = true
    await keep()
    vendor.isSilent = false
    expect(await toPrice(8_125, 'rub')).toBe(103)
    vendor.steamRub = 8.125
    await keep()
    vendor.steamRub = 81.25
    expect(await toPrice(8_125, 'rub')).toBe(103)
    expect(await shop.database.rows(sql`SELECT subject FROM alert WHERE kind = 'supplier.steam_rate'`)).toEqual([
      { subject: 'fazercards:RUB' },
    ])
  })
})

describe('nothing is bought at a loss', () => {
  const item = 'pubg_mobile_auto/60_uc'
  const readAlerts = (kind: string) =>
    shop.database.rows<{ subject: string; details: object; is_over: boolean }>(
      sql`SELECT subject, details, resolved_at IS NOT NULL AS is_over FROM alert WHERE kind = ${kind} ORDER BY id`,
    )
  const setRoubles = (rate: number) =>
    shop.database.run(sql`UPDATE currency_rate SET rate = ${rate} WHERE to_currency = 'RUB'`)

  test('what has become dearer than was paid goes to the operator with an alert, which the next affordable one ends', async () => {
    vendor.prices[item] = '1.0001'
    const dear = await aTopupOrder(shop)
    await work()
    vendor.prices[item] = '0.8800'
    expect(await readTopupState(shop, dear)).toMatchObject({ units: ['sent (operator)'] })
    expect(vendor.executions(await toKey(dear))).toBe(0)
    expect(await readAlerts('offer.too_dear')).toEqual([
      {
        subject: `fazercards:${item}`,
        details: { order: dear.orderId, cost: '1.0001 USD', at_most: '1.00 USD' },
        is_over: false,
      },
    ])
    const cheap = await aTopupOrder(shop)
    await work()
    expect(vendor.executions(await toKey(cheap))).toBe(1)
    expect(await readAlerts('offer.too_dear')).toMatchObject([{ is_over: true }])
  })

  test('a top-up that was paid in roubles costs no more dollars than those are worth', async () => {
    await sellTopups(shop)
    const offer = await topupOffer(shop, 'pubg', 60)
    await shop.database.run(sql`UPDATE offer SET item_id = ${item} WHERE id = ${offer.id}`)
    const buyer = await aUser(shop, { rub: 1_000_000 })
    const buy = async (player: string) => {
      const topup = pubgTopup([[offer, 1]], player)
      const { body } = await orderTopup(shop, buyer, topup, { currency: 'rub', confirmRepeat: true })
      await work()
      return vendor.executions(await toKey({ orderId: body.order.id }))
    }
    expect(await buy('5890001')).toBe(1)
    // 79 roubles were 99 cents, and are 79 cents now.
    await setRoubles(100)
    expect(await buy('5890002')).toBe(0)
    await setRoubles(80)
  })

  test.each([
    ['81.25', 1],
    // The customer paid 103 roubles, at 80 to the dollar.
    ['77.66', 0],
    ['77.67', 1],
  ])('a hundred roubles for Steam, while a dollar costs %s there, are bought so often: %i', async (rate, times) => {
    const buyer = await aUser(shop, { rub: 1_000_000 })
    await shop.database.run(sql`UPDATE steam_rate SET seen_at = seen_at - interval '2 hours'`)
    const topup = steamTopup({
      amount: 100,
      currency: 'rub',
      login: `gabe${times}${rate.slice(-1)}`,
      price_usd: 1.29,
      price_rub: 103,
    })
    const { body } = await orderTopup(shop, buyer, topup, { currency: 'rub' })
    await shop.database.run(sql`UPDATE steam_rate SET seen_at = seen_at + interval '2 hours'`)
    vendor.steamRub = Number(rate)
    await work()
    vendor.steamRub = 81.25
    expect(vendor.executions(await toKey({ orderId: body.order.id }))).toBe(times)
  })

  test('of an answer that was lost, a look-up buys nothing that has become too dear; the operator is told', async () => {
    const order = await aTopupOrder(shop)
    vendor.fault = 'broken-before'
    await work()
    vendor.fault = undefined
    vendor.prices[item] = '1.5'
    await passDeliveryTime(shop, 1_000)
    await work()
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'] })
    expect(vendor.executions(await toKey(order))).toBe(0)
    const theLast = async () =>
      (await readAlerts('offer.too_dear')).findLast(({ subject }) => subject === `fazercards:${item}`)
    expect(await theLast()).toMatchObject({ is_over: false })
    vendor.prices[item] = '0.8800'
    await passDeliveryTime(shop, 1_000)
    await work()
    expect(vendor.executions(await toKey(order))).toBe(1)
    expect(await theLast()).toMatchObject({ is_over: true })
  })
})

describe('a look-up, which sends the order again,', () => {
  const readReason = async ({ orderId }: TopupOrder) =>
    (
      await shop.database.one<{ reason: string | null }>(sql`
        SELECT reason FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId}`)
    ).reason
  const lookAgain = async (store: DeliveryShop = shop) => {
    await passDeliveryTime(shop, 700)
    await workOff(store)
  }
  const neverArrived = async () => {
    const order = await aTopupOrder(shop)
    vendor.fault = 'broken-before'
    await work()
    vendor.fault = undefined
    return order
  }
  const countAlerts = async () =>
    (
      await shop.database.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM alert WHERE kind = 'offer.too_dear'
      AND resolved_at IS NULL`)
    ).n

  test('buys nothing for a buyer who is frozen meanwhile, and does once they are free', async () => {
    const order = await neverArrived()
    const setFrozen = (isFrozen: boolean) =>
      shop.database.run(sql`
        UPDATE users SET held_since = CASE WHEN ${isFrozen} THEN now() END WHERE id = ${order.buyer.id}`)
    await setFrozen(true)
    await lookAgain()
    await lookAgain()
    expect(vendor.executions(await toKey(order))).toBe(0)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'], balance: 0 })
    expect([await readReason(order), await countAlerts()]).toEqual(['buyer_held', 0])
    await setFrozen(false)
    await lookAgain()
    expect(vendor.executions(await toKey(order))).toBe(1)
  })

  test('buys nothing for a frozen buyer unless an operator decides so', async () => {
    const order = await neverArrived()
    await shop.database.run(sql`UPDATE users SET held_since = now() WHERE id = ${order.buyer.id}`)
    await lookAgain()
    await lookAgain()
    const admin = await aUser(shop, { role: 'admin' })
    const { data } = (await shop.call('GET', `/admin/deliveries?search=${order.orderId}`, { token: admin.token })).body
    const retried = await shop.call('POST', `/admin/deliveries/${data[0].id}/retry`, {
      token: admin.token,
      body: { reason: 'a friend', version: data[0].version },
    })
    expect(retried.status).toBe(200)
    await work()
    await shop.database.run(sql`UPDATE users SET held_since = NULL WHERE id = ${order.buyer.id}`)
    expect(vendor.executions(await toKey(order))).toBe(1)
  })

  test('buys nothing at a supplier that was switched off meanwhile, and does once it is on', async () => {
    const order = await neverArrived()
    const off = { ...shop, suppliers: { configured: [], off: shop.suppliers.configured, sandbox: undefined } }
    await lookAgain(off)
    await lookAgain(off)
    expect(vendor.executions(await toKey(order))).toBe(0)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'], balance: 0 })
    expect([await readReason(order), await countAlerts()]).toEqual(['supplier_off', 0])
    await lookAgain()
    expect(vendor.executions(await toKey(order))).toBe(1)
  })
})

describe('a supplier that wants to be left alone', () => {
  const toNext = async ({ orderId }: TopupOrder) =>
    (
      await shop.database.one<{ seconds: number }>(sql`
        SELECT extract(epoch FROM next_at - now())::float AS seconds FROM delivery
        JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId}`)
    ).seconds
  const posts = () => vendor.requests.filter(({ path }) => path === '/topups/order').length

  test('is left alone for so long: by the order it said it to, by new ones, and by those that are looked up', async () => {
    const before = await aTopupOrder(shop)
    await work()
    const key = await toKey(before)
    Object.assign(vendor, { fault: 'too-many', retryAfter: '300' })
    const first = await aTopupOrder(shop)
    await work()
    Object.assign(vendor, { fault: undefined, retryAfter: undefined })
    expect(await toNext(first)).toBeGreaterThan(290)

    const [sent, asked] = [posts(), vendor.requests.length]
    const second = await aTopupOrder(shop)
    await tell(key)
    await work()
    expect([posts(), vendor.requests.length]).toEqual([sent, asked])
    expect(await readTopupState(shop, second)).toMatchObject({ units: ['queued'] })
    expect(await readTopupState(shop, before)).toMatchObject({ units: ['sent'] })
    expect(await toNext(before)).toBeGreaterThan(290)

    await shop.database.run(sql`UPDATE supplier_health SET quiet_until = now()`)
    await passDeliveryTime(shop, 400)
    await work()
    for (const order of [first, second]) expect(vendor.executions(await toKey(order))).toBe(1)
  })
})
