import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import {
  freefireTopup,
  orderTopup,
  pubgTopup,
  sellTopups,
  steamTopup,
  type TestTopupOffer,
  tenDollars,
  topupOffer,
} from '../../../test/topups.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
let diamonds: TestTopupOffer
let small: TestTopupOffer
let large: TestTopupOffer
beforeAll(async () => {
  await sellTopups(shop)
  diamonds = await topupOffer(shop, 'freefire', 310)
  small = await topupOffer(shop, 'pubg', 60)
  large = await topupOffer(shop, 'pubg', 325)
})
afterAll(() => expectSound(shop))

const rich = { usd: 100_000, rub: 10_000_000 }

/** What a refusal must leave alone. */
const readState = async (user: TestUser) => {
  const [orders, balance] = await Promise.all([
    shop.call('GET', '/orders', { token: user.token }),
    shop.call('GET', '/balance', { token: user.token }),
  ])
  return { orders: orders.body.total, balance: balance.body }
}

const expectRefused = async (user: TestUser, topupData: unknown, error: object, currency = 'usd') => {
  const before = await readState(user)
  const answer = await orderTopup(shop, user, topupData, { currency })
  expect(answer.body.error).toMatchObject(error)
  expect(await readState(user)).toEqual(before)
}

const readReceipt = async (user: TestUser, orderId: string) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: user.token })).body

const unitsOnTheirWay = async (orderId: string) =>
  (
    await shop.database.one<{ units: number }>(sql`
      SELECT count(*)::int AS units FROM delivery JOIN order_item ON order_item.id = order_item_id
      WHERE order_id = ${orderId}`)
  ).units

describe('a top-up from the balance', () => {
  test('of Free Fire takes the money, names the player and goes on its way', async () => {
    const buyer = await aUser(shop, { usd: 1_000 })
    const bought = await orderTopup(shop, buyer, freefireTopup(diamonds))
    expect(bought.status).toBe(201)
    expect(bought.body).toEqual({ success: true, order: { id: expect.any(String), status: 'pending' } })
    const receipt = await readReceipt(buyer, bought.body.order.id)
    expect(receipt).toMatchObject({ status: 'pending', total_amount: 2.89, currency: 'USD', payment_method: 'balance' })
    expect(receipt.items).toMatchObject([
      {
        item_type: 'topup',
        amount: 2.89,
        quantity: 1,
        game_amount: 310,
        game_currency: 'Diamonds',
        status: 'pending',
        code: null,
        product: { title: 'Free Fire' },
        topup_data: {
          service: 'freefire',
          login: '',
          player_id: '5123456789',
          player_name: 'Player_6789',
          offer_name: '310 Diamonds',
          image_url: '/art/freefire.svg',
          currency: 'usd',
          user_balance_currency: null,
        },
      },
    ])
    expect(await unitsOnTheirWay(receipt.id)).toBe(1)
    const listed = (await shop.call('GET', '/orders', { token: buyer.token })).body.orders[0]
    expect(listed.items[0].topup_data).toEqual(receipt.items[0].topup_data)
    expect((await shop.call('GET', '/balance', { token: buyer.token })).body).toContainEqual({
      currency: 'usd',
      amount: 7.11,
      reserved: 0,
    })
  })

  test('of PUBG is an item for each package, in roubles when it is paid in roubles', async () => {
    const buyer = await aUser(shop, rich)
    const wanted = pubgTopup([
      [small, 1],
      [large, 1],
      [small, 1],
    ])
    const bought = await orderTopup(shop, buyer, wanted, { currency: 'RUB' })
    const receipt = await readReceipt(buyer, bought.body.order.id)
    expect(receipt).toMatchObject({ total_amount: 79 * 2 + 389, currency: 'RUB' })
    expect(receipt.items).toMatchObject([
      { game_amount: 325, quantity: 1, amount: 389, topup_data: { player_name: 'Player_6789', currency: 'rub' } },
      { game_amount: 60, quantity: 2, amount: 158 },
    ])
    expect(await unitsOnTheirWay(receipt.id)).toBe(3)
  })

  test('of Steam goes by the rates in force, and keeps them', async () => {
    const buyer = await aUser(shop, rich)
    const wanted = steamTopup({
      amount: 5_200.5,
      currency: 'kzt',
      login: 'Gabe.N',
      price_usd: 10.31,
      price_rub: 824.08,
    })
    const asked = await shop.call('POST', '/steam/calculate', {
      token: buyer.token,
      body: { amount: 5_200.5, inputCurrency: 'kzt', userBalanceCurrency: 'rub' },
    })
    expect(asked.body).toEqual({
      success: true,
      calculation: { amountInUserCurrency: 824.08, amountWithCommission: 10.31, commission: 0.31 },
    })
    const bought = await orderTopup(shop, buyer, wanted, { currency: 'rub' })
    const receipt = await readReceipt(buyer, bought.body.order.id)
    expect(receipt).toMatchObject({ total_amount: 824.08, currency: 'RUB' })
    expect(receipt.items).toMatchObject([
      {
        game_amount: 5_200.5,
        game_currency: 'KZT',
        quantity: 1,
        product: { title: 'Steam' },
        topup_data: {
          service: 'steam',
          login: 'Gabe.N',
          player_id: 'Gabe.N',
          player_name: null,
          offer_name: '5200.5 KZT',
          user_balance_currency: 'rub',
        },
      },
    ])
    const kept = await shop.database.one(sql`
      SELECT steam_amount, steam_currency, steam_usd, rates FROM topup_target
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${receipt.id}`)
    expect(kept).toEqual({
      steam_amount: 520_050,
      steam_currency: 'kzt',
      steam_usd: 1_001,
      rates: { RUB: '80.00000000', KZT: '520.00000000' },
    })
    const seenByAdmin = await aUser(shop, { role: 'admin' })
    const forAdmin = await shop.call('GET', '/admin/orders', { token: seenByAdmin.token })
    expect(forAdmin.body.data[0].items[0]).toMatchObject({ title: 'Steam', game_amount: 5_200.5, game_currency: 'KZT' })
    expect((await shop.call('GET', `/admin/orders/${receipt.id}`, { token: seenByAdmin.token })).status).toBe(200)
  })
})

