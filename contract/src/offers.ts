import { z } from 'zod'
import { offerEntry } from './catalogue.ts'
import { adminEndpoint } from './endpoint.ts'
import { byId, id, listQuery, regionId, text, time, toData, toList, version } from './fields.ts'
import { LIMITS } from './limits.ts'
import { amountSchema, shownAmountSchema } from './money.ts'

/** Money a package may cost. */
export const priceSchema = amountSchema.min(0.01, 'invalid_amount')

/**
 * Why a price needs an operator's confirmation. `changed`: it differs from the one in force, which may not be meant;
 * `jump`: it changes by more than `BUSINESS.priceJumpPercent`; `spread`: USD and RUB differ by more than
 * `BUSINESS.priceSpreadPercent` at the rate in force.
 */
const priceDoubts = ['changed', 'jump', 'spread'] as const
export type PriceDoubt = (typeof priceDoubts)[number]

/** A price that is about to be set, beside the one in force. */
export const priceChange = z.object({
  game_amount: z.int(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  /** Null for a new package. */
  was_usd: shownAmountSchema.nullable(),
  was_rub: shownAmountSchema.nullable(),
  /** What `price_usd` is in RUB at the rate in force; null when no rate is known. */
  rub_at_rate: shownAmountSchema.nullable(),
  /** Empty: it needs no confirmation. */
  doubts: z.array(z.enum(priceDoubts)),
})
export type PriceChange = z.infer<typeof priceChange>

/** Details of PRICE_CHANGED when an operator sets prices. */
export const doubtfulPrices = z.object({ prices: z.array(priceChange).min(1) })

/** Without it a doubtful price is refused with 409 PRICE_CHANGED, and nothing is changed. */
export const confirmPrices = z.boolean().optional()

/** A package for editing. `available_count` ends at `LIMITS.stockShownMax`. */
export const editedOffer = offerEntry.omit({ offer_id: true }).extend({
  id,
  product_id: id,
  /** Blank for no region. */
  region_name: z.string(),
  /** The supplier's name for it; null when none has one. */
  item_id: z.string().nullable(),
  is_active: z.boolean(),
  created_at: time,
  version,
})
export type EditedOffer = z.infer<typeof editedOffer>

/** A `regionId` of 0 means no region. */
export const newOffer = z.strictObject({
  regionId: regionId.nullish(),
  gameAmount: z.int().min(1).max(LIMITS.gameAmountMax),
  priceUsd: priceSchema,
  priceRub: priceSchema,
  isPopular: z.boolean().default(false),
  isActive: z.boolean().default(true),
  confirmPrices,
})
export type NewOffer = z.infer<typeof newOffer>

/** A field that is left out stays as it is. */
const offerChange = z.strictObject({
  priceUsd: priceSchema.optional(),
  priceRub: priceSchema.optional(),
  isPopular: z.boolean().optional(),
  isActive: z.boolean().optional(),
  /** Blank: no supplier has it. */
  itemId: text(0, LIMITS.itemIdMax).optional(),
  confirmPrices,
  version: version.optional(),
})
export type OfferChange = z.infer<typeof offerChange>

/** What deleting a package deletes and keeps; counts end at `LIMITS.listCountMax`. */
const belongings = z.object({
  /** They are deleted, except those that somebody has seen. */
  unsold_codes: z.int(),
  /** They stay, and so do their receipts. */
  sold_codes: z.int(),
  cart_items: z.int(),
})
export type OfferBelongings = z.infer<typeof belongings>

export const offersApi = {
  list: adminEndpoint('GET /admin/products/:id/offers', {
    operationId: 'listOffers',
    summary: 'Packages of a product, also those that are not sold',
    params: byId,
    query: listQuery(['game_amount', 'id', 'region', 'price_usd', 'price_rub', 'is_popular', 'is_active']),
    answer: toList(editedOffer),
  }),
  add: adminEndpoint('POST /admin/products/:id/offers', {
    operationId: 'addOffer',
    refusals: ['PRICE_CHANGED', 'DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Adds a package to a product of codes; one that was deleted is there again',
    params: byId,
    body: newOffer,
    answer: toData(editedOffer),
    status: 201,
    confirmed: true,
  }),
  one: adminEndpoint('GET /admin/offers/:id', {
    operationId: 'readOffer',
    refusals: ['OFFER_NOT_FOUND'],
    summary: 'One package, and what deleting it would take along',
    params: byId,
    answer: toData(editedOffer.extend({ belongings })),
  }),
  change: adminEndpoint('PUT /admin/offers/:id', {
    operationId: 'changeOffer',
    refusals: ['OFFER_NOT_FOUND', 'PRICE_CHANGED', 'DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes the price of a package, whether it is popular or sold, or what the supplier calls it',
    params: byId,
    body: offerChange,
    answer: toData(editedOffer),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/offers/:id', {
    operationId: 'removeOffer',
    refusals: ['OFFER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Deletes a package and its unsold codes; what was sold or seen stays, and receipts go on working',
    params: byId,
    answer: toData(z.object({ id, deleted_codes: z.int(), kept_codes: z.int() })),
    confirmed: true,
  }),
}
