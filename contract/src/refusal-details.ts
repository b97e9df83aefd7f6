import { z } from 'zod'
import { approvalEnds } from './approvals.ts'
import { couponReasons } from './coupons.ts'
import { deliveryStates } from './deliveries.ts'
import { disputeStatuses } from './disputes.ts'
import { pastTheCart } from './failure-codes.ts'
import { bigId, id, orderId, time } from './fields.ts'
import { colorPairs, ownColorNames } from './look.ts'
import { messageStates } from './messages.ts'
import { chargeCurrencies, currencies, shownAmountSchema } from './money.ts'
import { doubtfulPrices, priceUnderFloor } from './offers.ts'
import { itemStatuses, orderStatuses } from './orders.ts'
import { contactNeeds } from './payments.ts'
import { permissions, staffLimits } from './permissions.ts'
import { rateJump } from './rates.ts'

/** The cart line a refusal is about; `pastTheCart` for none. */
const itemId = z.union([z.literal(pastTheCart), id])
const offerId = id.nullable()

/** Maps a field to the key of its fault: `{ nickname: 'nickname_too_short' }`. */
const fieldErrors = z.record(z.string(), z.string())

/**
 * A record is in a state that does not allow the change, by the `reason`, each of which has one shape. A field that only
 * repeats the reason is older than it, and stays for the clients that read it.
 */
