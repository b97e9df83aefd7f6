import type { PriceChange } from '@olmos/contract/offers'
import type { RateJump } from '@olmos/contract/rates'
import { createContext, useContext } from 'react'
import { ApiError, isRefusal } from '../../api/api-error.ts'

/** What the store wants to be told before it does it. */
export type Question = { about: 'prices'; prices: PriceChange[] } | { about: 'rate'; jump: RateJump }

/** The question that a refusal is; none when it is a refusal and nothing else. */
export function toQuestion(error: unknown): Question | undefined {
  if (isRefusal(error, 'RATE_JUMP')) return { about: 'rate', jump: error.details }
  if (!isRefusal(error, 'PRICE_CHANGED') || !('prices' in error.details)) return undefined
  return { about: 'prices', prices: error.details.prices }
}

/** The operator was asked and said no: nothing was done, nothing went wrong, and asking again would not help. */
export class Declined extends ApiError {
  constructor() {
    super('DECLINED', 'The operator said no', {}, 409)
  }
}

export interface Asking {
  ask(question: Question): Promise<boolean>
}

export const AskingContext = createContext<Asking>({ ask: async () => false })

/**
 * Sends a call. Where the store asks something first, the operator is asked, and what was confirmed is sent once more as
 * such. Rejects with Declined when the operator does not want it.
 */
export function useConfirmed(): <T>(send: (isConfirmed: boolean) => Promise<T>) => Promise<T> {
  const { ask } = useContext(AskingContext)
  return async (send) => {
    try {
      return await send(false)
    } catch (error) {
      const question = toQuestion(error)
      if (!question) throw error
      if (!(await ask(question))) throw new Declined()
      return send(true)
    }
  }
}
