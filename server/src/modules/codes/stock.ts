import type { OrderCode } from '@olmos/contract/admin-orders'
import { type CodeStatus, codeStatuses, type ListedCode } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import { isStillReferenced } from '../../platform/database/failures.ts'
import { allConditions, countAll, direction, type ListPage, toPage } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { codeRow, maskCode, type WantedCode } from './codes.store.ts'

export interface StockList extends ListPage {
  sort: 'id' | 'created_at' | 'game_amount' | 'price_usd' | 'price_rub' | 'status'
  productId?: number | undefined
  /** 0 means no region. */
  regionId?: number | undefined
  offerId?: number | undefined
  statuses?: readonly CodeStatus[] | undefined
  batch?: number | undefined
  wanted?: WantedCode | undefined
  /** Selects only generated codes. */
  generated?: { denominationId?: number | undefined; activated?: boolean | undefined } | undefined
}

/** Enough pages for looking up a single code. */
export const firstPage = { page: 1, pageSize: LIMITS.listPageSize, order: 'desc', sort: 'id' } as const

/** What is sorted and paginated. */
export type StockFilter = Omit<StockList, keyof ListPage | 'sort'>

const toStatuses = ({ statuses }: StockFilter) => statuses ?? codeStatuses

/** Whether a `code_activation` did not come to nothing. */
export const isInForce = sql`EXISTS (
  SELECT FROM order_item WHERE id = code_activation.order_item_id AND status <> 'refunded')`

function ofGenerated({ generated }: StockFilter): Sql {
  if (!generated) return sql`true`
  const { denominationId, activated } = generated
  const isActivated = sql`EXISTS (SELECT FROM code_activation WHERE code_id = code.id AND ${isInForce})`
  return allConditions(
    denominationId ? sql`code.denomination_id = ${denominationId}` : sql`code.denomination_id IS NOT NULL`,
    activated === undefined ? undefined : activated ? isActivated : sql`NOT ${isActivated}`,
  )
}

/** Codes of top-ups have lists of their own, so they only appear here on request. */
const toOffers = ({ productId, regionId, offerId, wanted, batch }: StockFilter): Sql => sql`
  SELECT offer.id, offer.game_amount, offer.price_usd, offer.price_rub
  FROM offer JOIN product ON product.id = offer.product_id
  WHERE ${allConditions(
    productId ? sql`offer.product_id = ${productId}` : undefined,
    offerId ? sql`offer.id = ${offerId}` : undefined,
    regionId === undefined ? undefined : sql`offer.region_id IS NOT DISTINCT FROM ${regionId || null}`,
    productId || wanted || batch ? undefined : sql`product.kind = 'code'`,
  )}`

const selection = ({ batch, wanted }: StockFilter): Sql | undefined =>
  wanted || batch
    ? allConditions(
        wanted &&
          sql`(code.id = (SELECT code_id FROM code_fingerprint WHERE fingerprint = ${wanted.fingerprint ?? null})
            OR code.id = ${wanted.id ?? null}::bigint)`,
        batch ? sql`code.batch_id = ${batch}` : undefined,
      )
    : undefined

/** Ids are assigned in order of time. */
const isByTime = ({ sort }: StockList) => sort === 'id' || sort === 'created_at'
const idOrder = (list: StockList) => (isByTime(list) ? direction(list.order) : sql`DESC`)
const toColumn = {
  id: sql`id`,
  created_at: sql`id`,
  game_amount: sql`game_amount`,
  price_usd: sql`price_usd`,
  price_rub: sql`price_rub`,
  status: sql`status`,
}
const toOrderBy = (list: StockList) => sql`${toColumn[list.sort]} ${direction(list.order)}, id ${idOrder(list)}`

const sortable = sql`code.id, code.status, shelf.game_amount, shelf.price_usd, shelf.price_rub`

/** Reads no more of each package and status than the page reaches, along the index, instead of a million codes. */
const onShelves = (list: StockList): Sql => sql`
  SELECT ${sortable} FROM (${toOffers(list)}) AS shelf
  CROSS JOIN unnest(${toStatuses(list)}::text[]) AS wanted (status)
  CROSS JOIN LATERAL (
    SELECT code.id, code.status FROM code
    WHERE code.offer_id = shelf.id AND code.status = wanted.status AND ${ofGenerated(list)}
    ORDER BY code.id ${idOrder(list)} LIMIT ${list.page * list.pageSize}) AS code`

