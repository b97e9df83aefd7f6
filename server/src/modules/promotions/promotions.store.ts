import type { Language } from '@olmos/contract/fields'
import type { Promotion } from '@olmos/contract/promotions'
import { containing, type Queries, sql, type Tx } from '../../platform/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/lists.ts'

export const listActivePromotions = (queries: Queries, language: Language) =>
  queries.rows<Promotion>(sql`
    SELECT promotion.id, texts.text, promotion.background_color
    FROM promotion JOIN LATERAL (
      SELECT text FROM promotion_text WHERE promotion_id = promotion.id AND language IN (${language}, 'ru')
      ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
    WHERE promotion.is_active ORDER BY promotion.id`)

export interface PromotionRow {
  id: number
  translations: Partial<Record<Language, string>>
  background_color: string
  is_active: boolean
  created_at: Date
  version: number
}

const columns = sql`
  promotion.id, promotion.background_color, promotion.is_active, promotion.created_at, promotion.version,
  (SELECT json_object_agg(language, text) FROM promotion_text WHERE promotion_id = promotion.id) AS translations`

const columnOf = {
  id: sql`promotion.id`,
  text: sql`(SELECT lower(text) FROM promotion_text WHERE promotion_id = promotion.id AND language = 'ru')`,
  is_active: sql`promotion.is_active`,
  created_at: sql`promotion.created_at`,
}

export interface PromotionList extends ListPage {
  search: string
  sort: keyof typeof columnOf
}

const isListed = ({ search }: PromotionList) =>
  allOf(
    search
      ? sql`EXISTS (SELECT FROM promotion_text WHERE promotion_id = promotion.id AND text ILIKE ${containing(search)})`
      : undefined,
  )

export const listPromotions = (queries: Queries, list: PromotionList) =>
  queries.rows<PromotionRow>(sql`
    SELECT ${columns} FROM promotion WHERE ${isListed(list)}
    ORDER BY ${columnOf[list.sort]} ${direction(list.order)}, promotion.id ${pageOf(list)}`)

export const countPromotions = (queries: Queries, list: PromotionList) =>
  countOf(queries, sql`SELECT FROM promotion WHERE ${isListed(list)}`)

export const findPromotion = (queries: Queries, promotionId: number) =>
  queries.maybe<PromotionRow>(sql`SELECT ${columns} FROM promotion WHERE id = ${promotionId}`)

/** The same, held until the transaction ends. One statement that waits would bring the texts of before it waited. */
export async function lockPromotion(tx: Tx, promotionId: number): Promise<PromotionRow | undefined> {
  await tx.run(sql`SELECT FROM promotion WHERE id = ${promotionId} FOR UPDATE`)
  return findPromotion(tx, promotionId)
}

export async function insertPromotion(queries: Queries, backgroundColor: string, isActive: boolean): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO promotion (background_color, is_active) VALUES (${backgroundColor}, ${isActive}) RETURNING id`)
  return id
}

export const updatePromotion = (
  tx: Tx,
  promotionId: number,
  promotion: Pick<PromotionRow, 'background_color' | 'is_active'>,
) =>
  tx.run(sql`
    UPDATE promotion SET background_color = ${promotion.background_color}, is_active = ${promotion.is_active}
    WHERE id = ${promotionId}`)

export const setPromotionText = (queries: Queries, promotionId: number, language: string, text: string) =>
  queries.run(sql`
    INSERT INTO promotion_text (promotion_id, language, text) VALUES (${promotionId}, ${language}, ${text})
    ON CONFLICT (promotion_id, language) DO UPDATE SET text = excluded.text`)

export const deletePromotionText = (tx: Tx, promotionId: number, language: string) =>
  tx.run(sql`DELETE FROM promotion_text WHERE promotion_id = ${promotionId} AND language = ${language}`)

export const deletePromotion = (tx: Tx, promotionId: number) =>
  tx.run(sql`DELETE FROM promotion WHERE id = ${promotionId}`)
