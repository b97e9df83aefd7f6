import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { type GeneratedBatch, someGenerated } from '../../../test/game-codes.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop({ RATE_LIMITS: 'on' })
const admin = useUser(shop, { role: 'admin' })
beforeEach(() => shop.database.run(sql`TRUNCATE rate_limit`))

const player = '5123456789'
const unknownPlayer = '5123456404'
const activate = (user: TestUser, code: string | undefined, playerID = player, headers = {}) =>
  shop.call('POST', '/freefire/activate-code', { token: user.token, body: { playerID, code }, headers })

/** Buys one of the codes, which only the shop knows until its buyer reads it. */
async function aBuyer(batch: GeneratedBatch, { isReading = true } = {}) {
  const buyer = await aUser(shop, { usd: 100 })
  const line = { ...batch, priceUsd: 100, priceRub: 8_000, regionId: 0 }
  const body = { ...toCart(line as never), gameCurrency: 'diamonds' }
  await shop.call('POST', '/cart/add', { token: buyer.token, body })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  const orderId = paid.body.order.id as string
  if (isReading) await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
  const { id } = await shop.database.one<{ id: number }>(sql`
    SELECT code_id AS id FROM code_sale JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId}`)
  return { buyer, code: batch.codes.find((code) => code.id === id)?.plain ?? '', orderId }
}

const deliveries = (orderId: string) =>
  shop.database.rows(sql`
    SELECT state FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId}`)