/** Far down an unfiltered list one scan along the ids is shorter than many along the offers. */
const isDeep = (list: StockList) =>
  isByTime(list) &&
  list.page * list.pageSize > 1_000 &&
  !list.statuses &&
  !list.productId &&
  list.regionId === undefined &&
  !list.generated

const readAlongIndex = (list: StockFilter, condition: Sql): Sql => sql`
  SELECT ${sortable} FROM code JOIN (${toOffers(list)}) AS shelf ON shelf.id = code.offer_id
  WHERE ${condition} AND code.status = ANY (${toStatuses(list)}) AND ${ofGenerated(list)}`

/** Selects the ids of a page, as `found`, with what `inOrder` sorts them by. */
export function foundStock(list: StockList): Sql {
  const condition = selection(list) ?? (isDeep(list) ? sql`true` : undefined)
  return sql`(
    SELECT * FROM (${condition ? readAlongIndex(list, condition) : onShelves(list)}) AS listed
    ORDER BY ${toOrderBy(list)} ${toPage(list)}) AS found`
}

export const inOrder = (list: StockList): Sql =>
  sql`found.${toColumn[list.sort]} ${direction(list.order)}, found.id ${idOrder(list)}`

/** Selects everything the filter matches, as `code.id`. */
export const stockWhere = (list: StockFilter): Sql =>
  selection(list)
    ? sql`SELECT id FROM (${readAlongIndex(list, selection(list) as Sql)}) AS listed`
    : sql`SELECT code.id FROM code WHERE code.offer_id = ANY (SELECT id FROM (${toOffers(list)}) AS shelf)
        AND ${list.statuses ? sql`code.status = ANY (${toStatuses(list)})` : sql`true`} AND ${ofGenerated(list)}`

export const countStock = (queries: Queries, list: StockFilter): Promise<number> => countAll(queries, stockWhere(list))

/** Prices are in minor units. */
export interface StockRow extends Sealed, Omit<ListedCode, 'code' | 'created_at'> {
  offer_id: number
  created_at: Date
}

export const columns = sql`
  code.id, code.offer_id, offer.product_id, texts.title AS product_title, coalesce(offer.region_id, 0) AS region_id,
  coalesce(region.name, '') AS region_name, offer.game_amount, offer.price_usd, offer.price_rub,
  coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
  code.status, code.batch_id, code.key_id AS "keyId", code.ciphertext, code.created_at, code.version,
  sale.order_id, sale.user_id, sale.nickname`

/** The tables `columns` needs beside `code`. */
export const joins = sql`
  JOIN offer ON offer.id = code.offer_id
  JOIN product ON product.id = offer.product_id
  JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = product.id AND product_region.region_id = offer.region_id
  LEFT JOIN LATERAL (
    SELECT order_item.order_id, users.id AS user_id, users.nickname
    FROM code_sale
    JOIN order_item ON order_item.id = code_sale.order_item_id
    JOIN orders ON orders.id = order_item.order_id
    JOIN users ON users.id = orders.user_id
    WHERE code_sale.code_id = code.id AND code_sale.sale_number = code.sale_number AND code.status = 'used') AS sale
    ON true`

export const listStock = (queries: Queries, list: StockList) =>
  queries.rows<StockRow>(sql`
    SELECT ${columns} FROM ${foundStock(list)} JOIN code USING (id) ${joins} ORDER BY ${inOrder(list)}`)

export const findStock = (queries: Queries, codeId: number) =>
  queries.maybe<StockRow>(sql`SELECT ${columns} FROM code ${joins} WHERE code.id = ${codeId}`)

export interface LockedCode extends StockRow {
  was_sold: boolean
  was_revealed: boolean
  is_generated: boolean
}

/**
 * Locks a code until the transaction ends, then reads it: a single statement that waits would return the package from
 * before the wait.
 */
