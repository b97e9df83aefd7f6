import type { GeneratedCode } from '@olmos/contract/generated-codes'
import { LIMITS } from '@olmos/contract/limits'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { Sealed } from '../../platform/vault.ts'
import { around, columns, type StockRow } from './stock.store.ts'
import { foundStock, inOrder, isInForce, type StockFilter, type StockList, stockWhere } from './stock-list.store.ts'

export interface GeneratedRow extends StockRow {
  denomination_id: number
  denomination_name: string
  popular: boolean
  activated_at: Date | null
  activation: GeneratedCode['activation']
}

const generatedColumns = sql`
  ${columns}, code.denomination_id, offer.is_popular AS popular,
  coalesce(denomination.name, denomination.game_amount || ' ' || game.game_currency) AS denomination_name,
  activation.created_at AS activated_at, activation.details AS activation`

const aroundGenerated = sql`
  ${around}
  JOIN offer AS denomination ON denomination.id = code.denomination_id
  JOIN product AS game ON game.id = denomination.product_id
  LEFT JOIN LATERAL (
    SELECT code_activation.created_at, json_build_object('order_id', orders.id, 'user_id', users.id,
      'nickname', users.nickname, 'player_id', target.account, 'player_name', target.player_name) AS details
    FROM code_activation
    JOIN order_item ON order_item.id = code_activation.order_item_id
    JOIN topup_target AS target ON target.order_item_id = order_item.id
    JOIN orders ON orders.id = order_item.order_id
    JOIN users ON users.id = orders.user_id
    WHERE code_activation.code_id = code.id AND ${isInForce}) AS activation ON true`

export const listGenerated = (queries: Queries, list: StockList) =>
  queries.rows<GeneratedRow>(sql`
    SELECT ${generatedColumns} FROM ${foundStock(list)} JOIN code USING (id) ${aroundGenerated}
    ORDER BY ${inOrder(list)}`)

export const findGenerated = (queries: Queries, codeId: number) =>
  queries.maybe<GeneratedRow>(sql`SELECT ${generatedColumns} FROM code ${aroundGenerated} WHERE code.id = ${codeId}`)

/** The same, held until the transaction ends. */
export const lockGenerated = (tx: Tx, codeId: number) =>
  tx.maybe<GeneratedRow>(
    sql`SELECT ${generatedColumns} FROM code ${aroundGenerated} WHERE code.id = ${codeId} FOR UPDATE OF code`,
  )

/** What was deleted or recalled is not put on sale. Held in the order of their ids, so that two who publish at once wait for each other and are not in each other's way. */
const moveAll = (tx: Tx, chosen: Sql, from: 'available' | 'unpublished', to: 'available' | 'unpublished') =>
  tx.rows<{ id: number; product_id: number }>(sql`
    WITH held AS (
      SELECT id FROM code WHERE denomination_id IS NOT NULL AND status = ${from} AND ${chosen}
      ORDER BY id FOR UPDATE),
    moved AS (
      UPDATE code SET status = ${to} FROM held, offer WHERE code.id = held.id AND offer.id = code.offer_id
      RETURNING code.id, code.status, offer.product_id)
    SELECT id, product_id FROM moved WHERE status = ${to}`)

interface Chosen {
  ids?: number[] | undefined
  /** Or all of a batch. */
  batch?: number | undefined
}

const isChosen = ({ ids, batch }: Chosen) =>
  ids ? sql`code.id = ANY (${ids}::bigint[])` : sql`code.batch_id = ${batch}`

/**
 * How many of the codes that are not on sale stand behind a product whose codes are not activated in their game. The
 * products are locked: they stay as they are until the transaction ends.
 */
export async function countOfOtherGame(tx: Tx, chosen: Chosen): Promise<number> {
  await tx.run(sql`
    SELECT FROM product WHERE id IN (
      SELECT product_id FROM offer JOIN code ON code.offer_id = offer.id WHERE ${isChosen(chosen)})
    ORDER BY id FOR SHARE`)
  const { count } = await tx.one<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM code
    WHERE denomination_id IS NOT NULL AND status = 'unpublished' AND ${isChosen(chosen)}
      AND NOT is_of_its_game(offer_id, denomination_id)`)
  return count
}

/** Puts those of the codes on sale that are not, or takes off sale those that are; answers which it changed. */
export const setPublished = (tx: Tx, { published, ...chosen }: Chosen & { published: boolean }) =>
  published
    ? moveAll(tx, isChosen(chosen), 'unpublished', 'available')
    : moveAll(tx, isChosen(chosen), 'available', 'unpublished')

export interface CopiedCode extends Sealed {
  id: number
  product_title: string
  denomination_name: string
  game_amount: number
  price_usd: number
  price_rub: number
  status: GeneratedRow['status']
  activated_at: Date | null
  player_id: string | null
  created_at: Date
}

/** One more than may be copied at once, so that too many show. */
export const readToCopy = (queries: Queries, filter: StockFilter, ids: number[] | undefined) =>
  queries.rows<CopiedCode>(sql`
    SELECT code.id, code.key_id AS "keyId", code.ciphertext, texts.title AS product_title,
      coalesce(denomination.name, denomination.game_amount || ' ' || game.game_currency) AS denomination_name,
      offer.game_amount, offer.price_usd, offer.price_rub, code.status, code.created_at,
      activation.created_at AS activated_at, activation.account AS player_id
    FROM code
    JOIN offer ON offer.id = code.offer_id
    JOIN product_text AS texts ON texts.product_id = offer.product_id AND texts.language = 'ru'
    JOIN offer AS denomination ON denomination.id = code.denomination_id
    JOIN product AS game ON game.id = denomination.product_id
    LEFT JOIN LATERAL (
      SELECT code_activation.created_at, target.account FROM code_activation
      JOIN topup_target AS target USING (order_item_id)
      WHERE code_activation.code_id = code.id AND ${isInForce}) AS activation ON true
    WHERE code.id IN (${stockWhere(filter)}) AND ${ids ? sql`code.id = ANY (${ids}::bigint[])` : sql`true`}
    ORDER BY code.id LIMIT ${LIMITS.copiedCodesMax + 1}`)

/** How many codes an admin has copied within the last hours, by the audit trail. */
export async function countCopied(queries: Queries, adminId: number, hours: number): Promise<number> {
  const { copied } = await queries.one<{ copied: number }>(sql`
    SELECT coalesce(sum((after->>'count')::int), 0)::int AS copied FROM audit_entry
    WHERE subject = 'codes' AND action = 'codes.copy' AND actor_id = ${adminId}
      AND created_at > now() - make_interval(hours => ${hours})`)
  return copied
}
