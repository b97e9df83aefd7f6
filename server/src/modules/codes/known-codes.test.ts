import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'

const fill = readFileSync(new URL('../../../migrations/302-codes-known-before.sql', import.meta.url), 'utf8')
const [note = '', wait = '', tidy = ''] = fill.split(/;\s*$/m)

test('what wrote codes while they were noted has ended before the notes are compared with them', async () => {
  const own = await cloneDatabase()
  const [writer, migrating] = [own, own].map(({ url }) => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ]
  await Promise.all([writer.connect(), migrating.connect()])
  await writer.query('BEGIN; SELECT pg_current_xact_id()')
  await migrating.query(note)
  let hasWaited = false
  const waiting = migrating.query(wait).then(() => {
    hasWaited = true
  })
  const isPausing = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
  await expect.poll(async () => (await writer.query(isPausing)).rowCount, { interval: 5 }).toBe(1)
  expect(hasWaited).toBe(false)
  await writer.query('COMMIT')
  await waiting
  await migrating.query(tidy)
  await Promise.all([writer.end(), migrating.end()])
  await own.drop()
})
