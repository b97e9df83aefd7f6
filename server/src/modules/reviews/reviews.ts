import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { ItemStatus } from '@olmos/contract/orders'
import {
  type ListedReview,
  type NewReview,
  type Review,
  type ReviewedItem,
  type ReviewFilter,
  reviewsApi,
} from '@olmos/contract/reviews'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { numberInForce } from '../shop/shop.ts'

/** The part of a review that decides how much it counts for its product. */
export interface Counted {
  stars: number
  is_counted: boolean
}

/** A line of an order, with its review where there is one. */
interface ItemRow {
  item_id: number
  product_id: number
  status: ItemStatus
  /** Null, as everything below is, without a review. */
  stars: number | null
  is_counted: boolean | null
  text: string | null
  created_at: Date | null
  changed_at: Date | null
  withdrawn_at: Date | null
  answer: string | null
  answered_at: Date | null
  hidden_at: Date | null
  open_until: Date | null
  is_open: boolean | null
  /** For how many days it may be changed. */
  change_days: number
}

const openUntil = sql`review.created_at + make_interval(days => ${numberInForce('review_change_days')})`

const ownItems = (userId: number, orderId: string): Sql => sql`
  SELECT order_item.id AS item_id, coalesce(order_item.product_id, offer.product_id) AS product_id, order_item.status,
    review.stars, review.is_counted, review.text, review.created_at, review.changed_at, review.withdrawn_at,
    review.answer, review.answered_at, review.hidden_at,
    ${openUntil} AS open_until, ${openUntil} > now() AS is_open, ${numberInForce('review_change_days')} AS change_days
  FROM orders JOIN order_item ON order_item.order_id = orders.id
  LEFT JOIN offer ON offer.id = order_item.offer_id
  LEFT JOIN review ON review.order_item_id = order_item.id
  WHERE orders.id = ${orderId} AND orders.user_id = ${userId}`

const listOwnItems = (queries: Queries, userId: number, orderId: string) =>
  queries.rows<ItemRow>(sql`${ownItems(userId, orderId)} ORDER BY order_item.position`)

/**
 * Locks the order, which keeps a refund and a second press out, and the review, which keeps operators out; then reads
 * both, as a single statement that waits would return the item from before the wait.
 */
async function lockOwnItem(tx: Tx, userId: number, orderId: string, itemId: number): Promise<ItemRow> {
  await tx.run(sql`SELECT FROM orders WHERE id = ${orderId} AND user_id = ${userId} FOR NO KEY UPDATE`)
  await tx.run(sql`SELECT FROM review WHERE order_item_id = ${itemId} FOR UPDATE`)
  const item = await tx.maybe<ItemRow>(sql`${ownItems(userId, orderId)} AND order_item.id = ${itemId}`)
  if (!item) throw new Failure('NOT_FOUND')
  return item
}

const writeRow = (tx: Tx, userId: number, item: ItemRow, { stars, text }: NewReview) =>
  tx.run(sql`
    INSERT INTO review (order_item_id, product_id, user_id, stars, text)
    VALUES (${item.item_id}, ${item.product_id}, ${userId}, ${stars}, ${text})
    ON CONFLICT (order_item_id) DO UPDATE
    SET stars = excluded.stars, text = excluded.text, changed_at = now(), withdrawn_at = NULL`)

const withdrawRow = (tx: Tx, itemId: number) =>
  tx.run(sql`UPDATE review SET withdrawn_at = now(), text = '' WHERE order_item_id = ${itemId}`)

/** Brings the rating of a product up to date with a review that was one thing before, and is another now. */
async function updateRating(tx: Tx, productId: number, before: Counted | undefined, after: Counted): Promise<void> {
  const [was, is] = [before?.is_counted ? before.stars : 0, after.is_counted ? after.stars : 0]
  const reviews = Number(is > 0) - Number(was > 0)
  tx.notify('catalogue', `product:${productId}`)
  if (is === was) return
  await tx.run(sql`INSERT INTO product_rating (product_id) VALUES (${productId}) ON CONFLICT DO NOTHING`)
  await tx.run(sql`
    UPDATE product_rating SET reviews = reviews + ${reviews}, stars = stars + ${is - was} WHERE product_id = ${productId}`)
}