const stateConflict = z.discriminatedUnion('reason', [
  /** Somebody else has changed it meanwhile: its present state, as its list shows it. */
  z.strictObject({ reason: z.literal('changed_meanwhile'), current: z.record(z.string(), z.unknown()) }),
  /** Its status may not be followed by the wanted one. */
  z.strictObject({ reason: z.literal('move_not_allowed'), status: z.string(), wanted: z.string() }),

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
  /** The shop does not let customers fill their balance. */
  z.strictObject({ reason: z.literal('filling_off') }),
  /** The shop does not offer the currency, and the customer has nothing left in it. */
  z.strictObject({ reason: z.literal('currency_off'), currency: z.enum(currencies) }),
  /** So many fillings of the customer wait for their payment. */
  z.strictObject({ reason: z.literal('too_many_fillings'), limit: z.int() }),
  z.strictObject({ reason: z.literal('payment_canceled'), payment: z.literal('canceled') }),
  z.strictObject({ reason: z.literal('cart_full'), cart: z.literal('full') }),

  z.strictObject({ reason: z.enum(['nothing_paid', 'being_asked', 'disputed', 'charged_back']) }),
  /** A refund of more than is left of an item. */
  z.strictObject({
    reason: z.enum(['above_quantity_left', 'above_left']),
    item: id,
    left: shownAmountSchema,
    quantity_left: z.int(),
  }),
  /** A refund of more than is left of what was paid for a filling. */
  z.strictObject({ reason: z.literal('above_filling_left'), left: shownAmountSchema, currency: z.enum(currencies) }),
  z.strictObject({
    reason: z.literal('items_not_delivered'),
    items: z.array(z.strictObject({ id, status: z.enum(itemStatuses) })),
  }),
  /** Only what was delivered is reviewed, and what is left with the buyer. */
  z.strictObject({ reason: z.literal('review_not_delivered'), status: z.enum(itemStatuses) }),
  /** A review stays as it is so many days after it was written. */
  z.strictObject({ reason: z.literal('review_closed'), days: z.int() }),
  z.strictObject({ reason: z.literal('not_paid_by_card'), to: z.literal('not_paid_by_card') }),
  /** The provider takes no refund from the store: it is made in its cabinet, and the store books it when it is told. */
  z.strictObject({ reason: z.literal('made_in_cabinet'), provider: z.string() }),
  /** PAYMENT_PROVIDERS names the provider: its account is in the environment, and not changed here. */
  z.strictObject({ reason: z.literal('provider_in_environment'), provider: z.string() }),
  /** SUPPLIERS names the supplier: its account is in the environment, and not changed here. */
  z.strictObject({ reason: z.literal('supplier_in_environment'), supplier: z.string() }),
  /** The shop has no account there, or not all of its settings. */
  z.strictObject({ reason: z.literal('supplier_not_set_up'), supplier: z.string() }),
  /** Without its account nobody could learn what becomes of so many deliveries. */
  z.strictObject({ reason: z.literal('deliveries_under_way'), supplier: z.string(), deliveries: z.int() }),
  /** The environment has settings of it, and is where they are changed. */
  z.strictObject({ reason: z.literal('channel_in_environment'), channel: z.string() }),
  /** It was sent, or is to be sent without being asked. */
  z.strictObject({ reason: z.literal('message_not_failed'), state: z.enum(messageStates) }),
  /** Without its account nobody could learn what becomes of so many payments and refunds. */
  z.strictObject({ reason: z.literal('payments_under_way'), provider: z.string(), payments: z.int() }),
  /** In the currency that was charged it would be less than the smallest unit. */
  z.strictObject({ reason: z.literal('too_small_for_card'), amount: shownAmountSchema, currency: z.enum(currencies) }),
  z.strictObject({ reason: z.literal('no_codes_to_share'), status: z.enum(orderStatuses) }),
  z.strictObject({ reason: z.literal('refund_not_stuck'), status: z.string() }),
  z.strictObject({ reason: z.literal('payment_succeeded'), status: z.literal('succeeded') }),
  z.strictObject({
    reason: z.literal('reference_of_another_payment'),
    reference: z.literal('of_another_payment'),
  }),
  z.strictObject({ reason: z.literal('reference_of_another_refund'), reference: z.literal('of_another_refund') }),
  z.strictObject({ reason: z.literal('reference_of_another_dispute'), reference: z.literal('of_another_dispute') }),
  /** The dispute has the wanted status already, or is no dispute but a warning. */
  z.strictObject({
    reason: z.enum(['dispute_inquiry', 'dispute_open', 'dispute_won', 'dispute_lost', 'dispute_closed']),
    dispute: z.enum(disputeStatuses),
  }),
  z.strictObject({ reason: z.literal('buyer_not_frozen'), dispute: z.literal('not_holding') }),
  z.strictObject({ reason: z.literal('not_in_operators_queue'), state: z.enum(deliveryStates) }),
  /** The items of codes that their buyer lacks: each code is given with its delivery. */
  z.strictObject({ reason: z.literal('codes_missing'), items: z.array(id) }),
  z.strictObject({ reason: z.literal('call_under_way'), delivery: z.literal('call_under_way') }),

  z.strictObject({ reason: z.literal('region_has_offers'), region: z.literal('has_offers'), offers_count: z.int() }),
  z.strictObject({ reason: z.literal('product_has_offers'), product: z.literal('has_packages') }),
  z.strictObject({ reason: z.literal('slug_built_in'), slug: z.literal('built_in') }),
  z.strictObject({ reason: z.literal('on_demand_not_codes'), buysOnDemand: z.literal('not_codes') }),
  z.strictObject({ reason: z.literal('code_game_not_codes'), codeGame: z.literal('not_codes') }),
  z.strictObject({ reason: z.literal('fields_not_topup'), fields: z.literal('not_topup') }),
  z.strictObject({ reason: z.literal('codes_on_sale'), codeGame: z.literal('codes_on_sale') }),
  z.strictObject({ reason: z.literal('uc_amount_in_use'), uc_amount: z.literal('in_use') }),
  z.strictObject({ reason: z.literal('game_amount_in_use'), game_amount: z.literal('in_use') }),
  /** The supplier does not tell what it sells. */
  z.strictObject({ reason: z.literal('no_catalogue'), supplier: z.string() }),
  /** A product of codes is to be delivered by a top-up, or a top-up by a code. */
  z.strictObject({ reason: z.literal('source_of_another_kind'), product: z.string() }),
  /** The supplier sells it only by several pieces. */
  z.strictObject({ reason: z.literal('source_quantity'), product: z.string() }),
  /** What the supplier asks for, and the product does not. */
  z.strictObject({ reason: z.literal('source_fields_missing'), product: z.string(), fields: z.array(z.string()) }),
  z.strictObject({ reason: z.literal('source_gone'), product: z.string() }),

  /**
   * The shop's own rules may be changed, and never end; some of the pending prices are wanted no more; packages are no longer
   * as a preview of a change of them showed.
   */
  z.strictObject({ reason: z.enum(['rule_of_shop', 'prices_moved', 'offers_moved']) }),

  z.strictObject({ reason: z.literal('no_code_generation'), productId: z.literal('no_code_generation') }),
  z.strictObject({ reason: z.literal('product_of_another_game'), productId: z.literal('other_game') }),
  z.strictObject({ reason: z.literal('codes_of_another_game'), codes: z.literal('other_game') }),
  /** Deleting a package would delete more codes than the admin has seen: how many it has that nobody has bought. */
  z.strictObject({ reason: z.literal('more_codes'), unsold_codes: z.int() }),
  z.strictObject({ reason: z.literal('code_not_in_stock'), status: z.string(), was_sold: z.boolean() }),
  /** A generated code is sold or reserved. */
  z.strictObject({ reason: z.literal('code_taken'), status: z.string() }),
  z.strictObject({ reason: z.literal('code_revealed'), code: z.literal('revealed') }),
  z.strictObject({ reason: z.literal('code_generated'), code: z.literal('generated') }),
  z.strictObject({ reason: z.literal('code_tried'), code: z.literal('tried') }),
  z.strictObject({ reason: z.literal('code_activated'), code: z.literal('activated'), ids: z.array(id) }),
  z.strictObject({
    reason: z.literal('batch_recalled'),
    batch: z.literal('recalled'),
    recalled_at: time.nullable(),
    recall_reason: z.string().nullable(),
  }),

  z.strictObject({ reason: z.literal('last_admin'), user: z.literal('last_admin') }),
  z.strictObject({ reason: z.literal('own_account'), user: z.literal('self') }),
  /** The permissions of a role that every shop has are not changed, and the role never ends. */
  z.strictObject({ reason: z.literal('role_built_in') }),
  z.strictObject({ reason: z.literal('role_in_use'), people: z.int() }),
  /** Who may change it could take the own rights away by it, or add to them. */
  z.strictObject({ reason: z.literal('own_role') }),
  /** A refund or a change of a balance beyond the caller's limit; `approval` is what waits for a colleague's yes now. */
  z.strictObject({
    reason: z.literal('above_limit'),
    limit: z.enum(staffLimits),
    most: shownAmountSchema,
    /** How much of a daily limit is left. */
    left: shownAmountSchema,
    amount: shownAmountSchema,
    currency: z.enum(currencies),
    /** What the balance was, when it is that which changes: without it nobody could tell whether a yes gives or takes. */
    seen: z.strictObject({ balanceUsd: shownAmountSchema, balanceRub: shownAmountSchema }).partial().optional(),
    approval: bigId.nullable(),
  }),
  /** By now the yes would do more than it came to when it was asked for, which is to be asked for again. */
  z.strictObject({
    reason: z.literal('above_agreed'),
    agreed: z.strictObject({ amount: shownAmountSchema, currency: z.enum(currencies) }),
    amount: shownAmountSchema,
    currency: z.enum(currencies),
  }),
  /** A colleague is asked about one sum: balances in two currencies, one of them above the limit, are set one by one. */
  z.strictObject({ reason: z.literal('one_balance_at_a_time') }),
  /** What others can't see of an order, its money at the provider or a code that does not work, is not said by whose order it is. */
  z.strictObject({ reason: z.literal('own_order') }),
  z.strictObject({ reason: z.literal('approval_decided'), decision: z.enum(approvalEnds) }),
  /** What a yes would do was done since it was asked for, or is under way: it would be done twice. */
  z.strictObject({ reason: z.literal('done_meanwhile') }),
  /** Somebody else has to decide it; who asked may withdraw it. */
  z.strictObject({ reason: z.literal('own_request') }),
  /** Who asked for it lost the right to it meanwhile. */
  z.strictObject({ reason: z.literal('asker_may_not'), permission: z.enum(permissions) }),
  /** A view of the orders that a colleague shares, and may change alone. */
  z.strictObject({ reason: z.literal('view_of_colleague'), made_by: z.string() }),
  z.strictObject({ reason: z.literal('own_password'), password: z.literal('own') }),
  z.strictObject({ reason: z.literal('second_factor_enrolled'), second_factor: z.literal('enrolled') }),
  z.strictObject({ reason: z.literal('second_factor_not_offered'), second_factor: z.literal('not_offered') }),
  z.strictObject({ reason: z.literal('no_second_factor'), second_factor: z.literal('none') }),

  /** What the sandbox's bank can't do now. */
  z.strictObject({ reason: z.literal('payment_decided'), status: z.string() }),
  z.strictObject({ reason: z.literal('payment_not_succeeded'), status: z.string().optional() }),
  z.strictObject({ reason: z.literal('nothing_left'), left: z.literal(0) }),
  z.strictObject({ reason: z.literal('dispute_out_of_turn'), dispute: z.enum(['open', 'won', 'lost', 'none']) }),
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
    /** All of an order is paid from the balance by another call: what is left for the card must be more than nothing. */
    z.strictObject({ from_balance: z.literal('covers_all'), total: shownAmountSchema, currency: z.enum(currencies) }),
    /** The range of an amount for Steam, in the currency it was given in. */
    z.strictObject({
      amount: z.literal('invalid_amount'),
      least: shownAmountSchema,
      most: shownAmountSchema,
      currency: z.enum(['USD', 'RUB', 'KZT']),
    }),
  ]),
  /** In the currency that would be charged. */
  BELOW_LEAST_AMOUNT: z.strictObject({ least: shownAmountSchema, currency: z.enum(chargeCurrencies) }),
  /** In the currency of the order. */
  ABOVE_MOST_AMOUNT: z.strictObject({ most: shownAmountSchema, currency: z.enum(currencies) }),
  /** The contrast there is and the least there has to be, by WCAG 2.2 at level AA. */
  UNREADABLE_COLOR: z.strictObject({
    field: z.enum(ownColorNames),
    pair: z.enum(colorPairs),
    ratio: z.number(),
    least: z.number(),
  }),
  UNAUTHENTICATED: z.undefined(),
  INVALID_CREDENTIALS: z.strictObject({ otp: z.literal('wrong_code') }).optional(),
  SECOND_FACTOR_REQUIRED: z.undefined(),
  INSUFFICIENT_BALANCE: z.strictObject({
    required: shownAmountSchema,
    available: shownAmountSchema,
    currency: z.enum(currencies),
  }),
  FORBIDDEN: z
    .union([
      z.strictObject({ user: z.literal('blocked') }),
      /** What the caller lacks: for the call itself, or to give it to others. */
      z.strictObject({ permission: z.enum(permissions) }),
      /** A limit that is above the caller's own. */
      z.strictObject({ limit: z.enum(staffLimits) }),
      /** What limits bind, which who has limits gives to nobody. */
      z.strictObject({ limited: z.enum(permissions) }),
    ])
    .optional(),
  PASSWORD_CHANGE_NEEDED: z.undefined(),
  /** With none left the link is over. */
  WRONG_PIN: z.strictObject({ triesLeft: z.int() }),
  SECOND_FACTOR_NEEDED_FIRST: z.undefined(),
  NOT_FOUND: z
    .union([
      z.strictObject({ items: z.array(id) }),
      z.strictObject({ product: z.string() }),
      z.strictObject({ productId: z.literal('not_found') }),
      z.strictObject({ regionId: z.literal('not_found') }),
      z.strictObject({ regionIds: z.literal('not_found') }),
      z.strictObject({ batchId: z.literal('not_found') }),
    ])
    .optional(),
  USER_NOT_FOUND: z.undefined(),
  OFFER_NOT_FOUND: z
    .union([
      z.strictObject({ offer_id: z.string() }),
      z.strictObject({ denominations: z.array(id) }),
      z.strictObject({ offers: z.array(id) }),
    ])
    .optional(),
  PLAYER_NOT_FOUND: z.undefined(),
  CODE_NOT_FOUND: z.strictObject({ ids: z.array(id).readonly() }).optional(),
  NICKNAME_TAKEN: z.undefined(),
  PRICE_CHANGED: z.union([
    /** Lines of the cart whose price has changed. */
    z.strictObject({ items: z.array(z.strictObject({ ...namedLine, ...gameAmount, ...prices })).min(1) }),
    /** The present total of the cart. */
    z.strictObject({ currency: z.enum(currencies), total: shownAmountSchema }),
    /** The present fee of the method, which comes on top of the amount. */
    z.strictObject({ currency: z.enum(currencies), fee: shownAmountSchema }),
    /** A package that is being added to the cart. */
    z.strictObject({ offer_id: id, game_amount: z.number(), ...prices }),
    /** The present total of a top-up. */
    z.strictObject({ currency: z.enum(currencies).optional(), total: shownAmountSchema.optional(), ...prices }),
    /** An operator sets prices, and has not confirmed them. */
    doubtfulPrices,
    /** Prices, costs or rates moved since the operator saw what would change. */
    z.strictObject({ preview: z.literal('moved') }),
  ]),
  FLOOR_PRICE: z.strictObject({ prices: z.array(priceUnderFloor).min(1) }),
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
  COUPON_REFUSED: z.strictObject({
    reason: z.enum(couponReasons),
    /** What the order has to cost without it, for `below_minimum`. */
    least: shownAmountSchema.optional(),
    currency: z.enum(currencies).optional(),
  }),
  /** The order it was activated with, told to its owner only. */
  CODE_ALREADY_USED: z.strictObject({ order_id: orderId }).optional(),
  CODE_ON_HOLD: z.undefined(),
  BALANCE_ON_HOLD: z.undefined(),
  CONTACT_REQUIRED: z.strictObject({ method: z.string(), needs: z.array(z.enum(contactNeeds)) }),
  METHOD_UNAVAILABLE: z.strictObject({ method: z.string(), reason: z.enum(['not_offered', 'no_rate']) }),
  IDEMPOTENCY_KEY_REUSED: z.undefined(),
  STATE_CONFLICT: stateConflict,
  DUPLICATE: z.record(z.string(), z.literal('duplicate')),
  BODY_TOO_LARGE: z.undefined(),
  UNSUPPORTED_MEDIA_TYPE: z.undefined(),
  /** Agrees with the Retry-After header. */
  RATE_LIMITED: z.union([
    z.strictObject({ retryAfterSeconds: z.int() }),
    /** An admin has revealed one code after the other, or set one password of others after the other. */
    z.strictObject({ code: z.enum(['many_reveals', 'many_resets']), most: z.int(), retryAfterSeconds: z.int() }),
  ]),
  UNEXPECTED_ERROR: z.undefined(),
  SUPPLIER_UNAVAILABLE: z.strictObject({ reason: z.string() }).optional(),
  PAYMENT_PROVIDER_UNAVAILABLE: z.strictObject({
    reason: z.string(),
    provider: z.string().optional(),
    currency: z.enum(currencies).optional(),
  }),
  PICTURES_UNAVAILABLE: z.undefined(),
  OVERLOADED: z.undefined(),
  STARTING: z.strictObject({ queue: z.literal('down') }),
} as const

export type RefusalDetails = { [Code in keyof typeof refusalDetails]: z.input<(typeof refusalDetails)[Code]> }

/** Why the store refuses with STATE_CONFLICT. */
export type ConflictReason = RefusalDetails['STATE_CONFLICT']['reason']
