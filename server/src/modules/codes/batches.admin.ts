import { codeBatchesApi } from '@olmos/contract/code-batches'
import { LIMITS } from '@olmos/contract/limits'
import { lowerCurrency, toMajor } from '@olmos/contract/money'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/lists.ts'
import type { Vault } from '../../platform/vault.ts'
import { type BuyerRow, countBuyers, findOrders, listBuyers } from './batches.store.ts'
import { findCodeBatch, recallBatch } from './recall-batch.ts'
import { maskedCode } from './show-stock.ts'

const shownBuyer = async (vault: Vault, { keyId, ciphertext, ...sold }: BuyerRow) => {
  const { unit_price, currency, sold_at, seen_at, ...row } = sold
  return {
    ...row,
    code: await maskedCode(vault, { id: row.code_id, keyId, ciphertext }),
    unit_price: toMajor(unit_price),
    currency: lowerCurrency(currency),
    sold_at: sold_at.toISOString(),
    seen_at: seen_at?.toISOString() ?? null,
  }
}

export function batchesAdmin({ serve, database, vault }: Context): void {
  serve(codeBatchesApi.one, async ({ params }) => ({ data: await findCodeBatch(database, params.id) }))

  serve(codeBatchesApi.buyers, async ({ params, query }) => {
    const { counts, recalled_at } = await findCodeBatch(database, params.id)
    const orderIds = query.search ? await findOrders(database, query.search) : undefined
    const lookedAt = LIMITS.broadSearchCodes
    const list = { ...query, batchId: params.id, isRecalled: recalled_at !== null, orderIds, lookedAt }
    const isCut = query.search !== '' && !orderIds && (counts.used ?? 0) > lookedAt
    const { rows, total } = await withTotal(list, listBuyers(database, list), () => countBuyers(database, list))
    return {
      data: await Promise.all(rows.map((row) => shownBuyer(vault, row))),
      total,
      looked_at: isCut ? lookedAt : null,
    }
  })

  serve(codeBatchesApi.recall, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => recallBatch(tx, { ...body, batchId: params.id, adminId: user.id })),
  }))
}
