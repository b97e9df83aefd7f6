import { codesApi } from '@olmos/contract/codes'
import { offersApi } from '@olmos/contract/offers'
import { productsApi } from '@olmos/contract/products'
import type { Context } from '../../platform/context.ts'
import { addCode, changeCode, removeCode } from './change-code.ts'
import { importCodes } from './import-codes.ts'
import { removeOffer } from './remove-offer.ts'
import { removeProduct } from './remove-product.ts'
import { limitOfReveals, revealCode } from './reveal-codes.ts'
import { shownStock } from './show-stock.ts'
import { listStock } from './stock.store.ts'
import { countStock, firstPage, type StockList } from './stock-list.store.ts'
import { wantedCode, wantedId } from './wanted-code.ts'

/** Codes of products; and the deletion of products and packages, which takes codes along. */
export function codesAdmin({ serve, database, vault, config }: Context): void {
  const countReveal = limitOfReveals(database, config.rateLimits)
  const answer = async (list: StockList) => {
    const [rows, total] = await Promise.all([listStock(database, list), countStock(database, list)])
    return { data: await Promise.all(rows.map((row) => shownStock(vault, row))), total }
  }

  serve(codesApi.list, ({ query: { search, status, ...list } }) =>
    answer({ ...list, sort: list.sort ?? 'id', statuses: status && [status], wanted: wantedId(search) }),
  )

  serve(codesApi.search, ({ body: { search, status, ...filter } }) =>
    answer({ ...firstPage, ...filter, statuses: status && [status], wanted: wantedCode(vault, search) }),
  )

  serve(codesApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => addCode(tx, vault, user.id, body)),
  }))

  serve(codesApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeCode(tx, vault, user.id, { ...body, id: params.id })),
  }))

  serve(codesApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removeCode(tx, vault, user.id, params.id))
    return { data: { id: params.id } }
  })

  serve(codesApi.reveal, async ({ user, params }) => {
    await countReveal(user)
    return { data: { id: params.id, code: await revealCode(database, vault, params.id, user.id) } }
  })

  serve(codesApi.importMany, ({ user, query, body }) =>
    database.transaction((tx) =>
      importCodes(tx, vault, {
        productId: body.productId,
        regionId: body.regionId || null,
        lines: body.lines,
        batchId: body.batchId,
        isConfirmed: body.confirmPrices,
        dryRun: query.dryRun === 'true' || query.dryRun === '1',
        adminId: user.id,
      }),
    ),
  )

  serve(productsApi.remove, async ({ user, params }) => ({
    data: { id: params.id, ...(await database.transaction((tx) => removeProduct(tx, user.id, params.id))) },
  }))

  serve(offersApi.remove, async ({ user, params }) => ({
    data: await database.transaction((tx) => removeOffer(tx, user.id, params.id)),
  }))
}
