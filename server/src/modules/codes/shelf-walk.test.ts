import { expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()

interface Plan {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
}

/** Counts the pages that are looked at to find the code that is sold next. */
async function countPages(offerId: number): Promise<number> {
  const { 'QUERY PLAN': plans } = await shop.database.one<Plan>(sql`
    EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    SELECT id FROM code WHERE offer_id = ${offerId} AND status = 'available' ORDER BY shelf LIMIT 1`)
  const { Plan: plan } = plans[0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

// Left to itself, PostgreSQL keeps the entries of a large table's dead rows in its indexes while those rows are on few pages.
test('in a large stock the next code is found at once, however many were sold before it', async () => {
  const { id: offerId } = await anOffer(shop, { stock: 1 })
  await shop.database.run(sql`
    INSERT INTO code (id, offer_id, batch_id, key_id, ciphertext, fingerprint)
    SELECT nextval('code_id'), offer_id, batch_id, key_id, ciphertext, sha256(n::text::bytea) FROM code, generate_series(1, 60_000) AS n
    WHERE offer_id = ${offerId}`)
  await shop.database.run(sql`VACUUM (ANALYZE) code`)
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
  await expect.poll(tidied, { timeout: 5_000 }).toBeLessThanOrEqual(before + 1)
})
