import { codeBatchesApi } from '@olmos/contract/code-batches'
import { type CodeStatus, codeStatuses, codesApi } from '@olmos/contract/codes'
import type { BoughtCodes } from '@olmos/contract/costs'
import { freefireDenominationsApi, pubgDenominationsApi } from '@olmos/contract/denominations'
import { type GeneratedStatus, generatedCodesApi } from '@olmos/contract/generated-codes'
import { toMajor } from '@olmos/contract/minor-units'
import { lowerCurrency } from '@olmos/contract/money'
import { offersApi } from '@olmos/contract/offers'
import { productsApi } from '@olmos/contract/products'
import { pubgCodesApi } from '@olmos/contract/pubg-codes'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/database/lists.ts'
import type { Caller } from '../../platform/http/route.ts'
import { adminLimit } from '../../platform/security/admin-limit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { toProduct } from '../catalogue/denominations.ts'
import { requirePricing } from '../catalogue/price-offers.ts'
import { shopTimeZone } from '../shop/shop.ts'
import {
  type BuyerRow,
  changeBatch,
  countBuyers,
  findCodeBatch,
  findOrders,
  listBatches,
  listBuyers,
  recallBatch,
} from './batches.ts'
import { addCode, changeCode, removeCode } from './change-code.ts'
import { wantedCode, wantedId } from './codes.store.ts'
import {
  generateCodes,
  isPublished,
  listGenerated,
  shownGenerated,
  shownStatus,
  toSpelling,
} from './generated-codes.ts'
import { importCodes } from './import-codes.ts'
import { changeGenerated, publishCodes, removeDenomination, removeOffer, removeProduct } from './on-sale.ts'
import { addPoolCode, changePoolCode, importPool, removePoolCode, shownPoolCode } from './pool-codes.ts'
import type { Purchase } from './purchases.ts'
import { copyCodes, revealCode } from './reveal-codes.ts'
import { countStock, firstPage, listStock, maskedCode, type StockFilter, type StockList, shownStock } from './stock.ts'

const toPurchase = (bought: BoughtCodes | undefined, config: Context['config']): Purchase | undefined =>
  bought && { ...bought, timeZone: shopTimeZone(config) }

const mayPrice = ({ permissions }: Caller): boolean => permissions.has('prices.write')

/** A code that sets another price changes what the whole package is sold at. */
function toRights(user: Caller, confirmPrices: boolean | undefined): { mayPrice: boolean } {
  const rights = { mayPrice: mayPrice(user) }
  if (confirmPrices) requirePricing(rights)
  return rights
}

/** Codes of products, and the deletion of products and packages, which deletes codes. */
export function codesAdmin(context: Context): void {
  const { serve, database, vault, config } = context
  const countReveal = adminLimit(context, {
    limit: 'codeRevealsPerAdmin',
    code: 'many_reveals',
    alert: 'security.reveals',
    fact: 'codes',
  })
  const answer = async (list: StockList) => {
    const { rows, total } = await withTotal(list, listStock(database, list), () => countStock(database, list))
    return { data: await Promise.all(rows.map((row) => shownStock(vault, row))), total }
  }

  serve(codesApi.list, ({ query: { search, status, ...list } }) =>
    answer({ ...list, sort: list.sort ?? 'id', statuses: status && [status], wanted: wantedId(search) }),
  )

  serve(codesApi.search, ({ body: { search, status, ...filter } }) =>
    answer({ ...firstPage, ...filter, statuses: status && [status], wanted: wantedCode(vault, search) }),
  )

  serve(codesApi.add, async ({ user, body }) => {
    const wanted = { ...body, ...toRights(user, body.confirmPrices), purchase: toPurchase(body.bought, config) }
    return { data: await database.transaction((tx) => addCode(tx, vault, user.id, wanted)) }
  })

  serve(codesApi.change, async ({ user, params, body }) => {
    const wanted = { ...body, ...toRights(user, body.confirmPrices), id: params.id }
    return { data: await database.transaction((tx) => changeCode(tx, vault, user.id, wanted)) }
  })

  serve(codesApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removeCode(tx, vault, user.id, params.id))
    return { data: { id: params.id } }
  })

  serve(codesApi.reveal, async ({ user, params }) => {
    await countReveal(user)
    return { data: { id: params.id, code: await revealCode(database, vault, params.id, user.id) } }
  })

  serve(codesApi.importMany, ({ user, query, body }) => {
    const rights = toRights(user, body.confirmPrices)
    return database.transaction((tx) =>
      importCodes(tx, vault, {
        productId: body.productId,
        regionId: body.regionId || null,
        lines: body.lines,
        rows: body.rows,
        batchId: body.batchId,
        purchase: toPurchase(body.bought, config),
        isConfirmed: body.confirmPrices,
        ...rights,
        dryRun: query.dryRun === 'true' || query.dryRun === '1',
        adminId: user.id,
      }),
    )
  })

  serve(productsApi.remove, async ({ user, params }) => ({
    data: { id: params.id, ...(await database.transaction((tx) => removeProduct(tx, user.id, params.id))) },
  }))

  serve(offersApi.remove, async ({ user, params, query }) => ({
    data: await database.transaction((tx) => removeOffer(tx, user.id, { ...params, ...query })),
  }))
}

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

