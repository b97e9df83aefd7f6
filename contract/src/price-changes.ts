import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, id, idText, listQuery, percentBetween, time, toData, toList } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { offerPricing, underFloor } from './offers.ts'
import { previewDigest, roundings, ruleCategory, ruleFields, triedRule } from './price-rules.ts'

/** Whose prices are changed at once. */
export const offerSelection = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('shop') }),
  z.strictObject({ of: z.literal('category'), category: ruleCategory }),
  z.strictObject({ of: z.literal('product'), product_id: id }),
  z.strictObject({ of: z.literal('offers'), offer_ids: z.array(id).min(1, 'required').max(LIMITS.selectedOffersMax) }),
])
export type OfferSelection = z.infer<typeof offerSelection>

const bulkPercent = percentBetween(-LIMITS.priceCutPercentMax, LIMITS.marginPercentMax)

/** `percent` types other prices; `rule` has them made by the nearest rule from now on, where the cost is known. */
const bulkChange = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('percent'),
    selection: offerSelection,
    percent_usd: bulkPercent,
    percent_rub: bulkPercent,
    rounding_usd: z.enum(roundings),
    rounding_rub: z.enum(roundings),
  }),
  z.strictObject({ by: z.literal('rule'), selection: offerSelection }),
])
export type BulkChange = z.infer<typeof bulkChange>

/** What a rule would change: a new one, other figures of one that is there, or its end. */
const ruleChange = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('new_rule'),
    rule: triedRule,
  }),
  z.strictObject({ by: z.literal('changed_rule'), id, rule: z.strictObject(ruleFields).partial() }),
  z.strictObject({ by: z.literal('removed_rule'), id }),
])

const priceWish = z.union([bulkChange, ruleChange])
export type PriceWish = z.infer<typeof priceWish>

/** `jump`: it moves by more than `price_jump_percent`; `floor`: it is under what the package costs. */
const previewDoubts = ['jump', 'floor'] as const

export const namedOffer = {
  offer_id: id,
  product_id: id,
  product_title: z.string(),
  game_amount: z.int(),
  game_currency: z.string(),
  /** Blank for no region. */
  region_name: z.string(),
}

const previewedPrice = z.object({
  ...namedOffer,
  was_usd: shownAmountSchema,
  was_rub: shownAmountSchema,
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  /** What it costs at the rates in force; null while that is unknown. */
  floor_usd: shownAmountSchema.nullable(),
  floor_rub: shownAmountSchema.nullable(),
  doubts: z.array(z.enum(previewDoubts)),
})
export type PreviewedPrice = z.infer<typeof previewedPrice>

const preview = z.object({
  /** A page of the prices that change. */
  data: z.array(previewedPrice),
  /** How many change. */
  total: z.int(),
  jumps: z.int(),
  under_floor: z.int(),
  /** How many can't be priced by a rule, as nobody knows what they cost. */
  without_cost: z.int(),
  /** Names all of it: what is confirmed is what was seen. */
  digest: z.string(),
})
export type PricePreview = z.infer<typeof preview>

export const offerPriceStates = ['drifted', 'off_sale', 'rule', 'fixed', 'no_cost'] as const

const offerPrice = z.object({
  ...namedOffer,
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  is_active: z.boolean(),
  ...offerPricing.shape,
})
export type OfferPriceRow = z.infer<typeof offerPrice>

const pendingPrice = z.object({
  id: bigId,
  ...previewedPrice.omit({ doubts: true }).shape,
  created_at: time,
})
export type PendingPrice = z.infer<typeof pendingPrice>

const priceDecisions = ['approve', 'reject'] as const
export type PriceDecision = (typeof priceDecisions)[number]

const priced = toData(
  z.object({
    /** How many prices changed. */
    changed: z.int(),
    /** How many jump and wait to be approved. */
    pending: z.int(),
  }),
)

/** Calls about what offers are sold at, and about changing many prices at once. */
export const priceChangesApi = {
  preview: adminEndpoint('POST /admin/price-changes/preview', {
    operationId: 'previewPrices',
    permission: 'catalogue.read',
    refusals: ['NOT_FOUND'],
    summary: 'Every price that a change or a rule would make, before and after; it changes nothing',
    body: z.strictObject({ wish: priceWish, page: z.int().min(1).max(1_000_000).default(1) }),
    answer: preview,
  }),
  apply: adminEndpoint('POST /admin/price-changes', {
    operationId: 'changePrices',
    permission: 'prices.write',
    refusals: ['PRICE_CHANGED', 'FLOOR_PRICE'],
    summary: 'Changes many prices exactly as they were previewed, or none of them',
    body: z.strictObject({ wish: bulkChange, seen: previewDigest, underFloor }),
    answer: priced,
    confirmed: true,
  }),
  offers: adminEndpoint('GET /admin/offer-prices', {
    operationId: 'listOfferPrices',
    permission: 'catalogue.read',
    summary:
      'What packages cost and are sold at; a search is for a part of a product’s name. `drifted`: USD and RUB are far apart; `off_sale`: under its cost, or what suppliers want is more than its price or their limit allows, or in a currency without a fresh rate',
    query: listQuery(['offer_id', 'price_usd', 'price_rub']).extend({
      state: z.enum(offerPriceStates).optional(),
      category: ruleCategory.optional(),
      productId: idText.optional(),
    }),
    answer: toList(offerPrice),
  }),
  pending: adminEndpoint('GET /admin/pending-prices', {
    operationId: 'listPendingPrices',
    permission: 'catalogue.read',
    summary: 'Prices made by rules that moved too far and wait to be approved',
    query: listQuery(['id']),
    answer: toList(pendingPrice),
  }),
  decide: adminEndpoint('POST /admin/pending-prices/decide', {
    operationId: 'decidePendingPrices',
    permission: 'prices.write',
    refusals: ['STATE_CONFLICT'],
    summary:
      'Puts pending prices in force exactly as they were listed, or keeps those that are: such packages are priced by hand from then on',
    body: z
      .strictObject({
        decision: z.enum(priceDecisions),
        ids: z.array(bigId).min(1, 'required').max(LIMITS.selectedOffersMax).optional(),
        /** All that wait, up to this id, of which there must be so many. */
        all: z.strictObject({ up_to: bigId, count: z.int().min(1) }).optional(),
      })
      .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), { path: ['ids'], error: 'required' }),
    answer: priced,
    confirmed: true,
  }),
}
