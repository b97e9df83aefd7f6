import { z } from 'zod'
import { id, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { amountSchema, lowerCurrencySchema } from './money.ts'
import { offerIds } from './offer-ids.ts'

export const topupServices = ['freefire', 'pubg', 'steam'] as const
export type TopupService = (typeof topupServices)[number]

/** The currencies a Steam amount may be given in; wallets have the first two. */
export const steamCurrencies = ['usd', 'rub', 'kzt'] as const
export type SteamCurrency = (typeof steamCurrencies)[number]

export const withoutZeros = (playerId: string): string => playerId.replace(/^0+(?=\d)/, '')

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
export const topupData = z.discriminatedUnion('service', [freefireTopup, pubgTopup, steamTopup])
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
  service: z.enum(topupServices),
  login: z.string(),
  player_id: z.string(),
  player_name: z.string().nullable(),
  offer_name: z.string(),
  image_url: z.string(),
  currency: lowerCurrencySchema.nullable(),
  user_balance_currency: lowerCurrencySchema.nullable(),
})
export type ShownTopup = z.infer<typeof shownTopup>
