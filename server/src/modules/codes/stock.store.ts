import { type CodeStatus, codeStatuses } from '@olmos/contract/codes'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/lists.ts'
import type { Sealed } from '../../platform/vault.ts'

export interface StockRow extends Sealed {
  id: number
  product_id: number
  product_title: string
  region_id: number
  region_name: string
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  status: CodeStatus
  batch_id: number
  order_id: string | null
  user_id: number | null
  nickname: string | null
  created_at: Date
}

export interface StockList extends ListPage {
  sort: 'id' | 'created_at' | 'game_amount' | 'price_usd' | 'price_rub' | 'status'
  productId?: number | undefined
  /** 0 is no region. */
  regionId?: number | undefined
  status?: CodeStatus | undefined
  batch?: number | undefined
  /** Of one exact code, or the number of one. */
  wanted?: { fingerprint: Buffer; id: number | undefined } | undefined
}

const statusesOf = ({ status }: StockList) => (status ? [status] : codeStatuses)

/** Codes of top-ups have lists of their own, so they stand here only when they are asked for. */
const offersOf = ({ productId, regionId, wanted, batch }: StockList): Sql => sql`
  SELECT offer.id, offer.game_amount, offer.price_usd, offer.price_rub
  FROM offer JOIN product ON product.id = offer.product_id
  WHERE ${allOf(
    productId ? sql`offer.product_id = ${productId}` : undefined,
    regionId === undefined ? undefined : sql`offer.region_id IS NOT DISTINCT FROM ${regionId || null}`,
    productId || wanted || batch ? undefined : sql`product.kind = 'code'`,
  )}`

const named = ({ batch, wanted }: StockList): Sql | undefined => {
  if (wanted) return sql`(code.fingerprint = ${wanted.fingerprint} OR code.id = ${wanted.id ?? null}::bigint)`
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
    SELECT code.id, code.status FROM code WHERE code.offer_id = shelf.id AND code.status = wanted.status
    ORDER BY code.id ${idOrder(list)} LIMIT ${list.page * list.pageSize}) AS code`

/** Far down an unfiltered list one walk along the ids is shorter than many along the shelves. */
const isDeep = (list: StockList) =>
  isByTime(list) && list.page * list.pageSize > 1_000 && !list.status && !list.productId && list.regionId === undefined

const along = (list: StockList, condition: Sql): Sql => sql`
  SELECT ${sortable} FROM code JOIN (${offersOf(list)}) AS shelf ON shelf.id = code.offer_id
  WHERE ${condition} AND code.status = ANY (${statusesOf(list)})`

const columns = sql`
  code.id, offer.product_id, texts.title AS product_title, coalesce(offer.region_id, 0) AS region_id,
  coalesce(region.name, '') AS region_name, offer.game_amount, offer.price_usd, offer.price_rub,
  coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
  code.status, code.batch_id, code.key_id AS "keyId", code.ciphertext, code.created_at,
  sale.order_id, sale.user_id, sale.nickname`

const around = sql`
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

export function listStock(queries: Queries, list: StockList): Promise<StockRow[]> {
  const condition = named(list) ?? (isDeep(list) ? sql`true` : undefined)
  return queries.rows<StockRow>(sql`
    SELECT ${columns} FROM (
      SELECT * FROM (${condition ? along(list, condition) : onShelves(list)}) AS listed
      ORDER BY ${orderOf(list)} ${pageOf(list)}) AS found
    JOIN code USING (id) ${around} ORDER BY found.${columnOf[list.sort]} ${direction(list.order)}, found.id ${idOrder(list)}`)
}

export function countStock(queries: Queries, list: StockList): Promise<number> {
  const condition = named(list)
  if (condition) return countOf(queries, along(list, condition))
  return countOf(
    queries,
    sql`SELECT FROM code WHERE offer_id = ANY (SELECT id FROM (${offersOf(list)}) AS shelf)
      AND ${list.status ? sql`status = ${list.status}` : sql`true`}`,
  )
}

export const findStock = (queries: Queries, codeId: number) =>
  queries.maybe<StockRow>(sql`SELECT ${columns} FROM code ${around} WHERE code.id = ${codeId}`)

export interface HeldCode extends StockRow {
  was_sold: boolean
  was_revealed: boolean
}

/** The same, held until the transaction ends. */
export const lockCode = (tx: Tx, codeId: number) =>
  tx.maybe<HeldCode>(sql`
    SELECT ${columns}, EXISTS (SELECT FROM code_sale WHERE code_id = code.id) AS was_sold,
      EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) AS was_revealed
    FROM code ${around} WHERE code.id = ${codeId} FOR UPDATE OF code`)

export const moveCode = (tx: Tx, codeId: number, change: { offerId: number; status: CodeStatus }) =>
  tx.run(sql`UPDATE code SET offer_id = ${change.offerId}, status = ${change.status} WHERE id = ${codeId}`)

export const rewriteCode = (tx: Tx, codeId: number, code: Sealed & { fingerprint: Buffer }) =>
  tx.run(sql`
    UPDATE code SET key_id = ${code.keyId}, ciphertext = ${code.ciphertext}, fingerprint = ${code.fingerprint}
    WHERE id = ${codeId}`)

export const deleteCode = (tx: Tx, codeId: number) => tx.run(sql`DELETE FROM code WHERE id = ${codeId}`)

export interface OrderStockRow extends Sealed {
  id: number
  item_id: number
  status: CodeStatus
  sold_at: Date
  revealed_at: Date | null
  returned_at: Date | null
}

export const readOrderStock = (queries: Queries, orderId: string) =>
  queries.rows<OrderStockRow>(sql`
    SELECT code.id, code.key_id AS "keyId", code.ciphertext, code.status, order_item.id AS item_id,
      code_sale.created_at AS sold_at, code_return.created_at AS returned_at,
      (SELECT min(created_at) FROM code_reveal WHERE code_id = code.id AND place = 'receipt'
        AND created_at BETWEEN code_sale.created_at AND coalesce(code_return.created_at, 'infinity')) AS revealed_at
    FROM order_item
    JOIN code_sale ON code_sale.order_item_id = order_item.id
    JOIN code ON code.id = code_sale.code_id
    LEFT JOIN code_return ON code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number
    WHERE order_item.order_id = ${orderId} ORDER BY order_item.position, code_sale.position`)
