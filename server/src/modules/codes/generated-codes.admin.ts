import { type CodeStatus, codeStatuses } from '@olmos/contract/codes'
import { type GeneratedStatus, generatedCodesApi } from '@olmos/contract/generated-codes'
import type { Context } from '../../platform/context.ts'
import { copyCodes } from './copy-codes.ts'
import { generateCodes } from './generate-codes.ts'
import { spellingOf } from './generated-code.rules.ts'
import { listGenerated } from './generated-codes.store.ts'
import { changeGenerated, publishCodes } from './publish-codes.ts'
import { isPublished, shownGenerated, shownStatus } from './show-generated.ts'
import { countStock, firstPage, type StockFilter, type StockList } from './stock-list.store.ts'
import { wantedCode, wantedId } from './wanted-code.ts'

interface AskedFilter {
  productId?: number | undefined
  denominationId?: number | undefined
  status?: GeneratedStatus | undefined
  published?: boolean | undefined
  activated?: boolean | undefined
  batch?: number | undefined
}

/** The statuses of the database that are listed under a status and a flag; none given means all. */
function statusesOf({ status, published }: AskedFilter): CodeStatus[] | undefined {
  if (status === undefined && published === undefined) return undefined
  return codeStatuses.filter(
    (one) =>
      (status === undefined || shownStatus(one) === status) &&
      (published === undefined || isPublished(one) === published),
  )
}

const filterOf = (asked: AskedFilter): StockFilter => ({
  productId: asked.productId,
  batch: asked.batch,
  statuses: statusesOf(asked),
  generated: { denominationId: asked.denominationId, activated: asked.activated },
})

export function generatedCodesAdmin({ serve, database, vault }: Context): void {
  const answer = async (list: StockList) => {
    const [rows, total] = await Promise.all([listGenerated(database, list), countStock(database, list)])
    return { data: await Promise.all(rows.map((row) => shownGenerated(vault, row))), total }
  }
  const typed = (search: string) => wantedCode(vault, search, spellingOf(search))

  serve(generatedCodesApi.list, ({ query: { search, page, pageSize, order, sort = 'id', ...asked } }) =>
    answer({ ...filterOf(asked), page, pageSize, order, sort, wanted: wantedId(search) }),
  )

  serve(generatedCodesApi.search, ({ body: { search, ...asked } }) =>
    answer({ ...firstPage, ...filterOf(asked), wanted: typed(search) }),
  )

  serve.once(generatedCodesApi.generate, async ({ user, body }, tx) => ({
    data: await generateCodes(tx, vault, { ...body, adminId: user.id }),
  }))

  serve(generatedCodesApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeGenerated(tx, vault, user.id, { ...body, id: params.id })),
  }))

  serve(generatedCodesApi.publish, async ({ user, body }) => ({
    data: { changed: await database.transaction((tx) => publishCodes(tx, user.id, body)) },
  }))

  serve(generatedCodesApi.copy, async ({ user, body: { filter, format } }) => {
    const { ids, search, ...asked } = filter
    return {
      data: await copyCodes(database, vault, {
        admin: user,
        filter: { ...filterOf(asked), wanted: search ? typed(search) : undefined },
        ids,
        format,
        asked: filter,
      }),
    }
  })
}
