import { randomUUID } from 'node:crypto'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, expectSound, fillCart, openedBy, readAlerts, startCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import type { Answer, TestShop } from '../../../test/shop.ts'
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
import { sql } from '../../platform/database/queries.ts'

let shop: TestShop
let small: TestTopupOffer
let large: TestTopupOffer
let diamonds: TestTopupOffer
beforeAll(async () => {
  shop = await startCardShop()
  await sellTopups(shop)
  small = await topupOffer(shop, 'pubg', 60)
  large = await topupOffer(shop, 'pubg', 325)
  diamonds = await topupOffer(shop, 'freefire', 310)
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})

const rich = { usd: 100_000 }
const add = async (user: TestUser, topupData: unknown) => {
  const added = await shop.call('POST', '/cart/add-topup', { token: user.token, body: { topupData } })
  expect(added.text).toContain('"success":true')
}
interface Press {
  confirmRepeat?: boolean
}
/** Ways to buy the same 60 × 2 for one player. */
const twice = (player = '5123456789') => pubgTopup([[small, 2]], player)
const payCart = (user: TestUser, { confirmRepeat }: Press = {}) =>
  shop.call('POST', '/payment/from-balance', {
    token: user.token,
    body: { currency: 'USD', ...(confirmRepeat && { confirmRepeat }) },
    headers: { 'idempotency-key': randomUUID() },
  })
const openCart = (user: TestUser, amount = 1.98, { confirmRepeat }: Press = {}) =>
  shop.call('POST', '/payment/create', {
    token: user.token,
    body: { amount, currency: 'USD', type: 'order', ...(confirmRepeat && { confirmRepeat }) },
    headers: { 'idempotency-key': randomUUID() },
  })
const openTopup = (user: TestUser, topupData: unknown = twice(), amount = 1.98) =>
  shop.call('POST', '/payment/create', {
    token: user.token,
    body: { amount, currency: 'USD', type: 'order', topupData },
  })

const viaCart = async (user: TestUser, press: Press = {}, topupData: unknown = twice()) => {
  await add(user, topupData)
  return payCart(user, press)
}
const direct = (user: TestUser, press: Press = {}, topupData: unknown = twice()) =>
  orderTopup(shop, user, topupData, press)
const viaCartByCard = async (user: TestUser, press: Press = {}) => {
  await add(user, twice())
  const opened = await openCart(user, 1.98, press)
  if (opened.status === 201) await act(shop, await openedBy(shop, opened), 'pay')
  return opened
}
const ways = { 'a cart': viaCart, 'the page of top-ups': direct, 'a cart, by card': viaCartByCard }
const pairs = Object.keys(ways).flatMap((first) => Object.keys(ways).map((second) => [first, second] as const))

const repeat = (answer: Answer) => [answer.status, answer.body.error?.code, answer.body.error?.details?.reason]
const refused = [409, 'STATE_CONFLICT', 'repeat']
const readPaid = async ({ id }: TestUser) =>
  (
    await shop.database.one<{ paid: number }>(sql`
      SELECT count(*)::int AS paid FROM orders WHERE user_id = ${id} AND status NOT IN ('awaiting_payment', 'expired')`)
  ).paid

