import type { CodeStatus } from '@olmos/contract/codes'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { Sealed } from '../../platform/vault.ts'
import { foundStock, inOrder, type StockList } from './stock-list.store.ts'

export interface StockRow extends Sealed {
  id: number
  offer_id: number
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
  version: number
}

export const columns = sql`
  code.id, code.offer_id, offer.product_id, texts.title AS product_title, coalesce(offer.region_id, 0) AS region_id,
  coalesce(region.name, '') AS region_name, offer.game_amount, offer.price_usd, offer.price_rub,
  coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
  code.status, code.batch_id, code.key_id AS "keyId", code.ciphertext, code.created_at, code.version,
  sale.order_id, sale.user_id, sale.nickname`

/** What `columns` are of, beside `code`. */
export const around = sql`
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
    SELECT ${columns} FROM ${foundStock(list)} JOIN code USING (id) ${around} ORDER BY ${inOrder(list)}`)

export const findStock = (queries: Queries, codeId: number) =>
  queries.maybe<StockRow>(sql`SELECT ${columns} FROM code ${around} WHERE code.id = ${codeId}`)

export interface HeldCode extends StockRow {
  was_sold: boolean
  was_revealed: boolean
  is_generated: boolean
}

/** The same, held until the transaction ends. One statement that waits would bring the package of before it waited. */
export async function lockCode(tx: Tx, codeId: number): Promise<HeldCode | undefined> {
  await tx.run(sql`SELECT FROM code WHERE id = ${codeId} FOR UPDATE`)
  return tx.maybe<HeldCode>(sql`
    SELECT ${columns}, EXISTS (SELECT FROM code_sale WHERE code_id = code.id) AS was_sold,
      EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) AS was_revealed,
      code.denomination_id IS NOT NULL AS is_generated
    FROM code ${around} WHERE code.id = ${codeId}`)
}

/** An edit of a code by an admin: counts as a version of it. */
export const moveCode = (tx: Tx, codeId: number, change: { offerId: number; status: CodeStatus }) =>
  tx.run(sql`
    UPDATE code SET offer_id = ${change.offerId}, status = ${change.status}, version = version + 1 WHERE id = ${codeId}`)

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
