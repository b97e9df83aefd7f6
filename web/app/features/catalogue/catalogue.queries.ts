import type { catalogueApi, PackageEntry } from '@olmos/contract/catalogue'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'

const packages = caller<typeof catalogueApi.packages>('GET /products/:id/codes/:regionId')

/** Packages of a product in a region, region 0 for none; at first those the page came with. */
export const usePackages = (productId: number, regionId: number, initial: PackageEntry[] | undefined) =>
  useQuery({
    ...(initial && { initialData: initial }),
    queryKey: ['packages', productId, regionId],
    queryFn: () => packages({ params: { id: String(productId), regionId: String(regionId) } }),
  })
