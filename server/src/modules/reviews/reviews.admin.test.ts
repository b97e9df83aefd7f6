import { expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { aBoughtItem, aReview, reviewPath, writeReview } from '../../../test/reviews.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop({ RATE_LIMITS: 'on' })
const admin = useUser(shop, { role: 'admin' })

const list = async (query: string) => (await shop.call('GET', `/admin/reviews${query}`, { token: admin.token })).body
const change = (id: number, what: 'answer' | 'hidden', body: object) =>
  shop.call('PUT', `/admin/reviews/${id}/${what}`, { token: admin.token, body })

const shown = async (slug: string) => (await shop.call('GET', `/products/slug/${slug}/reviews`)).body
const rating = async (slug: string) => (await shop.call('GET', `/products/slug/${slug}`)).body.rating

const readAudit = (id: number) =>
  shop.database.rows<{ action: string; actor_id: number; before: unknown; after: unknown }>(sql`
    SELECT action, actor_id, before, after FROM audit_entry WHERE subject = ${`review:${id}`} ORDER BY id`)

test('an operator answers: the answer is shown below the review, and is in the audit trail', async () => {
  const { reviewId: id, offer, orderId, buyer } = await aReview(shop)
  expect((await list(`?filter=waiting&search=${orderId}`)).data).toMatchObject([{ id, answer: null }])
  const answer = await change(id, 'answer', { answer: ' Thank <b>you</b>\u202E ', version: 1 })
  expect(answer.body.data).toMatchObject({
    id,
    text: 'It works',
    nickname: buyer.nickname,
    order_id: orderId,
    answer: 'Thank <b>you</b>',
    answered_by: admin.nickname,
  })
  expect((await shown(offer.slug)).reviews).toMatchObject([
    { answer: 'Thank <b>you</b>', answered_at: expect.any(String) },
  ])
  expect((await list(`?filter=waiting&search=${orderId}`)).total).toBe(0)
  expect(await readAudit(id)).toMatchObject([
    { action: 'review.answer', actor_id: admin.id, before: { answer: null }, after: { answer: 'Thank <b>you</b>' } },
  ])

  const taken = await change(id, 'answer', { answer: '' })
  expect(taken.body.data).toMatchObject({ answer: null, answered_by: null, answered_at: null })
  expect((await change(id, 'answer', { answer: 'x'.repeat(1_001) })).status).toBe(400)
})

test('a review that its buyer changes after the answer waits for one again, with the answer below it', async () => {
  const review = await aReview(shop)
  await change(review.reviewId, 'answer', { answer: 'Thank you' })
  await writeReview(shop, review, { stars: 1, text: 'It does not work' })
  const [row] = (await list(`?filter=waiting&search=${review.orderId}`)).data
  expect(row).toMatchObject({ stars: 1, answer: 'Thank you' })
})

test('a hidden review is read by nobody and counts for nothing, whatever its buyer does; shown again, it does', async () => {
  const { reviewId: id, offer, ...review } = await aReview(shop)
  expect((await change(id, 'hidden', { hidden: true, reason: ' ' })).status).toBe(400)
  const hidden = await change(id, 'hidden', { hidden: true, reason: 'A telephone number', version: 1 })
  expect(hidden.body.data).toMatchObject({ hidden_reason: 'A telephone number', hidden_by: admin.nickname })
  expect(await shown(offer.slug)).toMatchObject({ total: 0, reviews: [] })
  expect(await rating(offer.slug)).toBeNull()

  const changed = await writeReview(shop, { ...review, offer }, { stars: 2, text: 'Call me' })
  expect(changed.body.data.review).toMatchObject({ stars: 2, is_hidden: true })
  expect((await shown(offer.slug)).total).toBe(0)
  await shop.call('DELETE', reviewPath(review), { token: review.buyer.token })
  expect((await list(`?filter=withdrawn&search=${review.orderId}`)).total).toBe(1)
  await writeReview(shop, { ...review, offer }, { stars: 3, text: 'Again' })
  expect((await list(`?filter=hidden&search=${review.orderId}`)).data).toMatchObject([{ id, stars: 3 }])
  expect(await rating(offer.slug)).toBeNull()

  await change(id, 'hidden', { hidden: false, reason: 'It is gone' })
  expect((await shown(offer.slug)).reviews).toMatchObject([{ stars: 3, text: 'Again' }])
  expect(await rating(offer.slug)).toEqual({ average: 3, count: 1 })
  expect(await readAudit(id)).toMatchObject([
    { action: 'review.hide', before: { hidden: false }, after: { hidden: true, reason: 'A telephone number' } },
    { action: 'review.show', before: { hidden: true }, after: { hidden: false, reason: 'It is gone' } },
  ])
})

test('the list is searched by words, product, buyer and order, and filtered by stars', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const [good, bad] = [await aBoughtItem(shop, { offer }), await aBoughtItem(shop, { offer })]
  await writeReview(shop, good, { stars: 5, text: 'Splendid, 100%' })
  await writeReview(shop, bad, { stars: 1, text: 'Dreadful' })
  const stars = async (query: string) => (await list(query)).data.map((row: { stars: number }) => row.stars)
  expect(await stars(`?search=${offer.slug}&sort=stars&order=asc`)).toEqual([1, 5])
  expect(await stars(`?search=${offer.slug}&stars=1`)).toEqual([1])
  expect(await stars('?search=splendid')).toEqual([5])
  expect(await stars('?search=100%25')).toEqual([5])
  expect(await stars(`?search=${bad.buyer.nickname}`)).toContain(1)
  expect(await stars(`?search=${bad.orderId.toLowerCase()}`)).toEqual([1])
})

test('a review that does not exist is not found', async () => {
  expect((await change(999_999_999, 'answer', { answer: 'Hello' })).status).toBe(404)
  expect((await change(999_999_999, 'hidden', { hidden: true, reason: 'x' })).status).toBe(404)
})

test('who floods with changes is slowed down', async () => {
  const item = await aBoughtItem(shop)
  const { points } = SERVER_LIMITS.rates.reviewsPerUser
  const answers = await Promise.all(
    Array.from({ length: points + 5 }, (_, index) => writeReview(shop, item, { stars: 1 + (index % 5) })),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
})
