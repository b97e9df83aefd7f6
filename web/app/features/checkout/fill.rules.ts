/** Amounts that people think in, in major units: 1, 2 or 5, ten times as much, and so on. */
const roundAmounts = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()

const presetsMax = 4

/** Proposes amounts to fill a balance with: round ones from the middle of what is allowed, else the least and the most. */
export function toPresets({ least, most }: { least: number; most: number }): number[] {
  const allowed = roundAmounts.filter((amount) => amount >= least && amount <= most)
  if (allowed.length === 0) return [...new Set([least, most])]
  const first = Math.max(0, Math.floor((allowed.length - presetsMax) / 2))
  return allowed.slice(first, first + presetsMax)
}

/** Moves an amount that is wanted into what is allowed. */
export const toAllowed = (amount: number, { least, most }: { least: number; most: number }): number =>
  Math.min(most, Math.max(least, amount))
