import pg from 'pg'
import type * as real from '../../server/src/platform/database/migrate.ts'
import { migrate as migrateReally } from '../../server/src/platform/database/migrate.ts'

export * from '../../server/src/platform/database/migrate.ts'

/** Ends with a migration that rewrites a table while it keeps its lock. */
export const migrate: typeof real.migrate = async (url, options) => {
  const applied = await migrateReally(url, options)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2.5); COMMIT')
  await client.end()
  return applied
}
