import { offersApi } from '@olmos/contract/offers'
import { productsApi } from '@olmos/contract/products'
import type { Context } from '../../platform/context.ts'
import { changeOffer, createOffer, readOffer, shownOffer } from './change-offer.ts'
import { changeProduct, createProduct } from './change-product.ts'
import { setProductCurrency, setProductRegions } from './change-product-regions.ts'
import { countEditedProducts, listEditedProducts, readBelongings } from './edited-product.store.ts'
import { readProduct, shownEditedProduct } from './hold-product.ts'
import { countOffers, listOffers } from './offers.store.ts'

export function catalogueAdmin({ serve, database }: Context): void {
  serve(productsApi.list, async ({ query }) => {
    const list = {
      ...query,
      ...(query.sort ? { sort: query.sort } : { sort: 'position' as const, order: 'asc' as const }),
    }
    const [rows, total] = await Promise.all([listEditedProducts(database, list), countEditedProducts(database, list)])
    return { data: rows.map(shownEditedProduct), total }
  })

  serve(productsApi.one, async ({ params }) => {
    const product = await readProduct(database, params.id)
    return { data: { ...product, belongings: await readBelongings(database, params.id) } }
  })

  serve(productsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createProduct(tx, user.id, body)),
  }))

  serve(productsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeProduct(tx, user.id, params.id, body)),
  }))

  serve(productsApi.setRegions, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => setProductRegions(tx, user.id, params.id, body)),
  }))

  serve(productsApi.setCurrency, async ({ user, params, body }) => {
    const place = { productId: params.id, regionId: params.regionId }
    return { data: await database.transaction((tx) => setProductCurrency(tx, user.id, place, body)) }
  })

  serve(offersApi.list, async ({ params, query }) => {
    await readProduct(database, params.id)
    const sorted = query.sort ? { sort: query.sort } : { sort: 'game_amount' as const, order: 'asc' as const }
    const list = { ...query, ...sorted, productId: params.id }
    const [rows, total] = await Promise.all([listOffers(database, list), countOffers(database, list)])
    return { data: rows.map(shownOffer), total }
  })

  serve(offersApi.add, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => createOffer(tx, user.id, params.id, body)),
  }))

  serve(offersApi.one, async ({ params }) => ({ data: await readOffer(database, params.id) }))

  serve(offersApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeOffer(tx, user.id, params.id, body)),
  }))
}
