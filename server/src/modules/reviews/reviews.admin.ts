import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { type ListedReview, type ReviewFilter, reviewsApi } from '@olmos/contract/reviews'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  containing,
  countAll,
  direction,
  type ListPage,
  type Queries,
  requireVersion,
  sql,
  type Tx,
  toPage,
  withTotal,
} from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { updateRating } from './reviews.ts'

interface ReviewRow
  extends Omit<ListedReview, 'created_at' | 'changed_at' | 'withdrawn_at' | 'answered_at' | 'hidden_at'> {
  created_at: Date
  changed_at: Date | null
  withdrawn_at: Date | null
  answered_at: Date | null
  hidden_at: Date | null
  is_counted: boolean
}

const listedReviews = (language: Language) => sql`
  SELECT review.id, order_item.order_id, review.user_id, users.nickname, review.stars, review.text, review.created_at,
    review.changed_at, review.withdrawn_at, review.answer, review.answered_at, review.hidden_reason, review.hidden_at,
    review.is_counted, review.version,
    (SELECT nickname FROM users WHERE users.id = review.answered_by) AS answered_by,
    (SELECT nickname FROM users WHERE users.id = review.hidden_by) AS hidden_by,
    json_build_object('id', product.id, 'slug', product.slug, 'is_deleted', product.deleted_at IS NOT NULL,
      'title', (SELECT title FROM product_text WHERE product_id = product.id AND language IN (${language}, 'ru')
        ORDER BY language = ${language} DESC LIMIT 1)) AS product
  FROM review
  JOIN order_item ON order_item.id = review.order_item_id
  JOIN product ON product.id = review.product_id
  JOIN users ON users.id = review.user_id`

const isIn: Record<ReviewFilter, ReturnType<typeof sql>> = {
  waiting: sql`review.is_counted AND (review.answered_at IS NULL OR review.answered_at < review.changed_at)`,
  hidden: sql`review.hidden_at IS NOT NULL`,
  withdrawn: sql`review.withdrawn_at IS NOT NULL`,
}

const toColumn = {
  id: sql`review.id`,
  created_at: sql`review.created_at`,
  stars: sql`review.stars`,
}

interface ReviewList extends ListPage {
  search: string
  sort: keyof typeof toColumn
  filter?: ReviewFilter | undefined
  stars?: string | undefined
}

const hasWord = (search: string) => sql`(
  lower(review.text) LIKE ${containing(search.toLowerCase())}
  OR review.product_id IN (SELECT id FROM product WHERE slug LIKE ${containing(search.toLowerCase())})
  OR review.user_id IN (SELECT id FROM users WHERE nickname_key LIKE ${containing(search.toLowerCase())})
  OR review.order_item_id IN (SELECT id FROM order_item WHERE order_id = ${search.toUpperCase()}))`

const isListed = ({ search, filter, stars }: ReviewList) =>
  allConditions(
    filter && isIn[filter],
    stars === undefined ? undefined : sql`review.stars = ${Number(stars)}`,
    search ? hasWord(search) : undefined,
  )

const listReviews = (queries: Queries, list: ReviewList, language: Language) =>
  queries.rows<ReviewRow>(sql`
    ${listedReviews(language)} WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, review.id ${toPage(list)}`)

const countReviews = (queries: Queries, list: ReviewList) =>
  countAll(queries, sql`SELECT FROM review WHERE ${isListed(list)}`, list.search)

/** Locks a review until the transaction ends, then reads it: a statement that waits would return it from before. */
async function lockReview(tx: Tx, reviewId: number, language: Language): Promise<ReviewRow> {
  await tx.run(sql`SELECT FROM review WHERE id = ${reviewId} FOR UPDATE`)
  const row = await tx.maybe<ReviewRow>(sql`${listedReviews(language)} WHERE review.id = ${reviewId}`)
  if (!row) throw new Failure('NOT_FOUND')
  return row
}

const setAnswer = (tx: Tx, reviewId: number, answer: string | null, adminId: number) =>
  tx.run(sql`
    UPDATE review SET answer = ${answer}, answered_at = CASE WHEN ${answer}::text IS NOT NULL THEN now() END,
      answered_by = CASE WHEN ${answer}::text IS NOT NULL THEN ${adminId}::int END
    WHERE id = ${reviewId}`)

const setHidden = (tx: Tx, reviewId: number, reason: string | null, adminId: number) =>
  tx.run(sql`
    UPDATE review SET hidden_reason = ${reason}, hidden_at = CASE WHEN ${reason}::text IS NOT NULL THEN now() END,
      hidden_by = CASE WHEN ${reason}::text IS NOT NULL THEN ${adminId}::int END
    WHERE id = ${reviewId}`)

const shownReview = ({ is_counted: _, ...row }: ReviewRow): ListedReview => ({
  ...row,
  created_at: row.created_at.toISOString(),
  changed_at: row.changed_at?.toISOString() ?? null,
  withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
  answered_at: row.answered_at?.toISOString() ?? null,
  hidden_at: row.hidden_at?.toISOString() ?? null,
})

/** Whom the change is made by, of what, and what they saw of it. */
interface Change {
  adminId: number
  reviewId: number
  version: number | undefined
  language: Language
}

/** Puts the store's answer below a review, in the place of the one before. What the buyer wrote is nobody else's to edit. */
async function answerReview(tx: Tx, answer: string, { adminId, reviewId, version, language }: Change) {
  const before = await lockReview(tx, reviewId, language)
  requireVersion(shownReview(before), version)
  await setAnswer(tx, reviewId, answer === '' ? null : answer, adminId)
  const after = await lockReview(tx, reviewId, language)
  await writeAuditChange(
    tx,
    { actorId: adminId, action: 'review.answer', subject: `review:${reviewId}` },
    { answer: before.answer },
    { answer: after.answer },
  )
  tx.notify('catalogue', `product:${after.product.id}`)
  return shownReview(after)
}

/** Hides a review, with which it counts for nothing, or shows it again. */
async function hideReview(
  tx: Tx,
  { hidden, reason }: { hidden: boolean; reason: string },
  { adminId, reviewId, version, language }: Change,
) {
  const before = await lockReview(tx, reviewId, language)
  requireVersion(shownReview(before), version)
  await setHidden(tx, reviewId, hidden ? reason : null, adminId)
  const after = await lockReview(tx, reviewId, language)
  await updateRating(tx, after.product.id, before, after)
  await writeAudit(tx, {
    actorId: adminId,
    action: hidden ? 'review.hide' : 'review.show',
    subject: `review:${reviewId}`,
    before: { hidden: before.hidden_at !== null },
    after: { hidden, reason },
  })
  return shownReview(after)
}

export function reviewsAdmin({ serve, database }: Context): void {
  serve(reviewsApi.list, async ({ query, language }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listReviews(database, list, language), () =>
      countReviews(database, list),
    )
    return { data: rows.map(shownReview), total }
  })

  serve(reviewsApi.answer, async ({ user, params, body: { answer, version }, language }) => {
    const change = { adminId: user.id, reviewId: params.id, version, language }
    return { data: await database.transaction((tx) => answerReview(tx, answer, change)) }
  })

  serve(reviewsApi.hide, async ({ user, params, body: { version, ...wanted }, language }) => {
    const change = { adminId: user.id, reviewId: params.id, version, language }
    return { data: await database.transaction((tx) => hideReview(tx, wanted, change)) }
  })
}
