import { z } from 'zod'
import { withoutZeros } from './account-rules.ts'
import { id, text } from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, lowerCurrencySchema } from './money.ts'
import { offerIds } from './offer-ids.ts'

/**
 * How a top-up is priced. `offers`: packages of which one or more are chosen; `combination`: packages that are put together
 * to a wanted amount; `amount`: money that arrives, with a commission.
 */
export const topupPricings = ['offers', 'combination', 'amount'] as const
export type TopupPricing = (typeof topupPricings)[number]

/** Whether a player must be found before paying, is looked for where somebody can tell, or is not looked for. */
export const playerChecks = ['required', 'offered', 'none'] as const
export type PlayerCheckRule = (typeof playerChecks)[number]

export const accountFieldTypes = ['digits', 'text', 'login', 'select', 'phone'] as const
export type AccountFieldType = (typeof accountFieldTypes)[number]

/** The name of a field of an account, and of what was filled in: `{ user_id: '51234', zone_id: '2001' }`. */
export const accountKey = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'invalid_key')
const accountValues = z
  .record(accountKey, text(0, LIMITS.accountValueMax))
  .refine((account) => Object.keys(account).length <= LIMITS.accountFieldsMax, 'list_too_long')
export type AccountValues = z.output<typeof accountValues>

/** What a customer has to fill in for a top-up. Texts come in the language of the Accept-Language header. */
export const accountField = z.object({
  key: z.string(),
  label: z.string(),
  /** Blank for none. */
  hint: z.string(),
  type: z.enum(accountFieldTypes),
  required: z.boolean(),
  /** A simple regular expression for the whole value; blank for none. */
  pattern: z.string(),
  length_min: z.int(),
  length_max: z.int(),
  /** For `select` only. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
})
export type AccountField = z.infer<typeof accountField>

/** The currencies a Steam amount may be given in; wallets have the first two. */
export const steamCurrencies = ['usd', 'rub', 'kzt'] as const
export type SteamCurrency = (typeof steamCurrencies)[number]

/** Digits. Games issue no id that begins with 0, so `0512` is `512` everywhere: in keys, in limits, in lists. */
export const playerId = text(1, LIMITS.playerIdMax)
  .refine((value) => /^\d+$/.test(value), 'invalid_player_id')
  .overwrite(withoutZeros)
export const steamLogin = text(1, LIMITS.steamLoginMax).refine((value) => /^[\w.@-]+$/.test(value), 'invalid_login')

/** What the customer saw; none of it is charged or trusted. A price of 0 was not known. */
const seen = {
  offer_name: text(0, 200).default(''),
  price_usd: amountSchema,
  price_rub: amountSchema,
  currency: lowerCurrencySchema.optional(),
  input_currency: z.enum(steamCurrencies).optional(),
  commission: amountSchema.default(0),
  image_url: text(0, 2_000).default(''),
}

export const freefireTopup = z.strictObject({
  service: z.literal('freefire'),
  login: text(0, 64).default(''),
  player_id: playerId,
  /** The `item_id` of the offer. */
  offer_id: text(1, 64),
  ...seen,
})
export const pubgTopup = z.strictObject({
  service: z.literal('pubg'),
  login: text(0, 64).default(''),
  player_id: playerId,
  offer_id: z.literal(offerIds.ucCombination),
  denominations: z
    .array(z.strictObject({ denomination_id: id, quantity: z.int().min(1).max(LIMITS.topupUnitsMax) }))
    .min(1, 'required')
    .max(LIMITS.topupPackagesMax),
  ...seen,
})
export const steamTopup = z
  .strictObject({
    service: z.literal('steam'),
    login: steamLogin,
    player_id: steamLogin,
    offer_id: z.literal(offerIds.steamAmount),
    user_balance_currency: lowerCurrencySchema,
    /** In `input_currency`. */
    amount: amountSchema,
    ...seen,
    input_currency: z.enum(steamCurrencies),
  })
  .refine(({ login, player_id }) => login === player_id, { path: ['player_id'], error: 'invalid_login' })
const wantedOffer = z.strictObject({ offer_id: id, quantity: z.int().min(1).max(LIMITS.topupUnitsMax) })

/** A top-up of any game. The three of the specification have shapes of their own besides. */
export const anyTopup = z.strictObject({
  /** The product's slug. */
  service: text(1, LIMITS.slugLengthMax),
  account: accountValues,
  /** For pricing by offers or by combination. */
  offers: z.array(wantedOffer).min(1, 'required').max(LIMITS.topupPackagesMax).optional(),
  /** For pricing by amount, in `input_currency`. */
  amount: amountSchema.optional(),
  ...seen,
})
export type AnyTopup = z.input<typeof anyTopup>
export const topupData = z.union([z.discriminatedUnion('service', [freefireTopup, pubgTopup, steamTopup]), anyTopup])
export type TopupData = z.input<typeof topupData>
export type WantedTopup = z.output<typeof topupData>

/** What a call that takes a top-up is refused with, besides what is wrong with paying for it. */
export const topupRefusals = [
  'PLAYER_NOT_FOUND',
  'OFFER_NOT_FOUND',
  'PRICE_CHANGED',
  'OUT_OF_STOCK',
  'INVALID_AMOUNT',
  'STEAM_LOGIN_REFUSED',
  'STATE_CONFLICT',
  'RATE_LIMITED',
  'SUPPLIER_UNAVAILABLE',
] as const

/** What an item of type topup shows, in a cart and in an order. */
export const shownTopup = z.object({
  /** The slug of its product. */
  service: z.string(),
  /** For pricing by amount; blank otherwise. */
  login: z.string(),
  /** The account as one text. */
  player_id: z.string(),
  /** What was filled in, under the labels that it was asked for by. */
  account: z.array(z.object({ key: z.string(), label: z.string(), value: z.string() })),
  player_name: z.string().nullable(),
  offer_name: z.string(),
  image_url: z.string(),
  currency: lowerCurrencySchema.nullable(),
  user_balance_currency: lowerCurrencySchema.nullable(),
})
export type ShownTopup = z.infer<typeof shownTopup>