const toCounted = ({ stars, is_counted }: ItemRow): Counted | undefined =>
  stars === null ? undefined : { stars, is_counted: is_counted === true }

/** Refuses what is not delivered, or no longer, and a review that is past its time. */
function requireOpen(item: ItemRow): void {
  const { status } = item
  if (status !== 'delivered') throw new Failure('STATE_CONFLICT', { reason: 'review_not_delivered', status })
  requireInTime(item)
}

function requireInTime({ is_open, change_days: days }: ItemRow): void {
  if (is_open === false) throw new Failure('STATE_CONFLICT', { reason: 'review_closed', days })
}

interface OwnItem {
  userId: number
  orderId: string
  itemId: number
}

/** Writes the one review of a line, or changes it: whoever presses twice has written one. */
async function writeReview(tx: Tx, { userId, orderId, itemId }: OwnItem, wanted: NewReview): Promise<ReviewedItem> {
  const before = await lockOwnItem(tx, userId, orderId, itemId)
  requireOpen(before)
  const isSame = before.stars === wanted.stars && before.text === wanted.text && before.withdrawn_at === null
  if (isSame) return shownItem(before)
  await writeRow(tx, userId, before, wanted)
  await updateRating(tx, before.product_id, toCounted(before), {
    stars: wanted.stars,
    is_counted: before.hidden_at === null,
  })
  return shownItem(await lockOwnItem(tx, userId, orderId, itemId))
}

/** Takes a review back, also after a refund. */
async function withdrawReview(tx: Tx, { userId, orderId, itemId }: OwnItem): Promise<void> {
  const before = await lockOwnItem(tx, userId, orderId, itemId)
  const counted = toCounted(before)
  if (!counted || before.withdrawn_at) throw new Failure('NOT_FOUND')
  requireInTime(before)
  await withdrawRow(tx, itemId)
  await updateRating(tx, before.product_id, counted, { ...counted, is_counted: false })
}

const shownItem = (row: ItemRow): ReviewedItem => ({
  item_id: row.item_id,
  can_write: row.status === 'delivered' && row.is_open !== false,
  review: shownOwn(row),
})

function shownOwn(row: ItemRow): ReviewedItem['review'] {
  const { stars, text, created_at, open_until } = row
  if (stars === null || text === null || !created_at || !open_until || row.withdrawn_at) return null
  return {
    stars,
    text,
    created_at: created_at.toISOString(),
    changed_at: row.changed_at?.toISOString() ?? null,
    answer: row.answer,
    answered_at: row.answered_at?.toISOString() ?? null,
    is_hidden: row.hidden_at !== null,
    open_until: open_until.toISOString(),
  }
}

interface ReviewRow extends Omit<Review, 'created_at' | 'changed_at' | 'answered_at'> {
  created_at: Date
  changed_at: Date | null
  answered_at: Date | null
}

const findRating = (queries: Queries, slug: string) =>
  queries.maybe<{ product_id: number; reviews: number }>(sql`
    SELECT product.id AS product_id, coalesce(reviews, 0) AS reviews
    FROM product LEFT JOIN product_rating ON product_rating.product_id = product.id
    WHERE slug = ${slug} AND is_active AND deleted_at IS NULL`)

/** Reads a page of a product's reviews. Of a nickname only the beginning is shown, because everybody may read them. */
const listShown = (queries: Queries, productId: number, page: number) =>
  queries.rows<ReviewRow>(sql`
    SELECT review.id, stars, text, left(nickname, 2) || '…' AS author, review.created_at, changed_at, answer, answered_at
    FROM review JOIN users ON users.id = review.user_id
    WHERE product_id = ${productId} AND is_counted
    ORDER BY review.id DESC ${toPage({ page, pageSize: SERVER_LIMITS.reviewsPageSize })}`)

