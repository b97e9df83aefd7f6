import { Failure } from '@olmos/contract/failure'
import { splitSum, toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { LineRefund, RefundDestination, RefundedOrder, RefundRequest, SeenLine } from '@olmos/contract/payments'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { type Spender, spendLimit } from '../accounts/staff.ts'
import { returnCodes, returnSomeCodes } from '../codes/change-code.ts'
import { cardPart, refundFee, shareOfCard, takeDueFee } from '../orders/order-money.ts'
import {
  type LockedItem,
  type LockedOrder,
  lockOrder,
  moveItems,
  moveOrder,
  notifyCustomer,
  readItemStates,
  requireOrder,
} from '../orders/order-states.ts'
import { priceLeft, shownLeft } from '../orders/orders.ts'
import { dueFor, insertRefunds, noteParts, refundItems } from '../orders/refunds.ts'
import { findOrderPayment, insertCardRefund, readCardRefunds, sumCardRefunds } from '../payments/card-refunds.ts'
import { readOrderMoney, requireRefundable } from '../payments/disputes.ts'
import type { RefundedPart } from '../payments/fiscal-receipt.rules.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { findPaidPayments } from '../payments/payments.ts'
import type { Providers } from '../payments/providers.ts'
import { moveBetween } from '../wallet/wallet.ts'
import { requireRefundsAt, sendCardRefund } from './card-refunds.ts'

interface WantedRefund extends RefundRequest, Spender {
  orderId: string
  /** How many payments of the order the provider was asked about, by `learnRefunds`. */
  askedPayments: number
}

/**
 * Refunds an order, some of its items, or a part of them: at once to the wallet, or to the card, for which the provider is
 * asked afterwards. Of an order that both paid, a refund to the card sends each its share. All refunds of an item are
 * together at most its price, less what was refunded in the provider's cabinet; the one that completes the order gives the
 * fee back as well, where it is due. The codes of what is refunded are returned, and those somebody saw go to quarantine; a
 * refund of a mere sum returns none. Returns the order's id. Refuses with STATE_CONFLICT more than is left, a line of which
 * other than was seen is left, and an order whose money a bank has taken back, or may be about to; and with OVERLOADED, to
 * be retried, an order that was paid since the provider was asked, because nobody knows yet what was refunded of that
 * payment in its cabinet.
 */
export async function refundOrder(tx: Tx, providers: Providers, wanted: WantedRefund): Promise<string> {
  const order = await requireOrder(tx, wanted.orderId)
  const orderId = order.id
  const paid = await findPaidPayments(tx, orderId)
  if (paid.length !== wanted.askedPayments) throw new Failure('OVERLOADED', undefined, 'a payment came meanwhile')
  const all = await readItemStates(tx, order.id)
  requireSeen(order, all, wanted.seen)
  const lines = toChosen(order, all, wanted.items)
  await requireRefundable(
    tx,
    order,
    lines.reduce((total, line) => total + line.amount, 0),
  )

  const why = { reason: wanted.reason, madeBy: wanted.adminId }
  const parts = await noteParts(
    tx,
    order,
    lines.filter(({ isPart }) => isPart),
  )
  const sums = [...parts, ...lines.filter(({ isPart }) => !isPart).map((line) => ({ ...line, partId: null }))]
  const due = await dueFor(
    tx,
    order,
    sums.map(({ item, partId, amount }) => ({ id: item.id, partId, amount })),
    why,
  )
  const amount = sumDue(due)
  const gone = lines.filter((line) => line.isGone).map(({ item }) => item)
  const isWhole = all.every((item) => item.status === 'refunded' || gone.includes(item))
  const ways = wanted.to === 'card' ? await splitRefund(tx, providers, order, due) : { card: [], wallet: due }
  const fee = isWhole ? await takeDueFee(tx, order) : 0
  const toCard = { ...ways, fee: wanted.to === 'card' ? fee : 0 }
  const cardRefundId = await payToCard(tx, order, toCard, toParts(sums, ways.card))
  await insertRefunds(tx, order, ways.card, { ...why, destination: 'card', cardRefundId })
  await insertRefunds(tx, order, ways.wallet, { ...why, destination: 'wallet', cardRefundId: null })
  await takeCodesBack(tx, lines)
  await refundItems(tx, order, ways.wallet, why)
  await refundFee(tx, order, fee - toCard.fee, why)
  // Where none of them goes no status changes: this tells all the same who looks at the order.
  await moveItems(tx, order, gone, 'refunded')
  const status = isWhole ? 'refunded' : 'partially_refunded'
  if (status !== order.status) await moveOrder(tx, order, status)
  // A further part of the order goes back, and no change of the status tells the customer.
  else notifyCustomer(tx, order, status)
  await spendLimit(tx, wanted, { amount: amount + fee, currency: order.currency })
  await writeAudit(tx, {
    actorId: wanted.adminId,
    action: 'order.refund',
    subject: `order:${orderId}`,
    before: { status: order.status },
    after: {
      status,
      items: lines.map(({ item }) => item.id),
      ...(parts.length > 0 && {
        parts: parts.map(({ partId, item, quantity, amount }) => ({ id: partId, item: item.id, quantity, amount })),
      }),
      amount,
      ...(fee > 0 && { fee }),
      currency: order.currency,
      to: wanted.to,
      ...(wanted.to === 'card' && ways.wallet.length > 0 && { to_balance: sumDue(ways.wallet) }),
      reason: wanted.reason,
    },
  })
  return orderId
}

/**
 * Refunds what is left of a locked order to the wallet, because its provider has taken the card's part back and nothing of
 * the order was used: the codes are returned, and what went back to the card covers its share.
 */
export async function refundRest(tx: Tx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) throw new Error(`order ${orderId} is gone`)
  const items = (await readItemStates(tx, order.id)).filter(({ status }) => status === 'delivered')
  const why = { reason: 'refunded_at_provider', madeBy: null }
  const whole = items.map((item) => ({ id: item.id, partId: null, amount: priceLeft(item) }))
  const due = await dueFor(tx, order, whole, why)
  await insertRefunds(tx, order, due, { ...why, destination: 'wallet', cardRefundId: null })
  await returnCodes(
    tx,
    items.map(({ id }) => id),
  )
  await refundItems(tx, order, due, why)
  await moveItems(tx, order, items, 'refunded')
  await moveOrder(tx, order, 'refunded')
}

