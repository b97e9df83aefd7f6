import { promotionsApi } from '@olmos/contract/promotions'
import type { Context } from '../../platform/context.ts'
import { listActivePromotions } from './promotions.store.ts'

export function promotionsRoutes({ serve, database }: Context): void {
  serve(promotionsApi.active, ({ language }) => listActivePromotions(database, language))
}
