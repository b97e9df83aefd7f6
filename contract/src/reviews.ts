import { z } from 'zod'
import { BUSINESS } from './business.ts'
import { adminEndpoint, endpoint, endpointsFor } from './endpoint.ts'
import {
  bigId,
  bigIdText,
  byBigId,
  byOrderId,
  customerPage,
  id,
  listQuery,
  nothing,
  orderId,
  plainText,
  reason,
  text,
  time,
  toData,
  toList,
  version,
} from './fields.ts'

/** What buyers and operators write about a product. */
const reviewText = plainText(0, BUSINESS.reviewLengthMax)

const stars = z.int('invalid_stars').min(1, 'invalid_stars').max(5, 'invalid_stars')

const newReview = z.strictObject({ stars, text: reviewText.default('') })
export type NewReview = z.infer<typeof newReview>

/** A review as everybody reads it. */
export const review = z.object({
  id: bigId,
  stars: z.int(),
  text: z.string(),
  /** The beginning of the buyer's nickname. */
  author: z.string(),
  created_at: time,
  /** When the buyer last changed it. */
  changed_at: time.nullable(),
  /** What the store answered. */
  answer: z.string().nullable(),
  answered_at: time.nullable(),
})
export type Review = z.infer<typeof review>

const ownReview = review.omit({ id: true, author: true }).extend({
  /** The store does not show it. */
  is_hidden: z.boolean(),
  /** Until then it can be changed or withdrawn. */
  open_until: time,
})

/** A line of an order that can be reviewed, or was. */
export const reviewedItem = z.object({
  item_id: bigId,
  /** Whether a review can be written, or changed, now. */
  can_write: z.boolean(),
  /** Null before it was written, and after it was withdrawn. */
  review: ownReview.nullable(),
})
export type ReviewedItem = z.infer<typeof reviewedItem>

const reviewFilters = ['waiting', 'hidden', 'withdrawn'] as const
export type ReviewFilter = (typeof reviewFilters)[number]

const starChoices = ['1', '2', '3', '4', '5'] as const

export const listedReview = z.object({
  id: bigId,
  order_id: orderId,
  product: z.object({ id, slug: z.string(), title: z.string(), is_deleted: z.boolean() }),
  user_id: id,
  nickname: z.string(),
  stars: z.int(),
  text: z.string(),
  created_at: time,
  changed_at: time.nullable(),
  withdrawn_at: time.nullable(),
  answer: z.string().nullable(),
  /** The nickname of the admin who answered. */
  answered_by: z.string().nullable(),
  answered_at: time.nullable(),
  hidden_reason: z.string().nullable(),
  hidden_by: z.string().nullable(),
  hidden_at: time.nullable(),
  version,
})
export type ListedReview = z.infer<typeof listedReview>

const item = z.object({ id: byOrderId.shape.id, itemId: bigIdText })
const orderEndpoint = endpointsFor({ access: 'customer', tag: 'orders' })

export const reviewsApi = {
  own: orderEndpoint('GET /orders/:id/reviews', {
    operationId: 'listOwnReviews',
    summary: 'What can be reviewed of one own order, and what was',
    params: byOrderId,
    answer: toData(z.array(reviewedItem)),
  }),
  write: orderEndpoint('PUT /orders/:id/items/:itemId/review', {
    operationId: 'writeReview',
    refusals: ['STATE_CONFLICT', 'RATE_LIMITED'],
    summary: 'Reviews a delivered line of an own order, or changes that review',
    params: item,
    body: newReview,
    answer: toData(reviewedItem),
  }),
  withdraw: orderEndpoint('DELETE /orders/:id/items/:itemId/review', {
    operationId: 'withdrawReview',
    refusals: ['STATE_CONFLICT', 'RATE_LIMITED'],
    summary: 'Takes an own review back',
    params: item,
    answer: nothing,
    status: 204,
  }),
  shown: endpoint('GET /products/slug/:slug/reviews', {
    operationId: 'listProductReviews',
    access: 'visitor',
    tag: 'catalogue',
    summary: 'Reviews of a product by its buyers, newest first, ten a page',
    params: z.object({ slug: text(1, 100).toLowerCase() }),
    query: z.strictObject({ page: customerPage.page }),
    answer: z.object({ reviews: z.array(review), total: z.int(), page_size: z.int() }),
  }),
  list: adminEndpoint('GET /admin/reviews', {
    operationId: 'listReviews',
    permission: 'support.write',
    summary:
      'Reviews by buyers; a search is for a part of the text, the product, the nickname or the number of the order',
    query: listQuery(['id', 'created_at', 'stars']).extend({
      filter: z.enum(reviewFilters).optional(),
      stars: z.enum(starChoices).optional(),
    }),
    answer: toList(listedReview),
  }),
  answer: adminEndpoint('PUT /admin/reviews/:id/answer', {
    operationId: 'answerReview',
    permission: 'support.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Answers a review in the name of the store; a blank answer takes it back',
    params: byBigId,
    body: z.strictObject({ answer: reviewText, version: version.optional() }),
    answer: toData(listedReview),
    confirmed: true,
  }),
  hide: adminEndpoint('PUT /admin/reviews/:id/hidden', {
    operationId: 'hideReview',
    permission: 'support.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Hides a review, which then counts for nothing, or shows it again',
    params: byBigId,
    body: z.strictObject({ hidden: z.boolean(), reason, version: version.optional() }),
    answer: toData(listedReview),
    confirmed: true,
  }),
}
