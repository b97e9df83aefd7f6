import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { tablesWith } from '../../../test/snapshot.ts'
import { sql } from '../../platform/database/queries.ts'

const logLines: string[] = []
let shop: TestShop
let admin: TestUser
let buyer: TestUser
let offer: TestOffer
let orderId: string

const canaries = Array.from({ length: 20 }, (_, index) => `CANARY-${index}-7f3a9c`)
const secrets = () => [...canaries, ...offer.codes, admin.token, buyer.token]

beforeAll(async () => {
  shop = await startShop({}, { logLines })
  admin = await aUser(shop, { role: 'admin' })
  buyer = await aUser(shop, { usd: 10_000 })
  offer = await anOffer(shop, { stock: 5 })
  const imported = await importLines(canaries.map((code) => `${code},1,80,100`))
  expect(imported.body.added).toBe(20)
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, 10) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  orderId = paid.body.order.id
})
afterAll(() => shop.close())

const importLines = (lines: string[]) =>
  shop.call('POST', '/admin/codes/bulk', { token: admin.token, body: { productId: offer.productId, lines } })
const receipt = () => shop.call('GET', `/orders/${orderId}`, { token: buyer.token })

test('a code rests in no table in plain text, nor does a token', async () => {
  const shown = (await receipt()).body.items[0].code.split('\n')
  expect(shown).toEqual([...offer.codes, ...canaries.slice(0, 5)])
  for (const secret of secrets()) expect([secret, await tablesWith(shop.database, secret)]).toEqual([secret, []])
})

test('the search for plain text would find it', async () => {
  await shop.database.run(sql`UPDATE code_batch SET region_id = NULL`)
  await shop.database.run(sql`INSERT INTO promotion (background_color) VALUES ('#ffffff')`)
  await shop.database.run(sql`INSERT INTO promotion_text SELECT id, 'ru', ${`x${canaries[0]}y`} FROM promotion`)
  expect(await tablesWith(shop.database, canaries[0] as string)).toEqual(['promotion_text'])
  await shop.database.run(sql`DELETE FROM promotion`)
  const hash = Buffer.from('$argon2id$').toString('hex')
  expect(await tablesWith(shop.database, hash)).toEqual([])
})

test('lists and reports show no code', async () => {
  const answers = await Promise.all([
    shop.call('GET', '/orders', { token: buyer.token }),
    shop.call('GET', '/cart', { token: buyer.token }),
    shop.call('GET', '/balance/history', { token: buyer.token }),
    shop.call('GET', `/products/${offer.productId}/codes/0`),
    shop.call('GET', '/admin/users', { token: admin.token }),
    importLines(canaries.map((code) => `${code},1,80,100`)),
  ])
  for (const { status, text } of answers) {
    expect(status).toBe(200)
    expect(secrets().filter((secret) => text.includes(secret))).toEqual([])
  }
})

test('an altered or swapped ciphertext is refused on the receipt, and heals when it is put back', async () => {
  const sold = await shop.database.rows<{ id: number; ciphertext: Buffer }>(sql`
    SELECT id, ciphertext FROM code WHERE status = 'used' ORDER BY id LIMIT 2`)
  const [first, second] = sold as [{ id: number; ciphertext: Buffer }, { id: number; ciphertext: Buffer }]
  const put = (id: number, ciphertext: Buffer) =>
    shop.database.run(sql`UPDATE code SET ciphertext = ${ciphertext} WHERE id = ${id}`)
  const altered = Buffer.from(first.ciphertext)
  altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1)

  for (const [one, two] of [
    [second.ciphertext, first.ciphertext],
    [altered, second.ciphertext],
  ] as const) {
    await put(first.id, one)
    await put(second.id, two)
    const answer = await receipt()
    expect([answer.status, answer.body.error.code]).toEqual([500, 'UNEXPECTED_ERROR'])
    expect(secrets().filter((secret) => answer.text.includes(secret))).toEqual([])
  }
  await put(first.id, first.ciphertext)
  await put(second.id, second.ciphertext)
  expect((await receipt()).status).toBe(200)
})

test('the log holds no code, token or password, whatever went wrong', async () => {
  const password = 'parolim-7-canary'
  await shop.call('POST', '/auth/register', { body: { nickname: 'Logged', password } })
  await shop.call('POST', '/auth/login', { body: { nickname: 'Logged', password } })
  await shop.database.run(sql`ALTER TABLE code_batch RENAME TO code_batch_gone`)
  await shop.database.run(sql`ALTER TABLE users RENAME TO users_gone`)
  const failed = await importLines(['CANARY-broken,1,80,100'])
  await shop.database.run(sql`ALTER TABLE users_gone RENAME TO users`)
  const failedLater = await importLines(['CANARY-broken,1,80,100'])
  await shop.database.run(sql`ALTER TABLE code_batch_gone RENAME TO code_batch`)
  expect([failed.status, failedLater.status]).toEqual([500, 500])

  const log = logLines.join('\n')
  expect(log).toContain('request failed')
  expect([...secrets(), 'CANARY-broken', password].filter((secret) => log.includes(secret))).toEqual([])
})
