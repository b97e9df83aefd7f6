import type { ProductKind } from '@olmos/contract/catalogue'
import type { EditedOffer, OfferChange, offersApi } from '@olmos/contract/offers'
import type { EditedProduct, productsApi } from '@olmos/contract/products'
import type { TFunction } from 'i18next'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { paths } from '../../paths.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { readAllPages, useAdminList, useAdminQuery, useAdminRead } from '../list/use-admin-list.ts'
import { type ProductValues, sentProduct } from './product-values.ts'

const list = caller<typeof productsApi.list>('GET /admin/products')
const one = caller<typeof productsApi.one>('GET /admin/products/:id')
const add = caller<typeof productsApi.add>('POST /admin/products')
const change = caller<typeof productsApi.change>('PUT /admin/products/:id')
const copy = caller<typeof productsApi.copy>('POST /admin/products/:id/copy')
const order = caller<typeof productsApi.order>('POST /admin/products/order')
const remove = caller<typeof productsApi.remove>('DELETE /admin/products/:id')
const setRegions = caller<typeof productsApi.setRegions>('PUT /admin/products/:id/regions')
const setCurrency = caller<typeof productsApi.setCurrency>('PUT /admin/products/:id/regions/:regionId/currency')
const offers = caller<typeof offersApi.list>('GET /admin/products/:id/offers')
const newOffer = caller<typeof offersApi.add>('POST /admin/products/:id/offers')
const oneOffer = caller<typeof offersApi.one>('GET /admin/offers/:id')
const changeOffer = caller<typeof offersApi.change>('PUT /admin/offers/:id')
const deleteOffer = caller<typeof offersApi.remove>('DELETE /admin/offers/:id')

/** The parameters of the address that name the product that is shown, and which part of it. */
export const productParam = 'product'
export const productViewParam = 'view'
/** Shows the order of the products instead of the list. */
export const arrangeParam = 'arrange'
/** What a product of top-ups has besides its packages. */
export const fieldsView = 'fields'

export const productPath = (productId: number, view?: string): string =>
  `${paths.admin('products')}?${new URLSearchParams({ [productParam]: String(productId), ...(view && { [productViewParam]: view }) })}`

export const useProducts = () => useAdminList<EditedProduct>({ noun: 'products', load: list, filters: ['kind'] })

/** Loads one product and counts what deleting it would take along; never from the cache. */
export const useProduct = (id: number) =>
  useAdminRead(queryKeys.admin.noun('products', 'one', id), one, { params: { id: String(id) } }, { gcTime: 0 })

const useProductsOfKind = (kind: ProductKind | undefined) =>
  useAdminQuery(
    queryKeys.admin.noun('products', 'all', kind ?? 'kinds'),
    (signal) =>
      readAllPages((place) =>
        list({ query: { ...place, ...(kind && { kind }), sort: 'name', order: 'asc' } }, { signal }),
      ),
    { staleTime: WEB_LIMITS.freshMs },
  )

/** Every product to choose from, by name; or those that are sold as codes, or as top-ups. */
export const useAllProducts = () => useProductsOfKind(undefined)
export const useCodeProducts = () => useProductsOfKind('code')
export const useTopupProducts = () => useProductsOfKind('topup')

/** Every product in the order in which customers see them. */
export const useProductsInOrder = () =>
  useAdminQuery(
    queryKeys.admin.noun('products', 'order'),
    (signal) => readAllPages((place) => list({ query: { ...place, sort: 'position', order: 'asc' } }, { signal })),
    { gcTime: 0 },
  )

/** Puts products into another order; `seen` is the one it was made from. */
export const orderProducts = (ids: number[], seen: number[]) => order({ body: { ids, seen } })

export const copyProduct = ({ id }: EditedProduct) => copy({ params: { id: String(id) }, body: {} })

export const useProductSwitch = () =>
  useAdminChange<EditedProduct, boolean>({
    noun: 'products',
    send: ({ id, version }, isActive) => change({ params: { id: String(id) }, body: { isActive, version } }),
    shown: (product, isActive) => ({ ...product, isActive }),
  })

/**
 * Saves a product, then the regions it is sold in and what its currency is called there, each only where it changed.
 * Reports every step to `reached`: when a later one is refused, the next attempt resumes from there.
 */
export async function saveProduct(
  product: EditedProduct | undefined,
  values: ProductValues,
  version: number | undefined,
  reached: (product: EditedProduct) => void,
): Promise<{ data: EditedProduct }> {
  const body = sentProduct(values)
  const saved = product
    ? await change({ params: { id: String(product.id) }, body: { ...body, ...(version && { version }) } })
    : await add({ body: { ...body, kind: values.kind } })
  let { data } = saved
  reached(data)

  const params = { id: String(data.id) }
  const regionIds = values.regionIds.map(Number)
  if (
    !isSameSet(
      regionIds,
      data.regions.map(({ id }) => id),
    )
  ) {
    data = (await setRegions({ params, body: { regionIds, version: data.version } })).data
    reached(data)
  }
  for (const region of data.regions) {
    const gameCurrency = values.currencies[region.id]?.trim() ?? ''
    if (gameCurrency === region.game_currency) continue
    const sent = { params: { ...params, regionId: String(region.id) }, body: { gameCurrency, version: data.version } }
    data = (await setCurrency(sent)).data
    reached(data)
  }
  return { data }
}

const isSameSet = (some: number[], others: number[]) =>
  some.length === others.length && some.every((one) => others.includes(one))

export const removeProduct = (product: EditedProduct) => remove({ params: { id: String(product.id) } })

