import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import type { OpenedPayment } from '@olmos/contract/payments'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import type { Tx } from '../../platform/database/queries.ts'
import { lockCart, lockCartVersion } from '../cart/cart.ts'
import { type CodeReservation, reserveCodes } from '../codes/take-codes.ts'
import { applyCoupon, findCouponId, takeCoupon } from '../coupons/coupons.ts'
import { cardPart, requirePart, reservePart } from '../orders/order-money.ts'
import { extendOrder, hasPaidOrder, isOrderPaid, lockOrder } from '../orders/order-states.ts'
import {
  type CartOrder,
  findCartOrders,
  type NewOrder,
  newOrderId,
  placeOrder,
  splitCartOrders,
} from '../orders/place-order.ts'
import { freezeReceipt, hasRightReceipt, planReceipt } from '../payments/fiscal-receipts.ts'
import { chooseMethod, requireSeenFee } from '../payments/methods.ts'
import { type Opening, openPayment, type PaymentShop } from '../payments/open-payment.ts'
import { addPayment, cancelUnopenedPayment, findPayable, hasLivePayment, replacePayment } from '../payments/payments.ts'
import { type Providers, providerNamed } from '../payments/providers.ts'
import { readNumbers } from '../shop/shop.ts'
import { shownTotals, toTotals } from '../topups/topups.ts'
import { requireOpenCurrency } from '../wallet/wallet.ts'
import { supersedeOrder } from './expire-order.ts'
import {
  type OrderLine,
  requireFound,
  requireOnSale,
  requireRoom,
  requireSeenTotal,
  requireShare,
  requireUnchanged,
  toItems,
  toTotal,
  wantedCodes,
} from './order-lines.ts'
import { areCodesLeft, isSoldAsOrdered, termsNow } from './order-terms.ts'
import { lockTopup, ordersLike, replaceEqual, type TopupWish } from './repeat-topup.ts'

/**
 * Opens the order's latest payment, or the one that is named, at its provider if it is not open yet; undefined for an order
 * without one. If the provider rejects it, the payment is ended, and so is the order unless another payment of it is open or
 * being opened: its codes are released, and the cart may be paid again. Where only its page was lost, another payment takes
 * its place, to be opened by the next call.
 */
export async function openCardPayment(shop: PaymentShop, orderId: string, id?: number): Promise<Opening | undefined> {
  const opening = await openPayment(shop, orderId, id)
  if (opening?.kind === 'rejected') {
    await shop.database.transaction(async (tx) => {
      await lockCartVersion(tx, opening.userId)
      const order = await lockOrder(tx, orderId)
      const { paymentId, isPageLost } = opening
      const isCanceled = await cancelUnopenedPayment(tx, paymentId, isPageLost ? 'not_opened' : 'refused')
      // Where a page was lost, only a later payment is what the customer chose since.
      if (await hasLivePayment(tx, orderId, isPageLost ? paymentId : undefined)) return
      if (!isPageLost) await supersedeOrder(tx, orderId)
      else if (isCanceled && order?.status === 'awaiting_payment') await replacePayment(tx, paymentId)
    })
  }
  return opening
}

/**
 * Returns where the customer goes to pay the order: the provider's page, or the receipt if it is paid already. Refuses
 * with PAYMENT_PROVIDER_UNAVAILABLE when there is no page yet; the same order may then be retried with the same key.
 */
export async function findPayPage(shop: PaymentShop, orderId: string): Promise<OpenedPayment> {
  const receipt = { pay_url: `${shop.config.publicUrl}/orders/${orderId}`, order_id: orderId }
  // Whatever became of its latest payment: another one may have paid it before a call that died here is repeated.
  if (await isOrderPaid(shop.database, orderId)) return receipt
  const first = await openCardPayment(shop, orderId)
  // By this call, or by the one that it waited for.
  const mayBeReplaced =
    (first?.kind === 'rejected' && first.isPageLost) || (first?.kind === 'over' && first.status === 'canceled')
  const opening = mayBeReplaced ? await openCardPayment(shop, orderId) : first
  if (opening === undefined) return receipt
  if (opening.kind === 'open') return { pay_url: opening.payUrl, order_id: orderId }
  if (await isOrderPaid(shop.database, orderId)) return receipt
  if (opening.kind !== 'over') throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: opening.kind })
  if (opening.status === 'succeeded') return receipt
  throw new Failure('STATE_CONFLICT', { reason: 'payment_canceled', payment: opening.status })
}

