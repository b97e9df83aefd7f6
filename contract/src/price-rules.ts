import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byId, id, idText, listQuery, text, time, toData, toList, version } from './fields.ts'
import { LIMITS } from './limits.ts'
import { amountSchema, shownAmountSchema } from './money.ts'
import { costSchema, offerPricing, sourceCurrency, underFloor } from './offers.ts'

/**
 * What a rule makes the prices of. The nearest rule holds: a package's own, else its product's, its category's, the
 * shop's. `amount` is the commission of top-ups that are priced by amount, unless their product has a rule.
 */
export const ruleScopes = ['shop', 'amount', 'category', 'product', 'offer'] as const
export type RuleScope = (typeof ruleScopes)[number]

/** Prices are rounded up: to a hundredth, to the next .99, to whole dollars or roubles, to tens of them. */
export const roundings = ['hundredth', 'ninety_nine', 'whole', 'tens'] as const
export type Rounding = (typeof roundings)[number]

const percentUpTo = (max: number) =>
  z
    .number({ error: 'invalid_amount' })
    .min(0, 'invalid_amount')
    .max(max, 'invalid_amount')
    .refine((percent) => Math.round(percent * 100) / 100 === percent, 'invalid_amount')

const category = text(1, LIMITS.wordLengthMax)
const ruleFields = {
  margin_percent: percentUpTo(LIMITS.marginPercentMax),
  /** The least margin, in each currency. */
  least_usd: amountSchema,
  least_rub: amountSchema,
  /** What the payment takes of a price, which is put on top. */
  payment_percent: percentUpTo(LIMITS.paymentPercentMax),
  rounding_usd: z.enum(roundings),
  rounding_rub: z.enum(roundings),
}

const target = {
  category: category.nullable(),
  product_id: id.nullable(),
  offer_id: id.nullable(),
}

export const priceRule = z.object({
  id,
  scope: z.enum(ruleScopes),
  ...target,
  /** The name of its product. */
  product_title: z.string().nullable(),
  game_amount: z.int().nullable(),
  game_currency: z.string().nullable(),
  ...ruleFields,
  least_usd: shownAmountSchema,
  least_rub: shownAmountSchema,
  version,
  changed_at: time,
  /** The admin's nickname; null when the shop itself did it. */
  changed_by: z.string().nullable(),
})
export type PriceRule = z.infer<typeof priceRule>

/** The digest of a preview that the operator has seen and confirms. */
const digest = z.string().regex(/^[0-9a-f]{32}$/, 'invalid_text')
/** Without it, prices that jump wait to be approved. */
const seen = digest.optional()

const draft = z.strictObject({
  scope: z.enum(ruleScopes),
  category: category.optional(),
  product_id: id.optional(),
  offer_id: id.optional(),
  ...ruleFields,
})
const hasItsTarget = ({ scope, category, product_id, offer_id }: z.infer<typeof draft>) =>
  (scope === 'category') === (category !== undefined) &&
  (scope === 'product') === (product_id !== undefined) &&
  (scope === 'offer') === (offer_id !== undefined)
const newPriceRule = draft.extend({ seen }).refine(hasItsTarget, { path: ['scope'], error: 'required' })
export type NewPriceRule = z.infer<typeof newPriceRule>

const priceRuleChange = z.strictObject({ ...ruleFields, seen, version }).partial()
export type PriceRuleChange = z.infer<typeof priceRuleChange>

/** Whose prices are changed at once. */
const offerSelection = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('shop') }),
  z.strictObject({ of: z.literal('category'), category }),
  z.strictObject({ of: z.literal('product'), product_id: id }),
  z.strictObject({ of: z.literal('offers'), offer_ids: z.array(id).min(1, 'required').max(LIMITS.selectedOffersMax) }),
])
export type OfferSelection = z.infer<typeof offerSelection>

const bulkPercent = z
  .number({ error: 'invalid_amount' })
  .min(-LIMITS.priceCutPercentMax, 'invalid_amount')
  .max(LIMITS.marginPercentMax, 'invalid_amount')
  .refine((percent) => Math.round(percent * 100) / 100 === percent, 'invalid_amount')

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
    rule: draft.refine(hasItsTarget, { path: ['scope'], error: 'required' }),
  }),
  z.strictObject({ by: z.literal('changed_rule'), id, rule: z.strictObject(ruleFields).partial() }),
  z.strictObject({ by: z.literal('removed_rule'), id }),
])

const priceWish = z.union([bulkChange, ruleChange])
export type PriceWish = z.infer<typeof priceWish>

/** `jump`: it moves by more than `BUSINESS.priceJumpPercent`; `floor`: it is under what the package costs. */
const previewDoubts = ['jump', 'floor'] as const
export type PreviewDoubt = (typeof previewDoubts)[number]

const namedOffer = {
  offer_id: id,
  product_id: id,
  product_title: z.string(),
  game_amount: z.int(),
  game_currency: z.string(),
  /** Blank for no region. */
  region_name: z.string(),
}

