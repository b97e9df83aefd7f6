import type { ListedPayment } from '@olmos/contract/admin-payments'
import type { AlertDetails, AlertKind } from '@olmos/contract/alerts'
import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { inSpan } from '../../platform/live/tracing.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { lockBlocked } from '../accounts/change-user.ts'
import { requireOthers, type Spender, spendLimit } from '../accounts/staff.ts'
import { emptyCart, lockCartVersion } from '../cart/cart.ts'
import { offersOnDemand } from '../catalogue/availability.ts'
import { type CodeReservation, releaseCodes, reserveMissingCodes, sellReservedCodes } from '../codes/take-codes.ts'
import { releaseCoupon, retakeCoupon } from '../coupons/coupons.ts'
import { queueDeliveries } from '../delivery/deliveries.ts'
import { bookFee, payPart } from '../orders/order-money.ts'
import {
  type LockedItem,
  type LockedOrder,
  lockOrder,
  moveItems,
  moveOrder,
  readItemStates,
} from '../orders/order-states.ts'
import { decideSettlement, toBooked } from '../payments/charge.rules.ts'
import {
  cancelPayment,
  cancelUnopenedPayments,
  closePayment,
  findPayment,
  lockPayment,
  noteEvent,
  type PaymentRow,
  readPayment,
  readPaymentRow,
} from '../payments/payments.ts'
import type { PaymentSnapshot, ProviderName } from '../payments/provider.ts'
import { readNumbers } from '../shop/shop.ts'
import { credit, moveBetween } from '../wallet/wallet.ts'
import { expireOrder } from './expire-order.ts'
import { costNow, termsNow, whyNotSold } from './order-terms.ts'

/** What a provider has proven to say about a payment, with the key of that event. */
interface PaymentReport {
  key: string
  snapshot: PaymentSnapshot
}

interface Settlement {
  payment: PaymentRow
  order: LockedOrder
  cartVersion: number
  snapshot: PaymentSnapshot
}

/**
 * Does what a provider's report about a payment requires, once for each event, whatever was reported before: delivers
 * the order, puts money that the order can't take into the customer's wallet, or raises an alert. Cart, order, payment
 * and buyer are locked in this order, so that no other report, job, click or admin gets in between.
 */
export async function settlePayment(tx: Tx, provider: ProviderName, report: PaymentReport): Promise<void> {
  if (report.snapshot.status === 'pending') return
  const found = await findPayment(tx, provider, report.snapshot)
  if (!found) return alertStranger(tx, provider, report.snapshot)
  // A settlement belongs to the trace of the click that began the payment, whatever report it comes by.
  const { traceparent } = found
  await inSpan('settle payment', () => settleFound(tx, provider, report, found), { traceparent })
}

async function settleFound(
  tx: Tx,
  provider: ProviderName,
  { key, snapshot }: PaymentReport,
  found: PaymentRow & { user_id: number },
): Promise<void> {
  const cartVersion = await lockCartVersion(tx, found.user_id)
  const order = await lockOrder(tx, found.order_id)
  const payment = await lockPayment(tx, provider, snapshot)
  if (!order || !payment) throw new Error(`payment ${found.id} has lost its order`)
  if (!(await noteEvent(tx, payment, key, snapshot.status))) return

  const settlement = { payment, order, cartVersion, snapshot }
  const isBuyerBlocked = await lockBlocked(tx, order.user_id)
  const verdict = decideSettlement({ payment, order, isBuyerBlocked, told: snapshot })
  if (verdict.do === 'cancel') await cancelPayment(tx, payment, snapshot.why)
  if (verdict.do === 'deliver') await deliver(tx, settlement)
  if (verdict.do === 'deliver_late') await deliverLate(tx, settlement)
  if (verdict.do === 'fill') await fillBalance(tx, settlement, verdict.why)
  if (verdict.do === 'end') await giveUp(tx, settlement, verdict.why)
  if (verdict.do === 'wallet') await giveToWallet(tx, settlement, verdict.why)
  if (verdict.do === 'operator') await closePayment(tx, payment, snapshot, { to: 'operator', booked: undefined })
  if (verdict.do === 'operator' || verdict.do === 'alert') await leaveToOperator(tx, settlement, verdict.why)
}

/**
 * Delivers an order that was paid too late if everything of it is on sale at the same price now; otherwise the money
 * goes to the wallet.
 */
