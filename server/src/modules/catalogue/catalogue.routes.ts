import { catalogueApi, type OfferEntry, type Product, type ProductKind } from '@olmos/contract/catalogue'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { Sql } from 'sql-template-tag'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { availableCount } from './availability.ts'

/** An offer as it is read: its prices are in minor units. */
type OfferRow = OfferEntry

interface ProductRow extends Omit<Product, 'hasRegions' | 'hasGlobalCodes' | 'prices'> {
  has_global_codes: boolean
  prices: OfferRow[]
}

/** Selects a text of the product in the language, else in Russian, which every product has. */
const inLanguage = (language: Language) => sql`
  JOIN LATERAL (
    SELECT title, description, activation_instructions FROM product_text
    WHERE product_id = product.id AND language IN (${language}, 'ru')
    ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true`

const offerColumns = sql`
  offer.id AS offer_id, coalesce(offer.region_id, 0) AS region_id, offer.game_amount,
  coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
  offer.price_usd, offer.price_rub, offer.is_popular, ${availableCount} AS available_count`

/** Selects offers that can be chosen, with the region's own game currency. Needs `product` in scope. */
const offerSource = sql`
  offer
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id AND product_region.region_id = offer.region_id
  WHERE offer.product_id = product.id AND offer.is_active
    AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL))`

const isOnSale = sql`product.is_active AND product.deleted_at IS NULL`

const productsWhere = (language: Language, condition: Sql) => sql`
  SELECT product.id, product.slug, product.kind, product.image_url, product.color, product.category, product.game_currency,
    product.keywords, texts.title, texts.description, texts.activation_instructions,
    EXISTS (SELECT FROM offer WHERE product_id = product.id AND region_id IS NULL AND is_active) AS has_global_codes,
    (SELECT coalesce(json_agg(json_build_object('id', region.id,
        'name', coalesce(region.translations->>${language}::text, region.name), 'code', region.code,
        'flag', region.flag, 'is_active', region.is_active,
        'game_currency', coalesce(nullif(product_region.game_currency, ''), product.game_currency))
        ORDER BY region.id), '[]')
      FROM product_region JOIN region ON region.id = product_region.region_id
      WHERE product_region.product_id = product.id AND region.is_active) AS regions,
    (SELECT json_build_object('p50', p50, 'p95', p95) FROM delivery_minutes WHERE product_id = product.id) AS delivery_minutes,
    (SELECT json_build_object('average', round(stars::numeric / reviews, 1), 'count', reviews)
      FROM product_rating WHERE product_id = product.id AND reviews > 0) AS rating,
    (SELECT coalesce(json_agg(cheapest), '[]') FROM (
      SELECT ${offerColumns} FROM ${offerSource}
      ORDER BY offer.price_usd, offer.id LIMIT ${SERVER_LIMITS.cheapestOffersShown}) AS cheapest) AS prices
  FROM product ${inLanguage(language)}
  WHERE ${isOnSale} AND ${condition}
  ORDER BY product.position, product.id`

const listProducts = (queries: Queries, language: Language, kind: ProductKind) =>
  queries.rows<ProductRow>(productsWhere(language, sql`product.kind = ${kind}`))

const findProductBySlug = (queries: Queries, language: Language, slug: string) =>
  queries.maybe<ProductRow>(productsWhere(language, sql`product.slug = ${slug}`))

/** Reads the slugs of everything on sale, of any kind. */
export const readSlugs = async (queries: Queries): Promise<string[]> =>
  (await queries.rows<{ slug: string }>(sql`SELECT slug FROM product WHERE ${isOnSale}`)).map(({ slug }) => slug)

const isProductOnSale = (queries: Queries, productId: number) =>
  exists(queries, sql`SELECT FROM product WHERE product.id = ${productId} AND ${isOnSale}`)

/** Region 0 means no region. */
const listOffers = (queries: Queries, productId: number, regionId: number) =>
  queries.rows<OfferRow>(sql`
    SELECT package.* FROM product CROSS JOIN LATERAL (
      SELECT ${offerColumns} FROM ${offerSource}
        AND offer.region_id IS NOT DISTINCT FROM ${regionId === 0 ? null : regionId}) AS package
    WHERE product.id = ${productId} AND ${isOnSale}
    ORDER BY package.game_amount, package.offer_id`)

const shownOffer = (row: OfferRow): OfferEntry => ({
  ...row,
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
})

const shownProduct = ({ has_global_codes, prices, ...row }: ProductRow): Product => ({
  ...row,
  hasRegions: row.regions.length > 0,
  hasGlobalCodes: has_global_codes,
  prices: prices.map(shownOffer),
})

export function catalogueRoutes({ serve, database }: Context): void {
  const toOffers = async (productId: number, regionId: number): Promise<OfferEntry[]> => {
    const packages = await listOffers(database, productId, regionId)
    if (packages.length === 0 && !(await isProductOnSale(database, productId))) throw new Failure('NOT_FOUND')
    return packages.map(shownOffer)
  }

  serve.shared(catalogueApi.products, async ({ language }) =>
    (await listProducts(database, language, 'code')).map(shownProduct),
  )

  serve.shared(catalogueApi.topups, async ({ language }) =>
    (await listProducts(database, language, 'topup')).map(shownProduct),
  )

  serve.shared(catalogueApi.productBySlug, async ({ params, language }) => {
    const row = await findProductBySlug(database, language, params.slug.toLowerCase())
    if (!row) throw new Failure('NOT_FOUND')
    return shownProduct(row)
  })

  serve.shared(catalogueApi.packages, ({ params }) => toOffers(params.id, params.regionId))

  serve.shared(catalogueApi.popularPackages, async ({ params }) => {
    const packages = await toOffers(params.id, params.regionId)
    return packages.filter((entry) => entry.is_popular)
  })
}
