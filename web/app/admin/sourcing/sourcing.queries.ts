import type { SentBody } from '@olmos/contract/endpoint'
import type { EditedSources, sourcingApi } from '@olmos/contract/sourcing'
import type { SupplierProduct, SupplierService, SupplierSync, supplierListsApi } from '@olmos/contract/supplier-lists'
import type { TakenOver, takeOverApi } from '@olmos/contract/take-over'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { paths } from '../../paths.ts'
import { readAllPages, useAdminList, useAdminQuery, useAdminRead } from '../list/use-admin-list.ts'
import { type ChosenGame, takeOverCalls } from './chosen-games.ts'

const syncs = caller<typeof supplierListsApi.syncs>('GET /admin/suppliers/syncs')
const startSync = caller<typeof supplierListsApi.startSync>('POST /admin/suppliers/:name/sync')
const services = caller<typeof supplierListsApi.services>('GET /admin/suppliers/:name/services')
const products = caller<typeof supplierListsApi.products>('GET /admin/suppliers/:name/products')
const setFieldNames = caller<typeof supplierListsApi.setFieldNames>(
  'PUT /admin/suppliers/:name/services/:id/field-names',
)
const takeOver = caller<typeof takeOverApi.takeOver>('POST /admin/suppliers/:name/take-over')
const preview = caller<typeof takeOverApi.preview>('POST /admin/suppliers/:name/take-over/preview')
const sources = caller<typeof sourcingApi.sources>('GET /admin/offers/:id/sources')
const setSources = caller<typeof sourcingApi.setSources>('PUT /admin/offers/:id/sources')
const reopen = caller<typeof sourcingApi.reopenSource>('POST /admin/offers/:id/sources/:sourceId/reopen')

/** The parameters of the address: whose catalogue is shown, and which part of it. */
export const catalogueParam = 'catalogue'
export const catalogueViewParam = 'view'
const place = [catalogueParam, catalogueViewParam]

export const cataloguePath = (supplier = '') => `${paths.admin('suppliers')}?${catalogueParam}=${supplier}`

const whileReadMs = 1_000
const otherwiseMs = 30_000
const isUnderWay = ({ state }: SupplierSync) => state === 'running' || state === 'waiting'

/** The suppliers with a catalogue, and how far each has been read: asked every second while one is. */
export const useSyncs = () =>
  useAdminRead(
    queryKeys.admin.noun('sourcing', 'syncs'),
    syncs,
    {},
    {
      refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? whileReadMs : otherwiseMs),
    },
  )

export const readCatalogue = (supplier: string, acceptShrunk: boolean) =>
  startSync({ params: { name: supplier }, body: { acceptShrunk } })

interface Catalogue {
  supplier: string
  /** When it was read: a newer one is another list. */
  readAt: string | null
}

export const useSupplierServices = ({ supplier, readAt }: Catalogue) =>
  useAdminList<SupplierService>({
    noun: 'sourcing',
    of: `services of ${supplier} ${readAt}`,
    place,
    filters: ['kind', 'taken'],
    load: (sent, options) => services({ ...sent, params: { name: supplier } }, options),
  })

export const useSupplierChanges = ({ supplier, readAt }: Catalogue, since: string) =>
  useAdminList<SupplierProduct>({
    noun: 'sourcing',
    of: `changes of ${supplier} ${readAt} since ${since}`,
    place: [...place, 'change'],
    filters: ['change'],
    load: ({ query }: { query: object }, options) =>
      products({ params: { name: supplier }, query: { change: 'new', ...filled(query), since } }, options),
  })

/** What an address does not say is left to what is usual. */
const filled = (query: object): object => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/** Finds the first of what a supplier sells by a name, to buy an offer by it, and how many there are. */
export const useFoundProducts = (supplier: string, search: string) =>
  useAdminQuery(
    queryKeys.admin.noun('sourcing', 'search', supplier, search),
    (signal) =>
      products(
        { params: { name: supplier }, query: { search, pageSize: '20', sort: 'name', order: 'asc' } },
        { signal },
      ),
    { enabled: supplier !== '' },
  )

