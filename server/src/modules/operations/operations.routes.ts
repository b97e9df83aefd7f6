import { Failure } from '@olmos/contract/failure'
import { operationsApi } from '@olmos/contract/operations'
import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/database.ts'

export function operationsRoutes({ serve, database, isQueueRunning }: Context): void {
  serve(operationsApi.health, async () => ({ status: 'ok' }) as const)

  serve(operationsApi.ready, async () => {
    // Migrations run before the server listens; a database that answers this query has them.
    await database.run(sql`SELECT FROM schema_migration LIMIT 1`)
    if (!isQueueRunning()) throw new Failure('STARTING', { queue: 'down' })
    return { status: 'ready', database: 'ok', migrations: 'ok', queue: 'ok' } as const
  })
}
