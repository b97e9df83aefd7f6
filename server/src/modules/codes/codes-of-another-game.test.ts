import { readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { aCodeProduct, aDenomination, someGenerated } from '../../../test/game-codes.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  shop.call(method, path, { token: admin.token, body })
const generate = (productId: number, denominationId: number, published = false) =>
  call('POST', '/admin/generated-codes/generate', { productId, denominationId, count: 3, published })
const toStatuses = async (offerId: number) =>
  (
    await shop.database.rows<{ status: string }>(sql`SELECT status FROM code WHERE offer_id = ${offerId} ORDER BY id`)
  ).map(({ status }) => status)

/** Puts codes of a product that turns out to be another game's on sale, as an older store may have them. */
async function aWrongBatch() {
  const batch = await someGenerated(shop, admin)
  await shop.database.run(sql`UPDATE product SET code_game = NULL WHERE id = ${batch.productId}`)
  return batch
}

describe('generating', () => {
  test('for a product whose codes are not activated in the game of the denomination is refused and makes nothing', async () => {
    const made = await call('POST', '/admin/products', {
      name: 'Apex Legends',
      gameCurrency: 'Coins',
      supportsCodeGeneration: true,
    })
    const { id } = made.body.data
    expect(made.body.data.codeGame).toBeNull()
    const denomination = await aDenomination(shop, admin, 'freefire')
    const refused = await generate(id, denomination.id, true)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'STATE_CONFLICT', details: { reason: 'product_of_another_game', productId: 'other_game' } },
    ])
    expect((await shop.call('GET', `/products/${id}/codes/0`)).body).toEqual([])
  })

  test('for a product that names the game is allowed', async () => {
    const made = await call('POST', '/admin/products', {
      name: 'Free Fire, a gift',
      gameCurrency: 'Diamonds',
      supportsCodeGeneration: true,
      codeGame: 'freefire',
    })
    const denomination = await aDenomination(shop, admin, 'freefire')
    expect((await generate(made.body.data.id, denomination.id)).status).toBe(201)
  })
})

describe('a product', () => {
  const change = (id: number, body: object) => call('PUT', `/admin/products/${id}`, body)

  test('keeps its game while generated codes of it are on sale', async () => {
    const batch = await someGenerated(shop, admin)
    const refused = await change(batch.productId, { codeGame: null })
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { reason: 'codes_on_sale', codeGame: 'codes_on_sale' },
    ])
    await call('POST', '/admin/generated-codes/publish', { batch: batch.batchId, published: false })
    expect((await change(batch.productId, { codeGame: null })).body.data.codeGame).toBeNull()
  })

  test.each([
    ['of top-ups has no codes', { kind: 'topup', codeGame: 'freefire' }, 409],
    ['has no game that activates none', { codeGame: 'pubg' }, 400],
  ])('%s', async (_name, more, status) => {
    const answer = await call('POST', '/admin/products', { name: `A product ${status}`, ...more })
    expect(answer.status).toBe(status)
  })
})

describe('codes of a product that does not name their game', () => {
  test('are not put on sale, neither one nor a batch, and nothing of the batch is', async () => {
    const batch = await aWrongBatch()
    await call('POST', '/admin/generated-codes/publish', { batch: batch.batchId, published: false })
    const refused = [
      await call('POST', '/admin/generated-codes/publish', { batch: batch.batchId, published: true }),
      await call('POST', '/admin/generated-codes/publish', { ids: [batch.codes[0]?.id], published: true }),
      await call('PUT', `/admin/generated-codes/${batch.codes[0]?.id}`, { published: true }),
    ]
    for (const { status, body } of refused)
      expect([status, body.error.code, body.error.details]).toEqual([
        409,
        'STATE_CONFLICT',
        { reason: 'codes_of_another_game', codes: 'other_game' },
      ])
    expect(await toStatuses(batch.offerId)).toEqual(['unpublished', 'unpublished', 'unpublished'])
    await call('PUT', `/admin/products/${batch.productId}`, { codeGame: 'freefire' })
    const published = await call('POST', '/admin/generated-codes/publish', { batch: batch.batchId, published: true })
    expect(published.body.data).toEqual({ changed: 3 })
  })

  test('do not come back on the shelf, from wherever', async () => {
    const batch = await aWrongBatch()
    await shop.database.run(sql`UPDATE code SET status = 'reserved' WHERE offer_id = ${batch.offerId}`)
    await shop.database.run(sql`UPDATE code SET status = 'available' WHERE offer_id = ${batch.offerId}`)
    expect(await toStatuses(batch.offerId)).toEqual(['unpublished', 'unpublished', 'unpublished'])
  })

  test('that are on sale already are withdrawn with an alert that says how many, and the others stay', async () => {
    const [wrong, right, imported] = [
      await aWrongBatch(),
      await someGenerated(shop, admin),
      await anOffer(shop, { stock: 2 }),
    ]
    const noName = await aCodeProduct(shop)
    await shop.database.run(sql`UPDATE code SET status = 'used' WHERE id = ${wrong.codes[2]?.id}`)
    await shop.database.run(sql`UPDATE product_text SET title = 'Apex Legends' WHERE product_id = ${wrong.productId}`)
    await shop.database.run(sql`UPDATE product SET slug = 'apex-codes' WHERE id = ${wrong.productId}`)
    const undo = `DROP FUNCTION keep_codes_with_their_game CASCADE; DROP FUNCTION is_of_its_game; ALTER TABLE product DROP COLUMN code_game;`
    const migration = readFileSync(new URL('../../../migrations/126-codes-of-their-game.sql', import.meta.url), 'utf8')
    const client = new pg.Client({ connectionString: shop.config.databaseUrl })
    await client.connect()
    await client.query(`BEGIN; ${undo} ${migration} COMMIT`)
    await client.end()

    expect(await toStatuses(wrong.offerId)).toEqual(['unpublished', 'unpublished', 'used'])
    expect(await toStatuses(right.offerId)).toEqual(['available', 'available', 'available'])
    expect(await toStatuses(imported.id)).toEqual(['available', 'available'])
    const games = await shop.database.rows(
      sql`SELECT code_game FROM product WHERE id IN (${right.productId}, ${noName}) ORDER BY id`,
    )
    expect(games).toEqual([{ code_game: 'freefire' }, { code_game: 'freefire' }])
    const alerts = () =>
      shop.database.rows(sql`
        SELECT subject, details FROM alert WHERE kind = 'codes.other_game' AND resolved_at IS NULL`)
    const subject = `product:${wrong.productId}`
    expect(await alerts()).toEqual([{ subject, details: { product: 'Apex Legends', withdrawn: 2, sold: 1 } }])

    await call('PUT', `/admin/products/${wrong.productId}`, { codeGame: 'freefire' })
    expect(await alerts()).toEqual([])
  })
})
