import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { lockSpendable, spendCode } from '../codes/spend-codes.ts'
import { queueDeliveries } from '../delivery/deliveries.ts'
import { newOrderId, placeOrder } from '../orders/orders.ts'
import type { Providers } from '../payments/providers.ts'
import { requireSeenPrice, requireSeenTotal } from '../topups/topup-lines.ts'
import { lockTopup, requireNoRepeat, supersedeUnpaid, type TopupWish } from './earlier-orders.ts'
import { buyLines } from './pay-from-balance.ts'
import { placeUnpaid, resumePayment, type WantedPayment } from './start-card-payment.ts'

/**
 * Buys a top-up from the wallet without the cart; it is delivered afterwards. An unpaid card order of the same top-up
 * is superseded. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED, STATE_CONFLICT when an
 * equal one was bought a moment ago, or INSUFFICIENT_BALANCE.
 */
export async function buyTopup(
  tx: Tx,
  wish: TopupWish & { currency: Currency },
): Promise<{ id: string; status: OrderStatus }> {
  const { userId, currency } = wish
  const { lines, key, equal } = await lockTopup(tx, wish)
  requireSeenPrice(lines, wish.topup.seen, currency)
  requireNoRepeat(equal, wish)
  await supersedeUnpaid(tx, equal)

  return buyLines(tx, { userId, currency, lines, topupKey: key })
}

/**
 * Makes a top-up, without the cart, an order that waits for its payment, and adds the payment; the provider is asked
 * afterwards. Returns the order's id. While an order is unpaid, the same top-up resumes it; at another price or in
 * another currency it supersedes it. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED,
 * STATE_CONFLICT when an equal one was bought a moment ago, BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT,
 * INSUFFICIENT_BALANCE or BALANCE_ON_HOLD (for a part from the balance), METHOD_UNAVAILABLE, CONTACT_REQUIRED or
 * PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startTopupPayment(
  tx: Tx,
  providers: Providers,
  wanted: WantedPayment & TopupWish,
): Promise<string> {
  const { lines, key, equal } = await lockTopup(tx, wanted)
  const waiting = equal.filter((order) => order.topup_key === key)
  const same = await resumePayment(tx, providers, waiting, wanted)
  if (same) return same
  requireSeenTotal(lines, wanted.amount, wanted.currency)
  requireNoRepeat(equal, wanted)
  await supersedeUnpaid(tx, equal)
  return placeUnpaid(tx, providers, wanted, { lines, topupKey: key })
}

interface ActivationWish {
  userId: number
  /** The code as the player typed it. */
  code: string
  playerId: string
  playerName: string
}

/**
 * Spends a generated code on a Free Fire player, once. What the code stands for is delivered by an order that costs
 * nothing, because the code was paid for. Returns the order's id. Refuses with CODE_NOT_FOUND or CODE_ALREADY_USED.
 */
export async function activateCode(tx: Tx, vault: Vault, wish: ActivationWish): Promise<string> {
  const { userId, playerId, playerName } = wish
  const code = await lockSpendable(tx, vault, wish.code, userId)
  const id = newOrderId()
  await placeOrder(tx, { id, userId, currency: 'USD', total: 0, status: 'pending', paymentMethod: 'code' }, [
    {
      position: 1,
      itemType: 'topup',
      offerId: code.offer_id,
      priceVersion: code.price_version,
      productId: null,
      unitPrice: 0,
      quantity: 1,
      gameCurrency: code.game_currency,
      status: 'pending',
      target: {
        service: 'freefire',
        account: playerId,
        values: { player_id: playerId },
        playerName,
        steam: null,
      },
    },
  ])
  await spendCode(tx, code, id)
  await queueDeliveries(tx, id)
  return id
}
