import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { type Currency, toMajor } from '@olmos/contract/money'
import type { Tx } from '../../platform/database.ts'
import { type CartLine, holdCart } from '../cart/hold-cart.ts'
import { holdCodes } from '../codes/hold-codes.ts'
import { extendOrder, type UnpaidOrder, unpaidOrders } from '../orders/hold-order.ts'
import { newOrderId } from '../orders/order.rules.ts'
import { isUnpaid } from '../orders/order-states.rules.ts'
import { type NewOrder, orderOfCart, placeOrder } from '../orders/place-order.ts'
import { addPayment, renewPayment } from '../payments/add-payment.ts'
import { type Providers, providerFor } from '../payments/providers.ts'
import { itemsOf, outOfStock, requireUnchanged, totalOf } from './cart-order.rules.ts'
import { supersedeOrder } from './expire-order.ts'

export interface WantedPayment {
  userId: number
  currency: Currency
  /** The total the customer saw, in minor units. */
  amount: number
}

/**
 * Makes the cart an order that waits for its payment, with its codes in reserve, and writes the payment down; the
 * provider is asked afterwards. Answers the order's id. The same cart again is the same order, with a new payment when
 * the last was declined; a cart that changed, or another currency, takes the place of the order before. Refuses with
 * CART_EMPTY, PRICE_CHANGED, OUT_OF_STOCK, STATE_CONFLICT or PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startCardPayment(tx: Tx, providers: Providers, wanted: WantedPayment): Promise<string> {
  const { userId, currency } = wanted
  const [cart, ofCart, unpaid] = await Promise.all([
    holdCart(tx, userId),
    orderOfCart(tx, userId),
    unpaidOrders(tx, userId),
  ])
  if (ofCart && !isUnpaid(ofCart.status)) return ofCart.id
  const provider = providerFor(providers, currency)
  const same = unpaid.find((order) => isSame(order, wanted))
  if (same) {
    const isRenewed = await renewPayment(tx, provider, { orderId: same.id, amount: same.total, currency })
    if (isRenewed) await extendOrder(tx, same.id, LIMITS.holdMinutes)
    return same.id
  }
  for (const order of unpaid) await supersedeOrder(tx, order.id)

  requireUnchanged(cart.lines)
  const items = itemsOf(cart.lines, currency, 'awaiting_payment')
  const total = totalOf(items)
  if (total !== wanted.amount) throw new Failure('PRICE_CHANGED', { currency, total: toMajor(total) })
  requireFewEnough(cart.lines)
  const order: NewOrder = {
    id: newOrderId(),
    userId,
    cartVersion: cart.version,
    currency,
    total,
    status: 'awaiting_payment',
    paymentMethod: 'card',
    expiresInMinutes: LIMITS.holdMinutes,
  }
  const [, held] = await Promise.all([
    placeOrder(tx, order, items),
    holdCodes(
      tx,
      items.map((item) => ({ ...item, orderId: order.id })),
    ),
    addPayment(tx, provider, { orderId: order.id, amount: total, currency }),
  ])
  cart.lines.forEach((line, index) => {
    const found = held[index] ?? 0
    if (found < line.quantity) throw outOfStock(line, found)
  })
  return order.id
}

const isSame = (order: UnpaidOrder, { currency, amount }: WantedPayment): boolean =>
  order.status === 'awaiting_payment' &&
  order.is_of_cart &&
  !order.is_overdue &&
  order.currency === currency &&
  order.total === amount

/** A customer has one unpaid order at most, so this is all that a customer can hold. */
function requireFewEnough(lines: readonly CartLine[]): void {
  const codes = lines.reduce((sum, line) => sum + line.quantity, 0)
  if (codes <= LIMITS.heldCodesPerUser) return
  throw new Failure('STATE_CONFLICT', { reason: 'too_many_codes', limit: LIMITS.heldCodesPerUser, requested: codes })
}
