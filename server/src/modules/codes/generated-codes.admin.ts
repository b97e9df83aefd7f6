import { type CodeStatus, codeStatuses } from '@olmos/contract/codes'
import { type GeneratedStatus, generatedCodesApi } from '@olmos/contract/generated-codes'
import type { Context } from '../../platform/context.ts'
import { copyCodes } from './copy-codes.ts'
import { generateCodes } from './generate-codes.ts'
import { spellingOf } from './generated-code.rules.ts'
import { listGenerated } from './generated-codes.store.ts'
import { changeGenerated, publishCodes } from './publish-codes.ts'
import { isPublished, shownGenerated, shownStatus } from './show-generated.ts'
import { countStock, type StockFilter } from './stock-list.store.ts'

interface AskedFilter {
  productId?: number | undefined
  denominationId?: number | undefined
  status?: GeneratedStatus | undefined
  published?: boolean | undefined
  activated?: boolean | undefined
  batch?: number | undefined
  search?: string | undefined
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

export function generatedCodesAdmin({ serve, database, vault }: Context): void {
  const filterOf = (asked: AskedFilter): StockFilter => {
    const { productId, denominationId, activated, batch, search } = asked
    const id = search && /^\d{1,15}$/.test(search) ? Number(search) : undefined
    return {
      productId,
      batch,
      statuses: statusesOf(asked),
      wanted: search ? { fingerprint: vault.fingerprint(spellingOf(search)), id } : undefined,
      generated: { denominationId, activated },
    }
  }

  serve(generatedCodesApi.list, async ({ query: { page, pageSize, order, sort = 'id', ...asked } }) => {
    const filter = filterOf(asked)
    const [rows, total] = await Promise.all([
      listGenerated(database, { ...filter, page, pageSize, order, sort }),
      countStock(database, filter),
    ])
    return { data: await Promise.all(rows.map((row) => shownGenerated(vault, row))), total }
  })

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
    const { ids, ...asked } = filter
    return {
      data: await copyCodes(database, vault, {
        adminId: user.id,
        filter: filterOf(asked),
        ids,
        format,
        asked: filter,
      }),
    }
  })
}
