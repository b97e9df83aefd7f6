import { promotionsApi } from '@olmos/contract/promotions'
import type { Context } from '../../platform/context.ts'
import {
  changePromotion,
  countPromotions,
  createPromotion,
  listActivePromotions,
  listPromotions,
  removePromotion,
  shownPromotion,
} from './promotions.ts'

export function promotionsAdmin({ serve, database }: Context): void {
  serve(promotionsApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const [rows, total] = await Promise.all([listPromotions(database, list), countPromotions(database, list)])
    return { data: rows.map(shownPromotion), total }
  })

  serve(promotionsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createPromotion(tx, user.id, body)),
  }))

  serve(promotionsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changePromotion(tx, user.id, params.id, body)),
  }))

  serve(promotionsApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removePromotion(tx, user.id, params.id))
    return { data: { id: params.id } }
  })
}

export function promotionsRoutes({ serve, database }: Context): void {
  serve(promotionsApi.active, ({ language }) => listActivePromotions(database, language))
}
