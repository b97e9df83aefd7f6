import { z } from 'zod'
import { deliveryStates } from './deliveries.ts'
import { disputeStatuses } from './disputes.ts'
import { pastTheCart } from './failure-codes.ts'
import { id, orderId, time } from './fields.ts'
import { currencies, shownAmountSchema } from './money.ts'
import { doubtfulPrices } from './offers.ts'
import { itemStatuses } from './orders.ts'
import { rateJump } from './rates.ts'
import { topupServices } from './topup-data.ts'

/** The cart line a refusal is about; `pastTheCart` for none. */
const itemId = z.union([z.literal(pastTheCart), id])
const offerId = id.nullable()

/** Maps a field to the key of its fault: `{ nickname: 'nickname_too_short' }`. */
const fieldErrors = z.record(z.string(), z.string())

/** A record is in a state that does not allow the change; the shape depends on the field or thing. */
const stateConflict = z.union([
  /** Somebody else has changed it meanwhile: its present state, as its list shows it. */
  z.strictObject({ current: z.record(z.string(), z.unknown()) }),
  /**
   * The order of an equal purchase, so that a second press is not a second purchase; `confirmRepeat` buys it all the
   * same.
   */
  z.strictObject({ reason: z.literal('repeat'), order_id: orderId, seconds: z.int() }),
  z.strictObject({ reason: z.literal('too_many_codes'), limit: z.int(), requested: z.int(), is_new: z.boolean() }),
  /** Unpaid orders have their share of a package: how many could still be reserved, and how long they wait at most. */
  z.strictObject({
    reason: z.literal('shelf_reserved'),
    item_id: itemId,
    offer_id: offerId,
    product_title: z.string(),
    game_amount: z.number(),
    game_currency: z.string(),
    requested: z.int(),
    available_count: z.int(),
    minutes: z.int(),
  }),
  z.strictObject({ reason: z.enum(['nothing_paid', 'being_asked', 'disputed', 'charged_back']) }),
  /** A refund of more than is left of an item. */
  z.strictObject({
    reason: z.enum(['above_quantity_left', 'above_left']),
    item: id,
    left: shownAmountSchema,
    quantity_left: z.int(),
  }),
  z.strictObject({ items: z.array(z.strictObject({ id, status: z.enum(itemStatuses) })) }),
  z.strictObject({ status: z.string().optional(), wanted: z.string().optional() }),
  /** The state of a code. */
  z.strictObject({ status: z.string(), was_sold: z.boolean() }),
  z.strictObject({ state: z.enum(deliveryStates) }),
  z.strictObject({ delivery: z.literal('call_under_way') }),
  z.strictObject({ to: z.literal('not_paid_by_card') }),
  z.strictObject({ payment: z.string() }),
  z.strictObject({ dispute: z.enum([...disputeStatuses, 'none', 'not_holding']) }),
  z.strictObject({ reference: z.enum(['of_another_payment', 'of_another_refund', 'of_another_dispute']) }),
  z.strictObject({ left: z.literal(0) }),
  z.strictObject({ cart: z.literal('full') }),
  z.strictObject({ region: z.literal('has_offers'), offers_count: z.int() }),
  z.strictObject({ product: z.enum(['built_in', 'has_packages']) }),
  z.strictObject({ productId: z.enum(['no_code_generation', 'other_game']) }),
  z.strictObject({ slug: z.literal('built_in') }),
  z.strictObject({ buysOnDemand: z.literal('not_codes') }),
  z.strictObject({ codeGame: z.enum(['not_codes', 'codes_on_sale']) }),
  z.strictObject({ uc_amount: z.literal('in_use') }),
  z.strictObject({ game_amount: z.literal('in_use') }),
  z.strictObject({ code: z.enum(['revealed', 'generated', 'tried']) }),
  z.strictObject({ code: z.literal('activated'), ids: z.array(id) }),
  z.strictObject({ codes: z.literal('other_game') }),
  z.strictObject({ batch: z.literal('recalled'), recalled_at: time.nullable(), recall_reason: z.string().nullable() }),
  z.strictObject({ user: z.enum(['last_admin', 'self']) }),
  z.strictObject({ password: z.literal('own') }),
  z.strictObject({ second_factor: z.enum(['enrolled', 'not_offered', 'none']) }),
])

const namedLine = { item_id: itemId, offer_id: offerId, product_title: z.string() }
const gameAmount = { game_amount: z.number(), game_currency: z.string() }
const prices = { price_usd: shownAmountSchema, price_rub: shownAmountSchema }

/**
 * A refusal's details: each code's own shape, checked by the compiler where it is thrown and in every test, and read by
 * the web as one and the same type. A code without a shape here has no details.
 */
