import type { BatchBuyer } from '@olmos/contract/code-batches'
import { ApiError, isConflict } from '../../api/api-error.ts'

export interface NotMended {
  buyer: BatchBuyer
  error: ApiError
}

export interface Mended {
  done: number
  /** Those who could not be helped this way, and why: no code in stock, or somebody else helped them meanwhile. */
  left: readonly NotMended[]
  total: number
}

interface Mending {
  buyers: readonly BatchBuyer[]
  /** Replaces or refunds for one buyer. */
  mend(buyer: BatchBuyer): Promise<unknown>
  onProgress(mended: Mended): void
  signal: AbortSignal
}

/** What is about one buyer alone; anything else would be the same for the next. */
const aboutOne = ['OUT_OF_STOCK', 'STATE_CONFLICT', 'CODE_NOT_FOUND', 'NOT_FOUND']

/** Once the day's limit is used up each further buyer would be one more request; what is too much at a time is one buyer's alone. */
const isDayUsedUp = (error: ApiError) => isConflict(error, 'above_limit') && error.details.limit.endsWith('_daily')

/** Helps the buyers one after another. A refusal of one leaves them out; trouble ends it, and it can be begun again. */
export async function mendBuyers({ buyers, mend, onProgress, signal }: Mending): Promise<Mended> {
  let mended: Mended = { done: 0, left: [], total: buyers.length }
  for (const buyer of buyers) {
    signal.throwIfAborted()
    try {
      await mend(buyer)
      mended = { ...mended, done: mended.done + 1 }
    } catch (error) {
      if (!(error instanceof ApiError) || !aboutOne.includes(error.code) || isDayUsedUp(error)) throw error
      mended = { ...mended, left: [...mended.left, { buyer, error }] }
    }
    onProgress(mended)
  }
  return mended
}

/** A refund is of a line of an order, so each line once. */
export const oncePerItem = (buyers: readonly BatchBuyer[]): BatchBuyer[] => [
  ...new Map(buyers.map((buyer) => [buyer.item_id, buyer])).values(),
]
