import { toMajor } from '@olmos/contract/minor-units'
import { priceChangesApi } from '@olmos/contract/price-changes'
import { priceRulesApi } from '@olmos/contract/price-rules'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { changePrices, decidePendingPrices, listOfferPrices, listPendingPrices, readWish } from './bulk-prices.ts'
import { addRule, changeRule, listPriceRules, listRuleVersions, removeRule } from './price-rules.ts'
import { previewPrices } from './reprice.ts'
import { tryRule } from './wanted-prices.ts'

export function pricingAdmin({ serve, database }: Context): void {
  const price = <T>(work: (tx: Tx) => Promise<T>) =>
    database.transaction(work, { statementMs: SERVER_LIMITS.repricingMs })

  serve(priceRulesApi.list, ({ query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'scope' as const, order: 'asc' as const }
    return listPriceRules(database, { ...query, ...sorted })
  })

  serve(priceRulesApi.add, async ({ user, body }) => ({
    data: await price((tx) => addRule(tx, user.id, body)),
  }))

  serve(priceRulesApi.change, async ({ user, params, body }) => ({
    data: await price((tx) => changeRule(tx, user.id, params.id, body)),
  }))

  serve(priceRulesApi.remove, async ({ user, params }) => {
    await price((tx) => removeRule(tx, user.id, params.id))
    return { data: { id: params.id } }
  })

  serve(priceRulesApi.history, async ({ params }) => ({ data: await listRuleVersions(database, params.id) }))

  serve(priceRulesApi.example, async ({ body }) => {
    const prices = await database.maybe<Record<'price_usd' | 'price_rub' | 'floor_usd' | 'floor_rub', number>>(
      tryRule(body.rule, body.cost, body.currency),
    )
    if (!prices) return { data: null }
    return {
      data: {
        price_usd: toMajor(prices.price_usd),
        price_rub: toMajor(prices.price_rub),
        floor_usd: toMajor(prices.floor_usd),
        floor_rub: toMajor(prices.floor_rub),
      },
    }
  })

  serve(priceChangesApi.preview, ({ body }) =>
    database.snapshot(async (queries) => previewPrices(queries, await readWish(queries, body.wish), body.page)),
  )

  serve(priceChangesApi.apply, async ({ user, body }) => ({
    data: await price((tx) => changePrices(tx, user.id, body)),
  }))

  serve(priceChangesApi.offers, ({ query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'offer_id' as const }
    return listOfferPrices(database, { ...query, ...sorted })
  })

  serve(priceChangesApi.pending, ({ query }) => listPendingPrices(database, query))

  serve(priceChangesApi.decide, async ({ user, body }) => ({
    data: await price((tx) => decidePendingPrices(tx, user.id, body)),
  }))
}
