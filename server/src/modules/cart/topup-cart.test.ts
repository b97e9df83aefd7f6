import { cartApi } from '@olmos/contract/cart'
import * as LIMITS from '@olmos/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound, onFullShelf } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import {
  freefireTopup,
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

const add = (user: TestUser, topupData: unknown) =>
  shop.call('POST', '/cart/add-topup', { token: user.token, body: { topupData } })
const readCart = async (user: TestUser) => (await shop.call('GET', '/cart', { token: user.token })).body.data
const pay = (user: TestUser, currency = 'USD') =>
  shop.call('POST', '/payment/from-balance', { token: user.token, body: { currency } })
const setRate = async (rate: number) => {
  const admin = await aUser(shop, { role: 'admin' })
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM currency_rate WHERE to_currency = 'RUB'`)
  await shop.call('PUT', `/admin/currency-rates/${id}`, { token: admin.token, body: { rate } })
}

describe('a top-up in the cart', () => {
  test('is shown with its player, and never runs out', async () => {
    const user = await aUser(shop)
    const added = await add(user, freefireTopup(diamonds))
    expect(added.status).toBe(201)
    expect(cartApi.addTopup.answer.parse(added.body)).toEqual(added.body)
    expect(added.body.data).toMatchObject({
      product_slug: 'freefire',
      game_amount: 310,
      game_currency: 'Diamonds',
      price_usd: 2.89,
      price_rub: 229,
      quantity: 1,
      available_count: LIMITS.topupUnitsMax,
      item_type: 'topup',
      topup_data: {
        service: 'freefire',
        player_id: '5123456789',
        player_name: 'Player_6789',
        offer_name: '310 Diamonds',
        currency: null,
      },
    })
    expect(await readCart(user)).toEqual([added.body.data])
  })

  test('20 calls at once under one key put it into the cart once', async () => {
    const user = await aUser(shop)
    const headers = { 'idempotency-key': 'one-press' }
    const body = { topupData: freefireTopup(diamonds) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('POST', '/cart/add-topup', { token: user.token, headers, body })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await readCart(user)).toMatchObject([{ quantity: 1, region: null }])
  })

  test('adds up for the same player, and is a line of its own for another', async () => {
    const user = await aUser(shop)
    const wanted = pubgTopup([
      [small, 2],
      [large, 1],
    ])
    await add(user, wanted)
    await add(user, wanted)
    await add(user, { ...wanted, player_id: '5123456780' })
    await add(user, steamTopup(tenDollars))
    await add(user, steamTopup(tenDollars))
    await add(user, steamTopup({ ...tenDollars, currency: 'rub', price_usd: 0.13, price_rub: 10.3 }))
    const shown = (await readCart(user)).map(
      (item: { game_amount: number; quantity: number; topup_data: { player_id: string } }) =>
        `${item.quantity} x ${item.game_amount} for ${item.topup_data.player_id}`,
    )
    expect(shown).toEqual([
      '2 x 325 for 5123456789',
      '4 x 60 for 5123456789',
      '1 x 325 for 5123456780',
      '2 x 60 for 5123456780',
      '2 x 10 for gabe',
      '1 x 10 for gabe',
    ])
    expect((await shop.call('GET', '/cart/count', { token: user.token })).body).toEqual({ count: 12 })
  })

  test('is refused at another price, for nobody, once it is off, or beyond what is sold', async () => {
    const user = await aUser(shop)
    const codes: string[] = []
    const topup = freefireTopup(diamonds)
    for (const wanted of [
      { ...topup, price_usd: 2.88 },
      { ...topup, price_rub: 228 },
      { ...topup, price_usd: 0, price_rub: 0 },
      { ...topup, player_id: '5000000404' },
      { ...topup, offer_id: 'no such' },
      steamTopup({ ...tenDollars, amount: 501 }),
    ]) {
      codes.push((await add(user, wanted)).body.error.code)
    }
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${diamonds.id}`)
    codes.push((await add(user, topup)).body.error.code)
    await shop.database.run(sql`UPDATE offer SET is_active = true WHERE id = ${diamonds.id}`)
    expect(codes).toEqual([
      'PRICE_CHANGED',
      'PRICE_CHANGED',
      'PRICE_CHANGED',
      'PLAYER_NOT_FOUND',
      'OFFER_NOT_FOUND',
      'INVALID_AMOUNT',
      'OUT_OF_STOCK',
    ])
    expect(await readCart(user)).toEqual([])
    await add(user, pubgTopup([[small, 100]]))
    expect((await add(user, pubgTopup([[small, 1]]))).body.error.code).toBe('OUT_OF_STOCK')
  })

  test('has its quantity changed and is taken out like everything else', async () => {
    const user = await aUser(shop)
    const { id } = (await add(user, steamTopup(tenDollars))).body.data
    const changed = await shop.call('PUT', `/cart/update-quantity/${id}`, { token: user.token, body: { quantity: 3 } })
    expect(changed.body.data).toMatchObject({ quantity: 3, price_usd: 10.3, price_rub: 824 })
    await shop.call('DELETE', `/cart/remove/${id}`, { token: user.token })
    expect(await readCart(user)).toEqual([])
  })
})

