import type { OfferWish, offerChangesApi } from '@olmos/contract/offer-changes'
import type { EditedOffer, offersApi } from '@olmos/contract/offers'
import type {
  BulkChange,
  OfferPriceRow,
  PendingPrice,
  PriceDecision,
  PriceWish,
  priceChangesApi,
} from '@olmos/contract/price-changes'
import type { PriceRule, priceRulesApi, Rounding, RuleScope } from '@olmos/contract/price-rules'
import { keepPreviousData } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { paths } from '../../paths.ts'
import { useAdminList, useAdminQuery, useAdminRead } from '../list/use-admin-list.ts'

const rules = caller<typeof priceRulesApi.list>('GET /admin/price-rules')
const add = caller<typeof priceRulesApi.add>('POST /admin/price-rules')
const change = caller<typeof priceRulesApi.change>('PUT /admin/price-rules/:id')
const remove = caller<typeof priceRulesApi.remove>('DELETE /admin/price-rules/:id')
const history = caller<typeof priceRulesApi.history>('GET /admin/price-rules/:id/history')
const example = caller<typeof priceRulesApi.example>('POST /admin/price-rules/example')
const preview = caller<typeof priceChangesApi.preview>('POST /admin/price-changes/preview')
const apply = caller<typeof priceChangesApi.apply>('POST /admin/price-changes')
const offerPrices = caller<typeof priceChangesApi.offers>('GET /admin/offer-prices')
const pending = caller<typeof priceChangesApi.pending>('GET /admin/pending-prices')
const decide = caller<typeof priceChangesApi.decide>('POST /admin/pending-prices/decide')
const previewOffers = caller<typeof offerChangesApi.preview>('POST /admin/offer-changes/preview')
const applyToOffers = caller<typeof offerChangesApi.apply>('POST /admin/offer-changes')
const changeOffer = caller<typeof offersApi.change>('PUT /admin/offers/:id')

/** The parameter of the address that says which part of the tab is shown. */
export const priceViewParam = 'view'
export const priceViews = ['rules', 'packages', 'pending'] as const
export type PriceView = (typeof priceViews)[number]
const place = [priceViewParam]

/** The address of a part of the tab. */
export const toPrices = (params: { view: PriceView; state?: string; productId?: string }): string =>
  `${paths.admin('priceRules')}?${new URLSearchParams(params)}`

export const usePriceRules = () => useAdminList<PriceRule>({ noun: 'prices', of: 'rules', place, load: rules })

export const useOfferPrices = () =>
  useAdminList<OfferPriceRow>({
    noun: 'prices',
    of: 'packages',
    place,
    filters: ['state', 'category', 'productId'],
    load: offerPrices,
  })

export const usePendingPrices = () =>
  useAdminList<PendingPrice>({ noun: 'prices', of: 'pending', place, load: pending })

export const useRuleHistory = (ruleId: number) =>
  useAdminRead(queryKeys.admin.noun('prices', 'history', ruleId), history, { params: { id: String(ruleId) } })

export interface RuleValues extends Record<string, unknown> {
  scope: RuleScope
  category: string
  productId: string
  offerId: string
  margin_percent: number | string
  least_usd: number | string
  least_rub: number | string
  payment_percent: number | string
  rounding_usd: Rounding
  rounding_rub: Rounding
}

export const toFigures = (values: RuleValues) => ({
  margin_percent: Number(values.margin_percent),
  least_usd: Number(values.least_usd),
  least_rub: Number(values.least_rub),
  payment_percent: Number(values.payment_percent),
  rounding_usd: values.rounding_usd,
  rounding_rub: values.rounding_rub,
})

const toNewRule = (values: RuleValues) => ({
  scope: values.scope,
  ...(values.scope === 'category' && { category: values.category }),
  ...(values.scope === 'product' && { product_id: Number(values.productId) }),
  ...(values.scope === 'offer' && { offer_id: Number(values.offerId) }),
  ...toFigures(values),
})

/** What saving a rule would change. */
export const toRuleWish = (rule: PriceRule | undefined, values: RuleValues): PriceWish =>
  rule ? { by: 'changed_rule', id: rule.id, rule: toFigures(values) } : { by: 'new_rule', rule: toNewRule(values) }

/** With the digest of a preview, what it showed comes into force, or nothing does. */
export const saveRule = (
  rule: PriceRule | undefined,
  values: RuleValues,
  version: number | undefined,
  seen: string | undefined,
) =>
  rule
    ? change({
        params: { id: String(rule.id) },
        body: { ...toFigures(values), ...(seen && { seen }), ...(version && { version }) },
      })
    : add({ body: { ...toNewRule(values), ...(seen && { seen }) } })

export const removeRule = ({ id }: PriceRule, seen: string) => remove({ params: { id: String(id) }, query: { seen } })

interface ExampleWish {
  rule: ReturnType<typeof toFigures>
  cost: string
  currency: string
}

/** What a rule would make of a cost; while it is computed again, what it made last. */
export const useExample = (wish: ExampleWish, isReady: boolean) =>
  useAdminRead(
    queryKeys.admin.noun('prices', 'example', wish),
    example,
    { body: wish },
    { enabled: isReady, placeholderData: keepPreviousData },
  )

/** Every price that a change would make, a page of it; never from the cache. */
export const usePreview = (wish: PriceWish, page: number) =>
  useAdminQuery(
    queryKeys.admin.noun('prices', 'preview', wish, page),
    (signal) => preview({ body: { wish, page } }, { signal }),
    { gcTime: 0, placeholderData: keepPreviousData },
  )

export const changePrices = (wish: BulkChange, seen: string, underFloor: string) =>
  apply({ body: { wish, seen, ...(underFloor && { underFloor }) } })

/** Every package that a change would touch, a page of it; never from the cache. */
export const useOffersPreview = (wish: OfferWish, page: number) =>
  useAdminQuery(
    queryKeys.admin.noun('prices', 'offers', wish, page),
    (signal) => previewOffers({ body: { wish, page } }, { signal }),
    { gcTime: 0, placeholderData: keepPreviousData },
  )

export const changeOffers = (wish: OfferWish, seen: string, underFloor: string) =>
  applyToOffers({ body: { wish, seen, ...(underFloor && { underFloor }) } })

export const decidePrices = (
  decision: PriceDecision,
  which: { ids: number[] } | { all: { up_to: number; count: number } },
) => decide({ body: { decision, ...which } })

export interface CostValues extends Record<string, unknown> {
  priceMode: EditedOffer['price_mode']
  cost: string
  currency: string
}

/** Says how a package is priced, and what it costs where no source does. */
export const saveCosting = (
  offer: EditedOffer,
  { priceMode, cost, currency }: CostValues,
  version: number | undefined,
  { isConfirmed, underFloor }: { isConfirmed: boolean; underFloor: string | undefined },
) =>
  changeOffer({
    params: { id: String(offer.id) },
    body: {
      priceMode,
      base: cost === '' ? null : { cost, currency },
      ...(version && { version }),
      ...(isConfirmed && { confirmPrices: true }),
      ...(underFloor && { underFloor }),
    },
  })