describe('a top-up bought a moment ago', () => {
  test.each(pairs)('by %s is not bought again by %s, unless it is meant', async (first, second) => {
    const buyer = await aUser(shop, rich)
    const bought = await ways[first as keyof typeof ways](buyer)
    expect(bought.status).toBe(201)
    const again = await ways[second as keyof typeof ways](buyer)
    expect(repeat(again)).toEqual(refused)
    expect(again.body.error.details).toMatchObject({
      order_id: expect.any(String),
      seconds: firstNumbers.repeat_seconds,
    })
    await shop.call('POST', '/cart/clear', { token: buyer.token, body: {} })
    expect((await ways[second as keyof typeof ways](buyer, { confirmRepeat: true })).status).toBe(201)
    expect(await readPaid(buyer)).toBe(2)
  })

  test.each(['05123456789', '0005123456789'])('is not bought again for the same player, written %s', async (player) => {
    const buyer = await aUser(shop, rich)
    expect((await direct(buyer)).status).toBe(201)
    expect(repeat(await direct(buyer, {}, twice(player)))).toEqual(refused)
    expect(repeat(await viaCart(buyer, {}, twice(player)))).toEqual(refused)
    const { data } = (await shop.call('GET', '/cart', { token: buyer.token })).body
    expect(data).toMatchObject([{ topup_data: { player_id: '5123456789' } }])
    const free = await aUser(shop, rich)
    expect((await direct(free, {}, freefireTopup(diamonds, player))).status).toBe(201)
    expect(repeat(await direct(free, {}, freefireTopup(diamonds)))).toEqual(refused)
  })

  test('is not bought again in a cart beside other things, nor with more for the same player', async () => {
    const buyer = await aUser(shop, rich)
    await direct(buyer)
    await add(buyer, twice())
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    expect(repeat(await payCart(buyer))).toEqual(refused)
    await add(buyer, pubgTopup([[large, 1]]))
    expect(repeat(await payCart(buyer))).toEqual(refused)
    expect((await payCart(buyer, { confirmRepeat: true })).status).toBe(201)
  })

  test('of Steam is not bought again by a cart', async () => {
    const buyer = await aUser(shop, rich)
    const steam = (login: string) => steamTopup({ ...tenDollars, login })
    expect((await direct(buyer, {}, steam('Gabe'))).status).toBe(201)
    expect(repeat(await viaCart(buyer, {}, steam('gabe')))).toEqual(refused)
  })

  test('does not keep from buying for another player, another number, another game, or a minute later', async () => {
    const buyer = await aUser(shop, rich)
    expect((await viaCart(buyer)).status).toBe(201)
    for (const other of [
      twice('5123456780'),
      pubgTopup([[small, 3]]),
      freefireTopup(diamonds),
      steamTopup(tenDollars),
    ]) {
      expect((await viaCart(buyer, {}, other)).status).toBe(201)
    }
    expect((await viaCart(await aUser(shop, rich))).status).toBe(201)
    await shop.database.run(sql`
      UPDATE orders SET created_at = created_at - make_interval(secs => ${firstNumbers.repeat_seconds}) WHERE user_id = ${buyer.id}`)
    expect((await viaCart(buyer)).status).toBe(201)
  })

  test('is asked about for as long as the owner says, or never', async () => {
    const owner = await aUser(shop, { role: 'admin' })
    const set = (repeat_seconds: number) =>
      shop.call('PUT', '/admin/shop-numbers', { token: owner.token, body: { repeat_seconds } })
    const buyer = await aUser(shop, rich)
    expect((await direct(buyer)).status).toBe(201)
    expect((await set(0)).status).toBe(200)
    expect((await direct(buyer)).status).toBe(201)
    await set(600)
    await shop.database.run(sql`
      UPDATE orders SET created_at = created_at - make_interval(secs => ${firstNumbers.repeat_seconds}) WHERE user_id = ${buyer.id}`)
    const again = await direct(buyer)
    expect(repeat(again)).toEqual(refused)
    expect(again.body.error.details).toMatchObject({ seconds: 600 })
    await set(firstNumbers.repeat_seconds)
    expect((await direct(buyer)).status).toBe(201)
  })

  test('is the same order when the press is only repeated: the cart is bought once and answered twice', async () => {
    const buyer = await aUser(shop, rich)
    await add(buyer, twice())
    const [one, other] = [await payCart(buyer), await payCart(buyer)]
    expect([one.status, other.body]).toEqual([201, one.body])
  })
})

describe('an equal top-up that waits for its payment', () => {
  test('makes room for the one that is bought another way, and its money goes to the wallet', async () => {
    const buyer = await aUser(shop, rich)
    await add(buyer, twice())
    const ofCart = await openedBy(shop, await openCart(buyer))
    const alone = await openedBy(shop, await openTopup(buyer))
    expect((await direct(buyer)).status).toBe(201)
    for (const waiting of [ofCart, alone]) {
      await act(shop, waiting, 'pay')
      expect(await readAlerts(shop, waiting.orderId)).toEqual(['payment.superseded'])
    }
    expect(await readPaid(buyer)).toBe(1)
  })

  test('makes room for the cart too', async () => {
    const buyer = await aUser(shop, rich)
    const alone = await openedBy(shop, await openTopup(buyer))
    expect((await viaCart(buyer)).status).toBe(201)
    await act(shop, alone, 'pay')
    expect(await readAlerts(shop, alone.orderId)).toEqual(['payment.superseded'])
    expect(await readPaid(buyer)).toBe(1)
  })
})

test('20 equal top-ups at the same moment, in a cart and without, from the balance and by card, are one', async () => {
  for (let round = 0; round < 5; round++) {
    const buyer = await aUser(shop, rich)
    await add(buyer, twice())
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        if (n % 4 === 0) return payCart(buyer)
        if (n % 4 === 1) return direct(buyer, {}, twice('05123456789'))
        const opened = await (n % 4 === 2 ? openCart(buyer) : openTopup(buyer))
        // By then another press may have taken its place, or paid it.
        if (opened.status === 201 && opened.body.pay_url.includes('/sandbox/')) {
          await act(shop, { paymentId: opened.body.pay_url.split('/').at(-1) }, 'pay')
        }
        return opened
      }),
    )
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    expect(await readPaid(buyer)).toBe(1)
  }
})