describe('paying a cart with top-ups', () => {
  const fill = async (user: TestUser) => {
    const offer = await anOffer(shop, { stock: 2 })
    await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer, 2) })
    await add(user, steamTopup({ ...tenDollars, price_usd: 0 }))
    await add(user, freefireTopup(diamonds))
    return offer
  }

  test('from the balance hands out the codes at once, and sends the top-ups on their way', async () => {
    const user = await aUser(shop, { usd: 10_000 })
    const offer = await fill(user)
    const paid = await pay(user)
    expect(paid.body.order.status).toBe('pending')
    const receipt = (await shop.call('GET', `/orders/${paid.body.order.id}`, { token: user.token })).body
    expect(receipt).toMatchObject({ total_amount: 15.19, status: 'pending' })
    const items = receipt.items.toSorted((a: { amount: number }, b: { amount: number }) => a.amount - b.amount)
    expect(items).toMatchObject([
      { item_type: 'code', status: 'delivered', code: offer.codes.join('\n'), topup_data: null },
      { item_type: 'topup', status: 'pending', code: null, topup_data: { service: 'freefire' } },
      { item_type: 'topup', status: 'pending', code: null, topup_data: { service: 'steam', login: 'gabe' } },
    ])
    const units = await shop.database.rows(sql`
      SELECT unit FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${receipt.id}`)
    expect(units).toHaveLength(2)
    expect(await readCart(user)).toEqual([])
    expect((await pay(user)).body.order.id).toBe(receipt.id)
  })

  test('whose rate moved since it was shown is refused until it was shown again', async () => {
    const user = await aUser(shop, { rub: 1_000_000 })
    await add(user, steamTopup(tenDollars))
    await setRate(82)
    const refused = await pay(user, 'RUB')
    expect(refused.body.error).toMatchObject({
      code: 'PRICE_CHANGED',
      details: { items: [{ product_title: 'Steam', game_amount: 10, price_usd: 10.3, price_rub: 844.6 }] },
    })
    expect((await readCart(user))[0]).toMatchObject({ price_rub: 844.6 })
    const paid = await pay(user, 'RUB')
    await setRate(80)
    const receipt = (await shop.call('GET', `/orders/${paid.body.order.id}`, { token: user.token })).body
    expect(receipt.total_amount).toBe(844.6)
  })

  test.each([
    ['offer', sql`UPDATE offer SET is_active = NOT is_active WHERE game_amount = 310`],
    ['product', sql`UPDATE product SET is_active = NOT is_active WHERE slug = 'steam'`],
  ])('with an %s that was switched off is refused as a whole', async (_what, toggle) => {
    const user = await aUser(shop, { usd: 10_000 })
    await fill(user)
    await shop.database.run(toggle)
    const gone = (await readCart(user)).filter((item: { available_count: number }) => item.available_count === 0)
    const refused = await pay(user)
    await shop.database.run(toggle)
    expect(gone).toHaveLength(1)
    expect(refused.body.error.code).toBe('OUT_OF_STOCK')
    expect((await shop.call('GET', '/orders', { token: user.token })).body.total).toBe(0)
    expect((await pay(user)).status).toBe(201)
  })

  test('by card reserves the codes, and sends the top-ups on their way when it is paid', async () => {
    const user = await aUser(shop)
    const offer = await fill(user)
    const body = { amount: 15.19, currency: 'USD', type: 'order' }
    const opened = await onFullShelf(shop, offer, () =>
      shop.call('POST', '/payment/create', { token: user.token, body }),
    )
    const { order_id: orderId, pay_url: payUrl } = opened.body
    const receipt = async () => (await shop.call('GET', `/orders/${orderId}`, { token: user.token })).body
    expect((await receipt()).status).toBe('awaiting_payment')
    await shop.call('POST', `/sandbox/payments/${payUrl.split('/').at(-1)}/act`, { body: { action: 'pay' } })
    const paid = await receipt()
    expect(paid.status).toBe('pending')
    const found = paid.items.map((item: { status: string; code: string | null }) => [item.status, item.code])
    expect(found.toSorted()).toEqual([
      ['delivered', offer.codes.join('\n')],
      ['pending', null],
      ['pending', null],
    ])
    expect(await readCart(user)).toEqual([])
  })
})