const giveUp = (orderId: string) =>
  shop.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE delivery SET state = 'rejected', next_at = NULL, decided_at = now()
      FROM order_item WHERE order_item.id = order_item_id AND order_id = ${orderId}`)
    await tx.run(sql`UPDATE order_item SET status = 'refunded' WHERE order_id = ${orderId}`)
    await tx.run(sql`UPDATE orders SET status = 'refunded' WHERE id = ${orderId}`)
  })

describe('a code that was bought', () => {
  test('delivers its denomination to the player, for nothing, and is spent', async () => {
    const batch = await someGenerated(shop, admin)
    const { buyer, code } = await aBuyer(batch)
    const spent = await activate(buyer, ` ${code.toLowerCase().replaceAll('-', ' ')} `)
    expect([spent.status, spent.body]).toEqual([200, { success: true, order_id: expect.stringMatching(/^.{10}$/) }])
    const { order_id } = spent.body
    const order = await shop.call('GET', `/orders/${order_id}`, { token: buyer.token })
    expect(order.body).toMatchObject({
      status: 'pending',
      payment_method: 'code',
      total_amount: 0,
      items: [
        {
          item_type: 'topup',
          status: 'pending',
          quantity: 1,
          game_amount: batch.gameAmount,
          code: null,
          topup_data: { service: 'freefire', player_id: player, player_name: expect.any(String) },
        },
      ],
    })
    expect(await deliveries(order_id)).toEqual([{ state: 'queued' }])
    const again = await activate(buyer, code)
    expect([again.status, again.body.error]).toMatchObject([409, { code: 'CODE_ALREADY_USED', details: { order_id } }])
    const stranger = await activate(await aUser(shop), code)
    expect([stranger.body.error.code, stranger.body.error.details]).toEqual(['CODE_ALREADY_USED', undefined])
    const listed = await shop.call('GET', `/admin/generated-codes?batch=${batch.batchId}&activated=true`, {
      token: admin.token,
    })
    expect(listed.body).toMatchObject({
      total: 1,
      data: [
        {
          status: 'used',
          activated_at: expect.any(String),
          activation: { order_id, nickname: buyer.nickname, player_id: player, player_name: expect.any(String) },
        },
      ],
    })
    await expectSound(shop)
  })

  test('and recalled before its buyer saw it tops up nobody; one that was seen still does', async () => {
    const batch = await someGenerated(shop, admin)
    const seen = await aBuyer(batch)
    const unseen = await aBuyer(batch, { isReading: false })
    const recall = await shop.call('POST', `/admin/code-batches/${batch.batchId}/recall`, {
      token: admin.token,
      body: { reason: 'stolen' },
    })
    expect(recall.status).toBe(200)
    for (const user of [await aUser(shop), unseen.buyer]) {
      expect((await activate(user, unseen.code)).body.error.code).toBe('CODE_NOT_FOUND')
    }
    expect((await activate(seen.buyer, seen.code)).status).toBe(200)
    await expectSound(shop)
  })

  test('is spent once, however many try at the same moment', async () => {
    const batch = await someGenerated(shop, admin)
    const { buyer, code } = await aBuyer(batch)
    const others = await Promise.all(Array.from({ length: 31 }, () => aUser(shop)))
    const answers = await Promise.all([buyer, ...others].map((user) => activate(user, code)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(31).fill(409)])
    const { count } = await shop.database.one<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM delivery JOIN order_item ON order_item.id = order_item_id
      JOIN orders ON orders.id = order_id JOIN code_activation USING (order_item_id)
      WHERE code_id IN (SELECT id FROM code WHERE batch_id = ${batch.batchId})`)
    expect(count).toBe(1)
    await expectSound(shop)
  })

  test('answers a retry with the same key as before', async () => {
    const { buyer, code } = await aBuyer(await someGenerated(shop, admin))
    const key = { 'idempotency-key': randomUUID() }
    const first = await activate(buyer, code, player, key)
    const second = await activate(buyer, code, player, key)
    expect([second.status, second.text]).toEqual([200, first.text])
  })

  test('may be spent again once its delivery came to nothing', async () => {
    const { buyer, code } = await aBuyer(await someGenerated(shop, admin))
    const first = (await activate(buyer, code)).body.order_id
    await giveUp(first)
    const second = await activate(buyer, code, '5123450001')
    expect(second.status).toBe(200)
    expect((await activate(buyer, code)).status).toBe(409)
    await expectSound(shop)
  })

  test('is not taken back by a refund once it is spent; taken back before, it is spent no more', async () => {
    const batch = await someGenerated(shop, admin)
    const refund = (orderId: string) =>
      shop.call('POST', `/admin/orders/${orderId}/refund`, {
        token: admin.token,
        body: { to: 'wallet', reason: 'a test' },
        headers: { 'idempotency-key': randomUUID() },
      })
    const spent = await aBuyer(batch)
    await activate(spent.buyer, spent.code)
    const refused = await refund(spent.orderId)
    expect([refused.status, refused.body.error.details]).toMatchObject([409, { code: 'activated' }])
    const returned = await aBuyer(batch)
    expect((await refund(returned.orderId)).status).toBe(200)
    expect((await activate(returned.buyer, returned.code)).body.error.code).toBe('CODE_NOT_FOUND')
    await expectSound(shop)
  })

  test('refunded and spent at the same moment, one of the two happens', async () => {
    const batch = await someGenerated(shop, admin, { count: 10 })
    for (let round = 0; round < 10; round++) {
      const { buyer, code, orderId } = await aBuyer(batch)
      const body = { to: 'wallet', reason: 'a test' }
      const [refund, spent] = await Promise.all([
        shop.call('POST', `/admin/orders/${orderId}/refund`, { token: admin.token, body }),
        activate(buyer, code),
      ])
      expect([refund.status, spent.status].filter((status) => status === 200)).toHaveLength(1)
    }
    await expectSound(shop)
  })
})

describe('a code that the operator handed out', () => {
  test.each([true, false])('is sold by being spent (published: %s)', async (published) => {
    const batch = await someGenerated(shop, admin, { count: 1, published })
    const customer = await aUser(shop)
    expect((await activate(customer, batch.codes[0]?.plain)).status).toBe(200)
    expect((await shop.call('GET', `/products/${batch.productId}/codes/0`)).body).toMatchObject([
      { available_count: 0 },
    ])
    await expectSound(shop)
  })

  test('bought by somebody at the same moment, is still spent once', async () => {
    for (let round = 0; round < 5; round++) {
      const batch = await someGenerated(shop, admin, { count: 1 })
      const [customer, buyer] = await Promise.all([aUser(shop), aUser(shop, { usd: 100 })])
      const line = { ...batch, priceUsd: 100, priceRub: 8_000, regionId: 0 }
      const body = { ...toCart(line as never), gameCurrency: 'diamonds' }
      await shop.call('POST', '/cart/add', { token: buyer.token, body })
      await Promise.all([
        activate(customer, batch.codes[0]?.plain),
        shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } }),
      ])
      const { sales } = await shop.database.one<{ sales: number }>(sql`
        SELECT count(*)::int AS sales FROM code_sale WHERE code_id = ${batch.codes[0]?.id}`)
      expect(sales).toBe(1)
    }
    await expectSound(shop)
  })
})