export function batchesAdmin({ serve, database, vault, config }: Context): void {
  serve(codeBatchesApi.list, ({ query }) => listBatches(database, { ...query, sort: query.sort ?? 'id' }))

  serve(codeBatchesApi.change, async ({ user, params, body: { version, ...bought } }) => ({
    data: await database.transaction((tx) =>
      changeBatch(tx, {
        batchId: params.id,
        adminId: user.id,
        version,
        purchase: { ...bought, timeZone: shopTimeZone(config) },
      }),
    ),
  }))

  serve(codeBatchesApi.one, async ({ params }) => ({ data: await findCodeBatch(database, params.id) }))

  serve(codeBatchesApi.buyers, async ({ params, query }) => {
    const [{ counts, recalled_at }, orderIds] = await Promise.all([
      findCodeBatch(database, params.id),
      query.search ? findOrders(database, query.search) : undefined,
    ])
    const lookedAt = SERVER_LIMITS.broadSearchCodes
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

/** The pool of UC codes, and the deletion of denominations, which deletes codes. */
export function poolCodesAdmin({ serve, database, vault, config }: Context): void {
  const answer = async (wanted: StockList) => {
    const list = { ...wanted, productId: await toProduct(database, 'pubg') }
    const { rows, total } = await withTotal(list, listStock(database, list), () => countStock(database, list))
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
    data: await database.transaction((tx) =>
      addPoolCode(tx, vault, user.id, { ...body, purchase: toPurchase(body.bought, config) }),
    ),
  }))

  serve(pubgCodesApi.importMany, async ({ user, query, body }) => ({
    data: await database.transaction((tx) =>
      importPool(tx, vault, {
        denominationId: body.denomination_id,
        lines: body.lines,
        dryRun: query.dryRun === 'true' || query.dryRun === '1',
        adminId: user.id,
        purchase: toPurchase(body.bought, config),
      }),
    ),
  }))

  serve(pubgCodesApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) =>
      changePoolCode(tx, vault, user.id, { ...body, id: params.id, mayPrice: mayPrice(user) }),
    ),
  }))

  serve(pubgCodesApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removePoolCode(tx, vault, user.id, params.id))
    return { data: { id: params.id } }
  })

  serve(pubgDenominationsApi.remove, async ({ user, params, query }) => ({
    data: await database.transaction((tx) => removeDenomination(tx, user.id, 'pubg', { ...params, ...query })),
  }))

  serve(freefireDenominationsApi.remove, async ({ user, params, query }) => ({
    data: await database.transaction((tx) => removeDenomination(tx, user.id, 'freefire', { ...params, ...query })),
  }))
}

interface AskedFilter {
  productId?: number | undefined
  denominationId?: number | undefined
  status?: GeneratedStatus | undefined
  published?: boolean | undefined
  activated?: boolean | undefined
  batch?: number | undefined
}

/** Translates a status and a flag of the filter into statuses of the database; undefined means all. */
function toStatuses({ status, published }: AskedFilter): CodeStatus[] | undefined {
  if (status === undefined && published === undefined) return undefined
  return codeStatuses.filter(
    (one) =>
      (status === undefined || shownStatus(one) === status) &&
      (published === undefined || isPublished(one) === published),
  )
}

const toFilter = (criteria: AskedFilter): StockFilter => ({
  productId: criteria.productId,
  batch: criteria.batch,
  statuses: toStatuses(criteria),
  generated: { denominationId: criteria.denominationId, activated: criteria.activated },
})

export function generatedCodesAdmin({ serve, database, vault, config }: Context): void {
  const answer = async (list: StockList) => {
    const { rows, total } = await withTotal(list, listGenerated(database, list), () => countStock(database, list))
    return { data: await Promise.all(rows.map((row) => shownGenerated(vault, row))), total }
  }
  const typed = (search: string) => wantedCode(vault, search, toSpelling(search))

  serve(generatedCodesApi.list, ({ query: { search, page, pageSize, order, sort = 'id', ...criteria } }) =>
    answer({ ...toFilter(criteria), page, pageSize, order, sort, wanted: wantedId(search) }),
  )

  serve(generatedCodesApi.search, ({ body: { search, ...criteria } }) =>
    answer({ ...firstPage, ...toFilter(criteria), wanted: typed(search) }),
  )

  serve.once(generatedCodesApi.generate, async ({ user, body }, tx) => ({
    data: await generateCodes(tx, vault, {
      ...body,
      adminId: user.id,
      mayPrice: mayPrice(user),
      purchase: toPurchase(body.bought, config),
    }),
  }))

  serve(generatedCodesApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeGenerated(tx, vault, user.id, { ...body, id: params.id })),
  }))

  serve(generatedCodesApi.publish, async ({ user, body }) => ({
    data: { changed: await database.transaction((tx) => publishCodes(tx, user.id, body)) },
  }))

  serve(generatedCodesApi.copy, async ({ user, body: { filter, format } }) => {
    const { ids, search, ...criteria } = filter
    return {
      data: await copyCodes(database, vault, {
        admin: user,
        filter: { ...toFilter(criteria), wanted: search ? typed(search) : undefined },
        ids,
        format,
        // What was searched for is the text of a code, which the audit trail must not have.
        noted: { ...criteria, ...(ids && { ids }), ...(search && { search: true }) },
      }),
    }
  })
}