describe('nothing is charged', () => {
  test('when it costs something else than the customer saw, whatever was tampered with', async () => {
    const buyer = await aUser(shop, rich)
    const dear = freefireTopup(diamonds)
    const cheap = { ...dear, price_usd: 0.01, price_rub: 1, commission: 100, offer_name: 'A gift' }
    await expectRefused(buyer, cheap, { code: 'PRICE_CHANGED', details: { price_usd: 2.89, price_rub: 229 } })
    await expectRefused(buyer, { ...dear, price_rub: 0 }, { code: 'PRICE_CHANGED' }, 'rub')
    await expectRefused(buyer, { ...pubgTopup([[small, 2]]), price_usd: 0.99 }, { code: 'PRICE_CHANGED' })
    await expectRefused(buyer, steamTopup({ ...tenDollars, price_usd: 10 }), {
      code: 'PRICE_CHANGED',
      details: { price_usd: 10.3, price_rub: 824 },
    })
  })

  test('when a rate moved since', async () => {
    const buyer = await aUser(shop, rich)
    const setRate = (rate: number) =>
      shop.database.run(sql`UPDATE currency_rate SET rate = ${rate} WHERE to_currency = 'RUB'`)
    await setRate(81)
    await expectRefused(buyer, steamTopup(tenDollars), { code: 'PRICE_CHANGED', details: { price_rub: 834.3 } }, 'rub')
    await setRate(80)
    await shop.database.run(sql`
      UPDATE currency_rate SET held_rate = 800, held_at = now() WHERE to_currency = 'RUB'`)
    expect((await orderTopup(shop, buyer, steamTopup(tenDollars), { currency: 'rub' })).status).toBe(201)
    await shop.database.run(sql`UPDATE currency_rate SET held_rate = NULL, held_at = NULL`)
  })

  test('when the wallet holds less, and both amounts are named', async () => {
    const buyer = await aUser(shop, { usd: 288 })
    const details = { required: 2.89, available: 2.88, currency: 'USD' }
    await expectRefused(buyer, freefireTopup(diamonds), { code: 'INSUFFICIENT_BALANCE', details })
  })

  test('when there is no such player, or offer', async () => {
    const buyer = await aUser(shop, rich)
    await expectRefused(buyer, freefireTopup(diamonds, '5000000404'), { code: 'PLAYER_NOT_FOUND' })
    await expectRefused(buyer, { ...freefireTopup(diamonds), offer_id: 'no such' }, { code: 'OFFER_NOT_FOUND' })
    await expectRefused(buyer, pubgTopup([[{ ...small, id: diamonds.id }, 1]]), {
      code: 'OFFER_NOT_FOUND',
      details: { denominations: [diamonds.id] },
    })
  })

  test.each([
    ['no player id', { player_id: '' }],
    ['letters in a player id', { player_id: '51x' }],
    ['a player id far too long', { player_id: '5'.repeat(33) }],
    ['a negative price', { price_usd: -1 }],
    ['a field nobody knows', { discount: 99 }],
  ])('when a top-up has %s', async (_what, change) => {
    await expectRefused(
      await aUser(shop, rich),
      { ...freefireTopup(diamonds), ...change },
      { code: 'VALIDATION_FAILED' },
    )
  })

  test.each([
    ['nothing', 0, 'INVALID_AMOUNT'],
    ['less than one', 0.99, 'INVALID_AMOUNT'],
    ['too much', 500.01, 'INVALID_AMOUNT'],
    ['far too much', 10_000_000, 'INVALID_AMOUNT'],
    ['a third of a cent', 10.333, 'VALIDATION_FAILED'],
    ['less than nothing', -10, 'VALIDATION_FAILED'],
  ])('when %s is wanted for Steam', async (_what, amount, code) => {
    const buyer = await aUser(shop, rich)
    await expectRefused(buyer, steamTopup({ ...tenDollars, amount }), { code })
    const body = { amount, inputCurrency: 'usd', userBalanceCurrency: 'usd' }
    expect((await shop.call('POST', '/steam/calculate', { token: buyer.token, body })).body.error.code).toBe(code)
  })

  test('for less or more than the owner sells by Steam, which the page says beforehand', async () => {
    const owner = await aUser(shop, { role: 'admin' })
    const set = (numbers: object) => shop.call('PUT', '/admin/shop-numbers', { token: owner.token, body: numbers })
    await set({ steam_least_usd: 5, steam_least_rub: 400, steam_most_usd: 8 })
    const buyer = await aUser(shop, rich)
    const refused = await shop.call('POST', '/steam/calculate', {
      token: buyer.token,
      body: { amount: 399.99, inputCurrency: 'rub', userBalanceCurrency: 'usd' },
    })
    expect(refused.body.error.details).toMatchObject({ least: 400, most: 640, currency: 'RUB' })
    await expectRefused(buyer, steamTopup(tenDollars), { code: 'INVALID_AMOUNT' })
    const shown = await shop.call('GET', '/topups/steam/fields')
    expect(shown.body.range).toEqual({ least_usd: 5, least_rub: 400, least_kzt: 1, most_usd: 8 })
    await set({ steam_least_usd: 1, steam_least_rub: 1, steam_most_usd: 500 })
    expect((await shop.call('GET', '/topups/freefire/fields')).body.range).toBeNull()
  })

  test.each([
    ['usd', 0.5, { least: 1, most: 500 }],
    ['rub', 0.5, { least: 1, most: 40_000 }],
    ['kzt', 260_000.01, { least: 1, most: 260_000 }],
  ])('for an amount of %s that is not sold, and the least and the most are named', async (currency, amount, range) => {
    const { token } = await aUser(shop, rich)
    const body = { amount, inputCurrency: currency, userBalanceCurrency: 'rub' }
    const refused = await shop.call('POST', '/steam/calculate', { token, body })
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      { code: 'INVALID_AMOUNT', details: { amount: 'invalid_amount', currency: currency.toUpperCase(), ...range } },
    ])
  })

  test.each([
    ['login', { login: 'somebody', player_id: 'else' }],
    ['sign', { login: 'a b', player_id: 'a b' }],
    ['player', { player_id: '' }],
  ])('when Steam has a wrong %s', async (_what, change) => {
    const buyer = await aUser(shop, rich)
    await expectRefused(buyer, { ...steamTopup(tenDollars), ...change }, { code: 'VALIDATION_FAILED' })
  })

  test('for more of one package than is sold at once', async () => {
    const wanted = pubgTopup([
      [small, 100],
      [small, 1],
    ])
    await expectRefused(await aUser(shop, rich), wanted, { code: 'VALIDATION_FAILED' })
  })

  test.each([
    ['the offer', sql`UPDATE offer SET is_active = NOT is_active WHERE game_amount = 310`],
    ['the product', sql`UPDATE product SET is_active = NOT is_active WHERE slug = 'freefire'`],
  ])('when %s was switched off meanwhile', async (_what, toggle) => {
    const buyer = await aUser(shop, rich)
    await shop.database.run(toggle)
    const details = { offer_id: diamonds.id, item_id: -1, available_count: 0 }
    await expectRefused(buyer, freefireTopup(diamonds), { code: 'OUT_OF_STOCK', details })
    expect((await shop.call('GET', '/freefire/offers')).body.offers).not.toContainEqual(
      expect.objectContaining({ id: diamonds.id }),
    )
    await shop.database.run(toggle)
  })

  test('when nobody can tell whether there is such a player', async () => {
    const alone = await startShop({ SUPPLIERS: 'none' })
    await sellTopups(alone)
    const buyer = await aUser(alone, rich)
    const refused = await orderTopup(alone, buyer, freefireTopup(await topupOffer(alone, 'freefire', 310)))
    expect([refused.status, refused.body.error.code]).toEqual([502, 'SUPPLIER_UNAVAILABLE'])
    expect((await alone.call('GET', '/orders', { token: buyer.token })).body.total).toBe(0)
    expect((await alone.call('GET', '/balance', { token: buyer.token })).body).toContainEqual({
      currency: 'usd',
      amount: 1_000,
      reserved: 0,
    })
    expect((await alone.call('POST', '/pubg/check-id', { body: { playerID: '5123456789' } })).status).toBe(502)
    await alone.close()
  })
})

