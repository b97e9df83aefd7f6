import { z } from 'zod'
import { endpointsFor } from './endpoint.ts'
import { id, idText, regionId, regionIdText, text } from './fields.ts'
import { shownAmountSchema } from './money.ts'

export const productKinds = ['code', 'topup'] as const
export type ProductKind = (typeof productKinds)[number]

const productRegion = z.object({
  id,
  name: z.string(),
  code: z.string(),
  flag: z.string(),
  is_active: z.boolean(),
  game_currency: z.string(),
})

/** An offer, which the specification calls a package here. `region_id` 0 means no region. */
export const offerEntry = z.object({
  offer_id: id,
  region_id: regionId,
  game_amount: z.int(),
  game_currency: z.string(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  /** What can be bought now, at most `LIMITS.stockShownMax`. */
  available_count: z.int(),
  is_popular: z.boolean(),
})
export type OfferEntry = z.infer<typeof offerEntry>

/** Within how many whole minutes of the payment half of the deliveries came, and 95 of 100. */
export const deliveryMinutes = z.object({ p50: z.int(), p95: z.int() })
export type DeliveryMinutes = z.infer<typeof deliveryMinutes>

/** What buyers' reviews come to: the average of their stars, with one decimal, and how many they are. */
const rating = z.object({ average: z.number(), count: z.int() })
export type Rating = z.infer<typeof rating>

export const product = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  kind: z.enum(productKinds),
  description: z.string(),
  image_url: z.string(),
  /** The product's own colour, as #rrggbb. */
  color: z.string(),
  category: z.array(z.string()),
  game_currency: z.string(),
  keywords: z.array(z.string()),
  activation_instructions: z.string(),
  hasRegions: z.boolean(),
  hasGlobalCodes: z.boolean(),
  regions: z.array(productRegion),
  /**
   * How long what somebody had to deliver took in the last `BUSINESS.measuredDays`; null where that was too little to say,
   * or more than five of 100 did not come.
   */
  delivery_minutes: deliveryMinutes.nullable(),
  /** Null without a review. */
  rating: rating.nullable(),
  /** The cheapest packages. */
  prices: z.array(offerEntry),
})
export type Product = z.infer<typeof product>

const toOffers = z.object({ id: idText, regionId: regionIdText })
const catalogueEndpoint = endpointsFor({ access: 'visitor', tag: 'catalogue' })

/** Texts come in the language of the Accept-Language header (ru, en, uz; ru otherwise). */
export const catalogueApi = {
  products: catalogueEndpoint('GET /products', {
    operationId: 'listProducts',
    summary: 'Active gift-card products',
    answer: z.array(product),
  }),
  topups: catalogueEndpoint('GET /topups', {
    operationId: 'listTopups',
    summary: 'Active top-ups, of every game',
    answer: z.array(product),
  }),
  productBySlug: catalogueEndpoint('GET /products/slug/:slug', {
    operationId: 'readProduct',
    summary: 'One product',
    params: z.object({ slug: text(1, 100).toLowerCase() }),
    answer: product,
  }),
  packages: catalogueEndpoint('GET /products/:id/codes/:regionId', {
    operationId: 'listPackages',
    summary: 'Packages of a product in a region; region 0 for none',
    params: toOffers,
    answer: z.array(offerEntry),
  }),
  popularPackages: catalogueEndpoint('GET /products/:id/popular/:regionId', {
    operationId: 'listPopularPackages',
    summary: 'Popular packages of a product in a region; region 0 for none',
    params: toOffers,
    answer: z.array(offerEntry),
  }),
}