export interface WantedPayment {
  userId: number
  currency: Currency
  /** The total the customer saw, in minor units. */
  amount: number
  /** How much of it the balance pays, in minor units. */
  fromBalance?: number
  /** The fee of the method that the customer saw, in minor units; none by default. */
  fee?: number
  /** The code of a coupon: the amount is what is left to be paid with it. */
  coupon?: string | undefined
  /** The name of the method; undefined for the first that fits. */
  method?: string | undefined
  /** Where the fiscal receipt goes. */
  contact?: { email: string } | undefined
  language: Language
}

/**
 * Makes the cart an order that waits for its payment, with its codes reserved, and adds the payment; the provider is asked
 * afterwards. Returns the order's id. The same cart resumes the same order, with a new payment if the last was declined; a
 * changed cart, or another currency, supersedes it. Refuses with CART_EMPTY, PRICE_CHANGED (which may be about the fee of
 * the method), OUT_OF_STOCK, STATE_CONFLICT (too many codes, a currency that is not offered, or a top-up that was
 * bought a moment ago), BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT, INVALID_AMOUNT, INSUFFICIENT_BALANCE or BALANCE_ON_HOLD
 * (for a part from the balance), METHOD_UNAVAILABLE, COUPON_REFUSED, CONTACT_REQUIRED or PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startCardPayment(
  tx: Tx,
  providers: Providers,
  wanted: WantedPayment & Pick<TopupWish, 'confirmRepeat'>,
): Promise<string> {
  const { userId } = wanted
  const { cart, orders } = await tx.pipeline({
    cart: (tx) => lockCart(tx, userId),
    orders: (tx) => findCartOrders(tx, userId),
  })
  const { paid, unpaid } = splitCartOrders(orders)
  if (paid) return paid.id
  requireOnSale(cart.lines)
  const same = await resumePayment(
    tx,
    providers,
    unpaid.filter((order) => order.is_of_cart),
    wanted,
  )
  if (same) return same
  for (const order of unpaid) await supersedeOrder(tx, order.id)
  requireUnchanged(cart.lines)
  await replaceEqual(tx, await ordersLike(tx, userId, cart.lines), wanted)
  return placeUnpaid(tx, providers, wanted, { lines: cart.lines, cartVersion: cart.version })
}

/**
 * Makes a top-up, without the cart, an order that waits for its payment, and adds the payment; the provider is asked
 * afterwards. Returns the order's id. While an order is unpaid, the same top-up resumes it; at another price or in
 * another currency it supersedes it. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED,
 * STATE_CONFLICT when an equal one was bought a moment ago, or the currency is not offered, BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT,
 * INSUFFICIENT_BALANCE or BALANCE_ON_HOLD (for a part from the balance), METHOD_UNAVAILABLE, COUPON_REFUSED,
 * CONTACT_REQUIRED or PAYMENT_PROVIDER_UNAVAILABLE.
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
  // With a coupon another total is seen, which is compared when the order is placed.
  if (!wanted.coupon) {
    const { currency, amount: seen } = wanted
    const totals = toTotals(lines)
    requireSeenTotal(totals[currency], { currency, seen, prices: shownTotals(totals) })
  }
  await replaceEqual(tx, equal, wanted)
  return placeUnpaid(tx, providers, wanted, { lines, topupKey: key })
}

/**
 * Finds the order among these that waits for exactly this payment, and adds a new payment if the last was declined, or is
 * by another method than the one that is named now, or has another receipt or another fee than the customer saw.
 * Returns undefined if it would be sold at other prices now, or not at all: what would not be placed is not resumed
 * either.
 */
