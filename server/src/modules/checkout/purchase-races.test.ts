import { randomInt } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { expectSound, fillCart, payFromBalance } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { raceRounds } from '../../../test/race-rounds.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
afterAll(() => expectSound(shop))

const timeout = 1_800_000
const rounds = raceRounds(4)

test(`of 64 who buy the last code one gets it, ${rounds} times`, { timeout }, async () => {
  const buyers = await Promise.all(Array.from({ length: 64 }, () => aUser(shop, { usd: 1_000_000 })))
  for (let round = 0; round < rounds; round++) {
    const offer = await anOffer(shop, { stock: 1 })
    await Promise.all(buyers.map((buyer) => fillCart(shop, buyer, offer)))
    const answers = await Promise.all(buyers.map((buyer) => payFromBalance(shop, buyer)))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.error?.code === 'OUT_OF_STOCK')).toHaveLength(63)
    await Promise.all(buyers.map((buyer) => shop.call('POST', '/cart/clear', { token: buyer.token, body: {} })))
  }
})

const requests = raceRounds(150)

/** A body as the web sends it, with something in it that a greedy customer would rather have. */
function tampered(offer: TestOffer): object {
  const body = toCart(offer)
  const greedy = [
    { priceUsd: offer.priceUsd / 100 / 2 },
    { priceUsd: 0.01, priceRub: 0.01 },
    { priceUsd: 0 },
    { priceUsd: -1 },
    { priceUsd: '1' },
    { priceRub: offer.priceRub / 100 - 0.01 },
    { quantity: 0 },
    { quantity: -1 },
    { quantity: 0.5 },
    { quantity: 1e9 },
    { price_usd: 0.01 },
    { total: 0.01 },
    { discount: 100 },
    { gameAmount: -1 },
    { productId: `${offer.productId}` },
    { regionId: -1 },
  ]
  return { ...body, ...greedy[randomInt(greedy.length)] }
}

test(`${requests} tampered requests: what is charged is the store's own price`, { timeout }, async () => {
  const offers = await Promise.all(
    [100, 725, 2_050].map((priceUsd) => anOffer(shop, { stock: requests, priceUsd, priceRub: priceUsd * 80 })),
  )
  const buyers = await Promise.all(Array.from({ length: 5 }, () => aUser(shop, { usd: 1_000_000_000 })))
  const pick = <T>(items: T[]): T => items[randomInt(items.length)] as T
  const attack = async (buyer: TestUser) => {
    const { token } = buyer
    const offer = pick(offers)
    const forged = await shop.call('POST', '/cart/add', { token, body: tampered(offer) })
    expect([400, 404, 409]).toContain(forged.status)
    await fillCart(shop, buyer, offer)
    const amount = randomInt(1, offer.priceUsd) / 100
    const cheap = { amount, currency: 'USD', type: 'order' }
    expect((await shop.call('POST', '/payment/create', { token, body: cheap })).body.error.code).toBe('PRICE_CHANGED')
    const body = { currency: 'USD', amount, total: amount }
    expect((await shop.call('POST', '/payment/from-balance', { token, body })).status).toBe(400)
    const before = await readBalance(buyer)
    expect((await payFromBalance(shop, buyer)).status).toBe(201)
    expect(before - (await readBalance(buyer))).toBe(offer.priceUsd)
  }
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let request = 0; request < requests / 15; request++) await attack(buyer)
    }),
  )
})

async function readBalance(buyer: TestUser): Promise<number> {
  const { balance } = await shop.database.one<{ balance: number }>(
    sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = 'USD' AND kind = 'wallet'`,
  )
  return balance
}
