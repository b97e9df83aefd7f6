import type { CodeStatus } from '@olmos/contract/codes'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import { isInForce } from './stock-list.store.ts'

export interface SpendableCode {
  id: number
  status: CodeStatus
  /** What it delivers. */
  offer_id: number
  price_version: number
  game_currency: string
}

const generatedCode = sql`
  SELECT code.id, code.status, offer.id AS offer_id, offer.price_version, product.game_currency
  FROM code JOIN offer ON offer.id = code.denomination_id JOIN product ON product.id = offer.product_id`

export const findSpendable = (queries: Queries, fingerprint: Buffer) =>
  queries.maybe<SpendableCode>(sql`${generatedCode} WHERE code.fingerprint = ${fingerprint}`)

/** The same; nobody else sells or spends it until the transaction ends. */
export const lockSpendable = (tx: Tx, fingerprint: Buffer) =>
  tx.maybe<SpendableCode>(sql`${generatedCode} WHERE code.fingerprint = ${fingerprint} FOR UPDATE OF code`)

export interface Activation {
  order_id: string
  user_id: number
}

/** The activation of the code that is in force. */
export const findActivation = (queries: Queries, codeId: number) =>
  queries.maybe<Activation>(sql`
    SELECT orders.id AS order_id, orders.user_id FROM code_activation
    JOIN order_item ON order_item.id = code_activation.order_item_id
    JOIN orders ON orders.id = order_item.order_id
    WHERE code_activation.code_id = ${codeId} AND ${isInForce}`)

/** Who bought the code, where it was sold and is still theirs. */
export const findBuyerOf = (queries: Queries, codeId: number) =>
  queries.maybe<{ user_id: number }>(sql`
    SELECT orders.user_id FROM code JOIN code_sale ON code_sale.code_id = code.id
      AND code_sale.sale_number = code.sale_number
    JOIN order_item ON order_item.id = code_sale.order_item_id JOIN orders ON orders.id = order_item.order_id
    WHERE code.id = ${codeId} AND code.status = 'used'`)

/** Those of the codes that have an activation in force. */
export const findActivated = (queries: Queries, codeIds: number[]) =>
  queries.rows<{ id: number }>(sql`
    SELECT code_id AS id FROM code_activation WHERE code_id = ANY (${codeIds}::bigint[]) AND ${isInForce} ORDER BY id`)

const itemOf = (orderId: string) => sql`SELECT id FROM order_item WHERE order_id = ${orderId}`

/** Of an order with one item. */
export const insertActivation = (tx: Tx, codeId: number, orderId: string) =>
  tx.run(sql`
    INSERT INTO code_activation (code_id, activation_number, order_item_id)
    SELECT ${codeId}, (SELECT count(*) + 1 FROM code_activation WHERE code_id = ${codeId}), id
    FROM (${itemOf(orderId)}) AS item`)

/** A code that the operator handed out unsold is sold by being spent: nobody can buy it any more. */
export const sellBySpending = (tx: Tx, codeId: number, orderId: string) =>
  tx.run(sql`
    WITH used AS (
      UPDATE code SET status = 'used' WHERE id = ${codeId} AND status IN ('available', 'unpublished')
      RETURNING id, sale_number)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position)
    SELECT used.id, used.sale_number, item.id, 1 FROM used, (${itemOf(orderId)}) AS item`)