/** Reads everything that a supplier sells of a game. */
const readProducts = (supplier: string, serviceId: number, signal?: AbortSignal): Promise<SupplierProduct[]> =>
  readAllPages((place) => {
    const query = { ...place, service: String(serviceId), sort: 'cost', order: 'asc' } as const
    return products({ params: { name: supplier }, query }, signal ? { signal } : {})
  })

export const useProductsOfService = (supplier: string, { id }: SupplierService) =>
  useAdminQuery(queryKeys.admin.noun('sourcing', 'products', supplier, id), (signal) =>
    readProducts(supplier, id, signal),
  )

/** Where the prices of what is new come from. */
export type PricesFrom = Pick<SentBody<typeof takeOverApi.takeOver>, 'marginPercent' | 'priceMode'>

interface TakingOver {
  games: readonly ChosenGame[]
  prices: PricesFrom
  /** Hears how many games have been asked for so far. */
  onProgress?(done: number): void
}

/**
 * Takes over the chosen games, some in each call. What a call took stays taken when a later one fails, and is told as
 * unchanged when everything is asked for again.
 */
export const takeOverGames = async (supplier: string, wanted: TakingOver): Promise<TakenOver[]> =>
  askInParts(takeOver, supplier, { ...wanted, games: await withAllOffers(supplier, wanted.games) })

/** What taking games over would make, with every package of them that would be asked for. */
export interface TakeOverPreview {
  games: readonly ChosenGame[]
  answers: readonly TakenOver[]
}

/** Shows what the games would become and at which prices. `key` names all of it. */
export const useTakeOverPreview = (supplier: string, wanted: TakingOver, key: string) =>
  useAdminQuery<TakeOverPreview>(
    queryKeys.admin.noun('sourcing', 'preview', supplier, key),
    async (signal) => {
      const games = await withAllOffers(supplier, wanted.games, signal)
      return { games, answers: await askInParts(preview, supplier, { ...wanted, games }, signal) }
    },
    { gcTime: 0 },
  )

/** Names everything that can be bought of games of which nothing was chosen. */
async function withAllOffers(
  supplier: string,
  games: readonly ChosenGame[],
  signal?: AbortSignal,
): Promise<ChosenGame[]> {
  const known: ChosenGame[] = []
  for (const game of games) {
    const { offers = (await readProducts(supplier, game.service.id, signal)).filter(isTakeable).map(toChosenOffer) } =
      game
    known.push({ ...game, offers })
  }
  return known
}

async function askInParts(
  ask: typeof takeOver | typeof preview,
  supplier: string,
  { games, prices, onProgress }: TakingOver,
  signal?: AbortSignal,
): Promise<TakenOver[]> {
  const named = games.flatMap(({ service, offers, ...game }) =>
    offers && offers.length > 0 ? [{ ...game, service: service.reference, offers }] : [],
  )
  const answers: TakenOver[] = []
  let done = 0
  for (const part of takeOverCalls(named)) {
    const sent = { params: { name: supplier }, body: { games: part, ...prices } }
    answers.push(...(await ask(sent, signal ? { signal } : {})).data)
    done += part.length
    onProgress?.(done)
  }
  return answers
}

/** Whether one unit of it can be bought now. */
export const isTakeable = ({ gone_at, quantity_min }: SupplierProduct): boolean =>
  gone_at === null && (quantity_min ?? 1) <= 1

const toChosenOffer = ({ reference }: SupplierProduct) => ({ reference })

export const saveFieldNames = (supplier: string, { id }: SupplierService, fieldNames: Record<string, string>) =>
  setFieldNames({ params: { name: supplier, id: String(id) }, body: { fieldNames } })

export const useOfferSources = (offerId: number) =>
  useAdminRead(queryKeys.admin.noun('offers', 'sources', offerId), sources, { params: { id: String(offerId) } })

export const saveSources = (
  offerId: number,
  wanted: SentBody<typeof sourcingApi.setSources>['sources'],
  version: number | undefined,
): Promise<{ data: EditedSources }> =>
  setSources({ params: { id: String(offerId) }, body: { sources: wanted, ...(version && { version }) } })

/** Says yes to what a source costs now. */
export const reopenSource = (offerId: number, sourceId: number, cost: { cost: string; currency: string }) =>
  reopen({ params: { id: String(offerId), sourceId: String(sourceId) }, body: cost })
