import { catalogueApi, type OfferEntry, type Product } from '@olmos/contract/catalogue'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Context } from '../../platform/context.ts'
import {
  findProductBySlug,
  isProductOnSale,
  listOffers,
  listProducts,
  type OfferRow,
  type ProductRow,
} from './catalogue.store.ts'

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
    (await listProducts(database, language)).map(shownProduct),
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