export async function lockCode(tx: Tx, codeId: number): Promise<LockedCode | undefined> {
  await tx.run(sql`SELECT FROM code WHERE id = ${codeId} FOR UPDATE`)
  return tx.maybe<LockedCode>(sql`
    SELECT ${columns}, EXISTS (SELECT FROM code_sale WHERE code_id = code.id) AS was_sold,
      EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) AS was_revealed,
      code.denomination_id IS NOT NULL AS is_generated
    FROM code ${joins} WHERE code.id = ${codeId}`)
}

/** Records an edit of a code by an admin, which counts its version up. */
export const moveCode = (tx: Tx, codeId: number, change: { offerId: number; status: CodeStatus }) =>
  tx.run(sql`
    UPDATE code SET offer_id = ${change.offerId}, status = ${change.status},
      is_expired = is_expired AND status = ${change.status}, version = version + 1
    WHERE id = ${codeId}`)

export const rewriteCode = (tx: Tx, codeId: number, code: Sealed & { fingerprint: Buffer }) =>
  tx.run(sql`
    UPDATE code SET key_id = ${code.keyId}, ciphertext = ${code.ciphertext}, fingerprint = ${code.fingerprint}
    WHERE id = ${codeId}`)

/** Deletes a code. Refuses one that a supplier was once asked to spend with STATE_CONFLICT. */
export async function deleteCode(tx: Tx, codeId: number): Promise<void> {
  await tx.run(sql`DELETE FROM code WHERE id = ${codeId}`).catch((error: unknown) => {
    throw isStillReferenced(error) ? new Failure('STATE_CONFLICT', { reason: 'code_tried', code: 'tried' }) : error
  })
}

interface OrderStockRow extends Sealed, Omit<OrderCode, 'code' | 'sold_at' | 'revealed_at' | 'returned_at'> {
  item_id: number
  sold_at: Date
  revealed_at: Date | null
  returned_at: Date | null
}

const readOrderStock = (queries: Queries, orderId: string) =>
  queries.rows<OrderStockRow>(sql`
    SELECT code.id, code.key_id AS "keyId", code.ciphertext, code.status, order_item.id AS item_id,
      code_sale.created_at AS sold_at, code_return.created_at AS returned_at, trim_scale(code_sale.cost)::text AS cost,
      (SELECT min(created_at) FROM code_reveal WHERE code_id = code.id AND place <> 'admin'
        AND created_at BETWEEN code_sale.created_at AND coalesce(code_return.created_at, 'infinity')) AS revealed_at
    FROM order_item
    JOIN code_sale ON code_sale.order_item_id = order_item.id
    JOIN code ON code.id = code_sale.code_id
    LEFT JOIN code_return ON code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number
    WHERE order_item.order_id = ${orderId} ORDER BY order_item.position, code_sale.position`)

/** One that was altered and does not open is only a mask: revealing it says so. */
export const maskedCode = async (vault: Vault, sealed: Sealed & { id: number }): Promise<string> =>
  maskCode(await vault.unseal(sealed, codeRow(sealed.id)).catch(() => ''))

/** Formats a code for lists. */
export async function shownStock(vault: Vault, row: StockRow): Promise<ListedCode> {
  const { keyId, ciphertext, price_usd, price_rub, created_at, ...fields } = row
  return {
    ...fields,
    code: await maskedCode(vault, row),
    price_usd: toMajor(price_usd),
    price_rub: toMajor(price_rub),
    created_at: created_at.toISOString(),
  }
}

/** Reads the masked codes of an order by the id of their item, including returned ones. */
export async function readOrderCodes(
  queries: Queries,
  vault: Vault,
  orderId: string,
): Promise<Map<number, OrderCode[]>> {
  const codes = new Map<number, OrderCode[]>()
  for (const row of await readOrderStock(queries, orderId)) {
    const shown = {
      id: row.id,
      code: await maskedCode(vault, row),
      status: row.status,
      sold_at: row.sold_at.toISOString(),
      revealed_at: row.revealed_at?.toISOString() ?? null,
      returned_at: row.returned_at?.toISOString() ?? null,
      cost: row.cost,
    }
    codes.set(row.item_id, [...(codes.get(row.item_id) ?? []), shown])
  }
  return codes
}
