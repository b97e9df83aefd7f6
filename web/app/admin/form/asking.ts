import type { PriceChange } from '@olmos/contract/offers'
import type { RateJump } from '@olmos/contract/rates'
import { createContext, useContext } from 'react'
import { ApiError, isRefusal } from '../../api/api-error.ts'

/** What the store wants confirmed before it acts. */
export type Question = { about: 'prices'; prices: PriceChange[] } | { about: 'rate'; jump: RateJump }

/** Reads the question from a refusal; undefined when it asks nothing. */
export function toQuestion(error: unknown): Question | undefined {
  if (isRefusal(error, 'RATE_JUMP')) return { about: 'rate', jump: error.details }
  if (!isRefusal(error, 'PRICE_CHANGED') || !('prices' in error.details)) return undefined
  return { about: 'prices', prices: error.details.prices }
}

/** Thrown when the operator declined: nothing was done and nothing went wrong. */
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
 * Sends a call. Where the store asks for confirmation, asks the operator and sends the call again as confirmed. Rejects
 * with Declined when the operator declines.
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
