import { Failure } from '@olmos/contract/failure'

interface TurnLimits {
  atOnce: number
  /** How many may wait; further ones are refused with OVERLOADED. */
  waitingAtMost: number
  /** The log's message about a refusal. */
  refusal: string
  /** How long a place stays empty after work that took `workMs`, which leaves the processor to others. */
  restAfterMs?(workMs: number): number
}

/** `placesKept` places in the queue stay reserved for other work, which passes none. */
type InTurn = <T>(work: () => Promise<T>, placesKept?: number) => Promise<T>

/**
 * Runs a few pieces of work at a time, in the order they came, so that a flood of them does not take the whole
 * processor.
 */
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
      // Waiting requests keep the process alive by their connections; a rest alone must not.
      if (restMs > 0) setTimeout(passOn, restMs).unref()
      else passOn()
    }
  }
}
