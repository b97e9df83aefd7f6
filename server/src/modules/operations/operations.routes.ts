import { Failure } from '@olmos/contract/failure'
import { operationsApi } from '@olmos/contract/operations'
import type { Context } from '../../platform/context.ts'

export function operationsRoutes({ serve, database, isQueueRunning, isLeaving }: Context): void {
  serve(operationsApi.health, async () => ({ status: 'ok' }) as const)

  serve(operationsApi.ready, async () => {
    if (isLeaving()) throw new Failure('OVERLOADED', undefined, 'the store is closing')
    // Migrations run before the server listens; a database that answers this query has them.
    await database.prove()
    if (!isQueueRunning()) throw new Failure('STARTING', { queue: 'down' })
    return { status: 'ready', database: 'ok', migrations: 'ok', queue: 'ok' } as const
  })
}
