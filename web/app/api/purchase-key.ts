import { visitStorage } from '../ui/browser-storage.ts'
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
export const forgetPurchaseKey = (purchase: string): void => visitStorage.removeItem(storageName(purchase))

/** `crypto.randomUUID` is missing on pages without HTTPS, which a shop's first evening may well be. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
