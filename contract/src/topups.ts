import { z } from 'zod'
import { deliveryMinutes } from './catalogue.ts'
import { placedOrder } from './checkout.ts'
import { couponCode, hasSeenTotal } from './coupons.ts'
import { endpointsFor } from './endpoint.ts'
import { id, orderId, text } from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, currencySchema, lowerCurrencySchema, shownAmountSchema } from './money.ts'
import {
  accountField,
  anyTopup,
  playerChecks,
  playerId,
  steamCurrencies,
  topupData,
  topupPricings,
  topupRefusals,
} from './topup-data.ts'

const bySlug = z.object({ slug: text(1, LIMITS.slugLengthMax).toLowerCase() })
const steamAmount = z.strictObject({
  amount: amountSchema,
  inputCurrency: z.enum(steamCurrencies),
  userBalanceCurrency: lowerCurrencySchema,
})
const steamCalculation = z.object({
  success: z.literal(true),
  calculation: z.object({
    /** What is paid, in the currency of the balance. */
    amountInUserCurrency: shownAmountSchema,
    /** In USD. */
    amountWithCommission: shownAmountSchema,
    /** In USD. */
    commission: shownAmountSchema,
  }),
})

const checkPlayer = z.strictObject({ playerID: playerId })
const openEndpoint = endpointsFor({ access: 'visitor', tag: 'topups' })
const customerEndpoint = endpointsFor({ access: 'customer', tag: 'topups' })