export const previewedPrice = z.object({
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
export type OfferPriceState = (typeof offerPriceStates)[number]

export const offerPrice = z.object({
  ...namedOffer,
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  is_active: z.boolean(),
  ...offerPricing.shape,
})
export type OfferPriceRow = z.infer<typeof offerPrice>

export const pendingPrice = z.object({
  id: bigId,
  ...namedOffer,
  was_usd: shownAmountSchema,
  was_rub: shownAmountSchema,
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  floor_usd: shownAmountSchema.nullable(),
  floor_rub: shownAmountSchema.nullable(),
  created_at: time,
})
export type PendingPrice = z.infer<typeof pendingPrice>

export const priceDecisions = ['approve', 'reject'] as const
export type PriceDecision = (typeof priceDecisions)[number]

const priced = toData(
  z.object({
    /** How many prices changed. */
    changed: z.int(),
    /** How many jump and wait to be approved. */
    pending: z.int(),
  }),
)

export const priceRulesApi = {
  list: adminEndpoint('GET /admin/price-rules', {
    operationId: 'listPriceRules',
    summary: 'The rules that make prices; a search is for a part of a category or of a product’s name',
    query: listQuery(['id', 'scope', 'changed_at']),
    answer: toList(priceRule),
  }),
  add: adminEndpoint('POST /admin/price-rules', {
    operationId: 'addPriceRule',
    refusals: ['NOT_FOUND', 'OFFER_NOT_FOUND', 'DUPLICATE', 'PRICE_CHANGED'],
    summary: 'Adds a rule, and prices by it what it is nearest to',
    body: newPriceRule,
    answer: toData(priceRule),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/price-rules/:id', {
    operationId: 'changePriceRule',
    refusals: ['STATE_CONFLICT', 'PRICE_CHANGED'],
    summary: 'Changes a rule, and prices by it what it is nearest to',
    params: byId,
    body: priceRuleChange,
    answer: toData(priceRule),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/price-rules/:id', {
    operationId: 'removePriceRule',
    refusals: ['STATE_CONFLICT'],
    summary: 'Ends a rule: the next nearest one prices what it has priced',
    params: byId,
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
  history: adminEndpoint('GET /admin/price-rules/:id/history', {
    operationId: 'listPriceRuleHistory',
    summary: 'The last hundred versions of a rule, newest first',
    params: byId,
    answer: toData(
      z.array(
        priceRule.omit({
          id: true,
          scope: true,
          category: true,
          product_id: true,
          offer_id: true,
          product_title: true,
          game_amount: true,
          game_currency: true,
        }),
      ),
    ),
  }),
  example: adminEndpoint('POST /admin/price-rules/example', {
    operationId: 'tryPriceRule',
    summary: 'What a rule would make of a cost at the rates in force; null where there is no rate of its currency',
    body: z.strictObject({ rule: z.strictObject(ruleFields), cost: costSchema, currency: sourceCurrency }),
    answer: toData(
      z
        .object({
          price_usd: shownAmountSchema,
          price_rub: shownAmountSchema,
          floor_usd: shownAmountSchema,
          floor_rub: shownAmountSchema,
        })
        .nullable(),
    ),
  }),
  preview: adminEndpoint('POST /admin/price-changes/preview', {
    operationId: 'previewPrices',
    refusals: ['NOT_FOUND'],
    summary: 'Every price that a change or a rule would make, before and after; it changes nothing',
    body: z.strictObject({ wish: priceWish, page: z.int().min(1).max(1_000_000).default(1) }),
    answer: preview,
  }),
  apply: adminEndpoint('POST /admin/price-changes', {
    operationId: 'changePrices',
    refusals: ['PRICE_CHANGED', 'FLOOR_PRICE'],
    summary: 'Changes many prices exactly as they were previewed, or none of them',
    body: z.strictObject({ wish: bulkChange, seen: digest, underFloor }),
    answer: priced,
    confirmed: true,
  }),
  offers: adminEndpoint('GET /admin/offer-prices', {
    operationId: 'listOfferPrices',
    summary:
      'What packages cost and are sold at; a search is for a part of a product’s name. `drifted`: USD and RUB are far apart; `off_sale`: under its cost',
    query: listQuery(['offer_id', 'price_usd', 'price_rub']).extend({
      state: z.enum(offerPriceStates).optional(),
      category: category.optional(),
      productId: idText.optional(),
    }),
    answer: toList(offerPrice),
  }),
  pending: adminEndpoint('GET /admin/pending-prices', {
    operationId: 'listPendingPrices',
    summary: 'Prices made by rules that moved too far and wait to be approved',
    query: listQuery(['id']),
    answer: toList(pendingPrice),
  }),
  decide: adminEndpoint('POST /admin/pending-prices/decide', {
    operationId: 'decidePendingPrices',
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
