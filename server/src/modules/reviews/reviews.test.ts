import { expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer } from '../../../test/factories.ts'
import { aBoughtItem, aReview, reviewPath, writeReview } from '../../../test/reviews.ts'
import { aTopupOrder } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const asAdmin = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, body })

const readShown = async ({ slug }: TestOffer, query = '') =>
  (await shop.call('GET', `/products/slug/${slug}/reviews${query}`)).body

const readRating = async ({ slug }: TestOffer) => (await shop.call('GET', `/products/slug/${slug}`)).body.rating

const readOwn = async ({ orderId, buyer }: { orderId: string; buyer: { token: string } }) =>
  (await shop.call('GET', `/orders/${orderId}/reviews`, { token: buyer.token })).body.data

/** The kept sums, and those of the rows. */
const readSums = (offer: TestOffer) =>
  shop.database.one<{ kept: number[] | null; counted: number[] }>(sql`
    SELECT (SELECT ARRAY[reviews, stars::int] FROM product_rating WHERE product_id = ${offer.productId}) AS kept,
      (SELECT ARRAY[count(*)::int, coalesce(sum(stars), 0)::int] FROM review
        WHERE product_id = ${offer.productId} AND hidden_at IS NULL AND withdrawn_at IS NULL) AS counted`)

async function someBuyers(count: number) {
  const offer = await anOffer(shop, { stock: count })
  const items = []
  for (let index = 0; index < count; index++) items.push(await aBoughtItem(shop, { offer }))
  return { offer, items }
}

test('a buyer reviews what was delivered: everybody reads it, with the beginning of the nickname', async () => {
  const item = await aBoughtItem(shop)
  expect(await readRating(item.offer)).toBeNull()
  expect(await readOwn(item)).toEqual([{ item_id: item.itemId, can_write: true, review: null }])
  const answer = await writeReview(shop, item, { stars: 4, text: ' Came at once.\nThanks ' })
  expect(answer.status).toBe(200)
  const own = { stars: 4, text: 'Came at once.\nThanks', changed_at: null, is_hidden: false, answer: null }
  expect(answer.body.data).toMatchObject({ item_id: item.itemId, can_write: true, review: own })
  expect(await readOwn(item)).toEqual([answer.body.data])
  const shown = await readShown(item.offer)
  expect(shown).toMatchObject({ total: 1, reviews: [{ stars: 4, text: own.text, author: 'us…' }] })
  expect(JSON.stringify(shown)).not.toContain(item.buyer.nickname)
  expect(await readRating(item.offer)).toEqual({ average: 4, count: 1 })
  const listed = (await shop.call('GET', '/products')).body
  expect(listed.find(({ slug }: TestOffer) => slug === item.offer.slug).rating).toEqual({ average: 4, count: 1 })
})

test('the average has one decimal', async () => {
  const { offer, items } = await someBuyers(3)
  for (const [index, item] of items.entries()) await writeReview(shop, item, { stars: index === 0 ? 4 : 5 })
  expect(await readRating(offer)).toEqual({ average: 4.7, count: 3 })
})

test('24 presses at once make one review', async () => {
  const item = await aBoughtItem(shop)
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => writeReview(shop, item, { stars: 1 + (index % 5) })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect((await readShown(item.offer)).reviews).toHaveLength(1)
  const { kept, counted } = await readSums(item.offer)
  expect(kept).toEqual(counted)
})

test('an equal press changes nothing', async () => {
  const item = await aReview(shop)
  const [before] = await readOwn(item)
  expect((await writeReview(shop, item)).body.data).toEqual(before)
  expect(before.review.changed_at).toBeNull()
})

