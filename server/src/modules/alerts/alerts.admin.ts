import { alertsApi } from '@olmos/contract/alerts'
import type { Context } from '../../platform/context.ts'
import { answerAlert, countAlerts, countOpenAlerts, listAlerts, shownAlert } from './alerts.ts'

export function alertsAdmin({ serve, database }: Context): void {
  serve(alertsApi.list, async ({ query }) => {
    const [rows, total] = await Promise.all([listAlerts(database, query), countAlerts(database, query)])
    return { data: rows.map(shownAlert), total }
  })

  serve(alertsApi.count, async () => ({ data: { open: await countOpenAlerts(database) } }))

  serve(alertsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => answerAlert(tx, user.id, params.id, body.state)),
  }))
}
