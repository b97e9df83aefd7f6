import { Database } from '../../server/src/platform/database/database.ts'
import type * as real from '../../server/src/platform/database/migrate.ts'
import { migrate as migrateReally } from '../../server/src/platform/database/migrate.ts'

export * from '../../server/src/platform/database/migrate.ts'

/** Ends with a migration that rewrites a table while it keeps its lock. */
export const migrate: typeof real.migrate = async (url, options) => {
  const applied = await migrateReally(url, options)
  const database = new Database({ url, connections: 1, onIdleError: () => {} })
  await database.pool.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2.5); COMMIT')
  await database.close()
  return applied
}
