import { type CodeStatus, codeStatuses } from '@olmos/contract/codes'
import { LIMITS } from '@olmos/contract/limits'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/lists.ts'
import type { WantedCode } from './wanted-code.ts'

export interface StockList extends ListPage {
  sort: 'id' | 'created_at' | 'game_amount' | 'price_usd' | 'price_rub' | 'status'
  productId?: number | undefined
  /** 0 is no region. */
  regionId?: number | undefined
  offerId?: number | undefined
  statuses?: readonly CodeStatus[] | undefined
  batch?: number | undefined
  wanted?: WantedCode | undefined
  /** Only those that were generated. */
  generated?: { denominationId?: number | undefined; activated?: boolean | undefined } | undefined
}

/** As far as one looks for a single code. */
export const firstPage = { page: 1, pageSize: LIMITS.listPageSize, order: 'desc', sort: 'id' } as const

/** What is sorted and paged. */
export type StockFilter = Omit<StockList, keyof ListPage | 'sort'>

const statusesOf = ({ statuses }: StockFilter) => statuses ?? codeStatuses

/** Of `code_activation`: what it delivers did not come to nothing. */
export const isInForce = sql`EXISTS (
  SELECT FROM order_item WHERE id = code_activation.order_item_id AND status <> 'refunded')`

function ofGenerated({ generated }: StockFilter): Sql {
  if (!generated) return sql`true`
  const { denominationId, activated } = generated
  const isActivated = sql`EXISTS (SELECT FROM code_activation WHERE code_id = code.id AND ${isInForce})`
  return allOf(
    denominationId ? sql`code.denomination_id = ${denominationId}` : sql`code.denomination_id IS NOT NULL`,
    activated === undefined ? undefined : activated ? isActivated : sql`NOT ${isActivated}`,
  )
}

/** Codes of top-ups have lists of their own, so they stand here only when they are asked for. */
const offersOf = ({ productId, regionId, offerId, wanted, batch }: StockFilter): Sql => sql`
  SELECT offer.id, offer.game_amount, offer.price_usd, offer.price_rub
  FROM offer JOIN product ON product.id = offer.product_id
  WHERE ${allOf(
    productId ? sql`offer.product_id = ${productId}` : undefined,
    offerId ? sql`offer.id = ${offerId}` : undefined,
    regionId === undefined ? undefined : sql`offer.region_id IS NOT DISTINCT FROM ${regionId || null}`,
    productId || wanted || batch ? undefined : sql`product.kind = 'code'`,
  )}`

const named = ({ batch, wanted }: StockFilter): Sql | undefined => {
  if (wanted) return sql`(code.fingerprint = ${wanted.fingerprint ?? null} OR code.id = ${wanted.id ?? null}::bigint)`
  return batch ? sql`code.batch_id = ${batch}` : undefined
}

/** Ids are drawn in the order of time. */
const isByTime = ({ sort }: StockList) => sort === 'id' || sort === 'created_at'
const idOrder = (list: StockList) => (isByTime(list) ? direction(list.order) : sql`DESC`)
const columnOf = {
  id: sql`id`,
  created_at: sql`id`,
  game_amount: sql`game_amount`,
  price_usd: sql`price_usd`,
  price_rub: sql`price_rub`,
  status: sql`status`,
}
const orderOf = (list: StockList) => sql`${columnOf[list.sort]} ${direction(list.order)}, id ${idOrder(list)}`

const sortable = sql`code.id, code.status, shelf.game_amount, shelf.price_usd, shelf.price_rub`

/** Of each package and status no more than the page reaches, along the index: a million codes are not looked at. */
const onShelves = (list: StockList): Sql => sql`
  SELECT ${sortable} FROM (${offersOf(list)}) AS shelf
  CROSS JOIN unnest(${statusesOf(list)}::text[]) AS wanted (status)
  CROSS JOIN LATERAL (
    SELECT code.id, code.status FROM code
    WHERE code.offer_id = shelf.id AND code.status = wanted.status AND ${ofGenerated(list)}
    ORDER BY code.id ${idOrder(list)} LIMIT ${list.page * list.pageSize}) AS code`

/** Far down an unfiltered list one walk along the ids is shorter than many along the shelves. */
const isDeep = (list: StockList) =>
  isByTime(list) &&
  list.page * list.pageSize > 1_000 &&
  !list.statuses &&
  !list.productId &&
  list.regionId === undefined &&
  !list.generated

const along = (list: StockFilter, condition: Sql): Sql => sql`
  SELECT ${sortable} FROM code JOIN (${offersOf(list)}) AS shelf ON shelf.id = code.offer_id
  WHERE ${condition} AND code.status = ANY (${statusesOf(list)}) AND ${ofGenerated(list)}`

/** The ids of a page, as `found`, with what `inOrder` sorts them by. */
export function foundStock(list: StockList): Sql {
  const condition = named(list) ?? (isDeep(list) ? sql`true` : undefined)
  return sql`(
    SELECT * FROM (${condition ? along(list, condition) : onShelves(list)}) AS listed
    ORDER BY ${orderOf(list)} ${pageOf(list)}) AS found`
}

export const inOrder = (list: StockList): Sql =>
  sql`found.${columnOf[list.sort]} ${direction(list.order)}, found.id ${idOrder(list)}`

/** All that the filter lets through, as `code.id`. */
export const stockWhere = (list: StockFilter): Sql =>
  named(list)
    ? sql`SELECT id FROM (${along(list, named(list) as Sql)}) AS listed`
    : sql`SELECT code.id FROM code WHERE code.offer_id = ANY (SELECT id FROM (${offersOf(list)}) AS shelf)
        AND ${list.statuses ? sql`code.status = ANY (${statusesOf(list)})` : sql`true`} AND ${ofGenerated(list)}`

export const countStock = (queries: Queries, list: StockFilter): Promise<number> => countOf(queries, stockWhere(list))
