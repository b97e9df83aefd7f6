import { sharedReceiptsApi } from '@olmos/contract/shared-receipts'
import { expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { aTopupOrder } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { forgetOldShares } from './orders.routes.ts'

const shop = useShop()
const { wrongPins, openings } = SERVER_LIMITS.sharedReceipt

async function buy(buyer: TestUser, offer: TestOffer, quantity = 1): Promise<string> {
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return body.order.id
}

const share = (user: TestUser, id: string, hours = 24) =>
  shop.call('POST', `/orders/${id}/share`, { token: user.token, body: { hours } })
const readShare = async (user: TestUser, id: string) =>
  (await shop.call('GET', `/orders/${id}/share`, { token: user.token })).body.share
const open = (token: string, pin: string) => shop.call('POST', '/shared-receipts', { body: { token, pin } })

const tokenIn = (link: string): string => link.split('#')[1] as string
const otherThan = (pin: string): string => (pin === '000000' ? '000001' : '000000')

/** A buyer with an order of codes, and the link and PIN to it. */
async function aSharedOrder({ codes = 1 } = {}) {
  const buyer = await aUser(shop, { usd: 10_000 })
  const offer = await anOffer(shop, { stock: codes })
  const id = await buy(buyer, offer, codes)
  const { body } = await share(buyer, id)
  return { buyer, offer, id, pin: body.pin as string, token: tokenIn(body.link) }
}

const readReveals = (orderId: string) =>
  shop.database.rows<{ place: string; user_id: number }>(sql`
    SELECT place, code_reveal.user_id FROM code_reveal
    JOIN code_sale USING (code_id) JOIN order_item ON order_item.id = order_item_id
    WHERE order_id = ${orderId} ORDER BY code_reveal.id`)

const passTime = (orderId: string, hours: number) =>
  shop.database.run(sql`
    UPDATE shared_receipt SET expires_at = expires_at - make_interval(hours => ${hours}) WHERE order_id = ${orderId}`)

test('who has the link and its PIN reads the codes, and each time is written down', async () => {
  const { buyer, id, token, pin } = await aSharedOrder({ codes: 2 })
  const own = (await shop.call('GET', `/orders/${id}`, { token: buyer.token })).body
  const opened = await open(token, pin)
  expect(opened.status).toBe(200)
  expect(sharedReceiptsApi.open.answer.parse(opened.body)).toEqual(opened.body)
  expect(opened.body.items).toMatchObject([{ code: own.items[0].code, quantity: 2, withheld_codes: 0, held_codes: 0 }])
  await open(token, pin)
  const ofLink = (await readReveals(id)).filter(({ place }) => place === 'link')
  expect(ofLink).toEqual(Array.from({ length: 4 }, () => ({ place: 'link', user_id: buyer.id })))
  expect(await readShare(buyer, id)).toMatchObject({ openings: 2, opened_at: expect.any(String) })
})

test('nothing about the buyer or the price is in what a friend reads', async () => {
  const { buyer, id, token, pin } = await aSharedOrder()
  const { body } = await open(token, pin)
  const text = JSON.stringify(body)
  for (const secret of [id, buyer.nickname, 'USD', 'total', 'price']) expect(text).not.toContain(secret)
  expect(Object.keys(body.items[0])).not.toContain('amount')
})

test('the database has neither the link nor anything a PIN could be tried on', async () => {
  const { id, token, pin } = await aSharedOrder()
  const row = await shop.database.one<{ text: string }>(
    sql`SELECT to_json(shared_receipt)::text AS text FROM shared_receipt WHERE order_id = ${id}`,
  )
  expect(row.text).not.toContain(token)
  expect(row.text).not.toContain(pin)
})

test('however many guess at once, a link allows a few wrong PINs and then is over', async () => {
  const { buyer, id, token, pin } = await aSharedOrder()
  const answers = await Promise.all(Array.from({ length: 60 }, () => open(token, otherThan(pin))))
  const wrong = answers.filter(({ body }) => body.error.code === 'WRONG_PIN')
  expect(wrong).toHaveLength(wrongPins)
  expect(wrong.map(({ body }) => body.error.details.triesLeft).sort()).toEqual([0, 1, 2, 3, 4])
  expect(answers.filter(({ body }) => body.error.code === 'NOT_FOUND')).toHaveLength(60 - wrongPins)
  expect((await open(token, pin)).status).toBe(404)
  expect(await readShare(buyer, id)).toBeNull()
  expect(await readReveals(id)).toEqual([])
})

test('however many open it at once, a link opens a few times at most', async () => {
  const { id, token, pin } = await aSharedOrder()
  const answers = await Promise.all(Array.from({ length: openings + 20 }, () => open(token, pin)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(openings)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(20)
  expect(await readReveals(id)).toHaveLength(openings)
})

test('a link ends with its time, when its owner ends it, and when the owner makes another', async () => {
  const { buyer, id, token, pin } = await aSharedOrder()
  await passTime(id, 25)
  expect((await open(token, pin)).status).toBe(404)
  expect(await readShare(buyer, id)).toBeNull()

  const second = (await share(buyer, id, 1)).body
  const third = (await share(buyer, id, 168)).body
  expect((await open(tokenIn(second.link), second.pin)).status).toBe(404)
  expect((await open(tokenIn(third.link), third.pin)).status).toBe(200)
  expect((await shop.call('DELETE', `/orders/${id}/share`, { token: buyer.token })).status).toBe(204)
  expect((await open(tokenIn(third.link), third.pin)).status).toBe(404)
})

test('links that were over long ago are forgotten, and what was shown past them is not', async () => {
  const { id, token, pin } = await aSharedOrder()
  await open(token, pin)
  await forgetOldShares(shop.database)
  const count = () => shop.database.rows(sql`SELECT FROM shared_receipt WHERE order_id = ${id}`)
  expect(await count()).toHaveLength(1)
  await passTime(id, 24 * (SERVER_LIMITS.sharedReceipt.forgottenDays + 2))
  await forgetOldShares(shop.database)
  expect(await count()).toHaveLength(0)
  expect(await readReveals(id)).toHaveLength(1)
})

test('nobody shares the order of somebody else, or looks whether it is shared', async () => {
  const { buyer, id, token, pin } = await aSharedOrder()
  const stranger = await aUser(shop)
  expect((await share(stranger, id)).status).toBe(404)
  expect((await shop.call('GET', `/orders/${id}/share`, { token: stranger.token })).status).toBe(404)
  expect((await shop.call('DELETE', `/orders/${id}/share`, { token: stranger.token })).status).toBe(404)
  expect((await open(token, pin)).status).toBe(200)
  expect(await readShare(buyer, id)).not.toBeNull()
})

test('an order without delivered codes has nothing to share', async () => {
  const { orderId, buyer } = await aTopupOrder(shop)
  const answer = await share(buyer, orderId)
  expect([answer.status, answer.body.error]).toMatchObject([
    409,
    { code: 'STATE_CONFLICT', details: { reason: 'no_codes_to_share' } },
  ])
})

test('a code that was given up with a refund is not in the link, nor is any of who is blocked', async () => {
  const admin = await aUser(shop, { role: 'admin' })
  const refunded = await aSharedOrder()
  const body = { reason: 'late' }
  await shop.call('POST', `/admin/orders/${refunded.id}/refund`, { token: admin.token, body })
  expect((await open(refunded.token, refunded.pin)).body.items).toMatchObject([{ code: null }])

  const blocked = await aSharedOrder()
  const path = `/admin/users/${blocked.buyer.id}/blocked`
  await shop.call('PUT', path, { token: admin.token, body: { blocked: true } })
  expect((await open(blocked.token, blocked.pin)).status).toBe(404)
})

test('what the buyer may not see before a dispute is over, a friend may not either', async () => {
  const { buyer, id, token, pin } = await aSharedOrder()
  await shop.database.run(sql`UPDATE users SET held_since = now() WHERE id = ${buyer.id}`)
  expect((await open(token, pin)).body.items).toMatchObject([{ code: null, held_codes: 1 }])
  expect(await readReveals(id)).toEqual([])
})

test('a code of a batch that is recalled counts as seen once a friend has read it', async () => {
  const seen = await aSharedOrder()
  await open(seen.token, seen.pin)
  const unseen = await aSharedOrder()
  const admin = await aUser(shop, { role: 'admin' })
  for (const { offer } of [seen, unseen]) {
    const { id } = await shop.database.one<{ id: number }>(
      sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${offer.id}`,
    )
    const body = { reason: 'bad codes' }
    await shop.call('POST', `/admin/code-batches/${id}/recall`, { token: admin.token, body })
  }
  expect((await open(seen.token, seen.pin)).body.items[0]).toMatchObject({
    code: expect.any(String),
    withheld_codes: 0,
  })
  expect((await open(unseen.token, unseen.pin)).body.items[0]).toMatchObject({ code: null, withheld_codes: 1 })
})
