import { freefireDenominationsApi, pubgDenominationsApi } from '@olmos/contract/denominations'
import { pubgCodesApi } from '@olmos/contract/pubg-codes'
import type { Context } from '../../platform/context.ts'
import { productOf } from '../catalogue/change-denomination.ts'
import { addPoolCode, changePoolCode, importPool, removePoolCode, shownPoolCode } from './pool-codes.ts'
import { removeDenomination } from './remove-denomination.ts'
import { listStock } from './stock.store.ts'
import { countStock, firstPage, type StockList } from './stock-list.store.ts'
import { wantedCode, wantedId } from './wanted-code.ts'

/** The pool of UC codes; and the deletion of denominations, which takes codes along. */
export function poolCodesAdmin({ serve, database, vault }: Context): void {
  const answer = async (wanted: StockList) => {
    const list = { ...wanted, productId: await productOf(database, 'pubg') }
    const [rows, total] = await Promise.all([listStock(database, list), countStock(database, list)])
    return { data: await Promise.all(rows.map((row) => shownPoolCode(vault, row))), total }
  }

  serve(pubgCodesApi.list, ({ query: { search, status, denominationId, sort = 'id', ...list } }) =>
    answer({
      ...list,
      sort: sort === 'uc_amount' ? 'game_amount' : sort,
      offerId: denominationId,
      statuses: status && [status],
      wanted: wantedId(search),
    }),
  )

  serve(pubgCodesApi.search, ({ body: { search, status, denominationId, batch } }) =>
    answer({
      ...firstPage,
      batch,
      offerId: denominationId,
      statuses: status && [status],
      wanted: wantedCode(vault, search),
    }),
  )

  serve(pubgCodesApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => addPoolCode(tx, vault, user.id, body)),
  }))

  serve(pubgCodesApi.importMany, async ({ user, query, body }) => ({
    data: await database.transaction((tx) =>
      importPool(tx, vault, {
        denominationId: body.denomination_id,
        lines: body.lines,
        dryRun: query.dryRun === 'true' || query.dryRun === '1',
        adminId: user.id,
      }),
    ),
  }))

  serve(pubgCodesApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changePoolCode(tx, vault, user.id, { ...body, id: params.id })),
  }))

  serve(pubgCodesApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removePoolCode(tx, vault, user.id, params.id))
    return { data: { id: params.id } }
  })

  serve(pubgDenominationsApi.remove, async ({ user, params }) => ({
    data: await database.transaction((tx) => removeDenomination(tx, user.id, 'pubg', params.id)),
  }))

  serve(freefireDenominationsApi.remove, async ({ user, params }) => ({
    data: await database.transaction((tx) => removeDenomination(tx, user.id, 'freefire', params.id)),
  }))
}
