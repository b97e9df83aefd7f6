import { regionsApi } from '@olmos/contract/regions'
import type { Context } from '../../platform/context.ts'
import { changeRegion, countRegions, createRegion, formatRegion, listRegions, removeRegion } from './regions.ts'

export function regionsAdmin({ serve, database }: Context): void {
  serve(regionsApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const [rows, total] = await Promise.all([listRegions(database, list), countRegions(database, list)])
    return { data: rows.map(formatRegion), total }
  })

  serve(regionsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createRegion(tx, user.id, body)),
  }))

  serve(regionsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeRegion(tx, user.id, params.id, body)),
  }))

  serve(regionsApi.remove, async ({ user, params }) => ({
    data: { id: params.id, products_count: await database.transaction((tx) => removeRegion(tx, user.id, params.id)) },
  }))
}
