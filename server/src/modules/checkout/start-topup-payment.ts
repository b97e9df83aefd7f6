import type { Tx } from '../../platform/database.ts'
import type { Providers } from '../payments/providers.ts'
import { requireSeenTotal } from '../topups/topup.rules.ts'
import { holdTopup, requireNoRepeat, supersedeUnpaid, type TopupWish } from './hold-topup.ts'
import { placeUnpaid, resumePayment, type WantedPayment } from './start-card-payment.ts'

/**
 * Makes a top-up an order that waits for its payment, past the cart, and writes the payment down; the provider is asked
 * afterwards. Answers the order's id. The same top-up again, as long as it is not paid, is the same order; at another
 * price or in another currency it takes the place of the order before. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK,
 * INVALID_AMOUNT, PRICE_CHANGED, STATE_CONFLICT when an equal one was bought a moment ago, BELOW_LEAST_AMOUNT or
 * PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startTopupPayment(
  tx: Tx,
  providers: Providers,
  wanted: WantedPayment & TopupWish,
): Promise<string> {
  const { lines, key, equal } = await holdTopup(tx, wanted)
  const waiting = equal.filter((order) => order.topup_key === key)
  const same = await resumePayment(tx, providers, waiting, wanted)
  if (same) return same
  requireSeenTotal(lines, wanted.amount, wanted.currency)
  requireNoRepeat(equal, wanted)
  await supersedeUnpaid(tx, equal)
  return placeUnpaid(tx, providers, wanted, { lines, topupKey: key })
}