/** What is refunded of one item now. */
interface Line {
  item: LockedItem
  /** Minor units. */
  amount: number
  /** How many units; undefined for a mere sum, or for all that is left. */
  quantity: number | null
  codeIds: readonly number[] | undefined
  isPart: boolean
  /** Whether the customer keeps nothing of the item. */
  isGone: boolean
}

/** Refuses a line of which something was refunded since it was seen: two colleagues would refund the same part twice. */
function requireSeen({ id: orderId }: LockedOrder, all: readonly LockedItem[], seen: readonly SeenLine[] = []): void {
  const items = all.map((item) => ({ id: item.id, ...shownLeft(item) }))
  for (const line of seen) {
    const now = items.find(({ id }) => id === line.id)
    if (!now) throw new Failure('NOT_FOUND', { items: [line.id] })
    if (now.left_amount !== line.left_amount || now.left_quantity !== line.left_quantity)
      throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: { id: orderId, items } })
  }
}

/** Refuses items that were not delivered: what is still on its way is not decided here. */
function toChosen(order: LockedOrder, all: readonly LockedItem[], asked: readonly LineRefund[] | undefined): Line[] {
  const wishes = new Map(asked?.map((wish) => [wish.id, wish]))
  const chosen = all.filter((item) => (asked ? wishes.has(item.id) : item.status === 'delivered'))
  const unknown = [...wishes.keys()].filter((id) => !all.some((item) => item.id === id))
  if (unknown.length > 0) throw new Failure('NOT_FOUND', { items: unknown })
  const refused = chosen.filter((item) => item.status !== 'delivered')
  if (refused.length > 0)
    throw new Failure('STATE_CONFLICT', {
      reason: 'items_not_delivered',
      items: refused.map(({ id, status }) => ({ id, status })),
    })
  if (chosen.length === 0)
    throw new Failure('STATE_CONFLICT', { reason: 'move_not_allowed', status: order.status, wanted: 'refunded' })
  // An activated code was paid for when it was sold.
  if (chosen.every((item) => item.unit_price === 0)) throw new Failure('STATE_CONFLICT', { reason: 'nothing_paid' })
  return chosen.map((item) => toLine(item, wishes.get(item.id) ?? { id: item.id }))
}

/** Refuses more than is left of the item, in units or in money: STATE_CONFLICT. */
function toLine(item: LockedItem, { quantity, amount: sum, codeIds }: LineRefund): Line {
  const left = priceLeft(item)
  if (quantity === undefined && sum === undefined)
    return { item, amount: left, quantity: null, codeIds: undefined, isPart: false, isGone: true }
  const unitsLeft = item.quantity - item.refunded_units
  const amount = quantity === undefined ? toMinor(sum ?? 0) : quantity * item.unit_price
  const isTooMany = quantity !== undefined && quantity > unitsLeft
  if (isTooMany || amount > left) {
    const reason = isTooMany ? 'above_quantity_left' : 'above_left'
    throw new Failure('STATE_CONFLICT', { reason, item: item.id, left: toMajor(left), quantity_left: unitsLeft })
  }
  if (codeIds && item.item_type !== 'code') throw new Failure('CODE_NOT_FOUND', { ids: codeIds })
  // A top-up can't be taken back, so all that is left of it is its money.
  const isGone = quantity === undefined ? item.item_type === 'topup' && amount === left : quantity === unitsLeft
  return { item, amount, quantity: quantity ?? null, codeIds, isPart: true, isGone }
}