async function deliverLate(tx: Tx, settlement: Settlement): Promise<void> {
  const { order } = settlement
  const terms = await termsNow(tx, order)
  const { late_loss_percent } = await readNumbers(tx)
  const why = whyNotSold(terms, late_loss_percent)
  if (!why) return deliver(tx, settlement)
  const costsNow = { amount: costNow(terms), currency: order.currency }
  return giveUp(tx, settlement, why, why === 'price_changed' ? { costs_now: costsNow } : {})
}

async function deliver(tx: Tx, settlement: Settlement): Promise<void> {
  const { payment, order, cartVersion, snapshot } = settlement
  const items = await readItemStates(tx, order.id)
  const bought = await itemsToBuy(tx, order, items)
  if (!bought) return giveUp(tx, settlement, 'out_of_stock')
  const isLate = order.status !== 'awaiting_payment'
  if (isLate && !(await retakeCoupon(tx, order))) return giveUp(tx, settlement, 'coupon_gone')
  if (!(await payPart(tx, order))) {
    if (isLate && order.coupon_id !== null) await releaseCoupon(tx, order.coupon_id)
    return giveUp(tx, settlement, 'part_gone')
  }
  const onShelf = items.filter((item) => !bought.includes(item))
  const isBought = bought.length > 0
  await tx.pipeline({
    money: (tx) =>
      moveBetween(tx, {
        from: 'card',
        to: 'sales',
        kind: 'card',
        amount: payment.amount - payment.fee_amount,
        currency: payment.currency,
        orderId: order.id,
        key: `payment:${payment.id}`,
      }),
    fee: (tx) => bookFee(tx, payment),
    codes: (tx) => sellReservedCodes(tx, order.id),
    order: (tx) => moveOrder(tx, order, isBought ? 'pending' : 'completed'),
    delivered: (tx) => moveItems(tx, order, onShelf, 'delivered'),
    ...(isBought && {
      pending: (tx: Tx) => moveItems(tx, order, bought, 'pending'),
      deliveries: (tx: Tx) => queueDeliveries(tx, order.id, payment.traceparent),
    }),
    unopened: (tx) => cancelUnopenedPayments(tx, order.id),
    payment: (tx) => closePayment(tx, payment, snapshot, { to: 'order', booked: payment, fee: payment.fee_amount }),
    ...(order.cart_version === cartVersion && { cart: (tx: Tx) => tx.run(emptyCart(order.user_id)) }),
  })
}

/**
 * Returns the items of a paid order that have to be bought at a supplier: top-ups, and codes that stock lacks (the
 * others are reserved). Returns undefined if something can't be had.
 */
async function itemsToBuy(tx: Tx, order: LockedOrder, items: readonly LockedItem[]): Promise<LockedItem[] | undefined> {
  const topups = items.filter((item) => item.item_type === 'topup')
  const lacking = await reserveMissingCodes(tx, reservationsFor(order, items))
  if (lacking.length === 0) return topups
  const onDemand = await offersOnDemand(
    tx,
    lacking.map(({ offerId }) => offerId),
    { isPaid: true },
  )
  if (lacking.some(({ offerId }) => !onDemand.has(offerId))) return undefined
  return items.filter((item) => topups.includes(item) || lacking.some(({ position }) => position === item.position))
}

const reservationsFor = (order: LockedOrder, items: readonly LockedItem[]): CodeReservation[] =>
  items.flatMap(({ item_type, position, offer_id: offerId, quantity }) =>
    item_type === 'topup' || offerId === null ? [] : [{ orderId: order.id, position, offerId, quantity }],
  )

/**
 * Completes a filling, in time or late: the wallet gets what was paid, once, without the fee of the method. All of another
 * sum than the charge goes to the wallet, until an operator has decided about it.
 */
async function fillBalance(tx: Tx, settlement: Settlement, why: Trouble | undefined): Promise<void> {
  const isCharge = why !== 'wrong_amount'
  await moveOrder(tx, settlement.order, 'completed')
  await cancelUnopenedPayments(tx, settlement.order.id)
  if (isCharge) await bookFee(tx, settlement.payment)
  await moveToWallet(tx, settlement, isCharge ? settlement.payment.fee_amount : 0)
  if (why) await leaveToOperator(tx, settlement, why)
}

/** Ends an order that was paid but can't be delivered, without its codes. */
async function giveUp(tx: Tx, settlement: Settlement, why: Trouble, more: AlertDetails = {}): Promise<void> {
  const { order } = settlement
  await (order.status === 'awaiting_payment' ? expireOrder(tx, order) : releaseCodes(tx, order.id))
  await giveToWallet(tx, settlement, why, more)
}

