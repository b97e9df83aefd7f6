import type { Profit } from '@olmos/contract/costs'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { findOrderPayment, readFeeLeft } from '../payments/card-refunds.ts'
import { readOrderMoney } from '../payments/disputes.ts'
import { methodName, type PaymentRow } from '../payments/payments.ts'
import { credit, debit, moveBetween, moveOut } from '../wallet/wallet.ts'
import type { LockedOrder } from './order-states.ts'
import type { NewOrder } from './place-order.ts'
import { chargeFeeOutside } from './refunds.ts'

// What a buyer pays for the way to pay, beside what the order costs: docs/decisions/038.

/** Books the fee of a payment that was made, once. It may be sent together with other statements of the transaction. */
export const bookFee = async (
  tx: Tx,
  { id, order_id: orderId, fee_amount: amount, currency }: PaymentRow,
): Promise<void> => {
  if (amount === 0) return
  const key = `payment-fee:${id}`
  await moveBetween(tx, { from: 'card', to: 'fees', kind: 'card', amount, currency, orderId, key })
}

/** Whether any unit of the order was ever delivered. */
const wasDelivered = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM status_change WHERE order_id = ${orderId} AND order_item_id IS NOT NULL AND became = 'delivered' LIMIT 1`)) !==
  undefined

/**
 * Computes how much of its fee the store has to refund of a locked order that is refunded as a whole, in minor units: what
 * has not gone back in the provider's cabinet, where the terms of the payment return it, or nothing was delivered. A bank
 * that took the money of the order back has the fee, too.
 */
export async function takeDueFee(tx: Tx, order: LockedOrder): Promise<number> {
  const payment = await findOrderPayment(tx, order.id)
  const left = payment ? await readFeeLeft(tx, payment.id) : 0
  if (!payment || left === 0) return 0
  if (!payment.is_fee_refunded && (await wasDelivered(tx, order.id))) return 0
  if ((await readOrderMoney(tx, order.id)).charged_back > 0) return 0
  return chargeFeeOutside(tx, order, left)
}

/** Refunds the fee of a locked order to its buyer's wallet, once. */
export async function refundFee(
  tx: Tx,
  { id: orderId, user_id: userId, currency }: LockedOrder,
  amount: number,
  { reason, madeBy }: { reason: string; madeBy: number | null },
): Promise<void> {
  const payment = amount > 0 ? await findOrderPayment(tx, orderId) : undefined
  if (!payment) return
  await credit(tx, {
    userId,
    currency,
    amount,
    kind: 'refund',
    shopAccount: 'fees',
    orderId,
    key: `fee-refund:${payment.id}`,
    reason,
    ...(madeBy !== null && { madeBy }),
  })
}

// The part of an order that its buyer's balance pays while a card pays the rest: docs/decisions/034. It is reserved as long
// as the order waits, and no longer.

/** What an order needs from a card, in minor units of its currency, without the method's fee. */
export const cardPart = ({ total, wallet_amount }: Pick<LockedOrder, 'total' | 'wallet_amount'>): number =>
  total - wallet_amount

/** Refuses a part that leaves nothing for the card: INVALID_AMOUNT. In minor units; 0 for no part. */
export function requirePart({ total, currency, part }: { total: number; currency: Currency; part: number }): void {
  if (part > 0 && part >= total)
    throw new Failure('INVALID_AMOUNT', { from_balance: 'covers_all', total: toMajor(total), currency })
}

/**
 * Takes the part of an order that is being placed from its buyer's wallet, once. Refuses with INSUFFICIENT_BALANCE or
 * BALANCE_ON_HOLD. It may be sent together with other statements of the transaction.
 */
export const reservePart = async (
  tx: Tx,
  { id, userId, currency, walletAmount = 0 }: Pick<NewOrder, 'id' | 'userId' | 'currency' | 'walletAmount'>,
): Promise<void> => {
  if (walletAmount === 0) return
  await debit(tx, {
    userId,
    currency,
    amount: walletAmount,
    kind: 'reservation',
    shopAccount: 'reserved',
    orderId: id,
    key: `reservation:${id}`,
  })
}

/** Returns the part of a locked order that ends unpaid to its buyer's wallet, once. */
export const releasePart = async (tx: Tx, order: LockedOrder): Promise<void> => {
  if (order.wallet_amount > 0)
    await credit(tx, { ...toEntry(order), kind: 'release', shopAccount: 'reserved', key: `release:${order.id}` })
}

/**
 * Pays the part of a locked order whose rest has been paid by card: from what is reserved, or, if the order has ended and the
 * part was returned, from the wallet again. Returns whether it could: not if the balance is too low by now, or frozen.
 */
export async function payPart(tx: Tx, order: LockedOrder): Promise<boolean> {
  if (order.wallet_amount === 0) return true
  const entry = { ...toEntry(order), kind: 'purchase' as const, key: `purchase:${order.id}` }
  if (order.status !== 'awaiting_payment') return moveOut(tx, { ...entry, shopAccount: 'sales' })
  await moveBetween(tx, { ...entry, from: 'reserved', to: 'sales' })
  return true
}

const toEntry = ({ id: orderId, user_id: userId, currency, wallet_amount: amount }: LockedOrder) => ({
  orderId,
  userId,
  currency,
  amount,
})

/** What has gone back of an order that was paid both ways, in minor units of its currency. */
interface Returned {
  /** By all its refunds, wherever they went. */
  inAll: number
  /** To the card. */
  toCard: number
}

/**
 * Computes how much of a refund goes back to the card; the rest goes to the balance. After it the card has had back its
 * share of all that was refunded, rounded down, as far as this refund can make up for it, so that refunds of all of an order
 * return exactly what each way paid. Amounts are minor units.
 */
export function shareOfCard(paid: { total: number; byCard: number }, before: Returned, amount: number): number {
  const inAll = Math.min(before.inAll + amount, paid.total)
  const due = Number((BigInt(inAll) * BigInt(paid.byCard)) / BigInt(paid.total))
  return Math.min(amount, Math.max(0, due - before.toCard))
}

/** What was earned, in minor units of one currency. */
export interface ProfitFigures {
  revenue: number
  /** The share of the revenue that is of units whose cost is known. */
  known_revenue: number
  cost: number
  units: number
  known_units: number
}

/** Whether the order was paid for. */
export const isPaid = sql`(orders.purpose = 'goods' AND orders.status NOT IN ('awaiting_payment', 'expired'))`

/** The name of the method that paid an order, or `balance`, or `code`. Needs `orders` in scope. */
export const paidBy = sql`
  coalesce((SELECT ${methodName} FROM payment
    WHERE payment.order_id = orders.id AND payment.settled_to = 'order' ORDER BY payment.id LIMIT 1), orders.payment_method)`

/** How much was refunded of an item. Needs `order_item` in scope. */
export const itemRefunds = sql`(SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE order_item_id = order_item.id)`

/**
 * Joins, as `earned`, what an item earned: what was paid less `refunded` of it since, and what its units cost. A unit
 * that is not delivered yet has a cost that nobody knows. Needs `order_item` in scope.
 */
export const itemProfit = (refunded: Sql): Sql => sql`
  CROSS JOIN LATERAL (
    SELECT unit_price * quantity - ${refunded} AS revenue, coalesce(order_item.known_units, 0) AS known_units,
      CASE WHEN order_item.status IN ('pending', 'unknown') THEN greatest(cost_units, quantity)
        ELSE coalesce(cost_units, quantity) END AS units) AS took
  CROSS JOIN LATERAL (
    SELECT revenue, coalesce(revenue * took.known_units / nullif(units, 0), 0) AS known_revenue,
      coalesce(order_item.cost, 0) AS cost, units, took.known_units) AS earned`

interface ItemProfitRow extends ProfitFigures {
  order_id: string
  item_id: number
}

const readItemProfits = (queries: Queries, orderIds: readonly string[]): Promise<ItemProfitRow[]> =>
  queries.rows<ItemProfitRow>(sql`
    SELECT order_item.order_id, order_item.id AS item_id, earned.*
    FROM orders JOIN order_item ON order_item.order_id = orders.id ${itemProfit(itemRefunds)}
    WHERE orders.id = ANY (${orderIds}::text[]) AND ${isPaid}`)

const noProfit: ProfitFigures = { revenue: 0, known_revenue: 0, cost: 0, units: 0, known_units: 0 }

/** Adds up what was earned in one currency. */
export const addProfits = (all: readonly ProfitFigures[]): ProfitFigures =>
  all.reduce(
    (sum, one) => ({
      revenue: sum.revenue + one.revenue,
      known_revenue: sum.known_revenue + one.known_revenue,
      cost: sum.cost + one.cost,
      units: sum.units + one.units,
      known_units: sum.known_units + one.known_units,
    }),
    noProfit,
  )

/** What the units cost and earned, in minor units; of units none of which has a known cost nobody can say it. */
export function knownProfit({ known_revenue, cost, units, known_units }: ProfitFigures) {
  const isUnknown = units > 0 && known_units === 0
  return { cost: isUnknown ? null : cost, margin: isUnknown ? null : known_revenue - cost }
}

const orNull = (minor: number | null): number | null => (minor === null ? null : toMajor(minor))

/** Formats figures in one currency. */
export function shownProfit(figures: ProfitFigures): Profit {
  const { cost, margin } = knownProfit(figures)
  return {
    revenue: toMajor(figures.revenue),
    cost: orNull(cost),
    margin: orNull(margin),
    unknown_revenue: toMajor(figures.revenue - figures.known_revenue),
    units: figures.units,
    known_units: figures.known_units,
  }
}

/** Reads what each of these orders earned; unpaid ones are left out. */
export async function readOrderProfits(
  queries: Queries,
  orders: readonly { id: string }[],
): Promise<Map<string, Profit>> {
  const items = await readItemProfits(
    queries,
    orders.map(({ id }) => id),
  )
  const byOrder = Map.groupBy(items, ({ order_id }) => order_id)
  return new Map([...byOrder].map(([id, rows]) => [id, shownProfit(addProfits(rows))]))
}

/** Reads what an order earned, and each of its items by their ids; null before it is paid. */
export async function readOneProfit(
  queries: Queries,
  orderId: string,
): Promise<{ order: Profit | null; items: Map<number, Profit> }> {
  const items = await readItemProfits(queries, [orderId])
  return {
    order: items.length === 0 ? null : shownProfit(addProfits(items)),
    items: new Map(items.map((row) => [row.item_id, shownProfit(row)])),
  }
}
