import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { useShop } from '../../../test/use-shop.ts'
import { toByteaArray } from './bytea-array.ts'
import { sql } from './queries.ts'

const shop = useShop()

test.each([
  ['none', []],
  ['one that is empty', [Buffer.alloc(0)]],
  ['all bytes there are', [Buffer.from(Array.from({ length: 256 }, (_, at) => at)), Buffer.from('\\x{},"\'')]],
  ['many of different lengths', Array.from({ length: 1_000 }, (_, at) => randomBytes(at % 90))],
])('PostgreSQL reads what was written: %s', async (_what, values) => {
  const { read, dimensions } = await shop.database.one<{ read: Buffer[]; dimensions: string | null }>(sql`
    SELECT value AS read, array_dims(value) AS dimensions FROM (SELECT ${toByteaArray(values)}::bytea[] AS value) AS given`)
  expect(read).toEqual(values)
  expect(dimensions).toBe(values.length > 0 ? `[1:${values.length}]` : null)
})