async function giveToWallet(tx: Tx, settlement: Settlement, why: Trouble, more: AlertDetails = {}): Promise<void> {
  await moveToWallet(tx, settlement)
  await leaveToOperator(tx, settlement, why, more)
}

/** Credits the wallet with the money that arrived, less the fee. */
async function moveToWallet(tx: Tx, { payment, order, snapshot }: Settlement, fee = 0): Promise<void> {
  const booked = toBooked(payment, snapshot)
  if (!booked) throw new Error(`payment ${payment.id} has brought nothing that a wallet can have`)
  await credit(tx, {
    userId: order.user_id,
    ...booked,
    amount: booked.amount - fee,
    kind: 'card',
    shopAccount: 'card',
    orderId: order.id,
    key: `payment:${payment.id}`,
  })
  await closePayment(tx, payment, snapshot, { to: 'wallet', booked, fee })
}

type SettlementTrouble<Kind> = Kind extends `payment.${infer Why}` ? Why : never
type Trouble = SettlementTrouble<AlertKind>

const leaveToOperator = (tx: Tx, { payment, order, snapshot }: Settlement, why: Trouble, more: AlertDetails = {}) =>
  raiseAlert(tx, {
    kind: `payment.${why}`,
    subject: `payment:${payment.id}`,
    details: {
      order: order.id,
      provider: payment.provider,
      provider_payment_id: snapshot.providerPaymentId,
      asked: { amount: payment.amount, currency: payment.currency },
      ...(payment.charge_rate !== null && {
        charged: { amount: payment.charge_amount, currency: payment.charge_currency },
      }),
      paid: { amount: snapshot.amount, currency: snapshot.currency },
      ...(order.wallet_amount > 0 && { from_balance: { amount: order.wallet_amount, currency: order.currency } }),
      ...more,
    },
  })

async function alertStranger(tx: Tx, provider: ProviderName, snapshot: PaymentSnapshot): Promise<void> {
  if (snapshot.status !== 'succeeded') return
  const { providerPaymentId, amount, currency } = snapshot
  await raiseAlert(tx, {
    kind: 'payment.unknown',
    subject: `${provider}:${providerPaymentId}`,
    details: { amount, currency },
  })
}

interface PaymentByHand extends Spender {
  paymentId: number
  reason: string
  /** The provider's id of the payment. */
  reference: string | undefined
}

/**
 * Settles a payment that an admin saw at the provider, exactly as a webhook would: the order is delivered, or its money
 * goes to the wallet or waits for a decision. The webhook itself changes nothing if it comes later. On nothing but the admin's
 * word codes or money go out, so it takes as much of the limit; and nobody who has one confirms a payment of one's own order:
 * STATE_CONFLICT.
 */
export async function confirmPayment(
  tx: Tx,
  { paymentId, reason, reference, ...admin }: PaymentByHand,
): Promise<ListedPayment> {
  const found = await readPayment(tx, paymentId)
  await requireOthers(tx, admin, found.user_id)
  // Locked first, as by every settlement: the payment is as it is read from here on.
  await lockCartVersion(tx, found.user_id)
  const before = await readPayment(tx, paymentId)
  if (before.status === 'succeeded')
    throw new Failure('STATE_CONFLICT', { reason: 'payment_succeeded', status: before.status })
  const providerPaymentId = before.provider_payment_id ?? reference
  if (!providerPaymentId) throw new Failure('VALIDATION_FAILED', { reference: 'required' })

  const { provider, key, amount, currency, charge_amount, charge_currency } = await readPaymentRow(tx, paymentId)
  await settlePayment(tx, provider, {
    key: `by-hand:${paymentId}`,
    snapshot: {
      providerPaymentId,
      reference: key,
      status: 'succeeded',
      amount: charge_amount,
      currency: charge_currency,
    },
  })
  const after = await readPayment(tx, paymentId)
  // The reference belongs to another payment, which was settled instead: undo it.
  if (after.status !== 'succeeded')
    throw new Failure('STATE_CONFLICT', { reason: 'reference_of_another_payment', reference: 'of_another_payment' })
  await spendLimit(tx, admin, { amount, currency })
  await writeAudit(tx, {
    actorId: admin.adminId,
    action: 'payment.confirm',
    subject: `order:${after.order_id}`,
    before: { payment_id: paymentId, status: before.status, order_status: before.order_status },
    after: {
      payment_id: paymentId,
      status: after.status,
      order_status: after.order_status,
      settled_to: after.settled_to,
      provider_payment_id: providerPaymentId,
      reason,
    },
  })
  return after
}
