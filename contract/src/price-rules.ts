import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { byId, id, listQuery, percentBetween, text, time, toData, toList, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, shownAmountSchema } from './money.ts'
import { costSchema, sourceCurrency } from './offers.ts'

/**
 * What a rule makes the prices of. The nearest rule holds: a package's own, else its product's, its category's, the
 * shop's. `amount` is the commission of top-ups that are priced by amount, unless their product has a rule.
 */
const ruleScopes = ['shop', 'amount', 'category', 'product', 'offer'] as const
export type RuleScope = (typeof ruleScopes)[number]

/** Prices are rounded up: to a hundredth, to the next .99, to whole dollars or roubles, to tens of them. */
export const roundings = ['hundredth', 'ninety_nine', 'whole', 'tens'] as const
export type Rounding = (typeof roundings)[number]

export const ruleCategory = text(1, LIMITS.wordLengthMax)
/** The figures of a rule. */
export const ruleFields = {
  margin_percent: percentBetween(0, LIMITS.marginPercentMax),
  /** The least margin, in each currency. */
  least_usd: amountSchema,
  least_rub: amountSchema,
  /** What the payment takes of a price, which is put on top. */
  payment_percent: percentBetween(0, LIMITS.paymentPercentMax),
  rounding_usd: z.enum(roundings),
  rounding_rub: z.enum(roundings),
}

/** A version of a rule: its figures, and whose they are. */
const ruleVersion = z.object({
  ...ruleFields,
  least_usd: shownAmountSchema,
  least_rub: shownAmountSchema,
  version,
  changed_at: time,
  /** The admin's nickname; null when the shop itself did it. */
  changed_by: z.string().nullable(),
})

const priceRule = z.object({
  id,
  scope: z.enum(ruleScopes),
  category: ruleCategory.nullable(),
  product_id: id.nullable(),
  offer_id: id.nullable(),
  /** The name of its product. */
  product_title: z.string().nullable(),
  game_amount: z.int().nullable(),
  game_currency: z.string().nullable(),
  ...ruleVersion.shape,
})
export type PriceRule = z.infer<typeof priceRule>

/** The digest of a preview that the operator has seen and confirms. */
export const previewDigest = z.string().regex(/^[0-9a-f]{32}$/, 'invalid_text')
/** Without it, prices that jump wait to be approved. */
const seen = previewDigest.optional()

const draft = z.strictObject({
  scope: z.enum(ruleScopes),
  category: ruleCategory.optional(),
  product_id: id.optional(),
  offer_id: id.optional(),
  ...ruleFields,
})
const hasItsTarget = ({ scope, category, product_id, offer_id }: z.infer<typeof draft>) =>
  (scope === 'category') === (category !== undefined) &&
  (scope === 'product') === (product_id !== undefined) &&
  (scope === 'offer') === (offer_id !== undefined)
/** A rule as it is tried before it is added. */
export const triedRule = draft.refine(hasItsTarget, { path: ['scope'], error: 'required' })
const newPriceRule = draft.extend({ seen }).refine(hasItsTarget, { path: ['scope'], error: 'required' })
export type NewPriceRule = z.infer<typeof newPriceRule>

const priceRuleChange = z.strictObject({ ...ruleFields, seen, version }).partial()
export type PriceRuleChange = z.infer<typeof priceRuleChange>

/** Calls about the rules that make prices. */
export const priceRulesApi = {
  list: adminEndpoint('GET /admin/price-rules', {
    operationId: 'listPriceRules',
    permission: 'catalogue.read',
    summary: 'The rules that make prices; a search is for a part of a category or of a product’s name',
    query: listQuery(['id', 'scope', 'changed_at']),
    answer: toList(priceRule),
  }),
  add: adminEndpoint('POST /admin/price-rules', {
    operationId: 'addPriceRule',
    permission: 'prices.write',
    refusals: ['NOT_FOUND', 'OFFER_NOT_FOUND', 'DUPLICATE', 'PRICE_CHANGED'],
    summary: 'Adds a rule, and prices by it what it is nearest to',
    body: newPriceRule,
    answer: toData(priceRule),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/price-rules/:id', {
    operationId: 'changePriceRule',
    permission: 'prices.write',
    refusals: ['STATE_CONFLICT', 'PRICE_CHANGED'],
    summary: 'Changes a rule, and prices by it what it is nearest to',
    params: byId,
    body: priceRuleChange,
    answer: toData(priceRule),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/price-rules/:id', {
    operationId: 'removePriceRule',
    permission: 'prices.write',
    refusals: ['STATE_CONFLICT', 'PRICE_CHANGED'],
    summary: 'Ends a rule: the next nearest one prices what it has priced',
    params: byId,
    query: z.strictObject({ seen }),
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
  history: adminEndpoint('GET /admin/price-rules/:id/history', {
    operationId: 'listPriceRuleHistory',
    permission: 'catalogue.read',
    summary: 'The last hundred versions of a rule, newest first',
    params: byId,
    answer: toData(z.array(ruleVersion)),
  }),
  example: adminEndpoint('POST /admin/price-rules/example', {
    operationId: 'tryPriceRule',
    permission: 'catalogue.read',
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
}
