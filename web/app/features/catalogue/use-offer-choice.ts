import type { catalogueApi, OfferEntry, Product } from '@olmos/contract/catalogue'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAddressChoice } from '../../choice-in-address.ts'
import { WEB_LIMITS } from '../../limits.ts'

const readOffers = caller<typeof catalogueApi.packages>('GET /products/:id/codes/:regionId')
const readPopular = caller<typeof catalogueApi.popularPackages>('GET /products/:id/popular/:regionId')

/**
 * Keeps which region, offer and quantity of a product are chosen. The default is the first offer in stock. An offer that
 * was chosen and can't be bought any more is not replaced: another one would be bought by mistake.
 */
export function useOfferChoice(product: Product, firstRegion: number, initial: OfferEntry[] | undefined) {
  const [wanted, change] = useAddressChoice()
  const [turned, setTurned] = useState<number>()
  const isRegionKnown = wanted.region === undefined || isOwnRegion(product, wanted.region)
  const regionId = isRegionKnown ? (wanted.region ?? firstRegion) : firstRegion
  const query = useQuery({
    // Those the server rendered.
    ...(initial && regionId === firstRegion && { initialData: initial }),
    queryKey: queryKeys.offers.inRegion(product.id, regionId),
    queryFn: () => readOffers({ params: { id: String(product.id), regionId: String(regionId) } }),
  })
  // A page that was just opened says by its offers which are popular.
  const { data: popular } = useQuery({
    queryKey: queryKeys.offers.popularIn(product.id, regionId),
    queryFn: () => readPopular({ params: { id: String(product.id), regionId: String(regionId) } }),
    enabled: wanted.region !== undefined && isRegionKnown,
  })
  const offers = query.data ?? []
  const isInStock = (entry: OfferEntry) => entry.available_count > 0
  const named = offers.find((entry) => entry.game_amount === wanted.amount)
  const isGone = offers.length > 0 && (!isRegionKnown || (wanted.amount !== undefined && !(named && isInStock(named))))
  const toPage = (entry: OfferEntry) => Math.floor(offers.indexOf(entry) / WEB_LIMITS.gridPageSize) + 1

  const chosen = isGone ? undefined : (named ?? offers.find(isInStock))

  return {
    regionId,
    query,
    offers,
    popular: (popular ?? offers.filter((entry) => entry.is_popular)).filter(isInStock),
    chosen,
    isGone,
    quantity: wanted.quantity ?? 1,
    page: turned ?? (named ? toPage(named) : 1),
    turnTo: setTurned,
    chooseRegion: (region: number) => {
      change({ region, amount: undefined })
      setTurned(undefined)
    },
    /** Turns to its page, too: it may have been chosen elsewhere. */
    choose: (entry: OfferEntry) => {
      change({ region: regionId, amount: entry.game_amount })
      setTurned(toPage(entry))
    },
    // With what it is the quantity of, so that a link means the same when another offer has become the default.
    setQuantity: (quantity: number) =>
      change({ ...(chosen && { region: regionId, amount: chosen.game_amount }), quantity }),
  }
}

const isOwnRegion = (product: Product, region: number): boolean =>
  region === 0 ? product.hasGlobalCodes : product.regions.some(({ id }) => id === region)

export type OfferChoice = ReturnType<typeof useOfferChoice>
