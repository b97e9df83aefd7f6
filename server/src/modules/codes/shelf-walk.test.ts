import { expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { isInTime } from './purchases.ts'

const shop = useShop()

interface Plan {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
}

/** Counts the pages that are looked at to find the code that is sold next. */
async function countPages(offerId: number): Promise<number> {
  const { 'QUERY PLAN': plans } = await shop.database.one<Plan>(sql`
    EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    SELECT id FROM code WHERE offer_id = ${offerId} AND status = 'available' AND ${isInTime} ORDER BY shelf LIMIT 1 FOR UPDATE`)
  const { Plan: plan } = plans[0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** No statement may take long, on a busy machine neither. */
const writtenAtOnce = 5_000

/** Adds so many codes to the batch of the one that is there. */
async function fillBatch(offerId: number, codes: number): Promise<void> {
  for (let first = 1; first <= codes; first += writtenAtOnce)
    await shop.database.run(sql`
      INSERT INTO code (id, offer_id, batch_id, key_id, ciphertext, fingerprint)
      SELECT nextval('code_id'), offer_id, batch_id, key_id, ciphertext, sha256((offer_id || ' ' || n)::bytea)
      FROM (SELECT * FROM code WHERE offer_id = ${offerId} LIMIT 1) AS code,
        generate_series(${first}::int, ${Math.min(first + writtenAtOnce - 1, codes)}::int) AS n`)
  await shop.database.run(sql`VACUUM (ANALYZE) code`)
}

test('where all stock is one import, the next code is found without the others', async () => {
  const { id: offerId } = await anOffer(shop, { stock: 1 })
  await fillBatch(offerId, 3_000)
  expect(await countPages(offerId)).toBeLessThan(10)
})

// Left to itself, PostgreSQL keeps the entries of a large table's dead rows in its indexes while those rows are on few pages.
test('in a large stock the next code is found at once, however many were sold before it', async () => {
  const { id: offerId } = await anOffer(shop, { stock: 1 })
  await fillBatch(offerId, 60_000)
  const before = await countPages(offerId)

  await shop.database.run(sql`
    UPDATE code SET status = 'used'
    WHERE id IN (SELECT id FROM code WHERE offer_id = ${offerId} ORDER BY shelf LIMIT 900)`)
  expect(await countPages(offerId)).toBeGreaterThan(before + 2)
  // A snapshot that is open at this moment keeps dead rows from being taken out.
  const tidied = async () => {
    await shop.database.run(sql`VACUUM code`)
    return countPages(offerId)
  }
  await expect.poll(tidied, { timeout: 20_000 }).toBeLessThanOrEqual(before + 1)
})
