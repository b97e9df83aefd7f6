import { accountFieldsApi } from '@olmos/contract/account-fields'
import { catalogueApi, type OfferEntry, type Product, type ProductKind } from '@olmos/contract/catalogue'
import { freefireDenominationsApi, pubgDenominationsApi } from '@olmos/contract/denominations'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { offersApi } from '@olmos/contract/offers'
import { toSmallPicture } from '@olmos/contract/picture-address'
import { productsApi } from '@olmos/contract/products'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import { copyProduct, orderProducts } from './arrange-products.ts'
import { availableCount, measuredMinutes, productTexts } from './availability.ts'
import { changeProduct, createProduct, setProductCurrency, setProductRegions } from './change-product.ts'
import {
  addDenomination,
  changeDenomination,
  listActiveDenominations,
  listDenominations,
  shownDenomination,
} from './denominations.ts'
import { changeOffer, createOffers, listEditedOffers, readOffer } from './offers.ts'
import { changeFields, listEditedProducts, readBelongings, readEditedFields, readProduct } from './products.ts'

/** An offer as it is read: its prices are in minor units. */
type OfferRow = OfferEntry

interface ProductRow extends Omit<Product, 'hasRegions' | 'hasGlobalCodes' | 'prices'> {
  has_global_codes: boolean
  prices: OfferRow[]
}

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
    ${measuredMinutes} AS delivery_minutes,
    (SELECT json_build_object('average', round(stars::numeric / reviews, 1), 'count', reviews)
      FROM product_rating WHERE product_id = product.id AND reviews > 0) AS rating,
    (SELECT coalesce(json_agg(cheapest), '[]') FROM (
      SELECT ${offerColumns} FROM ${offerSource}
      ORDER BY offer.price_usd, offer.id LIMIT ${SERVER_LIMITS.cheapestOffersShown}) AS cheapest) AS prices
  FROM product ${productTexts(language)}
  WHERE ${isOnSale} AND ${condition}
  ORDER BY product.position, product.id`

const listProducts = (queries: Queries, language: Language, kind: ProductKind) =>
  queries.rows<ProductRow>(productsWhere(language, sql`product.kind = ${kind}`))

const findProductBySlug = (queries: Queries, language: Language, slug: string) =>
  queries.maybe<ProductRow>(productsWhere(language, sql`product.slug = ${slug}`))

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

/** Lists show a product small. */
const listedProduct = (row: ProductRow): Product => ({ ...shownProduct(row), image_url: toSmallPicture(row.image_url) })

export function catalogueRoutes({ serve, database }: Context): void {
  const toOffers = async (productId: number, regionId: number): Promise<OfferEntry[]> => {
    const packages = await listOffers(database, productId, regionId)
    if (packages.length === 0 && !(await isProductOnSale(database, productId))) throw new Failure('NOT_FOUND')
    return packages.map(shownOffer)
  }

  serve.shared(catalogueApi.products, async ({ language }) =>
    (await listProducts(database, language, 'code')).map(listedProduct),
  )

  serve.shared(catalogueApi.topups, async ({ language }) =>
    (await listProducts(database, language, 'topup')).map(listedProduct),
  )

  serve.shared(catalogueApi.productBySlug, async ({ params, language }) => {
    const row = await findProductBySlug(database, language, params.slug)
    if (!row) throw new Failure('NOT_FOUND')
    return shownProduct(row)
  })

  serve.shared(catalogueApi.packages, ({ params }) => toOffers(params.id, params.regionId))

  serve.shared(catalogueApi.popularPackages, async ({ params }) => {
    const packages = await toOffers(params.id, params.regionId)
    return packages.filter((entry) => entry.is_popular)
  })
}

export function catalogueAdmin({ serve, database }: Context): void {
  serve(productsApi.list, ({ query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'position' as const, order: 'asc' as const }
    return listEditedProducts(database, { ...query, ...sorted })
  })

  serve(productsApi.one, async ({ params }) => {
    const product = await readProduct(database, params.id)
    return { data: { ...product, belongings: await readBelongings(database, params.id) } }
  })

  serve(productsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createProduct(tx, user.id, body)),
  }))

  serve(productsApi.copy, async ({ user, params }) => ({
    data: await database.transaction((tx) => copyProduct(tx, user.id, params.id)),
  }))

  serve(productsApi.order, async ({ user, body }) => ({
    data: { ids: await database.transaction((tx) => orderProducts(tx, user.id, body)) },
  }))

  serve(productsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeProduct(tx, user.id, params.id, body), {
      statementMs: SERVER_LIMITS.repricingMs,
    }),
  }))

  serve(productsApi.setRegions, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => setProductRegions(tx, user.id, params.id, body)),
  }))

  serve(productsApi.setCurrency, async ({ user, params, body }) => {
    const place = { productId: params.id, regionId: params.regionId }
    return { data: await database.transaction((tx) => setProductCurrency(tx, user.id, place, body)) }
  })

  serve(accountFieldsApi.read, async ({ params }) => ({ data: await readEditedFields(database, params.id) }))

  serve(accountFieldsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeFields(tx, user.id, params.id, body)),
  }))

  serve(offersApi.list, async ({ params, query }) => {
    await readProduct(database, params.id)
    const sorted = query.sort ? { sort: query.sort } : { sort: 'game_amount' as const, order: 'asc' as const }
    return listEditedOffers(database, { ...query, ...sorted, productId: params.id })
  })

  serve(offersApi.add, async ({ user, params, body }) => {
    const offers = await database.transaction((tx) => createOffers(tx, user.id, params.id, body))
    return { data: offers[0], offers }
  })

  serve(offersApi.one, async ({ params }) => ({ data: await readOffer(database, params.id) }))

  serve(offersApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeOffer(tx, user.id, params.id, body)),
  }))
}

interface Given {
  price_usd?: number | undefined
  price_rub?: number | undefined
}

/** Converts the prices that are given to minor units. */
const minorPrices = ({ price_usd, price_rub }: Given) => ({
  ...(price_usd !== undefined && { price_usd: toMinor(price_usd) }),
  ...(price_rub !== undefined && { price_rub: toMinor(price_rub) }),
})

export function denominationsAdmin({ serve, database }: Context): void {
  const smallestFirst = { sort: 'game_amount' as const, order: 'asc' as const }

  serve(pubgDenominationsApi.list, async ({ query }) => {
    const list = { ...query, ...(query.sort ? { sort: query.sort } : smallestFirst) }
    const { rows, total } = await listDenominations(database, 'pubg', list)
    return { data: rows.map(shownDenomination.pubg), total }
  })

  serve(pubgDenominationsApi.active, async () => ({
    data: (await listActiveDenominations(database, 'pubg')).map(shownDenomination.pubg),
  }))

  serve(pubgDenominationsApi.add, async ({ user, body: { uc_amount, ...body } }) => {
    const fields = {
      name: null,
      item_id: null,
      game_amount: uc_amount,
      is_active: body.is_active,
      price_usd: toMinor(body.price_usd),
      price_rub: toMinor(body.price_rub),
      isConfirmed: body.confirmPrices,
    }
    const added = await database.transaction((tx) => addDenomination(tx, user.id, 'pubg', fields))
    return { data: shownDenomination.pubg(added) }
  })

  serve(
    pubgDenominationsApi.change,
    async ({ user, params, body: { uc_amount, is_active, version, confirmPrices, underFloor, ...prices } }) => {
      const change = {
        id: params.id,
        version,
        isConfirmed: confirmPrices,
        underFloor,
        ...(uc_amount !== undefined && { game_amount: uc_amount }),
        ...(is_active !== undefined && { is_active }),
        ...minorPrices(prices),
      }
      const changed = await database.transaction((tx) => changeDenomination(tx, user.id, 'pubg', change))
      return { data: shownDenomination.pubg(changed) }
    },
  )

  serve(freefireDenominationsApi.list, async ({ query }) => {
    const list = { ...query, ...(query.sort ? { sort: query.sort } : smallestFirst) }
    const { rows, total } = await listDenominations(database, 'freefire', list)
    return { data: rows.map(shownDenomination.freefire), total }
  })

  serve(freefireDenominationsApi.add, async ({ user, body: { confirmPrices, ...body } }) => {
    const prices = { price_usd: toMinor(body.price_usd), price_rub: toMinor(body.price_rub) }
    const fields = { ...body, ...prices, isConfirmed: confirmPrices }
    const added = await database.transaction((tx) => addDenomination(tx, user.id, 'freefire', fields))
    return { data: shownDenomination.freefire(added) }
  })

  serve(freefireDenominationsApi.change, async ({ user, params, body }) => {
    const { price_usd, price_rub, version, confirmPrices, ...fields } = body
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const prices = minorPrices({ price_usd, price_rub })
    const change = { id: params.id, version, isConfirmed: confirmPrices, ...given, ...prices }
    const changed = await database.transaction((tx) => changeDenomination(tx, user.id, 'freefire', change))
    return { data: shownDenomination.freefire(changed) }
  })
}
