import { z } from 'zod'
import { offerEntry } from './catalogue.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  byId,
  id,
  listQuery,
  otherLanguage,
  reason,
  regionId,
  text,
  time,
  toData,
  toList,
  version,
  wholeNumber,
} from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, chargeCurrencies, shownAmountSchema } from './money.ts'
import { numberRanges } from './shop-numbers.ts'

/** Money a package may cost. */
export const priceSchema = amountSchema.min(0.01, 'invalid_amount')

/**
 * Why a price needs an operator's confirmation. `changed`: it differs from the one in force, which may not be meant;
 * `jump`: it changes by more than `price_jump_percent`; `spread`: USD and RUB differ by more than
 * `price_spread_percent` at the rate in force.
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

/** How a price is made: typed by an admin, or by the nearest rule from what the package costs. */
export const priceModes = ['fixed', 'rule'] as const

/** What something costs, exactly: a text with up to eight decimals, above zero. */
export const costSchema = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,8})?$/, 'invalid_amount')
  .refine((cost) => /[1-9]/.test(cost), 'invalid_amount')

/** The currency of a cost; one that has no rate is refused. */
export const sourceCurrency = z.string().regex(/^[A-Z]{3,5}$/, 'no_rate')

/** The currencies in which suppliers count, for a choice of one; the store says where it has no rate. */
export const costCurrencies = [...chargeCurrencies, 'EUR'] as const

/** Why an admin sells something for less than it costs; without it such a price is refused with 409 FLOOR_PRICE. */
export const underFloor = reason.optional()