export async function resumePayment(
  tx: Tx,
  providers: Providers,
  unpaid: readonly Omit<CartOrder, 'is_of_cart'>[],
  wanted: WantedPayment,
): Promise<string | undefined> {
  const { currency, amount, fromBalance = 0, fee = 0, method, contact, language } = wanted
  const couponId = wanted.coupon && unpaid.length > 0 ? await findCouponId(tx, wanted.coupon) : null
  const same = unpaid.find(
    (order) =>
      order.status === 'awaiting_payment' &&
      !order.is_overdue &&
      order.currency === currency &&
      order.total === amount &&
      order.wallet_amount === fromBalance &&
      order.coupon_id === couponId,
  )
  if (!same) return undefined
  // The job that expires orders may be at it right now.
  const order = await lockOrder(tx, same.id)
  if (order?.status !== 'awaiting_payment' || !isSoldAsOrdered(await termsNow(tx, order))) return undefined
  if (!(await areCodesLeft(tx, order))) return undefined
  const payable = await findPayable(tx, same.id, { method, fee })
  if (payable && (await hasRightReceipt(tx, providerNamed(providers, payable.provider), payable, contact)))
    return same.id
  const rest = cardPart(order)
  const chosen = await chooseMethod(tx, providers, { currency, amount: rest, method })
  requireSeenFee(chosen.fee.amount, { currency, seen: fee })
  const planned = await planReceipt(tx, chosen, contact)
  await addPayment(tx, chosen, { orderId: same.id, amount: rest, currency, language })
  if (planned) await freezeReceipt(tx, same.id, planned)
  await extendOrder(tx, same.id, (await readNumbers(tx)).reservation_minutes)
  return same.id
}

/**
 * Places an order that waits for its payment, with its part from the balance reserved, and returns its id. Refuses a total,
 * or a fee, that differs from the one the customer saw.
 */
async function placeUnpaid(
  tx: Tx,
  providers: Providers,
  { userId, currency, amount, fromBalance = 0, fee = 0, method, contact, language, ...wanted }: WantedPayment,
  { lines: wantedLines, ...source }: { lines: readonly OrderLine[] } & Pick<NewOrder, 'cartVersion' | 'topupKey'>,
): Promise<string> {
  await requireOpenCurrency(tx, userId, currency)
  const bought = { lines: wantedLines, userId, currency }
  const applied = wanted.coupon === undefined ? undefined : await applyCoupon(tx, wanted.coupon, bought)
  const { lines, coupon } = applied ?? { lines: wantedLines, coupon: undefined }
  const items = toItems(lines, currency)
  const total = toTotal(items)
  requireSeenTotal(total, { currency, seen: amount })
  requirePart({ total, currency, part: fromBalance })
  const rest = cardPart({ total, wallet_amount: fromBalance })
  const chosen = await chooseMethod(tx, providers, { currency, amount: rest, method })
  requireSeenFee(chosen.fee.amount, { currency, seen: fee })
  const planned = await planReceipt(tx, chosen, contact)
  const numbers = await readNumbers(tx)
  const order: NewOrder = {
    id: newOrderId(),
    userId,
    ...source,
    currency,
    total,
    walletAmount: fromBalance,
    coupon,
    status: 'awaiting_payment',
    paymentMethod: 'card',
    expiresInMinutes: numbers.reservation_minutes,
  }
  const codes = wantedCodes(order.id, items)
  await requireFewEnough(tx, userId, codes, numbers)
  const { reservations } = await tx.pipeline({
    order: (tx) => placeOrder(tx, order, items),
    reservations: (tx) => reserveCodes(tx, codes, numbers),
    payment: (tx) => addPayment(tx, chosen, { orderId: order.id, amount: rest, currency, language }),
    part: (tx) => reservePart(tx, order),
    coupon: (tx) => (coupon ? takeCoupon(tx, coupon, order) : undefined),
  })
  requireShare(lines, codes, reservations, numbers)
  const found = reservations.map(({ reserved }) => reserved)
  requireFound(lines, codes, found)
  await requireRoom(tx, { lines, wanted: codes, found, isQueued: false })
  if (planned) await freezeReceipt(tx, order.id, planned)
  return order.id
}

/**
 * Refuses more codes than a customer may reserve. A customer has at most one unpaid order with codes, so this is the
 * limit of the customer. Accounts cost nothing, so one that never paid may reserve little: a crowd of them can't empty
 * the stock.
 */
async function requireFewEnough(
  tx: Tx,
  userId: number,
  wanted: readonly CodeReservation[],
  { reserved_codes_per_user, reserved_codes_per_new_user }: ShopNumbers,
): Promise<void> {
  const requested = wanted.reduce((sum, line) => sum + line.quantity, 0)
  if (requested <= Math.min(reserved_codes_per_new_user, reserved_codes_per_user)) return
  const isNew = !(await hasPaidOrder(tx, userId))
  const limit = isNew ? reserved_codes_per_new_user : reserved_codes_per_user
  if (requested <= limit) return
  throw new Failure('STATE_CONFLICT', { reason: 'too_many_codes', limit, requested, is_new: isNew })
}