async function takeCodesBack(tx: Tx, lines: readonly Line[]): Promise<void> {
  await returnCodes(
    tx,
    lines.filter(({ isPart }) => !isPart).map(({ item }) => item.id),
  )
  for (const { item, quantity, codeIds } of lines) {
    if (item.item_type === 'code' && quantity !== null) {
      await returnSomeCodes(tx, { itemId: item.id, quantity, codeIds })
    }
  }
}

/** Says what is due of which items, for a fiscal receipt. All that is left of an item is all units that are left. */
function toParts(
  sums: readonly (Line & { partId: number | null })[],
  due: readonly { id: number; partId: number | null; amount: number }[],
): RefundedPart[] {
  return due.flatMap(({ id, partId, amount }) => {
    const line = sums.find((one) => one.item.id === id && one.partId === partId)
    if (!line || amount === 0) return []
    const { item, isPart } = line
    const quantity = isPart ? line.quantity : Math.max(1, item.quantity - item.refunded_units)
    return [{ item: item.position - 1, quantity: quantity ?? undefined, amount }]
  })
}

type DueItems = Awaited<ReturnType<typeof dueFor>>

/** What goes back each way, by item. */
interface RefundWays {
  payment?: { id: number }
  card: DueItems
  wallet: DueItems
}

const sumDue = (due: DueItems): number => due.reduce((sum, { amount }) => sum + amount, 0)

/** Divides a refund among the card and the balance as the order was paid. Refuses what the store can't refund to the card. */
async function splitRefund(tx: Tx, providers: Providers, order: LockedOrder, due: DueItems): Promise<RefundWays> {
  const payment = await findOrderPayment(tx, order.id)
  if (!payment) throw new Failure('STATE_CONFLICT', { reason: 'not_paid_by_card', to: 'not_paid_by_card' })
  requireRefundsAt(providers, payment.provider)
  if (order.wallet_amount === 0) return { payment, card: due, wallet: [] }
  const money = await readOrderMoney(tx, order.id)
  const before = {
    inAll: money.refunded + money.charged_back,
    toCard: (await sumCardRefunds(tx, payment.id)) + money.charged_back,
  }
  const share = shareOfCard({ total: order.total, byCard: cardPart(order) }, before, sumDue(due))
  const sums = due.map(({ amount }) => amount)
  const toCard = splitSum(share, sums)
  const divided = (amounts: readonly number[]) =>
    due.map((item, index) => ({ ...item, amount: amounts[index] ?? 0 })).filter(({ amount }) => amount > 0)
  return { payment, card: divided(toCard), wallet: divided(sums.map((sum, index) => sum - (toCard[index] ?? 0))) }
}

/** Adds the refund to the card, with the part of the fee that goes back. Returns null if nothing goes there. */
async function payToCard(
  tx: Tx,
  { id: orderId, currency }: LockedOrder,
  { payment, card, fee }: RefundWays & { fee: number },
  parts: readonly RefundedPart[],
): Promise<number | null> {
  const amount = sumDue(card)
  if (!payment || amount + fee === 0) return null
  const id = await insertCardRefund(tx, payment.id, { amount, fee, currency, parts })
  const entry = { to: 'card', kind: 'payout', currency, orderId } as const
  if (amount > 0) await moveBetween(tx, { ...entry, from: 'sales', amount, key: `card-refund:${id}` })
  if (fee > 0) await moveBetween(tx, { ...entry, from: 'fees', amount: fee, key: `card-refund-fee:${id}` })
  return id
}

interface RefundRow {
  item_id: number
  quantity: number | null
  amount: number
  destination: RefundDestination
  is_waiting: boolean
  reason: string
  created_at: Date
}

const readRefunds = (queries: Queries, orderId: string) =>
  queries.rows<RefundRow>(sql`
    SELECT refund.order_item_id AS item_id, refund_part.quantity, refund.amount, destination, reason, refund.created_at,
      coalesce(card_refund.status IN ('sending', 'sent'), false) AS is_waiting
    FROM refund LEFT JOIN card_refund ON card_refund.id = refund.card_refund_id
    LEFT JOIN refund_part ON refund_part.id = part_id
    WHERE refund.order_id = ${orderId} AND NOT by_chargeback ORDER BY refund.id`)

const readOrderStatus = (queries: Queries, orderId: string) =>
  queries.one<{ status: OrderStatus; currency: Currency }>(
    sql`SELECT status, currency FROM orders WHERE id = ${orderId}`,
  )

/** Sends the order's refunds to the card, and returns how the order stands. */
export async function finishRefund(shop: PaymentShop, orderId: string): Promise<RefundedOrder> {
  for (const id of await readCardRefunds(shop.database, orderId)) await sendCardRefund(shop, id)
  const [{ status, currency }, refunds] = await Promise.all([
    readOrderStatus(shop.database, orderId),
    readRefunds(shop.database, orderId),
  ])
  return {
    id: orderId,
    status,
    refunds: refunds.map(({ amount, is_waiting, created_at, ...refund }) => ({
      ...refund,
      amount: toMajor(amount),
      currency,
      status: is_waiting ? 'waiting' : 'done',
      created_at: created_at.toISOString(),
    })),
  }
}