test('50 buyers at once keep the sum exact, also while operators hide and buyers change and withdraw', async () => {
  const { offer, items } = await someBuyers(50)
  const answers = await Promise.all(items.map((item, index) => writeReview(shop, item, { stars: 1 + (index % 5) })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(await readSums(offer)).toEqual({ kept: [50, 150], counted: [50, 150] })

  const ids = await shop.database.rows<{ id: number }>(
    sql`SELECT id FROM review WHERE product_id = ${offer.productId} ORDER BY id`,
  )
  const moves = items.flatMap((item, index) => [
    writeReview(shop, item, { stars: 5 - (index % 5), text: 'Changed' }),
    index % 2 === 0 && shop.call('DELETE', reviewPath(item), { token: item.buyer.token }),
    asAdmin('PUT', `/admin/reviews/${ids[index]?.id}/hidden`, { hidden: true, reason: 'A test' }),
    index % 3 === 0 && asAdmin('PUT', `/admin/reviews/${ids[index]?.id}/hidden`, { hidden: false, reason: 'A test' }),
  ])
  const moved = await Promise.all(moves)
  expect(moved.filter((answer) => answer && answer.status >= 500)).toEqual([])
  const { kept, counted } = await readSums(offer)
  expect(kept).toEqual(counted)
})

test('nobody reviews a line of somebody else, nor one that is in another order', async () => {
  const [item, other] = [await aBoughtItem(shop), await aBoughtItem(shop)]
  expect((await writeReview(shop, { ...item, buyer: other.buyer })).status).toBe(404)
  expect((await writeReview(shop, { ...item, itemId: other.itemId })).status).toBe(404)
  expect((await writeReview(shop, { ...other, itemId: item.itemId })).status).toBe(404)
  expect((await writeReview(shop, { ...item, orderId: 'NONSENSE' })).status).toBe(404)
  const stranger = await shop.call('GET', `/orders/${item.orderId}/reviews`, { token: other.buyer.token })
  expect(stranger.status).toBe(404)
  const { total } = await readShown(item.offer)
  expect(total).toBe(0)
})

test('what is not delivered yet is not reviewed', async () => {
  const { orderId, buyer } = await aTopupOrder(shop)
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId}`)
  const answer = await shop.call('PUT', reviewPath({ orderId, itemId: id }), {
    token: buyer.token,
    body: { stars: 1 },
  })
  expect(answer.body.error).toMatchObject({
    code: 'STATE_CONFLICT',
    details: { reason: 'review_not_delivered', status: 'pending' },
  })
  expect(await readOwn({ orderId, buyer })).toEqual([])
})

test('what was refunded is not reviewed; a review from before stays, and can only be withdrawn', async () => {
  const { offer, items } = await someBuyers(2)
  const [item, silent] = items as [(typeof items)[0], (typeof items)[0]]
  await writeReview(shop, item, { stars: 1, text: 'It was used' })
  for (const { orderId } of items) {
    expect((await asAdmin('POST', `/admin/orders/${orderId}/refund`, { reason: 'bad code' })).status).toBe(200)
  }
  const late = await writeReview(shop, silent)
  expect(late.body.error.details).toEqual({ reason: 'review_not_delivered', status: 'refunded' })
  expect((await writeReview(shop, item, { stars: 5 })).status).toBe(409)
  expect(await readRating(offer)).toEqual({ average: 1, count: 1 })
  expect((await shop.call('DELETE', reviewPath(item), { token: item.buyer.token })).status).toBe(204)
  expect(await readRating(offer)).toBeNull()
})

test('a refund and a review at the same moment: one of them is first, and the sum is exact', async () => {
  const { offer, items } = await someBuyers(20)
  const answers = await Promise.all(
    items.flatMap((item) => [
      writeReview(shop, item, { stars: 2 }),
      asAdmin('POST', `/admin/orders/${item.orderId}/refund`, { reason: 'bad code' }),
    ]),
  )
  const reviewed = answers.filter((_, index) => index % 2 === 0)
  expect(reviewed.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  expect(answers.filter((_, index) => index % 2 === 1).every(({ status }) => status === 200)).toBe(true)
  const written = reviewed.filter(({ status }) => status === 200).length
  const { kept, counted } = await readSums(offer)
  expect(counted).toEqual([written, 2 * written])
  expect(kept ?? [0, 0]).toEqual(counted)
})

test('the pages of the product are renewed with every change of a review', async () => {
  const item = await aBoughtItem(shop)
  const renewed: string[] = []
  shop.database.onOwnNotification({ catalogue: (subject) => void renewed.push(String(subject)) })
  await writeReview(shop, item)
  await writeReview(shop, item)
  await writeReview(shop, item, { stars: 1 })
  await shop.call('DELETE', reviewPath(item), { token: item.buyer.token })
  shop.database.onOwnNotification({})
  expect(renewed.filter((subject) => subject === `product:${item.offer.productId}`)).toHaveLength(3)
})

test('a review is changed and withdrawn for 30 days, and stays as it is after that', async () => {
  const item = await aReview(shop)
  const changed = (await writeReview(shop, item, { stars: 2 })).body.data.review
  expect(changed).toMatchObject({ stars: 2, text: '', changed_at: expect.any(String) })
  expect((await readShown(item.offer)).reviews).toMatchObject([{ stars: 2, text: '' }])
  await shop.database.run(
    sql`UPDATE review SET created_at = created_at - interval '30 days' WHERE id = ${item.reviewId}`,
  )
  const late = await writeReview(shop, item, { stars: 1 })
  expect(late.body.error.details).toEqual({ reason: 'review_closed', days: 30 })
  expect((await shop.call('DELETE', reviewPath(item), { token: item.buyer.token })).status).toBe(409)
  expect(await readOwn(item)).toMatchObject([{ can_write: false, review: { stars: 2 } }])
})

test('a review that was withdrawn is gone with its words, and can be written again', async () => {
  const item = await aReview(shop)
  const withdraw = () => shop.call('DELETE', reviewPath(item), { token: item.buyer.token })
  expect((await withdraw()).status).toBe(204)
  expect((await withdraw()).status).toBe(404)
  expect(await readShown(item.offer)).toMatchObject({ total: 0, reviews: [] })
  expect(await readRating(item.offer)).toBeNull()
  const { text } = await shop.database.one<{ text: string }>(sql`SELECT text FROM review WHERE id = ${item.reviewId}`)
  expect(text).toBe('')
  expect(await readOwn(item)).toMatchObject([{ can_write: true, review: null }])
  expect((await writeReview(shop, item, { stars: 3 })).status).toBe(200)
  expect(await readRating(item.offer)).toEqual({ average: 3, count: 1 })
})

test.each([
  ['no star', { stars: 0 }, { stars: 'invalid_stars' }],
  ['six stars', { stars: 6 }, { stars: 'invalid_stars' }],
  ['half a star', { stars: 2.5 }, { stars: 'invalid_stars' }],
  ['10,000 characters', { stars: 5, text: 'x'.repeat(10_000) }, { text: 'too_long' }],
  ['what PostgreSQL can’t store', { stars: 5, text: 'a\u0000b' }, { text: 'invalid_text' }],
])('%s is refused at its field', async (_name, body, details) => {
  const answer = await writeReview(shop, await aBoughtItem(shop), body)
  expect([answer.status, answer.body.error.details]).toEqual([400, details])
})

test.each([
  ['a right-to-left override', 'good \u202Eedoc\u202C', 'good edoc'],
  ['zero-width characters', 'ad\u200Bmin\uFEFF\u2060\u00AD', 'admin'],
  ['fillers alone', '\u3164\u200D\uFE0F', ''],
  ['towers of accents', `Z${'\u0301'.repeat(50)}`, `Z${'\u0301'.repeat(3)}`],
  ['empty lines', 'a\r\n\r\n\r\n\r\nb\u2028c', 'a\n\nb\nc'],
  ['an emoji in colour', 'ok ❤️', 'ok ❤️'],
  ['HTML', '<script>alert(1)</script> <a href="https://x.example">x</a>', undefined],
  ['Cyrillic and Uzbek letters', 'Ёқди, oʻyin зўр', undefined],
])('%s in a text: it is kept as it can be shown', async (_name, text, kept) => {
  const item = await aBoughtItem(shop)
  await writeReview(shop, item, { stars: 5, text })
  expect((await readShown(item.offer)).reviews).toMatchObject([{ text: kept ?? text }])
})

test('pages hold ten, newest first, and a page beyond the last is empty', async () => {
  const { offer, items } = await someBuyers(12)
  for (const [index, item] of items.entries()) await writeReview(shop, item, { stars: 5, text: `number ${index}` })
  const texts = async (query: string) =>
    (await readShown(offer, query)).reviews.map(({ text }: { text: string }) => text)
  expect(await texts('')).toEqual(Array.from({ length: 10 }, (_, index) => `number ${11 - index}`))
  expect(await texts('?page=2')).toEqual(['number 1', 'number 0'])
  expect(await texts('?page=999999')).toEqual([])
  expect(await readShown(offer, '?page=2')).toMatchObject({ total: 12, page_size: 10 })
})

test('reviews of a product that was deleted stay with the operators, and its page is gone', async () => {
  const item = await aReview(shop)
  await shop.database.run(sql`UPDATE product SET deleted_at = now() WHERE id = ${item.offer.productId}`)
  expect((await shop.call('GET', `/products/slug/${item.offer.slug}/reviews`)).status).toBe(404)
  const { data } = (await asAdmin('GET', `/admin/reviews?search=${item.orderId}`)).body
  expect(data).toMatchObject([{ id: item.reviewId, product: { slug: item.offer.slug, is_deleted: true } }])
  expect((await writeReview(shop, item, { stars: 1 })).status).toBe(200)
})

test('nobody writes a review without being logged in', async () => {
  const item = await aBoughtItem(shop)
  expect((await shop.call('PUT', reviewPath(item), { body: { stars: 5 } })).status).toBe(401)
  const other = await aUser(shop)
  expect((await shop.call('DELETE', reviewPath(item), { token: other.token })).status).toBe(404)
})
