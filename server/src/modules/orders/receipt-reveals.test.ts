import { expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()

async function aReceipt(codes: number) {
  const offer = await anOffer(shop, { stock: codes })
  const buyer = await aUser(shop, { usd: codes * offer.priceUsd })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, codes) })
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return { offer, buyer, id: body.order.id as string }
}

const read = (by: TestUser, id: string) => shop.call('GET', `/orders/${id}`, { token: by.token })

const countReveals = async (offerId: number): Promise<number> => {
  const { reveals } = await shop.database.one<{ reveals: number }>(sql`
    SELECT count(*)::int AS reveals FROM code_reveal JOIN code ON code.id = code_id WHERE offer_id = ${offerId}`)
  return reveals
}

/** Moves every reveal so many hours into the past. */
const passHours = (hours: number) =>
  shop.database.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL session_replication_role = 'replica'`)
    await tx.run(sql`
      UPDATE code_reveal SET created_at = created_at - make_interval(hours => ${hours}),
        hour = hour - make_interval(hours => ${hours})`)
  })

test('reading a receipt of many codes 40 times an hour writes down once who saw them', async () => {
  const { offer, buyer, id } = await aReceipt(200)
  for (let round = 0; round < 40; round++) {
    const answer = await read(buyer, id)
    expect(answer.body.items[0].code.split('\n')).toHaveLength(200)
  }
  // A new hour may have begun meanwhile.
  expect(await countReveals(offer.id)).toBeLessThanOrEqual(400)
})

test('also when 24 pages read it at the same moment', async () => {
  const { offer, buyer, id } = await aReceipt(20)
  const answers = await Promise.all(Array.from({ length: 24 }, () => read(buyer, id)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(await countReveals(offer.id)).toBeLessThanOrEqual(40)
})

test('the next hour, and the next sale of a code to the same buyer, are written down again', async () => {
  const { offer, buyer, id } = await aReceipt(2)
  await read(buyer, id)
  await passHours(1)
  await read(buyer, id)
  expect(await countReveals(offer.id)).toBe(4)

  await shop.database.transaction(async (tx) => {
    // No call does this to a code that was seen; a row of another sale is a different case all the same.
    await tx.run(sql`SET LOCAL session_replication_role = 'replica'`)
    await tx.run(sql`UPDATE code SET sale_number = 2 WHERE offer_id = ${offer.id}`)
    await tx.run(sql`
      UPDATE code_sale SET sale_number = 2 FROM code WHERE code.id = code_id AND offer_id = ${offer.id}`)
  })
  await read(buyer, id)
  expect(await countReveals(offer.id)).toBe(6)
})

test('an admin who looks at a code is written down every time', async () => {
  const { offer } = await aReceipt(1)
  const admin = await aUser(shop, { role: 'admin' })
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id}`)
  for (let round = 0; round < 2; round++) {
    expect((await shop.call('POST', `/admin/codes/${id}/reveal`, { token: admin.token, body: {} })).status).toBe(200)
  }
  expect(await countReveals(offer.id)).toBe(2)
})

test('receipts are read so often and no more, by each customer on their own', async () => {
  const limited = await startShop({ RATE_LIMITS: 'on' })
  try {
    const [reader, other] = [await aUser(limited), await aUser(limited)]
    const ask = async ({ token }: TestUser) => (await limited.call('GET', '/orders/ABCDEFGHJK', { token })).status
    const { points } = SERVER_LIMITS.rates.receiptsPerUser
    for (let round = 0; round < points; round++) expect(await ask(reader)).toBe(404)
    expect([await ask(reader), await ask(other)]).toEqual([429, 404])
  } finally {
    await limited.close()
  }
})
