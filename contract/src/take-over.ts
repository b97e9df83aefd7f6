import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { id, text, toData } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { confirmPrices, priceModes, priceSchema } from './offers.ts'
import { slugSchema } from './products.ts'
import { bySupplier } from './supplier-lists.ts'

const reference = text(1, LIMITS.vendorReferenceMax)

/** A product of a supplier that is to be sold. */
const takenOffer = z
  .strictObject({
    reference,
    /** An offer there is already, to be served by this one, too. */
    offerId: id.optional(),
    /** Read from the supplier's name for it where it is left out. */
    gameAmount: z.int().min(1).max(LIMITS.gameAmountMax).optional(),
    /** Both or none: without them the price follows from the cost. */
    priceUsd: priceSchema.optional(),
    priceRub: priceSchema.optional(),
  })
  .refine(({ priceUsd, priceRub }) => (priceUsd === undefined) === (priceRub === undefined), {
    path: ['priceRub'],
    error: 'required',
  })
export type TakenOffer = z.output<typeof takenOffer>

/** A game of a supplier's catalogue that is to be sold, with some of its products. */
const takenGame = z.strictObject({
  service: reference,
  /** The shop's product that it is; without one, the product it was taken over as before, or a new one. */
  productId: id.optional(),
  /** For a new product; the supplier's title by default. */
  name: text(1, 200).optional(),
  slug: slugSchema.optional(),
  gameCurrency: text(0, 40).optional(),
  category: z.array(text(1, LIMITS.wordLengthMax)).max(LIMITS.wordsMax).default([]),
  offers: z
    .array(takenOffer)
    .min(1, 'required')
    .max(LIMITS.takenOffersMax, 'list_too_long')
    .refine((list) => new Set(list.map(({ reference }) => reference)).size === list.length, 'duplicate'),
})
export type TakenGame = z.output<typeof takenGame>

/** Why a game was not taken over. */
const gameRefusals = [
  /** The supplier has no such game, or not any more. */
  'service_not_found',
  'product_not_found',
  /** The shop's product sells codes and the game is topped up, or the other way round, or it is priced by amount. */
  'other_kind',
  /** There is a product of that name: `product_id` tells which. It may be the same game. */
  'slug_taken',
  /** The title has no letters for an address. */
  'slug_needed',
  /** It asks for more than a shop may ask a customer, such as a password. */
  'asks_secret',
  /** A field is chosen from a list that the supplier has not told. */
  'options_unknown',
  /** It asks for something that the product does not: `fields` tells what. */
  'fields_missing',
  'too_many_fields',
  /** A rule is to price it, and the supplier is off, or sells nothing of its kind at the moment: what it listed is no cost. */
  'no_cost',
  /** None of its products could be taken. */
  'nothing_left',
] as const
export type GameRefusal = (typeof gameRefusals)[number]

/** Why a product was not taken over. */
const takenRefusals = [
  'product_not_found',
  'gone',
  /** It belongs to another game of the supplier. */
  'other_service',
  /** It is sold by more than one unit only. */
  'quantity',
  /** Its currency has no rate. */
  'no_rate',
  /** Neither a price nor a margin was given, or the price is beyond what an offer may cost. */
  'price',
  /** The given price is under the cost; `confirmPrices` takes it all the same. */
  'under_cost',
  /** The given prices differ by more than `price_spread_percent`; likewise. */
  'price_doubtful',
  /** The amount can't be read from its name. */
  'amount_needed',
  /** There is an offer of the amount, `offer_id`: it may be the same thing. */
  'amount_taken',
  'offer_not_found',
] as const
export type TakenRefusal = (typeof takenRefusals)[number]

export const takenOver = z.object({
  service: z.string(),
  /** `made`: a new product, not on sale yet; `added`: offers or sources of one; `unchanged`: all of it was there. */
  outcome: z.enum(['made', 'added', 'unchanged', 'refused']),
  reason: z.enum(gameRefusals).nullable(),
  /** The fields it is refused for. */
  fields: z.array(z.string()),
  product_id: id.nullable(),
  slug: z.string().nullable(),
  offers: z.array(
    z.object({
      reference: z.string(),
      /** `joined`: it is one more source of an offer. */
      outcome: z.enum(['made', 'joined', 'unchanged', 'refused']),
      reason: z.enum(takenRefusals).nullable(),
      offer_id: id.nullable(),
      /** What the supplier calls it; null when it has no such product. */
      name: z.string().nullable(),
      /** What its offer is sold at, and what it costs at the rates in force; null where it is refused or unknown. */
      price_usd: shownAmountSchema.nullable(),
      price_rub: shownAmountSchema.nullable(),
      floor_usd: shownAmountSchema.nullable(),
      floor_rub: shownAmountSchema.nullable(),
    }),
  ),
})
export type TakenOver = z.infer<typeof takenOver>

/** Games that are to be sold, and where the prices of what is new come from. */
const takingOver = z.strictObject({
  games: z.array(takenGame).min(1, 'required').max(LIMITS.takenGamesMax, 'list_too_long'),
  /** Added to the cost, at the rates in force, where no price is given. */
  marginPercent: z.number().min(0).max(LIMITS.marginPercentMax).multipleOf(0.01).optional(),
  /** `rule`: new offers are priced by the nearest rule, now and whenever their cost changes. */
  priceMode: z.enum(priceModes).default('fixed'),
  /** Offers that are added to a product of the shop are sold at once; those of a new product are, once it is. */
  isActive: z.boolean().default(false),
  confirmPrices,
})
export type TakingOver = z.output<typeof takingOver>

/** Calls that have the shop sell what a supplier sells. */
export const takeOverApi = {
  takeOver: adminEndpoint('POST /admin/suppliers/:name/take-over', {
    operationId: 'takeOverGames',
    permission: 'suppliers.write',
    summary:
      'Sells games of a supplier’s catalogue: each becomes a product that is not on sale yet, or is added to one; what is there already stays as it is',
    params: bySupplier,
    body: takingOver,
    answer: toData(z.array(takenOver)),
    bodyLimit: 1024 * 1024,
    confirmed: true,
  }),
  preview: adminEndpoint('POST /admin/suppliers/:name/take-over/preview', {
    operationId: 'previewTakeOver',
    permission: 'suppliers.write',
    summary:
      'What taking games over would make and at which prices, in the answer of the taking over; it changes nothing, and what is not there yet has no id',
    params: bySupplier,
    body: takingOver,
    answer: toData(z.array(takenOver)),
    bodyLimit: 1024 * 1024,
  }),
}
