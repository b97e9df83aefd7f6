import { accountFieldsApi } from '@olmos/contract/account-fields'
import { freefireDenominationsApi, pubgDenominationsApi } from '@olmos/contract/denominations'
import { toMinor } from '@olmos/contract/minor-units'
import { offersApi } from '@olmos/contract/offers'
import { productsApi } from '@olmos/contract/products'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { changeFields, readEditedFields } from './account-fields.ts'
import { changeProduct, createProduct, setProductCurrency, setProductRegions } from './change-product.ts'
import {
  addDenomination,
  changeDenomination,
  listActiveDenominations,
  listDenominations,
  shownDenomination,
} from './denominations.ts'
import { changeOffer, createOffer, listEditedOffers, readOffer } from './offers.ts'
import { listEditedProducts, readBelongings, readProduct } from './products.ts'

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

  serve(offersApi.add, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => createOffer(tx, user.id, params.id, body)),
  }))

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
