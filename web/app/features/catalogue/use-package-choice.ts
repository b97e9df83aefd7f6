import type { PackageEntry, Product } from '@olmos/contract/catalogue'
import { LIMITS } from '@olmos/contract/limits'
import { useState } from 'react'
import { useAddressChoice } from '../../choice-in-address.ts'
import { usePackages } from './catalogue.queries.ts'

/**
 * Which region, which package and how many of a product are chosen. Without a choice it is the first package in stock;
 * what was chosen and can't be bought any more gives way to nothing: another code in its place would be bought by mistake.
 */
export function usePackageChoice(product: Product, firstRegion: number, initial: PackageEntry[] | undefined) {
  const [wanted, change] = useAddressChoice()
  const [turned, setTurned] = useState<number>()
  const isRegionThere = wanted.region === undefined || isRegionOf(product, wanted.region)
  const regionId = isRegionThere ? (wanted.region ?? firstRegion) : firstRegion
  const query = usePackages(product.id, regionId, regionId === firstRegion ? initial : undefined)
  const packages = query.data ?? []
  const isInStock = (entry: PackageEntry) => entry.available_count > 0
  const named = packages.find((entry) => entry.game_amount === wanted.amount)
  const isGone =
    packages.length > 0 && (!isRegionThere || (wanted.amount !== undefined && !(named && isInStock(named))))
  const pageOf = (entry: PackageEntry) => Math.floor(packages.indexOf(entry) / LIMITS.gridPageSize) + 1

  return {
    regionId,
    query,
    packages,
    chosen: isGone ? undefined : (named ?? packages.find(isInStock)),
    isGone,
    quantity: wanted.quantity ?? 1,
    page: turned ?? (named ? pageOf(named) : 1),
    turnTo: setTurned,
    chooseRegion: (region: number) => {
      change({ region, amount: undefined })
      setTurned(undefined)
    },
    /** Turns to its page, too: it may have been chosen elsewhere. */
    choose: (entry: PackageEntry) => {
      change({ region: regionId, amount: entry.game_amount })
      setTurned(pageOf(entry))
    },
    setQuantity: (quantity: number) => change({ quantity }),
  }
}

const isRegionOf = (product: Product, region: number): boolean =>
  region === 0 ? product.hasGlobalCodes : product.regions.some(({ id }) => id === region)

export type PackageChoice = ReturnType<typeof usePackageChoice>
