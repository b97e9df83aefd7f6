import type { PriceChange, PriceUnderFloor } from '@olmos/contract/offers'
import type { RateJump } from '@olmos/contract/rates'
import { createContext, useContext } from 'react'
import { ApiError, isRefusal } from '../../api/api-error.ts'

/** What the store wants confirmed before it acts. */
export type Question =
  | { about: 'prices'; prices: PriceChange[] }
  | { about: 'rate'; jump: RateJump }
  | { about: 'floor'; prices: PriceUnderFloor[] }

/** Reads the question from a refusal; undefined when it asks nothing. */
export function toQuestion(error: unknown): Question | undefined {
  if (isRefusal(error, 'FLOOR_PRICE')) return { about: 'floor', prices: error.details.prices }
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

/** What the operator says: no, yes, or yes and why. */
export type Reply = false | true | string

export interface Asking {
  ask(question: Question): Promise<Reply>
}

export const AskingContext = createContext<Asking>({ ask: async () => false })

/** Sends a call as far as it is confirmed: that what is odd is meant, and why something is sold under its cost. */
type Send<T> = (isConfirmed: boolean, underFloor?: string) => Promise<T>

/**
 * Sends a call. Where the store asks for confirmation, asks the operator and sends the call again as confirmed; it may ask
 * about two things, one after the other. Rejects with Declined when the operator declines.
 */
export function useConfirmed(): <T>(send: Send<T>) => Promise<T> {
  const { ask } = useContext(AskingContext)
  return async (send) => {
    let isConfirmed = false
    let underFloor: string | undefined
    for (;;) {
      try {
        return await send(isConfirmed, underFloor)
      } catch (error) {
        const question = toQuestion(error)
        const isAnswered = question?.about === 'floor' ? underFloor !== undefined : isConfirmed
        if (!question || isAnswered) throw error
        const reply = await ask(question)
        if (reply === false) throw new Declined()
        if (typeof reply === 'string') underFloor = reply
        else isConfirmed = true
      }
    }
  }
}
