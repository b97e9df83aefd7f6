import { Failure } from '@olmos/contract/failure'

interface TurnLimits {
  atOnce: number
  /** Those who come after so many are refused with OVERLOADED. */
  waitingAtMost: number
  /** What the log says of them. */
  refusal: string
  /** For so long after work that took so long its place stays empty, and the processor is left to others. */
  restAfterMs?(workMs: number): number
}

/** `placesKept` of those that may wait are kept for other work, which names none. */
type InTurn = <T>(work: () => Promise<T>, placesKept?: number) => Promise<T>

/** Runs a few pieces of work at a time, in the order they came: a flood of them does not take all of the processor. */
export function createTurns({ atOnce, waitingAtMost, refusal, restAfterMs = () => 0 }: TurnLimits): InTurn {
  let running = 0
  const waiting: (() => void)[] = []
  const passOn = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async (work, placesKept = 0) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost - placesKept) throw new Failure('OVERLOADED', undefined, refusal)
      await new Promise<void>((turn) => waiting.push(turn))
    } else {
      running++
    }
    const began = performance.now()
    try {
      return await work()
    } finally {
      const restMs = restAfterMs(performance.now() - began)
      // Those who wait for the place keep the process by their connections; a rest alone must not.
      if (restMs > 0) setTimeout(passOn, restMs).unref()
      else passOn()
    }
  }
}