describe('what is refused spends nothing', () => {
  test('a player who is not there', async () => {
    const { buyer, code } = await aBuyer(await someGenerated(shop, admin))
    const answer = await activate(buyer, code, unknownPlayer)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'PLAYER_NOT_FOUND'])
    expect((await activate(buyer, code)).status).toBe(200)
  })

  test.each(['', 'FF-AAAA-CCCC-DDDD-EEEE-FFFF', '🦊', "' OR 1=1 --"])('%j is no code', async (code) => {
    const answer = await activate(await aUser(shop), code)
    expect([answer.status, answer.body.error.code]).toEqual(
      code === '' ? [400, 'VALIDATION_FAILED'] : [404, 'CODE_NOT_FOUND'],
    )
  })

  test('nobody who is not logged in, whatever the code', async () => {
    const { codes } = await someGenerated(shop, admin, { count: 1 })
    const body = { playerID: player, code: codes[0]?.plain }
    expect((await shop.call('POST', '/freefire/activate-code', { body })).status).toBe(401)
  })
})

describe('guessing', () => {
  test('is limited for each user, and who has codes may spend many', async () => {
    const batch = await someGenerated(shop, admin, { count: 12 })
    const user = await aUser(shop)
    for (const { plain } of batch.codes) expect((await activate(user, plain)).status).toBe(200)
    const { points } = SERVER_LIMITS.rates.activationsPerUser
    for (let guess = 0; guess < points; guess++) expect((await activate(user, `GUESS${guess}`)).status).toBe(404)
    const limited = await activate(user, 'FF-AAAA-CCCC-DDDD-EEEE-FFFF')
    expect([limited.status, Number(limited.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect((await activate(await aUser(shop), 'GUESS')).status).toBe(404)
  })

  test('is not made longer by a code that one owns: looked at between the guesses, or spent', async () => {
    const { points } = SERVER_LIMITS.rates.activationsPerUser
    const { codes } = await someGenerated(shop, admin, { count: points + 1 })
    const [kept, ...spent] = codes.map(({ plain }) => plain)
    const user = await aUser(shop)
    for (let guess = 0; guess < points; guess++) {
      // The code is right and stays unspent, as nobody has this player.
      expect((await activate(user, kept, unknownPlayer)).body.error.code).toBe('PLAYER_NOT_FOUND')
      expect((await activate(user, `GUESS${guess}`)).status).toBe(404)
      if (guess < points - 1) expect((await activate(user, spent[guess])).status).toBe(200)
    }
    expect((await activate(user, 'GUESS')).status).toBe(429)
    expect((await activate(user, kept)).status).toBe(429)
  })

  test('at the same moment is counted before any of it is looked at', async () => {
    const { points } = SERVER_LIMITS.rates.activationsPerUser
    const { codes } = await someGenerated(shop, admin, { count: 1 })
    const user = await aUser(shop)
    const tries = Array.from({ length: 25 }, (_, n) =>
      n % 5 === 0 ? activate(user, codes[0]?.plain, unknownPlayer) : activate(user, `GUESS${n}`),
    )
    const guesses = (await Promise.all(tries)).filter(({ body }) => body.error?.code === 'CODE_NOT_FOUND')
    expect(guesses.length).toBeLessThanOrEqual(points)
  })

  test('is limited for each address, over many users', async () => {
    const { points } = SERVER_LIMITS.rates.activationsPerAddress
    const users = await Promise.all(Array.from({ length: 10 }, () => aUser(shop)))
    for (let guess = 0; guess < points; guess++) {
      expect((await activate(users[guess % 10] as TestUser, `GUESS${guess}`)).status).toBe(404)
    }
    expect((await activate(await aUser(shop), 'GUESS')).status).toBe(429)
  })
})
