import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import {
  type ListedPromotion,
  type NewPromotion,
  type Promotion,
  type PromotionChange,
  promotionsApi,
} from '@olmos/contract/promotions'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  exists,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'

const listActivePromotions = (queries: Queries, language: Language) =>
  queries.rows<Promotion>(sql`
    SELECT promotion.id, texts.text, promotion.background_color, (
      SELECT code FROM coupon WHERE coupon.id = coupon_id AND archived_at IS NULL AND coupon.is_active
        AND coalesce(starts_at <= now(), true) AND coalesce(ends_at > now(), true) AND coalesce(used < max_uses, true)) AS coupon
    FROM promotion JOIN LATERAL (
      SELECT text FROM promotion_text WHERE promotion_id = promotion.id AND language IN (${language}, 'ru')
      ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
    WHERE promotion.is_active ORDER BY promotion.id`)

interface PromotionRow extends Omit<ListedPromotion, 'text' | 'created_at'> {
  created_at: Date
}

const columns = sql`
  promotion.id, promotion.background_color, promotion.is_active, promotion.created_at, promotion.version,
  (SELECT code FROM coupon WHERE coupon.id = coupon_id AND archived_at IS NULL) AS coupon,
  (SELECT json_object_agg(language, text) FROM promotion_text WHERE promotion_id = promotion.id) AS translations`

const toColumn = {
  id: sql`promotion.id`,
  text: sql`(SELECT lower(text) FROM promotion_text WHERE promotion_id = promotion.id AND language = 'ru')`,
  is_active: sql`promotion.is_active`,
  created_at: sql`promotion.created_at`,
}

type PromotionList = SortedList<typeof promotionsApi.list>

const isListed = ({ search }: PromotionList) =>
  allConditions(
    search
      ? sql`EXISTS (SELECT FROM promotion_text WHERE promotion_id = promotion.id AND text ILIKE ${containing(search)})`
      : undefined,
  )

const listPromotions = (queries: Queries, list: PromotionList) =>
  queries.rows<PromotionRow>(sql`
    SELECT ${columns} FROM promotion WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, promotion.id ${toPage(list)}`)

const countPromotions = (queries: Queries, list: PromotionList) =>
  countAll(queries, sql`SELECT FROM promotion WHERE ${isListed(list)}`)

const findPromotion = (queries: Queries, promotionId: number) =>
  queries.maybe<PromotionRow>(sql`SELECT ${columns} FROM promotion WHERE id = ${promotionId}`)

/**
 * Locks a promotion until the transaction ends, then reads it: a single statement that waits would return the texts
 * from before the wait.
 */
async function lockPromotionRow(tx: Tx, promotionId: number): Promise<PromotionRow | undefined> {
  await tx.run(sql`SELECT FROM promotion WHERE id = ${promotionId} FOR UPDATE`)
  return findPromotion(tx, promotionId)
}

/** Selects the id of the coupon that has a code now. */
const couponWith = (code: string | null) => sql`(SELECT id FROM coupon WHERE code = ${code} AND archived_at IS NULL)`

/** Refuses the code of no coupon: VALIDATION_FAILED. */
async function requireCoupon(tx: Tx, code: string | null): Promise<void> {
  if (code === null || (await exists(tx, couponWith(code)))) return
  throw new Failure('VALIDATION_FAILED', { coupon: 'not_found' })
}

