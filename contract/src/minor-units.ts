/** Converts the wire's major units to minor units; the caller has validated the two decimals. */
export const toMinor = (amount: number): number => Math.round(amount * 100)

/** Converts minor units to the wire's major units. */
export const toMajor = (minor: number): number => minor / 100

/**
 * Splits a sum among parts in proportion to their weights, in minor units; the parts add up to it exactly. No part exceeds
 * its weight where the sum does not exceed all of them. Weights that are all zero count as equal.
 */
export function splitSum(sum: number, weights: readonly number[]): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0)
  let before = 0
  let given = 0
  return weights.map((weight) => {
    before += all > 0 ? weight : 1
    const until = Number((BigInt(sum) * BigInt(before)) / BigInt(all > 0 ? all : weights.length))
    const part = until - given
    given = until
    return part
  })
}
