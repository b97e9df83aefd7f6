import { Failure } from '@olmos/contract/failure'
import { operationsApi } from '@olmos/contract/operations'
import type { FastifyInstance } from 'fastify'
import type { Context, Resources } from '../../platform/context.ts'
import { serveMetrics } from '../../platform/live/metrics.ts'
import type { SecurityLog } from '../../platform/security/security-log.ts'
import { readShopFigures } from './summary.ts'

/** Serves the metrics outside /api, because they are no call of the API and have the format of Prometheus. */
export function metricsRoutes(app: FastifyInstance, { config, database }: Resources, security: SecurityLog): void {
  serveMetrics(app, {
    database,
    token: config.metricsToken,
    isProduction: config.isProduction,
    readFigures: () => readShopFigures(database),
    readEvents: () => security.counts(),
  })
}

export function operationsRoutes({ serve, database, isQueueRunning, isLeaving }: Context): void {
  serve(operationsApi.health, async () => ({ status: 'ok' }) as const)

  serve(operationsApi.ready, async () => {
    if (isLeaving()) throw new Failure('OVERLOADED', undefined, 'the store is closing')
    // Migrations run before the server listens, so a database that answers this query has them.
    await database.prove()
    if (!isQueueRunning()) throw new Failure('STARTING', { queue: 'down' })
    return { status: 'ready', database: 'ok', migrations: 'ok', queue: 'ok' } as const
  })
}
