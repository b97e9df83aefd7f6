import type { catalogueApi, OfferEntry } from '@olmos/contract/catalogue'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const readOffers = caller<typeof catalogueApi.packages>('GET /products/:id/codes/:regionId')

/** Loads the offers of a product in a region, 0 for none; starts with those the server rendered. */
export const useOffers = (productId: number, regionId: number, initial: OfferEntry[] | undefined) =>
  useQuery({
    ...(initial && { initialData: initial }),
    queryKey: queryKeys.offers.inRegion(productId, regionId),
    queryFn: () => readOffers({ params: { id: String(productId), regionId: String(regionId) } }),
  })