export const useEditedOffers = (productId: number) =>
  useAdminList<EditedOffer>({
    noun: 'offers',
    of: productId,
    place: [productParam, productViewParam],
    load: (sent, options) => offers({ ...sent, params: { id: String(productId) } }, options),
  })

/** Offers of a product to choose from, smallest first. */
export const useAllOffers = (productId: number, settings?: { enabled: boolean }) =>
  useAdminQuery(
    queryKeys.admin.noun('offers', 'all', productId),
    (signal) => readAllPages((query) => offers({ params: { id: String(productId) }, query }, { signal })),
    settings,
  )

/** Offers of a product in one region, or in none (0); none while no product is chosen. */
export function usePlaceOffers(productId: string, regionId: number) {
  const query = useAllOffers(Number(productId), { enabled: productId !== '' })
  return { ...query, data: query.data?.filter(({ region_id }) => region_id === regionId) }
}

/** What an offer is called in the admin area. */
export const toOfferName = (t: TFunction, offer: EditedOffer): string =>
  offer.name || `${gameAmountText(t, offer.game_amount, offer.game_currency)} ${offer.region_name}`.trim()

type OfferEdit = Omit<OfferChange, 'version' | 'confirmPrices' | 'underFloor'>

const sendEdit = (
  { id, version }: EditedOffer,
  body: OfferEdit,
  confirmPrices: boolean,
  underFloor: string | undefined,
) =>
  changeOffer({
    params: { id: String(id) },
    body: { ...body, version, ...(confirmPrices && { confirmPrices }), ...(underFloor && { underFloor }) },
  })

/** Changes one field of an offer, so that the second of two admins is refused only at the same field. */
export const useOfferChange = () =>
  useAdminChange<EditedOffer, OfferEdit>({
    noun: 'offers',
    send: sendEdit,
    shown: (offer, { name, priceUsd, priceRub, isPopular, isActive, itemId, lowStock }) => ({
      ...offer,
      name: name ?? offer.name,
      price_usd: priceUsd ?? offer.price_usd,
      price_rub: priceRub ?? offer.price_rub,
      is_popular: isPopular ?? offer.is_popular,
      is_active: isActive ?? offer.is_active,
      item_id: itemId === undefined ? offer.item_id : itemId || null,
      low_stock: lowStock === undefined ? offer.low_stock : lowStock,
    }),
  })

/** Says with how many codes an offer runs out; null for the shop's number. */
export const changeLowStock = (offerId: number, version: number, lowStock: number | null) =>
  changeOffer({ params: { id: String(offerId) }, body: { lowStock, version } })

/** Loads one offer and counts what deleting it would take along; never from the cache. */
export const useOffer = (id: number) =>
  useAdminRead(queryKeys.admin.noun('offers', 'one', id), oneOffer, { params: { id: String(id) } }, { gcTime: 0 })

export interface OfferValues extends Record<string, unknown> {
  /** Where a new one is sold; none for a product without regions. */
  regionIds: string[]
  gameAmount: number | string
  /** For a top-up: what customers call it. */
  name: string
  translations: { en: string; uz: string }
  itemId: string
  priceUsd: number | string
  priceRub: number | string
  isPopular: boolean
  isActive: boolean
  /** Blank for the shop's number. */
  lowStock: number | string
}

export const addOffer = (productId: number, values: OfferValues, confirmPrices: boolean) =>
  newOffer({
    params: { id: String(productId) },
    body: {
      ...(values.regionIds.length > 0 ? { regionIds: values.regionIds.map(Number) } : { regionId: 0 }),
      gameAmount: Number(values.gameAmount),
      name: values.name,
      translations: values.translations,
      itemId: values.itemId,
      priceUsd: Number(values.priceUsd),
      priceRub: Number(values.priceRub),
      isPopular: values.isPopular,
      isActive: values.isActive,
      lowStock: values.lowStock === '' ? null : Number(values.lowStock),
      ...(confirmPrices && { confirmPrices }),
    },
  })

export const toOfferValues = (offer: EditedOffer): OfferValues => ({
  regionIds: [String(offer.region_id ?? 0)],
  gameAmount: offer.game_amount,
  name: offer.name,
  translations: { en: offer.translations.en ?? '', uz: offer.translations.uz ?? '' },
  itemId: offer.item_id ?? '',
  priceUsd: offer.price_usd,
  priceRub: offer.price_rub,
  isPopular: offer.is_popular,
  isActive: offer.is_active,
  lowStock: offer.low_stock ?? '',
})

/** Sends the fields that differ from what the operator saw: a price that is sent is a typed one, and no rule sets it any more. */
export function saveOffer(
  seen: EditedOffer,
  values: OfferValues,
  confirmPrices: boolean,
  underFloor: string | undefined,
) {
  const was = toOfferValues(seen)
  const edit: OfferEdit = {
    name: values.name.trim(),
    translations: values.translations,
    itemId: values.itemId.trim(),
    priceUsd: Number(values.priceUsd),
    priceRub: Number(values.priceRub),
    isPopular: values.isPopular,
    isActive: values.isActive,
    lowStock: values.lowStock === '' ? null : Number(values.lowStock),
  }
  const toText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value ?? '').trim())
  const isChanged = (field: string) => toText(values[field]) !== toText(was[field])
  const changed = Object.entries(edit).filter(([field]) => isChanged(field))
  return sendEdit(seen, Object.fromEntries(changed), confirmPrices, underFloor)
}

/** `seenCodes` is how many unsold codes the operator saw to go with it: the store deletes no more. */
export const removeOffer = ({ id }: EditedOffer, seenCodes: number) =>
  deleteOffer({ params: { id: String(id) }, query: { seenCodes: String(seenCodes) } })
