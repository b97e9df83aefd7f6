import { visitStorage } from '../ui/browser-storage.ts'
import { isTransient } from './query-client.ts'
import { isHeaderText } from './token.ts'

const storageName = (purchase: string) => `purchase-key:${purchase}`

/**
 * The Idempotency-Key of a purchase: made before the first try, kept until the purchase has an answer, so that every
 * retry of it, also after a reload, is the same purchase to the server.
 */
export function purchaseKey(purchase: string): string {
  const kept = visitStorage.getItem(storageName(purchase))
  if (kept !== null && isHeaderText(kept)) return kept
  const made = randomKey()
  visitStorage.setItem(storageName(purchase), made)
  return made
}

/** The purchase succeeded, or was refused: the next one is another. */
const forgetPurchaseKey = (purchase: string): void => visitStorage.removeItem(storageName(purchase))

/** `crypto.randomUUID` is missing on pages without HTTPS, which a shop's first evening may well be. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

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
