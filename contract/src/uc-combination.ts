/** A package and how many of it. */
export interface PackageCount<Package> {
  package: Package
  quantity: number
}

/**
 * Combines packages to a wanted amount of a game's currency, largest first: the largest as often as they fit, then the
 * smallest single one that covers the rest. Empty for an amount that is not between 1 and `max`, or when there are no
 * packages.
 */
export function combinePackages<Package extends { game_amount: number }>(
  packages: readonly Package[],
  wanted: number,
  max: number,
): PackageCount<Package>[] {
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > max) return []
  const largestFirst = packages.toSorted((a, b) => b.game_amount - a.game_amount)
  let rest = wanted
  const counts = largestFirst.map((item) => {
    const quantity = Math.floor(rest / item.game_amount)
    rest -= quantity * item.game_amount
    return { package: item, quantity }
  })
  const cover = rest > 0 ? counts.findLast((count) => count.package.game_amount >= rest) : undefined
  if (cover) cover.quantity++
  return counts.filter((count) => count.quantity > 0)
}