describe('the same top-up again', () => {
  const times = 16
  const atOnce = (buyer: TestUser, toKey: (n: number) => string | undefined, topupData: unknown) =>
    Promise.all(
      Array.from({ length: times }, (_, n) => {
        const key = toKey(n)
        return orderTopup(shop, buyer, topupData, key ? { key } : {})
      }),
    )

  test('under one key, at once, is one order and one answer', async () => {
    const buyer = await aUser(shop, rich)
    const key = randomUUID()
    const answers = await atOnce(buyer, () => key, freefireTopup(diamonds))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect((await readState(buyer)).orders).toBe(1)
  })

  test('under a key each, at once, is one order; the others are told which', async () => {
    const buyer = await aUser(shop, rich)
    const answers = await atOnce(buyer, () => randomUUID(), steamTopup(tenDollars))
    const made = answers.filter((answer) => answer.status === 201)
    const refused = answers.filter((answer) => answer.status === 409)
    expect([made.length, refused.length]).toEqual([1, times - 1])
    for (const { body } of refused) {
      expect(body.error).toMatchObject({
        code: 'STATE_CONFLICT',
        details: { reason: 'repeat', order_id: made[0]?.body.order.id, seconds: 60 },
      })
    }
    expect((await readState(buyer)).orders).toBe(1)
  })

  test('is answered from what was kept, also once the offer is gone', async () => {
    const buyer = await aUser(shop, rich)
    const key = randomUUID()
    const topup = freefireTopup(diamonds, '5987654321')
    const first = await orderTopup(shop, buyer, topup, { key })
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${diamonds.id}`)
    expect((await orderTopup(shop, buyer, topup, { key })).text).toBe(first.text)
    await shop.database.run(sql`UPDATE offer SET is_active = true WHERE id = ${diamonds.id}`)
    const other = await orderTopup(shop, buyer, { ...topup, player_id: '5000000404' }, { key })
    expect(other.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is bought when it is meant, and an equal one is equal however it is written', async () => {
    const buyer = await aUser(shop, rich)
    const wanted = pubgTopup([
      [small, 1],
      [large, 2],
    ])
    const turned = pubgTopup([
      [large, 1],
      [small, 1],
      [large, 1],
    ])
    expect((await orderTopup(shop, buyer, wanted)).status).toBe(201)
    expect((await orderTopup(shop, buyer, turned, { currency: 'rub' })).body.error.code).toBe('STATE_CONFLICT')
    expect((await orderTopup(shop, buyer, turned, { confirmRepeat: true })).status).toBe(201)
    expect((await orderTopup(shop, buyer, { ...wanted, player_id: '5123456780' })).status).toBe(201)
    const less = pubgTopup([
      [small, 1],
      [large, 1],
    ])
    expect((await orderTopup(shop, buyer, less)).status).toBe(201)
  })

  test('of another customer, or a minute later, is another one', async () => {
    const [buyer, other] = await Promise.all([aUser(shop, rich), aUser(shop, rich)])
    const topup = steamTopup({ ...tenDollars, login: 'Gabe' })
    const first = await orderTopup(shop, buyer, topup)
    expect((await orderTopup(shop, other, topup)).status).toBe(201)
    expect((await orderTopup(shop, buyer, { ...topup, login: 'gabe', player_id: 'gabe' })).status).toBe(409)
    await shop.database.run(sql`
      UPDATE orders SET created_at = created_at - interval '60 seconds' WHERE id = ${first.body.order.id}`)
    expect((await orderTopup(shop, buyer, topup)).status).toBe(201)
  })
})

test('16 different top-ups at once never spend more than there is', async () => {
  const buyer = await aUser(shop, { usd: 3 * 1_030 + 1_000 })
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => orderTopup(shop, buyer, steamTopup({ ...tenDollars, login: `login-${n}` }))),
  )
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3)
  expect(answers.filter((answer) => answer.status === 402)).toHaveLength(13)
})
