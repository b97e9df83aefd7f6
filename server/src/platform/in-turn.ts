import { Failure } from '@olmos/contract/failure'

export interface TurnLimits {
  atOnce: number
  /** Those who come after so many are refused with OVERLOADED. */
  waitingAtMost: number
  /** What the log says of them. */
  refusal: string
}

/** `placesKept` of those that may wait are kept for other work, which names none. */
export type InTurn = <T>(work: () => Promise<T>, placesKept?: number) => Promise<T>

/** Runs a few pieces of work at a time, in the order they came: a flood of them does not take all of the processor. */
export function createTurns({ atOnce, waitingAtMost, refusal }: TurnLimits): InTurn {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work, placesKept = 0) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost - placesKept) throw new Failure('OVERLOADED', undefined, refusal)
      await new Promise<void>((turn) => waiting.push(turn))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
