import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aCardOrder, expectSound, fillCart, sandboxSecret, sendWebhook, toWebhook } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer } from '../../../test/factories.ts'
import { aPool, someGenerated } from '../../../test/game-codes.ts'
import { hear } from '../../../test/heard.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { sellByExpiry, warnOfExpiry, withdrawExpired } from './purchases.ts'
import { takePoolCode } from './spend-codes.ts'

const shop = useShop({ TIMEZONE: 'Asia/Tashkent', SANDBOX_SECRET: sandboxSecret, PAYMENT_PROVIDERS: 'sandbox' })
const admin = useUser(shop, { role: 'admin' })
afterEach(() => expectSound(shop))

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  shop.call(method, `/admin${path}`, { token: admin.token, ...(body && { body }) })

const toBatch = async (offerId: number): Promise<number> =>
  (await shop.database.one<{ id: number }>(sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${offerId}`)).id

/** Lets a batch expire at this moment. */
const expire = (batchId: number) =>
  shop.database.run(sql`
    UPDATE code_batch SET expires_on = current_date - 1, sold_until = now() - interval '1 second' WHERE id = ${batchId}`)

async function buy(offer: TestOffer, quantity = 1) {
  const buyer = await aUser(shop, { usd: 10_000 })
  await fillCart(shop, buyer, offer, quantity)
  const answer = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return { buyer, orderId: answer.body.order?.id as string, code: answer.body.error?.code }
}

const statuses = async (offerId: number) =>
  (
    await shop.database.rows<{ status: string }>(
      sql`SELECT status FROM code WHERE offer_id = ${offerId} ORDER BY status`,
    )
  ).map(({ status }) => status)

test('codes are sold until their day is over where the shop is', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const id = await toBatch(offer.id)
  await ask('PUT', `/code-batches/${id}`, { expires_on: '2031-05-09' })
  const batch = await shop.database.one<{ sold_until: Date }>(sql`SELECT sold_until FROM code_batch WHERE id = ${id}`)
  expect(batch.sold_until.toISOString()).toBe('2031-05-09T19:00:00.000Z')
})

test('an expired code is not sold, also before it is off sale, and other codes of the package are', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  await expire(await toBatch(offer.id))
  expect((await buy(offer)).code).toBe('OUT_OF_STOCK')
  await ask('POST', '/codes/bulk', { productId: offer.productId, lines: ['EXPIRY-GOOD-1,1,80,100'] })
  expect((await buy(offer)).code).toBeUndefined()
  expect((await buy(offer)).code).toBe('OUT_OF_STOCK')
  expect(await statuses(offer.id)).toEqual(['available', 'available', 'used'])
})

test('an expired code is not reserved for a card, nor taken out of the pool, nor given for a bad one', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const sold = await buy(offer)
  await expire(await toBatch(offer.id))
  const buyer = await aUser(shop)
  await fillCart(shop, buyer, offer)
  const body = { amount: 1, currency: 'USD', type: 'order' }
  const pressed = await shop.call('POST', '/payment/create', { token: buyer.token, body })
  expect(pressed.body.error.code).toBe('OUT_OF_STOCK')
  const [{ id }] = (await ask('GET', `/orders/${sold.orderId}`)).body.data.items[0].codes
  const replaced = await ask('POST', `/orders/${sold.orderId}/codes/${id}/replace`, { reason: 'bad' })
  expect(replaced.body.error.code).toBe('OUT_OF_STOCK')

  const { denominationId, ids } = await aPool(shop, admin, 1)
  await expire(await toBatch(denominationId))
  const item = await shop.database.one<{ id: number }>(sql`SELECT max(id) AS id FROM order_item`)
  const taken = await shop.database.transaction((tx) => takePoolCode(tx, { itemId: item.id, offerId: denominationId }))
  expect([ids.length, taken]).toEqual([1, undefined])
})

test('a code that expired while its order waited for money is exchanged for another', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const order = await aCardOrder(shop, { offer })
  await expire(await toBatch(offer.id))
  await ask('POST', '/codes/bulk', { productId: offer.productId, lines: ['EXPIRY-OTHER-1,1,80,100'] })
  await sendWebhook(shop, toWebhook(order))
  expect(await statuses(offer.id)).toEqual(['archived', 'used'])
  const { data } = (await ask('GET', `/orders/${order.orderId}`)).body
  expect([data.status, data.items[0].codes.length]).toEqual(['completed', 1])
})

test('what is left of an expired batch goes off sale, and what comes back of it too', async () => {
  const offer = await anOffer(shop, { stock: 3 })
  const { orderId } = await buy(offer)
  const id = await toBatch(offer.id)
  await expire(id)
  await withdrawExpired(shop)
  expect(await statuses(offer.id)).toEqual(['archived', 'archived', 'used'])
  const shelf = await shop.call('GET', `/products/${offer.productId}/codes/0`)
  expect(shelf.body.map((row: { available_count: number }) => row.available_count)).toEqual([0])
  await ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'a test' })
  expect(await statuses(offer.id)).toEqual(['archived', 'archived', 'archived'])
  const continued = await ask('POST', '/codes/bulk', {
    productId: offer.productId,
    lines: ['EXPIRY-LATE-1,1,80,100'],
    batchId: id,
  })
  expect(continued.body.error.code).toBe('NOT_FOUND')
})

test('an archived code that nobody saw can be imported again with a later day', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  await expire(await toBatch(offer.id))
  await withdrawExpired(shop)
  const line = `${offer.codes[0]},1,80,100`
  const again = await ask('POST', '/codes/bulk', {
    productId: offer.productId,
    lines: [line],
    bought: { expires_on: '2099-01-01' },
  })
  expect(again.body.added).toBe(1)
  expect((await buy(offer)).code).toBeUndefined()
})

describe('after the day of an import is corrected to a later one', () => {
  const correct = async (batchId: number) => {
    expect((await ask('PUT', `/code-batches/${batchId}`, { expires_on: '2031-05-09' })).status).toBe(200)
    await sellByExpiry(shop)
    expect(await shop.database.rows(sql`SELECT FROM code_batch WHERE NOT is_shelved`)).toEqual([])
  }

  test('what only the day took off sale is in stock again, and what was archived by hand is not', async () => {
    const offer = await anOffer(shop, { stock: 4 })
    const id = await toBatch(offer.id)
    const { orderId } = await buy(offer)
    const code = await shop.database.one<{ id: number }>(
      sql`SELECT max(id) AS id FROM code WHERE offer_id = ${offer.id} AND status = 'available'`,
    )
    expect((await ask('PUT', `/codes/${code.id}`, { status: 'archived' })).status).toBe(200)
    await expire(id)
    await withdrawExpired(shop)
    await ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'a test' })
    expect(await statuses(offer.id)).toEqual(['archived', 'archived', 'archived', 'archived'])
    const payloads = await hear(shop.config.databaseUrl, 'catalogue', shop.log)
    await correct(id)
    expect(await statuses(offer.id)).toEqual(['archived', 'available', 'available', 'available'])
    await expect.poll(() => payloads, { timeout: 30_000 }).toContain(`product:${offer.productId}`)
    const shelf = await shop.call('GET', `/products/${offer.productId}/codes/0`)
    expect(shelf.body.map((row: { available_count: number }) => row.available_count)).toEqual([3])
    expect((await buy(offer, 3)).code).toBeUndefined()
  })

  test('so is a code that expired while its order waited for money', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const id = await toBatch(offer.id)
    const order = await aCardOrder(shop, { offer })
    await expire(id)
    await ask('POST', '/codes/bulk', { productId: offer.productId, lines: ['EXPIRY-OTHER-2,1,80,100'] })
    await sendWebhook(shop, toWebhook(order))
    await withdrawExpired(shop)
    await correct(id)
    expect(await statuses(offer.id)).toEqual(['available', 'used'])
  })

  test('generated codes are published again, except what was unpublished by hand', async () => {
    const { batchId, offerId, codes } = await someGenerated(shop, admin, { count: 2 })
    expect((await ask('PUT', `/generated-codes/${codes[0]?.id}`, { published: false })).status).toBe(200)
    await expire(batchId)
    await withdrawExpired(shop)
    expect(await statuses(offerId)).toEqual(['unpublished', 'unpublished'])
    await correct(batchId)
    expect(await statuses(offerId)).toEqual(['available', 'unpublished'])
  })

  test('what somebody has seen, who may have given it away, is not', async () => {
    const { batchId, offerId, codes } = await someGenerated(shop, admin, { count: 2 })
    await expire(batchId)
    await withdrawExpired(shop)
    await ask('POST', '/generated-codes/copy', { filter: { ids: [codes[0]?.id] } })
    await correct(batchId)
    expect(await statuses(offerId)).toEqual(['available', 'unpublished'])
  })

  test('what was recalled, and what is marked as bad meanwhile and archived, is not for sale', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const id = await toBatch(offer.id)
    await expire(id)
    await withdrawExpired(shop)
    await ask('POST', `/code-batches/${id}/recall`, { reason: 'a test' })
    await correct(id)
    expect(await statuses(offer.id)).toEqual(['quarantined'])

    const { denominationId, ids } = await aPool(shop, admin, 2)
    const batchId = await toBatch(denominationId)
    await expire(batchId)
    await withdrawExpired(shop)
    for (const status of ['error', 'archived'])
      await shop.call('PUT', `/pubg-admin/codes/${ids[0]}`, { token: admin.token, body: { status } })
    await correct(batchId)
    expect(await statuses(denominationId)).toEqual(['archived', 'available'])
  })
})

describe('after the time zone of the shop is corrected', () => {
  const choose = async (time_zone: string | null) => expect((await ask('PUT', '/shop', { time_zone })).status).toBe(200)

  /** Gives a batch a last day that is over where days end first, by half an hour at least, and not where they end last. */
  const endFirst = async (batchId: number): Promise<string> => {
    const { day } = await shop.database.one<{ day: string }>(sql`
      UPDATE code_batch SET expires_on = day, sold_until = (day + 1)::timestamp AT TIME ZONE 'Pacific/Kiritimati'
      FROM (SELECT ((now() + interval '30 minutes') AT TIME ZONE 'Pacific/Pago_Pago')::date AS day) AS today
      WHERE id = ${batchId} RETURNING day::text`)
    return day
  }

  test('the day of an import that is saved again ends in the new one, for what is off sale and for what is in stock', async () => {
    onTestFinished(() => choose(null))
    await choose('Pacific/Kiritimati')
    const offer = await anOffer(shop, { stock: 3 })
    const id = await toBatch(offer.id)
    const code = await shop.database.one<{ id: number }>(sql`SELECT max(id) AS id FROM code WHERE batch_id = ${id}`)
    expect((await ask('PUT', `/codes/${code.id}`, { status: 'archived' })).status).toBe(200)
    const expires_on = await endFirst(id)
    const saveAgain = async () =>
      expect((await ask('PUT', `/code-batches/${id}`, { expires_on })).body.data.expires_on).toBe(expires_on)
    await withdrawExpired(shop)
    await sellByExpiry(shop)
    await choose('Pacific/Pago_Pago')
    await sellByExpiry(shop)
    expect(await statuses(offer.id)).toEqual(['archived', 'archived', 'archived'])
    await saveAgain()
    await sellByExpiry(shop)
    expect(await statuses(offer.id)).toEqual(['archived', 'available', 'available'])
    expect((await buy(offer)).code).toBeUndefined()
    await choose('Pacific/Kiritimati')
    await saveAgain()
    expect((await buy(offer)).code).toBe('OUT_OF_STOCK')
    await withdrawExpired(shop)
    expect(await statuses(offer.id)).toEqual(['archived', 'archived', 'used'])
  })
})

test('while 20 buy and a batch expires, each code is sold or off sale, and none both', async () => {
  const offer = await anOffer(shop, { stock: 20 })
  const id = await toBatch(offer.id)
  const buyers = [...Array(20)].map(() => buy(offer))
  await expire(id)
  await Promise.all([withdrawExpired(shop), withdrawExpired(shop), ...buyers])
  await withdrawExpired(shop)
  const sold = (await Promise.all(buyers)).filter(({ code }) => code === undefined)
  const all = await statuses(offer.id)
  expect(all.filter((status) => status === 'used')).toHaveLength(sold.length)
  expect(all.filter((status) => status === 'archived')).toHaveLength(20 - sold.length)
})

test('operators are alerted of codes that expire soon, and no longer once they are sold', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const id = await toBatch(offer.id)
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await ask('PUT', `/code-batches/${id}`, { expires_on: soon })
  const readAlerts = () =>
    shop.database.rows<{ details: object; is_open: boolean }>(sql`
      SELECT details, resolved_at IS NULL AS is_open FROM alert WHERE subject = ${`batch:${id}`}`)
  await warnOfExpiry(shop)
  await warnOfExpiry(shop)
  expect(await readAlerts()).toEqual([
    { details: { product: expect.any(String), expires_on: soon, codes: 2 }, is_open: true },
  ])
  await buy(offer, 2)
  await warnOfExpiry(shop)
  expect(await readAlerts()).toMatchObject([{ is_open: false }])
  const far = await anOffer(shop, { stock: 1 })
  await ask('PUT', `/code-batches/${await toBatch(far.id)}`, { expires_on: '2099-01-01' })
  await warnOfExpiry(shop)
  const open = await shop.database.rows(sql`SELECT FROM alert WHERE kind = 'codes.expiring' AND resolved_at IS NULL`)
  expect(open).toEqual([])
})

/** Imports codes of a package that expire on a day, or never; their names tell which. */
async function stockUntil(offer: TestOffer, name: string, expires_on: string | undefined, count = 1): Promise<number> {
  const rows = [...Array(count)].map((_, n) => ({ line: n + 1, code: `${name}-${offer.id}-${n}`, gameAmount: 100 }))
  const bought = expires_on ? { bought: { expires_on } } : {}
  const { body } = await ask('POST', '/codes/bulk', { productId: offer.productId, rows, ...bought })
  expect(body.added).toBe(count)
  return body.batch_id
}

/** Buys codes one by one, and says by their names which they were. */
async function buyInTurn(offer: TestOffer, count: number): Promise<string[]> {
  const names: string[] = []
  for (let bought = 0; bought < count; bought++) {
    const { buyer, orderId } = await buy(offer)
    const receipt = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
    names.push(receipt.body.items[0].codes[0].split('-')[0])
  }
  return names
}

describe('what expires sooner is sold sooner', () => {
  test('whenever it was imported, and what never expires at last', async () => {
    const offer = await anOffer(shop)
    await stockUntil(offer, 'never', undefined)
    await stockUntil(offer, 'late', '2099-01-01')
    await stockUntil(offer, 'soon', '2031-05-09', 2)
    await stockUntil(offer, 'next', '2031-05-10')
    await stockUntil(offer, 'after', undefined)
    expect(await buyInTurn(offer, 6)).toEqual(['soon', 'soon', 'next', 'late', 'never', 'after'])
  })

  test('also where it is reserved, and for what is written without a place', async () => {
    const offer = await anOffer(shop)
    const never = await stockUntil(offer, 'never', undefined)
    const batchId = await stockUntil(offer, 'soon', '2031-05-09')
    const shelf = await shop.database.rows<{ batch_id: number }>(
      sql`SELECT batch_id FROM code WHERE offer_id = ${offer.id} ORDER BY shelf`,
    )
    expect(shelf.map((code) => code.batch_id)).toEqual([batchId, never])
    // As a program of the version before writes it.
    const { place } = await shop.database.one<{ place: boolean }>(sql`
      WITH old AS (
        INSERT INTO code (id, offer_id, batch_id, status, key_id, ciphertext, fingerprint)
        SELECT nextval('code_id'), offer_id, batch_id, 'archived', key_id, ciphertext, '\\x01' FROM code
        WHERE batch_id = ${batchId} RETURNING id, shelf)
      SELECT shelf = shelf_place(id, '2031-05-09') AS place FROM old`)
    expect(place).toBe(true)
    const order = await aCardOrder(shop, { offer })
    const [reserved] = await shop.database.rows<{ batch_id: number }>(
      sql`SELECT batch_id FROM code WHERE offer_id = ${offer.id} AND status = 'reserved'`,
    )
    expect([order.orderId !== '', reserved?.batch_id]).toEqual([true, batchId])
  })

  test('also after the day of a batch was changed, or is known no more', async () => {
    const offer = await anOffer(shop)
    const [first, second, third] = [
      await stockUntil(offer, 'first', '2031-05-09'),
      await stockUntil(offer, 'second', '2031-05-10'),
      await stockUntil(offer, 'third', undefined),
    ]
    await ask('PUT', `/code-batches/${third}`, { expires_on: '2031-05-01' })
    await ask('PUT', `/code-batches/${second}`, { expires_on: '2031-05-08' })
    await ask('PUT', `/code-batches/${first}`, { expires_on: null })
    await Promise.all([sellByExpiry(shop), sellByExpiry(shop)])
    await sellByExpiry(shop)
    expect(await shop.database.rows(sql`SELECT FROM code_batch WHERE NOT is_shelved`)).toEqual([])
    expect(await buyInTurn(offer, 3)).toEqual(['third', 'second', 'first'])
  })

  test.each([
    ['500 codes of a sold-out import', 600, [], 2],
    ['500 codes of which one is left', 600, [499, 500, 600], 3],
    ['a quarter of what is left', 8, [1, 2, 3, 4, 5, 6, 7, 8], 4],
  ])('after a change of the day %s are moved at once', async (_which, count, left, times) => {
    const offer = await anOffer(shop)
    const batchId = await stockUntil(offer, 'some', '2031-05-09', count)
    await shop.database.run(sql`
      UPDATE code SET status = 'archived' FROM (
        SELECT id, row_number() OVER (ORDER BY id) AS nth FROM code WHERE batch_id = ${batchId}) AS counted
      WHERE code.id = counted.id AND nth <> ALL (${left}::int[])`)
    await ask('PUT', `/code-batches/${batchId}`, { expires_on: '2031-05-10' })
    const transactions = vi.spyOn(shop.database, 'transaction')
    onTestFinished(() => transactions.mockRestore())
    await sellByExpiry(shop)
    // The last one finds nothing more.
    expect(transactions).toHaveBeenCalledTimes(times + 1)
    expect(await shop.database.rows(sql`SELECT FROM code_batch WHERE NOT is_shelved`)).toEqual([])
  })

  test('and while codes are moved, 20 who buy find some: each code is sold once', async () => {
    const offer = await anOffer(shop)
    const batch = await stockUntil(offer, 'many', '2031-05-09', 60)
    const buyers = [...Array(20)].map(() => buy(offer))
    for (const day of ['2031-06-01', '2031-04-01', '2031-07-01']) {
      await ask('PUT', `/code-batches/${batch}`, { expires_on: day })
      await Promise.all([sellByExpiry(shop), sellByExpiry(shop)])
    }
    const bought = await Promise.all(buyers)
    expect(bought.map(({ code }) => code).filter((code) => code !== undefined)).toEqual([])
    await sellByExpiry(shop)
    const all = await shop.database.rows<{ status: string; is_placed: boolean }>(sql`
      SELECT status, shelf = shelf_place(id, '2031-07-01') AS is_placed FROM code WHERE offer_id = ${offer.id}`)
    expect(all.filter(({ status }) => status === 'used')).toHaveLength(20)
    expect(all.every(({ is_placed }) => is_placed)).toBe(true)
  })
})
