import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'
import { isTransient } from './query-client.ts'

/**
 * Sends a purchase under its own key. As long as nobody knows whether it happened (no answer, trouble at the server),
 * the next try is the same purchase; once it has an answer, the next one is another.
 */
export async function withPurchaseKey<Answer>(
  purchase: string,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await send(purchaseKey(purchase))
    forgetPurchaseKey(purchase)
    return answer
  } catch (error) {
    if (!isTransient(error)) forgetPurchaseKey(purchase)
    throw error
  }
}