const shownReview = (row: ReviewRow): Review => ({
  ...row,
  created_at: row.created_at.toISOString(),
  changed_at: row.changed_at?.toISOString() ?? null,
  answered_at: row.answered_at?.toISOString() ?? null,
})

export function reviewsRoutes({ serve, database, rateLimiter }: Context): void {
  const reviewsPerUser = rateLimiter('reviewsPerUser')

  serve(reviewsApi.own, async ({ user, params }) => {
    const items = await listOwnItems(database, user.id, params.id)
    if (items.length === 0) throw new Failure('NOT_FOUND')
    return { data: items.map(shownItem).filter(({ can_write, review }) => can_write || review) }
  })

  serve(reviewsApi.write, async ({ user, params, body }) => {
    await reviewsPerUser.count(String(user.id))
    const item = { userId: user.id, orderId: params.id, itemId: params.itemId }
    return { data: await database.transaction((tx) => writeReview(tx, item, body)) }
  })

  serve(reviewsApi.withdraw, async ({ user, params }) => {
    await reviewsPerUser.count(String(user.id))
    const item = { userId: user.id, orderId: params.id, itemId: params.itemId }
    await database.transaction((tx) => withdrawReview(tx, item))
  })

  serve.shared(reviewsApi.shown, async ({ params, query }) => {
    const product = await findRating(database, params.slug)
    if (!product) throw new Failure('NOT_FOUND')
    const rows = await listShown(database, product.product_id, query.page)
    return { reviews: rows.map(shownReview), total: product.reviews, page_size: SERVER_LIMITS.reviewsPageSize }
  })
}

interface ListedReviewRow
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

type ReviewList = SortedList<typeof reviewsApi.list>

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
  queries.rows<ListedReviewRow>(sql`
    ${listedReviews(language)} WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, review.id ${toPage(list)}`)

const countReviews = (queries: Queries, list: ReviewList) =>
  countAll(queries, sql`SELECT FROM review WHERE ${isListed(list)}`, list.search)

/** Locks a review until the transaction ends, then reads it: a statement that waits would return it from before. */
async function lockReview(tx: Tx, reviewId: number, language: Language): Promise<ListedReviewRow> {
  await tx.run(sql`SELECT FROM review WHERE id = ${reviewId} FOR UPDATE`)
  const row = await tx.maybe<ListedReviewRow>(sql`${listedReviews(language)} WHERE review.id = ${reviewId}`)
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

const shownListedReview = ({ is_counted: _, ...row }: ListedReviewRow): ListedReview => ({
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
  requireVersion(shownListedReview(before), version)
  await setAnswer(tx, reviewId, answer === '' ? null : answer, adminId)
  const after = await lockReview(tx, reviewId, language)
  await writeAuditChange(
    tx,
    { actorId: adminId, action: 'review.answer', subject: `review:${reviewId}` },
    { answer: before.answer },
    { answer: after.answer },
  )
  tx.notify('catalogue', `product:${after.product.id}`)
  return shownListedReview(after)
}

/** Hides a review, with which it counts for nothing, or shows it again. */
async function hideReview(
  tx: Tx,
  { hidden, reason }: { hidden: boolean; reason: string },
  { adminId, reviewId, version, language }: Change,
) {
  const before = await lockReview(tx, reviewId, language)
  requireVersion(shownListedReview(before), version)
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
  return shownListedReview(after)
}

export function reviewsAdmin({ serve, database }: Context): void {
  serve(reviewsApi.list, async ({ query, language }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listReviews(database, list, language), () =>
      countReviews(database, list),
    )
    return { data: rows.map(shownListedReview), total }
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
