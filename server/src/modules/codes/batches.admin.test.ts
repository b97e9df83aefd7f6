import { expect, test } from 'vitest'
import { anOffer, type TestOffer } from '../../../test/factories.ts'
import { aPool, someGenerated } from '../../../test/game-codes.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })

let count = 0
const newLines = (amount: number) => Array.from({ length: amount }, () => `BATCH-CODE-${++count},1,80,100`)

const importLines = ({ productId }: TestOffer, body: object) =>
  ask('POST', '/admin/codes/bulk', { productId, lines: newLines(2), ...body })

const readBatch = async (id: number) => (await ask('GET', `/admin/code-batches/${id}`)).body.data
const listBatches = async (query: string) => (await ask('GET', `/admin/code-batches?${query}`)).body

const bought = {
  cost: '0,845',
  currency: 'EUR',
  supplier: 'Wholesale Ltd',
  invoice: 'INV-2026/17',
  expires_on: '2090-12-31',
}
const kept = { ...bought, cost: '0.845' }

test('an import says what its codes cost, who sold them, and until when they can be sold', async () => {
  const { body } = await importLines(await anOffer(shop), { bought })
  expect(await readBatch(body.batch_id)).toMatchObject({ ...kept, is_bought_singly: false, counts: { available: 2 } })
  const entry = await shop.database.one<{ after: object }>(
    sql`SELECT after FROM audit_entry WHERE subject = ${`batch:${body.batch_id}`}`,
  )
  expect(entry.after).toMatchObject(kept)
})

test('a part that continues an import says nothing of it again', async () => {
  const offer = await anOffer(shop)
  const { batch_id: batchId } = (await importLines(offer, { bought })).body
  expect((await importLines(offer, { batchId })).body.added).toBe(2)
  expect(await readBatch(batchId)).toMatchObject({ ...kept, counts: { available: 4 } })
  const again = await importLines(offer, { batchId, bought })
  expect([again.status, again.body.error.details]).toEqual([400, { bought: 'import_begun' }])
})

test('so do one code, codes of the pool and generated ones, which cost nothing unless somebody says so', async () => {
  const offer = await anOffer(shop)
  const added = await ask('POST', '/admin/codes', {
    productId: offer.productId,
    code: 'BATCH-SINGLE',
    gameAmount: 100,
    priceUsd: 1,
    priceRub: 80,
    bought,
  })
  expect(await readBatch(added.body.data.batch_id)).toMatchObject(kept)
  const { denominationId } = await aPool(shop, admin, 1)
  await ask('POST', '/pubg-admin/codes/bulk', { denomination_id: denominationId, lines: 'POOLOFBATCH', bought })
  const pool = await listBatches(`search=${encodeURIComponent('inv-2026')}`)
  expect(pool.data[0]).toMatchObject(kept)
  const { batchId, productId, denominationId: denomination } = await someGenerated(shop, admin)
  expect(await readBatch(batchId)).toMatchObject({ cost: '0', currency: 'USD' })
  const made = await shop.call('POST', '/admin/generated-codes/generate', {
    token: admin.token,
    headers: { 'idempotency-key': 'generated-with-cost' },
    body: { productId, denominationId: denomination, count: 2, bought: { cost: '0.05', currency: 'USD' } },
  })
  expect(await readBatch(made.body.data.batch_id)).toMatchObject({ cost: '0.05', currency: 'USD' })
})

test.each([
  ['a cost without its currency', { cost: '1' }, { 'bought.currency': 'required' }],
  ['a currency without its cost', { currency: 'USD' }, { 'bought.currency': 'required' }],
  ['a currency that nobody has a rate for', { cost: '1', currency: 'XAU' }, { 'bought.currency': 'unknown_currency' }],
  ['a currency in words', { cost: '1', currency: 'dollars' }, { 'bought.currency': 'unknown_currency' }],
  ['a cost below nothing', { cost: '-1', currency: 'USD' }, { 'bought.cost': 'invalid_cost' }],
  ['nine decimals', { cost: '0.123456789', currency: 'USD' }, { 'bought.cost': 'invalid_cost' }],
  ['a cost in words', { cost: 'cheap', currency: 'USD' }, { 'bought.cost': 'invalid_cost' }],
  ['no date', { expires_on: '31.12.2090' }, { 'bought.expires_on': 'invalid_date' }],
  ['a day that is over', { expires_on: '2020-01-01' }, { 'bought.expires_on': 'expired' }],
])('%s is refused, and nothing is imported', async (_what, wrong, details) => {
  const offer = await anOffer(shop)
  const before = await toSnapshot(shop.database)
  const answer = await importLines(offer, { bought: wrong })
  expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
    400,
    'VALIDATION_FAILED',
    details,
  ])
  expect(await toSnapshot(shop.database)).toEqual(before)
})

test('a rehearsal refuses what the import would', async () => {
  const offer = await anOffer(shop)
  const body = { productId: offer.productId, lines: newLines(1), bought: { cost: '1', currency: 'XAU' } }
  expect((await ask('POST', '/admin/codes/bulk?dryRun=true', body)).body.error.details).toEqual({
    'bought.currency': 'unknown_currency',
  })
})

