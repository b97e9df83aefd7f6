import type { FastifyInstance } from 'fastify'
import type { Resources } from '../../platform/context.ts'
import { serveMetrics } from '../../platform/metrics.ts'
import type { SecurityLog } from '../../platform/security-log.ts'
import { readShopFigures } from './shop-figures.store.ts'

/** Not a call of the API: it stands outside /api and answers in the format of Prometheus. */
export function metricsRoutes(app: FastifyInstance, { config, database }: Resources, security: SecurityLog): void {
  serveMetrics(app, {
    database,
    token: config.metricsToken,
    isProduction: config.isProduction,
    readFigures: () => readShopFigures(database),
    readEvents: () => security.counts(),
  })
}
