import { freefireDenominationsApi, pubgDenominationsApi } from '@olmos/contract/denominations'
import { pubgCodesApi } from '@olmos/contract/pubg-codes'
import type { Context } from '../../platform/context.ts'
import { productOf } from '../catalogue/change-denomination.ts'
import { addPoolCode, changePoolCode, importPool, removePoolCode, shownPoolCode } from './pool-codes.ts'
import { removeDenomination } from './remove-denomination.ts'
import { listStock } from './stock.store.ts'
import { countStock } from './stock-list.store.ts'

/** The pool of UC codes; and the deletion of denominations, which takes codes along. */
export function poolCodesAdmin({ serve, database, vault }: Context): void {
  serve(pubgCodesApi.list, async ({ query: { search, status, denominationId, batch, sort, ...page } }) => {
    const id = /^\d{1,15}$/.test(search) ? Number(search) : undefined
    const filter = {
      productId: await productOf(database, 'pubg'),
      offerId: denominationId,
      statuses: status && [status],
      batch,
      wanted: search ? { fingerprint: vault.fingerprint(search), id } : undefined,
    }
    const column = sort === 'uc_amount' ? 'game_amount' : (sort ?? 'id')
    const [rows, total] = await Promise.all([
      listStock(database, { ...filter, ...page, sort: column }),
      countStock(database, filter),
    ])
    return { data: await Promise.all(rows.map((row) => shownPoolCode(vault, row))), total }
  })

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
