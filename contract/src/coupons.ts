import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { byId, id, listQuery, moment, percentBetween, text, time, toData, toList, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, currencySchema, shownAmountSchema } from './money.ts'
import { topupData, topupRefusals } from './topup-data.ts'

/** The code of a coupon in any case. Only Latin letters, because those of two alphabets that look alike are typed wrong. */
export const couponCode = text(1, LIMITS.couponCodeMax).transform((code) => code.toUpperCase())

/** For a call that takes a coupon: whoever uses one has seen what it leaves to be paid. */
export const hasSeenTotal = {
  check: ({ coupon, amount }: { coupon?: string | undefined; amount?: number | undefined }): boolean =>
    coupon === undefined || amount !== undefined,
  fault: { path: ['amount'], error: 'required' },
}

/** A new code: it has to be what is typed from a poster. */
const newCode = text(3, LIMITS.couponCodeMax)
  .regex(/^[A-Za-z0-9-]+$/, 'invalid_code_prefix')
  .transform((code) => code.toUpperCase())

/** Why a coupon is of no use for a purchase: each has a text for customers. */
export const couponReasons = [
  'unknown',
  'not_started',
  'ended',
  'used_up',
  'used_by_you',
  'not_first_order',
  'other_products',
  'below_minimum',
  /** What it is for costs the shop as much as it costs the customer. */
  'at_floor',
] as const
export type CouponReason = (typeof couponReasons)[number]

const uses = z.int('invalid').min(1, 'invalid').max(1_000_000, 'invalid').nullable()
const taken = amountSchema.refine((amount) => amount > 0, 'invalid_amount').nullable()

const fields = {
  code: newCode,
  /** What it takes off: a percentage of each price, or amounts, of which that in the order's currency counts. */
  percent: percentBetween(0.01, 100).nullable(),
  amount_usd: taken,
  amount_rub: taken,
  /** The products it is for; null for all. */
  product_ids: z.array(id).min(1, 'required').max(LIMITS.couponProductsMax, 'invalid').nullable(),
  /** The least that an order costs without it. */
  least_usd: amountSchema,
  least_rub: amountSchema,
  /** Only for customers who have bought nothing yet. */
  is_first_order: z.boolean(),
  /** For how many orders, in all and of one customer; null for any number. */
  max_uses: uses,
  max_uses_each: uses,
  starts_at: moment.nullable(),
  ends_at: moment.nullable(),
  is_active: z.boolean(),
  note: text(0, 500),
}

export const coupon = z.object({
  ...fields,
  id,
  code: z.string(),
  percent: z.number().nullable(),
  amount_usd: shownAmountSchema.nullable(),
  amount_rub: shownAmountSchema.nullable(),
  product_ids: z.array(id).nullable(),
  least_usd: shownAmountSchema,
  least_rub: shownAmountSchema,
  max_uses: z.int().nullable(),
  max_uses_each: z.int().nullable(),
  starts_at: time.nullable(),
  ends_at: time.nullable(),
  note: z.string(),
  /** The orders that have it, without those that expired. */
  used: z.int(),
  /** What it took off the orders that were paid, whatever of them was refunded since. */
  given_usd: shownAmountSchema,
  given_rub: shownAmountSchema,
  created_at: time,
  version,
})
export type Coupon = z.infer<typeof coupon>

const newCoupon = z.strictObject({
  ...fields,
  percent: fields.percent.default(null),
  amount_usd: taken.default(null),
  amount_rub: taken.default(null),
  product_ids: fields.product_ids.default(null),
  least_usd: amountSchema.default(0),
  least_rub: amountSchema.default(0),
  is_first_order: z.boolean().default(false),
  max_uses: uses.default(null),
  max_uses_each: uses.default(1),
  starts_at: moment.nullable().default(null),
  ends_at: moment.nullable().default(null),
  is_active: z.boolean().default(true),
  note: fields.note.default(''),
})
export type NewCoupon = z.output<typeof newCoupon>

/** A field that is left out stays as it is. */
const couponChange = z.strictObject({ ...fields, version }).partial()
export type CouponChange = z.output<typeof couponChange>

/** What a coupon makes of a purchase. */
export const appliedCoupon = z.object({
  code: z.string(),
  discount: shownAmountSchema,
  /** What is left to be paid, without the fee of a method. */
  total: shownAmountSchema,
  /** Whether it would take more off if the products did not cost the shop what they do. */
  is_cut: z.boolean(),
})
export type AppliedCoupon = z.infer<typeof appliedCoupon>

export const couponsApi = {
  check: endpoint('POST /checkout/coupon', {
    operationId: 'checkCoupon',
    refusals: ['CART_EMPTY', 'COUPON_REFUSED', ...topupRefusals],
    access: 'customer',
    tag: 'checkout',
    summary: 'What a coupon takes off the cart, or off a top-up; nothing is reserved',
    body: z.strictObject({
      coupon: couponCode,
      currency: currencySchema,
      /** What is bought instead of the cart. */
      topupData: topupData.optional(),
    }),
    answer: toData(appliedCoupon),
  }),
  list: adminEndpoint('GET /admin/coupons', {
    operationId: 'listCoupons',
    permission: 'catalogue.read',
    summary: 'Coupons with how often they were used; a search is for a part of a code or a note',
    query: listQuery(['id', 'code', 'used', 'is_active', 'ends_at', 'created_at']),
    answer: toList(coupon),
  }),
  add: adminEndpoint('POST /admin/coupons', {
    operationId: 'addCoupon',
    permission: 'prices.write',
    refusals: ['DUPLICATE'],
    summary: 'Adds a coupon',
    body: newCoupon,
    answer: toData(coupon),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/coupons/:id', {
    operationId: 'changeCoupon',
    permission: 'prices.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a coupon; orders that have it keep what it took off them',
    params: byId,
    body: couponChange,
    answer: toData(coupon),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/coupons/:id', {
    operationId: 'removeCoupon',
    permission: 'prices.write',
    summary: 'Deletes a coupon: nobody uses it any more, orders keep it, and its code is free again',
    params: byId,
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
}