/** A price that is under what the package costs at the rates in force. */
export const priceUnderFloor = z.object({
  game_amount: z.int(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  floor_usd: shownAmountSchema,
  floor_rub: shownAmountSchema,
})
export type PriceUnderFloor = z.infer<typeof priceUnderFloor>

/** How a package is priced, for operators. */
export const offerPricing = z.object({
  price_mode: z.enum(priceModes),
  /** What it costs at its cheapest open source, else the cost that was typed; null while that is unknown. */
  cost: z.string().nullable(),
  cost_currency: z.string().nullable(),
  /** The cost that was typed, which counts where no source is open. */
  base_cost: z.string().nullable(),
  base_currency: z.string().nullable(),
  /** What it costs at the rates in force when it was last priced. */
  floor_usd: shownAmountSchema.nullable(),
  floor_rub: shownAmountSchema.nullable(),
  /** What `price_usd` is in RUB at the rate in force. */
  rub_at_rate: shownAmountSchema,
  /** Whether USD and RUB are further apart than `price_spread_percent`. */
  has_drifted: z.boolean(),
  /** Whether a price that its rule made waits to be approved. */
  has_pending_price: z.boolean(),
  /** Since when the shop keeps it off sale because its price is under its cost. */
  under_floor_since: time.nullable(),
})
export type OfferPricing = z.infer<typeof offerPricing>

/** A package for editing. `available_count` ends at `LIMITS.stockShownMax`. */
export const editedOffer = offerEntry.omit({ offer_id: true }).extend({
  id,
  product_id: id,
  /** Blank for no region. */
  region_name: z.string(),
  /** What customers read instead of its amount, in Russian and where there is no other; blank for none. */
  name: z.string(),
  translations: z.partialRecord(otherLanguage, z.string()),
  /** The supplier's name for it; null when none has one. */
  item_id: z.string().nullable(),
  is_active: z.boolean(),
  /** With how many codes it runs out; null for the shop's number. */
  low_stock: z.int().nullable(),
  ...offerPricing.shape,
  created_at: time,
  version,
})
export type EditedOffer = z.infer<typeof editedOffer>

/** Blank: its amount is its name. */
const offerName = text(0, LIMITS.denominationNameMax)
/** Its name in other languages; without a name it has none. */
const translations = z.partialRecord(otherLanguage, offerName).optional()
/** Blank: no supplier has it. */
const itemId = text(0, LIMITS.itemIdMax)

const { least, most } = numberRanges.low_stock_codes
/** Null: the shop's number. */
export const lowStock = z.int().min(least).max(most).nullish()

/** In a region, or in each of several; 0 means no region. */
const newOffer = z
  .strictObject({
    regionId: regionId.nullish(),
    regionIds: z
      .array(regionId)
      .min(1, 'required')
      .max(200)
      .refine((all) => new Set(all).size === all.length, 'invalid')
      .optional(),
    gameAmount: z.int().min(1).max(LIMITS.gameAmountMax),
    name: offerName.optional(),
    translations,
    itemId: itemId.optional(),
    priceUsd: priceSchema,
    priceRub: priceSchema,
    isPopular: z.boolean().default(false),
    isActive: z.boolean().default(true),
    lowStock,
    confirmPrices,
  })
  .refine(({ regionId, regionIds }) => regionIds === undefined || (regionId ?? undefined) === undefined, {
    path: ['regionIds'],
    error: 'contradicts',
  })
export type NewOffer = z.infer<typeof newOffer>

/** A field that is left out stays as it is. A package whose price is typed is priced by no rule any more. */
const offerChange = z
  .strictObject({
    priceUsd: priceSchema.optional(),
    priceRub: priceSchema.optional(),
    priceMode: z.enum(priceModes).optional(),
    /** Null: what it costs is known from its sources only. */
    base: z.strictObject({ cost: costSchema, currency: sourceCurrency }).nullish(),
    underFloor,
    isPopular: z.boolean().optional(),
    isActive: z.boolean().optional(),
    name: offerName.optional(),
    translations,
    itemId: itemId.optional(),
    lowStock,
    confirmPrices,
    version: version.optional(),
  })
  .refine(({ priceMode, priceUsd, priceRub }) => priceMode !== 'rule' || (priceUsd ?? priceRub) === undefined, {
    path: ['priceUsd'],
    error: 'priced_by_rule',
  })
export type OfferChange = z.infer<typeof offerChange>

/** What deleting a package deletes and keeps. */
const belongings = z.object({
  /** All of them, however many: they are deleted, except those that somebody has seen. */
  unsold_codes: z.int(),
  /** They stay, and so do their receipts; counted up to `LIMITS.listCountMax`. */
  sold_codes: z.int(),
  cart_items: z.int(),
})
export type OfferBelongings = z.infer<typeof belongings>

/**
 * How many unsold codes the admin saw to go with a package. When it has more by now, nothing is deleted: 409
 * STATE_CONFLICT. Without it, whatever is there goes.
 */
export const seenWithPackage = z.strictObject({ seenCodes: wholeNumber(10, 'invalid', 0, 2_147_483_647).optional() })

export const offersApi = {
  list: adminEndpoint('GET /admin/products/:id/offers', {
    operationId: 'listOffers',
    permission: 'catalogue.read',
    summary: 'Packages of a product, also those that are not sold',
    params: byId,
    query: listQuery(['game_amount', 'id', 'region', 'price_usd', 'price_rub', 'is_popular', 'is_active']),
    answer: toList(editedOffer),
  }),
  add: adminEndpoint('POST /admin/products/:id/offers', {
    operationId: 'addOffer',
    permission: 'prices.write',
    refusals: ['PRICE_CHANGED', 'DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Adds a package to a product, in several regions at once or in none of them; one that was deleted can be added again',
    params: byId,
    body: newOffer,
    /** `data` is the first of them. */
    answer: z.object({ data: editedOffer, offers: z.array(editedOffer) }),
    status: 201,
    confirmed: true,
  }),
  one: adminEndpoint('GET /admin/offers/:id', {
    operationId: 'readOffer',
    permission: 'catalogue.read',
    refusals: ['OFFER_NOT_FOUND'],
    summary: 'One package, and what deleting it would take along',
    params: byId,
    answer: toData(editedOffer.extend({ belongings })),
  }),
  change: adminEndpoint('PUT /admin/offers/:id', {
    operationId: 'changeOffer',
    permission: 'prices.write',
    refusals: ['OFFER_NOT_FOUND', 'PRICE_CHANGED', 'FLOOR_PRICE', 'DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes how a package is priced, its name, whether it is popular or sold, or what the supplier calls it',
    params: byId,
    body: offerChange,
    answer: toData(editedOffer),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/offers/:id', {
    operationId: 'removeOffer',
    permission: 'catalogue.write',
    refusals: ['OFFER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Deletes a package and its unsold codes; what was sold or seen stays, and receipts go on working',
    params: byId,
    query: seenWithPackage,
    answer: toData(z.object({ id, deleted_codes: z.int(), kept_codes: z.int() })),
    confirmed: true,
  }),
}
