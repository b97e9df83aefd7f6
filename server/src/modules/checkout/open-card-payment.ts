import { Failure } from '@olmos/contract/failure'
import type { OpenedPayment } from '@olmos/contract/payments'
import { holdCartVersion } from '../cart/hold-cart.ts'
import { type Opening, openLatestPayment, type PaymentShop } from '../payments/open-payment.ts'
import { supersedeOrder } from './expire-order.ts'

/**
 * Sees that the order's payment is open at its provider; none for an order without one. What the provider will not
 * have is given up: its codes go back, and the cart may be paid anew.
 */
export async function openCardPayment(shop: PaymentShop, orderId: string): Promise<Opening | undefined> {
  const opening = await openLatestPayment(shop, orderId)
  if (opening?.kind === 'rejected') {
    await shop.database.transaction(async (tx) => {
      await holdCartVersion(tx, opening.userId)
      await supersedeOrder(tx, orderId)
    })
  }
  return opening
}

/**
 * Where the customer goes to pay the order: the provider's page, or the receipt when it is paid already. Refuses with
 * PAYMENT_PROVIDER_UNAVAILABLE when there is no page yet; the same order may then be tried again, with the same key.
 */
export async function payPageOf(shop: PaymentShop, orderId: string): Promise<OpenedPayment> {
  const opening = await openCardPayment(shop, orderId)
  const receipt = `${shop.config.publicUrl}/orders/${orderId}`
  if (opening === undefined) return { pay_url: receipt, order_id: orderId }
  if (opening.kind === 'open') return { pay_url: opening.payUrl, order_id: orderId }
  if (opening.kind !== 'over') throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: opening.kind })
  if (opening.status === 'succeeded') return { pay_url: receipt, order_id: orderId }
  throw new Failure('STATE_CONFLICT', { payment: opening.status })
}