async function insertPromotion(
  queries: Queries,
  { backgroundColor, isActive = true, coupon = null }: Omit<PromotionDraft, 'text'>,
): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO promotion (background_color, is_active, coupon_id)
    VALUES (${backgroundColor}, ${isActive}, ${couponWith(coupon)}) RETURNING id`)
  return id
}

const updatePromotion = (
  tx: Tx,
  promotionId: number,
  promotion: Pick<PromotionRow, 'background_color' | 'is_active' | 'coupon'>,
) =>
  tx.run(sql`
    UPDATE promotion SET background_color = ${promotion.background_color}, is_active = ${promotion.is_active},
      coupon_id = ${couponWith(promotion.coupon)}
    WHERE id = ${promotionId}`)

const setPromotionText = (queries: Queries, promotionId: number, language: string, text: string) =>
  queries.run(sql`
    INSERT INTO promotion_text (promotion_id, language, text) VALUES (${promotionId}, ${language}, ${text})
    ON CONFLICT (promotion_id, language) DO UPDATE SET text = excluded.text`)

const deletePromotionText = (tx: Tx, promotionId: number, language: string) =>
  tx.run(sql`DELETE FROM promotion_text WHERE promotion_id = ${promotionId} AND language = ${language}`)

const deletePromotion = (tx: Tx, promotionId: number) => tx.run(sql`DELETE FROM promotion WHERE id = ${promotionId}`)

interface PromotionDraft {
  text: Partial<Record<Language, string>> & { ru: string }
  /** '#rrggbb' */
  backgroundColor: string
  isActive?: boolean
  /** The code of a coupon; none by default. */
  coupon?: string | null
}

/** Adds a promotion, active by default; returns its id. */
export async function addPromotion(tx: Tx, promotion: PromotionDraft): Promise<number> {
  const id = await insertPromotion(tx, promotion)
  for (const [language, text] of Object.entries(promotion.text)) {
    if (text !== '') await setPromotionText(tx, id, language, text)
  }
  return id
}

const shownPromotion = (row: PromotionRow): ListedPromotion => ({
  ...row,
  text: row.translations.ru ?? '',
  created_at: row.created_at.toISOString(),
})

async function readPromotion(tx: Tx, promotionId: number): Promise<ListedPromotion> {
  const row = await findPromotion(tx, promotionId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownPromotion(row)
}

async function lockPromotion(tx: Tx, promotionId: number): Promise<ListedPromotion> {
  const row = await lockPromotionRow(tx, promotionId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownPromotion(row)
}

async function createPromotion(tx: Tx, adminId: number, wanted: NewPromotion): Promise<ListedPromotion> {
  await requireCoupon(tx, wanted.coupon)
  const id = await addPromotion(tx, {
    text: { ...wanted.translations, ru: wanted.text },
    backgroundColor: wanted.background_color,
    isActive: wanted.is_active,
    coupon: wanted.coupon,
  })
  const after = await readPromotion(tx, id)
  await writeAudit(tx, { actorId: adminId, action: 'promotion.create', subject: `promotion:${id}`, after })
  tx.notify('catalogue', `promotion:${id}`)
  return after
}

async function changePromotion(
  tx: Tx,
  adminId: number,
  promotionId: number,
  { version, text, translations, ...fields }: PromotionChange,
): Promise<ListedPromotion> {
  const before = await lockPromotion(tx, promotionId)
  requireVersion(before, version)
  if (fields.coupon) await requireCoupon(tx, fields.coupon)
  await updatePromotion(tx, promotionId, { ...before, ...fields })
  const texts = { ...translations, ru: text ?? (translations?.ru || before.text) }
  for (const [language, value] of Object.entries(texts)) {
    if (value === '') await deletePromotionText(tx, promotionId, language)
    else await setPromotionText(tx, promotionId, language, value)
  }
  const after = await readPromotion(tx, promotionId)
  const entry = { actorId: adminId, action: 'promotion.update', subject: `promotion:${promotionId}` } as const
  await writeAuditChange(tx, entry, before, after)
  tx.notify('catalogue', `promotion:${promotionId}`)
  return after
}

async function removePromotion(tx: Tx, adminId: number, promotionId: number): Promise<void> {
  const before = await lockPromotion(tx, promotionId)
  await deletePromotion(tx, promotionId)
  await writeAudit(tx, { actorId: adminId, action: 'promotion.delete', subject: `promotion:${promotionId}`, before })
  tx.notify('catalogue', `promotion:${promotionId}`)
}

export function promotionsRoutes({ serve, database }: Context): void {
  serve(promotionsApi.active, ({ language }) => listActivePromotions(database, language))

  serve(promotionsApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listPromotions(database, list), () => countPromotions(database, list))
    return { data: rows.map(shownPromotion), total }
  })

  serve(promotionsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createPromotion(tx, user.id, body)),
  }))

  serve(promotionsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changePromotion(tx, user.id, params.id, body)),
  }))

  serve(promotionsApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removePromotion(tx, user.id, params.id))
    return { data: { id: params.id } }
  })
}