const topupOffer = z.object({
  id,
  name: z.string(),
  game_amount: z.int(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  /** How many can be ordered now. */
  available: z.int(),
  is_popular: z.boolean(),
})
export type TopupOffer = z.infer<typeof topupOffer>

/** Calls about top-ups. Texts come in the language of the Accept-Language header. */
export const topupsApi = {
  checkFreefirePlayer: openEndpoint('POST /freefire/check-id', {
    operationId: 'findFreefirePlayer',
    refusals: ['NOT_FOUND', 'PLAYER_NOT_FOUND', 'RATE_LIMITED', 'SUPPLIER_UNAVAILABLE'],
    summary: 'Finds a Free Fire player; 404 PLAYER_NOT_FOUND',
    body: checkPlayer,
    answer: z.object({ success: z.literal(true), player_name: z.string() }),
  }),
  checkPubgPlayer: openEndpoint('POST /pubg/check-id', {
    operationId: 'findPubgPlayer',
    refusals: ['NOT_FOUND', 'PLAYER_NOT_FOUND', 'RATE_LIMITED', 'SUPPLIER_UNAVAILABLE'],
    summary: 'Finds a PUBG player; 404 PLAYER_NOT_FOUND',
    body: checkPlayer,
    answer: z.object({
      success: z.literal(true),
      data: z.object({ status: z.literal('success'), player_name: z.string() }),
    }),
  }),
  freefireOffers: openEndpoint('GET /freefire/offers', {
    operationId: 'listFreefireOffers',
    summary: 'Free Fire offers, smallest first',
    answer: z.object({
      offers: z.array(
        z.object({
          id,
          item_id: z.string(),
          name: z.string(),
          is_active: z.boolean(),
          price: shownAmountSchema,
          price_rub: shownAmountSchema,
          game_amount: z.int(),
        }),
      ),
    }),
  }),
  pubgPackages: openEndpoint('GET /pubg/packages', {
    operationId: 'listPubgPackages',
    summary: 'PUBG packages, smallest first',
    answer: z.array(
      z.object({
        id,
        uc_amount: z.int(),
        price_usd: shownAmountSchema,
        price_rub: shownAmountSchema,
        available_count: z.int(),
      }),
    ),
  }),
  calculateSteam: customerEndpoint('POST /steam/calculate', {
    operationId: 'calculateSteam',
    refusals: ['INVALID_AMOUNT'],
    summary: 'What a Steam amount costs, commission included',
    body: steamAmount,
    answer: steamCalculation,
  }),
  fields: openEndpoint('GET /topups/:slug/fields', {
    operationId: 'readTopupFields',
    summary: 'What a top-up asks for, and how it is priced',
    params: bySlug,
    answer: z.object({
      pricing: z.enum(topupPricings),
      player_check: z.enum(playerChecks),
      /** Within how many minutes it is promised to arrive. */
      promised_minutes: z.int(),
      /** How long it took in the last `BUSINESS.measuredDays`; null where that was too little to say. */
      delivery_minutes: deliveryMinutes.nullable(),
      /** Amounts that are proposed, for pricing by combination. */
      presets: z.array(z.int()),
      /** What is added to an amount: so much percent of it, and at least so much; null for other pricing. */
      commission: z
        .object({ percent: z.number(), least_usd: shownAmountSchema, least_rub: shownAmountSchema })
        .nullable(),
      /** How little is sold in each currency that an amount may be given in, and how much in dollars; null for other pricing. */
      range: z.object({ least_usd: z.int(), least_rub: z.int(), least_kzt: z.int(), most_usd: z.int() }).nullable(),
      fields: z.array(accountField),
    }),
  }),
  offers: openEndpoint('GET /topups/:slug/offers', {
    operationId: 'listTopupOffers',
    summary: 'The offers of a top-up on sale, smallest first; none where it is priced by amount',
    params: bySlug,
    answer: z.object({ offers: z.array(topupOffer) }),
  }),
  check: openEndpoint('POST /topups/:slug/check', {
    operationId: 'findTopupPlayer',
    refusals: ['NOT_FOUND', 'PLAYER_NOT_FOUND', 'STEAM_LOGIN_REFUSED', 'RATE_LIMITED', 'SUPPLIER_UNAVAILABLE'],
    summary: 'Finds the player of an account; 404 PLAYER_NOT_FOUND',
    params: bySlug,
    body: z.strictObject({ account: anyTopup.shape.account }),
    answer: z.object({
      success: z.literal(true),
      /** Null where nobody tells names. */
      player_name: z.string().nullable(),
    }),
  }),
  calculate: customerEndpoint('POST /topups/:slug/calculate', {
    operationId: 'calculateTopup',
    refusals: ['NOT_FOUND', 'INVALID_AMOUNT'],
    summary: 'What an amount costs, commission included, for a top-up that is priced by amount',
    params: bySlug,
    body: steamAmount,
    answer: steamCalculation,
  }),
  activateCode: customerEndpoint('POST /freefire/activate-code', {
    operationId: 'activateCode',
    refusals: [
      'CODE_NOT_FOUND',
      'CODE_ALREADY_USED',
      'CODE_ON_HOLD',
      'PLAYER_NOT_FOUND',
      'RATE_LIMITED',
      'SUPPLIER_UNAVAILABLE',
    ],
    summary: 'Spends a generated code on a player; 404 CODE_NOT_FOUND, 409 CODE_ALREADY_USED',
    body: z.strictObject({ playerID: playerId, code: text(1, LIMITS.typedCodeMax) }),
    answer: z.object({ success: z.literal(true), order_id: orderId }),
    idempotent: true,
  }),
  order: customerEndpoint('POST /orders/topup', {
    operationId: 'buyTopup',
    refusals: ['INSUFFICIENT_BALANCE', 'BALANCE_ON_HOLD', 'COUPON_REFUSED', ...topupRefusals],
    summary: 'Buys a top-up from the balance',
    body: z
      .strictObject({
        topupData,
        currency: currencySchema,
        /** Without it an equal top-up within `repeat_seconds` is refused with STATE_CONFLICT. */
        confirmRepeat: z.boolean().default(false),
        /** See `POST /checkout/coupon`. */
        coupon: couponCode.optional(),
        /** The total the customer saw, with the coupon; when another is in force: 409 PRICE_CHANGED. */
        amount: amountSchema.optional(),
      })
      .refine(hasSeenTotal.check, hasSeenTotal.fault),
    answer: placedOrder,
    status: 201,
    idempotent: true,
  }),
}