export const refusalDetails = {
  VALIDATION_FAILED: fieldErrors.optional(),
  INVALID_AMOUNT: z.union([
    z.strictObject({ amount: z.literal('above_paid') }),
    /** The range of an amount for Steam, in the currency it was given in. */
    z.strictObject({
      amount: z.literal('invalid_amount'),
      least: shownAmountSchema,
      most: shownAmountSchema,
      currency: z.enum(['USD', 'RUB', 'KZT']),
    }),
  ]),
  BELOW_LEAST_AMOUNT: z.strictObject({ least: shownAmountSchema, currency: z.enum(currencies) }),
  UNAUTHENTICATED: z.undefined(),
  INVALID_CREDENTIALS: z.strictObject({ otp: z.literal('wrong_code') }).optional(),
  SECOND_FACTOR_REQUIRED: z.undefined(),
  INSUFFICIENT_BALANCE: z.strictObject({
    required: shownAmountSchema,
    available: shownAmountSchema,
    currency: z.enum(currencies),
  }),
  FORBIDDEN: z.strictObject({ user: z.literal('blocked') }).optional(),
  PASSWORD_CHANGE_NEEDED: z.undefined(),
  SECOND_FACTOR_NEEDED_FIRST: z.undefined(),
  NOT_FOUND: z
    .union([
      z.strictObject({ items: z.array(id) }),
      z.strictObject({ product: z.enum(topupServices) }),
      z.strictObject({ productId: z.literal('not_found') }),
      z.strictObject({ regionId: z.literal('not_found') }),
      z.strictObject({ regionIds: z.literal('not_found') }),
      z.strictObject({ batchId: z.literal('not_found') }),
    ])
    .optional(),
  USER_NOT_FOUND: z.undefined(),
  OFFER_NOT_FOUND: z
    .union([z.strictObject({ offer_id: z.string() }), z.strictObject({ denominations: z.array(id) })])
    .optional(),
  PLAYER_NOT_FOUND: z.undefined(),
  CODE_NOT_FOUND: z.strictObject({ ids: z.array(id).readonly() }).optional(),
  NICKNAME_TAKEN: z.undefined(),
  PRICE_CHANGED: z.union([
    /** Lines of the cart whose price has changed. */
    z.strictObject({ items: z.array(z.strictObject({ ...namedLine, ...gameAmount, ...prices })).min(1) }),
    /** The present total of the cart. */
    z.strictObject({ currency: z.enum(currencies), total: shownAmountSchema }),
    /** A package that is being added to the cart. */
    z.strictObject({ offer_id: id, game_amount: z.number(), ...prices }),
    /** The present total of a top-up. */
    z.strictObject({ currency: z.enum(currencies).optional(), total: shownAmountSchema.optional(), ...prices }),
    /** An operator sets prices, and has not confirmed them. */
    doubtfulPrices,
  ]),
  RATE_JUMP: rateJump,
  OUT_OF_STOCK: z.strictObject({
    available_count: z.int(),
    requested: z.int().optional(),
    /** When adding to a line of the cart: its present quantity. */
    in_cart: z.int().optional(),
    offer_id: offerId.optional(),
    item_id: itemId.optional(),
    product_title: z.string().optional(),
    game_amount: z.number().optional(),
    game_currency: z.string().optional(),
  }),
  STEAM_LOGIN_REFUSED: z.strictObject({ login: z.string() }),
  CART_EMPTY: z.undefined(),
  /** The order it was activated with, told to its owner only. */
  CODE_ALREADY_USED: z.strictObject({ order_id: orderId }).optional(),
  CODE_ON_HOLD: z.undefined(),
  BALANCE_ON_HOLD: z.undefined(),
  IDEMPOTENCY_KEY_REUSED: z.undefined(),
  STATE_CONFLICT: stateConflict,
  DUPLICATE: z.record(z.string(), z.literal('duplicate')),
  BODY_TOO_LARGE: z.undefined(),
  UNSUPPORTED_MEDIA_TYPE: z.undefined(),
  /** Agrees with the Retry-After header. */
  RATE_LIMITED: z.union([
    z.strictObject({ retryAfterSeconds: z.int() }),
    /** An admin has revealed one code after the other. */
    z.strictObject({ code: z.literal('many_reveals'), most: z.int(), retryAfterSeconds: z.int() }),
  ]),
  UNEXPECTED_ERROR: z.undefined(),
  SUPPLIER_UNAVAILABLE: z.strictObject({ reason: z.string() }).optional(),
  PAYMENT_PROVIDER_UNAVAILABLE: z.strictObject({
    reason: z.string(),
    provider: z.string().optional(),
    currency: z.enum(currencies).optional(),
  }),
  OVERLOADED: z.undefined(),
  STARTING: z.strictObject({ queue: z.literal('down') }),
} as const

export type RefusalDetails = { [Code in keyof typeof refusalDetails]: z.input<(typeof refusalDetails)[Code]> }
