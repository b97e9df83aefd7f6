import * as LIMITS from '@olmos/contract/limits'

interface Ticks {
  ticked: ReadonlySet<number>
  /** How many were to be ticked as well, and are not. */
  left: number
}

export const noTicks: Ticks = { ticked: new Set(), left: 0 }

/** Ticks packages, or takes their ticks away; no more are ticked than one change may name. */
export function withTicks(ticked: ReadonlySet<number>, ids: readonly number[], isTicked: boolean): Ticks {
  const wanted = new Set(ticked)
  for (const id of ids) isTicked ? wanted.add(id) : wanted.delete(id)
  const kept = new Set([...wanted].slice(0, LIMITS.selectedOffersMax))
  return { ticked: kept, left: wanted.size - kept.size }
}
