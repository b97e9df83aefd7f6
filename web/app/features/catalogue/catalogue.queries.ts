import type { catalogueApi, OfferEntry } from '@olmos/contract/catalogue'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const readOffers = caller<typeof catalogueApi.packages>('GET /products/:id/codes/:regionId')

/** Offers of a product in a region, region 0 for none; at first those the page came with. */
export const useOffers = (productId: number, regionId: number, initial: OfferEntry[] | undefined) =>
  useQuery({
    ...(initial && { initialData: initial }),
    queryKey: queryKeys.offers.inRegion(productId, regionId),
    queryFn: () => readOffers({ params: { id: String(productId), regionId: String(regionId) } }),
  })
