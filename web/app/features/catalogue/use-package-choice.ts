import type { PackageEntry, Product } from '@olmos/contract/catalogue'
import { LIMITS } from '@olmos/contract/limits'
import { useState } from 'react'
import { usePackages } from './catalogue.queries.ts'

/** Which region and which package of a product is chosen; begins with the first package that is in stock. */
export function usePackageChoice(product: Product, firstRegion: number, initial: PackageEntry[] | undefined) {
  const [regionId, setRegionId] = useState(firstRegion)
  const [page, setPage] = useState(1)
  const [chosenId, setChosenId] = useState<number>()
  const query = usePackages(product.id, regionId, regionId === firstRegion ? initial : undefined)
  const packages = query.data ?? []
  const chosen =
    packages.find((entry) => entry.offer_id === chosenId) ?? packages.find((entry) => entry.available_count > 0)

  return {
    regionId,
    query,
    packages,
    chosen,
    page,
    turnTo: setPage,
    chooseRegion: (id: number) => {
      setRegionId(id)
      setPage(1)
      setChosenId(undefined)
    },
    /** Turns to its page, too: it may have been chosen elsewhere. */
    choose: (entry: PackageEntry) => {
      setChosenId(entry.offer_id)
      setPage(Math.floor(packages.indexOf(entry) / LIMITS.gridPageSize) + 1)
    },
  }
}

export type PackageChoice = ReturnType<typeof usePackageChoice>