test('a change keeps what it leaves out, is written down, and can make a cost unknown again', async () => {
  const { body } = await importLines(await anOffer(shop), { bought })
  const path = `/admin/code-batches/${body.batch_id}`
  const changed = await ask('PUT', path, { cost: '0.9', currency: 'USD' })
  expect(changed.body.data).toMatchObject({ ...kept, cost: '0.9', currency: 'USD', version: 2 })
  await ask('PUT', path, { cost: null, currency: null, invoice: 'INV-18', expires_on: null })
  expect(await readBatch(body.batch_id)).toMatchObject({
    cost: null,
    currency: null,
    invoice: 'INV-18',
    supplier: 'Wholesale Ltd',
    expires_on: null,
  })
  const costs = await shop.database.rows<{ cost: string | null; made_by: number | null }>(sql`
    SELECT trim_scale(cost)::text AS cost, made_by FROM code_batch_cost WHERE batch_id = ${body.batch_id} ORDER BY id`)
  expect(costs.map(({ cost }) => cost)).toEqual(['0.845', '0.9', null])
  expect(costs.every(({ made_by }) => made_by === admin.id)).toBe(true)
  const entry = await shop.database.one<{ before: object; after: object }>(sql`
    SELECT before, after FROM audit_entry
    WHERE action = 'batch.update' AND subject = ${`batch:${body.batch_id}`} ORDER BY id LIMIT 1`)
  expect(entry).toEqual({ before: { cost: '0.845', currency: 'EUR' }, after: { cost: '0.9', currency: 'USD' } })
})

test('a day that is over is refused as the new day of expiry, and stays where it was the day before', async () => {
  const { body } = await importLines(await anOffer(shop), { bought })
  const path = `/admin/code-batches/${body.batch_id}`
  const refused = await ask('PUT', path, { expires_on: '2020-01-01' })
  expect([refused.status, refused.body.error?.details]).toEqual([400, { expires_on: 'expired' }])
  expect(await readBatch(body.batch_id)).toMatchObject({ ...kept, version: 1 })
  await shop.database.run(sql`
    UPDATE code_batch SET expires_on = '2020-01-01', sold_until = '2020-01-02' WHERE id = ${body.batch_id}`)
  const changed = await ask('PUT', path, { invoice: 'INV-19', expires_on: '2020-01-01' })
  expect([changed.status, changed.body.data]).toMatchObject([200, { invoice: 'INV-19', expires_on: '2020-01-01' }])
})

test('the list narrows to a product and to what nobody knows the cost of, and finds invoices and suppliers', async () => {
  const offer = await anOffer(shop)
  const known = (await importLines(offer, { bought: { ...bought, invoice: 'FIND-ME-7', expires_on: '2080-01-01' } }))
    .body
  const unknown = (await importLines(offer, {})).body
  const ids = async (query: string) =>
    (await listBatches(`productId=${offer.productId}&${query}`)).data.map(({ id }: { id: number }) => id)
  expect(await ids('')).toEqual([unknown.batch_id, known.batch_id])
  expect(await ids('sort=expires_on&order=asc')).toEqual([known.batch_id, unknown.batch_id])
  expect(await ids('cost=unknown')).toEqual([unknown.batch_id])
  for (const search of ['find-me', 'wholesale', String(known.batch_id)])
    expect(await ids(`search=${search}`)).toContain(known.batch_id)
  expect(await ids('pageSize=1&page=2')).toEqual([known.batch_id])
})

test('a list says what is left of each import, and only that', async () => {
  const offer = await anOffer(shop)
  const imports = [await importLines(offer, {}), await importLines(offer, {}), await importLines(offer, {})]
  const [begun, full, out] = imports.map(({ body }) => body.batch_id)
  await shop.database.run(sql`
    UPDATE code SET status = 'used' WHERE batch_id = ${out} OR id = (SELECT min(id) FROM code WHERE batch_id = ${begun})`)
  const { data } = await listBatches(`productId=${offer.productId}`)
  expect(data.map(({ id, counts }: { id: number; counts: object }) => ({ id, counts }))).toEqual([
    { id: out, counts: { available: 0 } },
    { id: full, counts: { available: 2 } },
    { id: begun, counts: { available: 1 } },
  ])
  expect((await readBatch(begun)).counts).toEqual({ available: 1, used: 1 })
})

test('who sells codes one by one is not renamed', async () => {
  const offer = await anOffer(shop)
  const { id } = await shop.database.one<{ id: number }>(sql`
    INSERT INTO code_batch (product_id, supplier) VALUES (${offer.productId}, 'kinguin') RETURNING id`)
  expect(await readBatch(id)).toMatchObject({ supplier: 'kinguin', is_bought_singly: true })
  const answer = await ask('PUT', `/admin/code-batches/${id}`, { supplier: 'somebody else' })
  expect([answer.status, answer.body.error.details]).toEqual([400, { supplier: 'bought_singly' }])
  expect((await ask('PUT', `/admin/code-batches/${id}`, { invoice: 'MONTHLY' })).body.data.invoice).toBe('MONTHLY')
})

test('an import that nobody made is not found', async () => {
  expect((await ask('PUT', '/admin/code-batches/999999', { invoice: 'A' })).status).toBe(404)
})
