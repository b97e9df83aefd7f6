import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'
import { mayPass } from './query-client.ts'

/**
 * Sends a purchase under its own key. As long as nobody knows whether it happened (no answer, trouble at the server),
 * the next try is the same purchase; once it has an answer, the next one is another.
 */
export async function asOnePurchase<Answer>(purchase: string, send: (key: string) => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await send(purchaseKey(purchase))
    forgetPurchaseKey(purchase)
    return answer
  } catch (error) {
    if (!mayPass(error)) forgetPurchaseKey(purchase)
    throw error
  }
}
