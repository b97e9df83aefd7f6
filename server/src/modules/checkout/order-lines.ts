import type { CancelReason } from '@olmos/contract/admin-payments'
import { Failure } from '@olmos/contract/failure'
import { pastTheCart } from '@olmos/contract/failure-codes'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import type { Database } from '../../platform/database/database.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { type CartLine, lockCartVersion } from '../cart/cart.ts'
import { isOnSale, offerPlace } from '../catalogue/availability.ts'
import { type CodeReservation, type ReservedCodes, releaseCodes } from '../codes/take-codes.ts'
import { releaseCoupon, type UnitDiscount } from '../coupons/coupons.ts'
import { releasePart } from '../orders/order-money.ts'
import {
  isUnpaid,
  type LockedOrder,
  lockNextOverdue,
  lockOrder,
  moveItems,
  moveOrder,
  readLockedItems,
  supersedeUnpaidOrder,
} from '../orders/order-states.ts'
import { type NewItem, type NewOrder, type TopupOrder, topupOrders } from '../orders/place-order.ts'
import { cancelUnopenedPayments } from '../payments/payments.ts'
import { readNumbers } from '../shop/shop.ts'
import { priceSteamAgain } from '../topups/price-steam.ts'
import { type CheckedTopup, priceTopup } from '../topups/price-topup.ts'
import { isRepeat, type TopupLine, topupKey } from '../topups/topups.ts'

/** A line that an order is made of: of the cart, or of a top-up that was never in it (its id is `pastTheCart`). */
export type OrderLine = Omit<CartLine, 'seen_usd' | 'seen_rub' | 'is_on_demand' | 'is_offered_check'> &
  Partial<Pick<CartLine, 'is_on_demand'> & UnitDiscount>

/** Names the line that a refusal is about. */
const toName = (line: OrderLine) => ({
  item_id: line.id,
  offer_id: line.offer_id,
  product_title: line.title,
  game_amount: line.game_amount,
  game_currency: line.game_currency,
})

/** Refuses a cart that can't be charged as the customer last saw it. */
export function requireUnchanged(lines: readonly CartLine[]): void {
  if (lines.length === 0) throw new Failure('CART_EMPTY')
  requireOnSale(lines)
  const changed = lines.filter((line) => line.price_usd !== line.seen_usd || line.price_rub !== line.seen_rub)
  if (changed.length === 0) return
  const items = changed.map((line) => ({
    ...toName(line),
    price_usd: toMajor(line.price_usd),
    price_rub: toMajor(line.price_rub),
  }))
  throw new Failure('PRICE_CHANGED', { items })
}

interface SeenTotal {
  currency: Currency
  seen: number
  /** What a refusal names besides, of a top-up: what it costs in each currency. */
  prices?: { price_usd: number; price_rub: number }
}

/** Refuses a total that differs from the one the customer saw, both in minor units: PRICE_CHANGED. */
export function requireSeenTotal(total: number, { currency, seen, prices }: SeenTotal): void {
  if (total !== seen) throw new Failure('PRICE_CHANGED', { currency, total: toMajor(total), ...prices })
}

export function requireOnSale(lines: readonly OrderLine[]): void {
  const gone = lines.find((line) => !line.is_on_sale)
  if (gone) throw outOfStock(gone, 0)
}

export const outOfStock = (line: OrderLine, available: number): Failure =>
  new Failure('OUT_OF_STOCK', { ...toName(line), requested: line.quantity, available_count: available })

/** Prices the lines as items of an unpaid order, in its currency. */
export const toItems = (lines: readonly OrderLine[], currency: Currency): NewItem[] =>
  lines.map((line, index) => ({
    position: index + 1,
    itemType: line.item_type,
    offerId: line.offer_id,
    priceVersion: line.price_version,
    productId: line.product_id,
    unitPrice: (currency === 'USD' ? line.price_usd : line.price_rub) - (line.unit_discount ?? 0),
    unitDiscount: line.unit_discount,
    unitFloor: line.unit_floor,
    quantity: line.quantity,
    gameCurrency: line.game_currency,
    status: 'awaiting_payment',
    isOnDemand: line.is_on_demand,
    target: line.target,
  }))

/**
 * Prices the lines as items of a paid order: a code is delivered the moment it is sold, while a top-up, and a code that
 * has to be bought first, is pending.
 */
export const toPaidItems = (lines: readonly OrderLine[], currency: Currency): NewItem[] =>
  toItems(lines, currency).map((item) => ({
    ...item,
    status: item.itemType === 'topup' || item.isOnDemand ? 'pending' : 'delivered',
  }))

/** Returns the status of a paid order: completed once none of its items is pending. */
export const toPaidStatus = (items: readonly Pick<NewItem, 'status'>[]): 'pending' | 'completed' =>
  items.some((item) => item.status === 'pending') ? 'pending' : 'completed'

/** Returns the items that take codes from stock. Top-ups take none: they are bought when they are ordered. */
export const wantedCodes = (orderId: string, items: readonly NewItem[]): (NewItem & CodeReservation)[] =>
  items.flatMap((item) => {
    const { itemType, offerId } = item
    return itemType === 'code' && offerId !== null ? [{ ...item, orderId, offerId }] : []
  })

/** Refuses when stock had fewer codes than wanted and they can't be bought. `found` has the order of `wanted`. */
export function requireFound(
  lines: readonly OrderLine[],
  wanted: readonly CodeReservation[],
  found: readonly number[],
): void {
  wanted.forEach(({ position, quantity }, index) => {
    const line = lines[position - 1]
    const count = found[index] ?? 0
    if (line && count < quantity && !line.is_on_demand) throw outOfStock(line, count)
  })
}

/**
 * Refuses when unpaid orders have used up their share of an offer: STATE_CONFLICT with how many could be reserved, or
 * OUT_OF_STOCK if stock would be too small in any case. `reservations` has the order of `wanted`.
 */
export function requireShare(
  lines: readonly OrderLine[],
  wanted: readonly CodeReservation[],
  reservations: readonly ReservedCodes[],
  { reservation_minutes: minutes }: ShopNumbers,
): void {
  wanted.forEach(({ position, quantity: requested }, index) => {
    const line = lines[position - 1]
    const codes = reservations[index]
    if (!line || !codes?.is_capped || line.is_on_demand) return
    if (codes.on_shelf < requested) throw outOfStock(line, codes.on_shelf)
    const left = { requested, available_count: codes.reserved, minutes }
    throw new Failure('STATE_CONFLICT', { reason: 'shelf_reserved', ...toName(line), ...left })
  })
}

/** Minor units. */
export const toTotal = (items: readonly NewItem[]): number =>
  items.reduce((total, item) => total + item.unitPrice * item.quantity, 0)

/** The entry that pays for an order from its buyer's wallet, and can't be made twice. */
export const purchaseEntry = ({ id, userId, currency, total }: NewOrder) =>
  ({
    userId,
    currency,
    amount: total,
    kind: 'purchase',
    shopAccount: 'sales',
    orderId: id,
    key: `purchase:${id}`,
  }) as const

/**
 * Expires a locked order that was not paid, and releases its codes, what is reserved of the balance and the use of its
 * coupon. Money that still arrives is settled by `settlePayment`. `why` is said of a payment that was not opened.
 */
export async function expireOrder(tx: Tx, order: LockedOrder, why: CancelReason = 'not_opened'): Promise<void> {
  const items = await readLockedItems(tx, order)
  await tx.pipeline({
    order: (tx) => moveOrder(tx, order, 'expired'),
    items: (tx) => moveItems(tx, order, items, 'expired'),
    codes: (tx) => releaseCodes(tx, order.id),
    payments: (tx) => cancelUnopenedPayments(tx, order.id, why),
    part: (tx) => releasePart(tx, order),
    coupon: (tx) => (order.coupon_id === null ? undefined : releaseCoupon(tx, order.coupon_id)),
  })
}

/**
 * Supersedes an unpaid order by another one: money that still arrives for it goes to the wallet. The caller has locked
 * the cart.
 */
export async function supersedeOrder(tx: Tx, orderId: string, why?: CancelReason): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) return
  if (order.status === 'awaiting_payment') await expireOrder(tx, order, why)
  await supersedeUnpaidOrder(tx, order)
}

/** Expires every order that is overdue. One that is just being paid is left to its payment. */
export async function expireOverdueOrders(database: Database): Promise<number> {
  for (let expired = 0; ; expired++) {
    const isMore = await database.transaction(async (tx) => {
      const order = await lockNextOverdue(tx)
      if (order) await expireOrder(tx, order)
      return order !== undefined
    })
    if (!isMore) return expired
  }
}

export interface TopupWish {
  userId: number
  topup: CheckedTopup
  /** Whether the customer agreed to buy an equal top-up again. */
  confirmRepeat: boolean
}

interface LockedTopup {
  /** The lines as they would be charged; the id of each is `pastTheCart`. */
  lines: (TopupLine & { id: number })[]
  /** The key by which this purchase is recognised when it is resumed. */
  key: string
  /** The customer's equal orders: unpaid, or placed a moment ago. */
  equal: TopupOrder[]
}

/**
 * Prices a top-up as it would be charged now, and locks the customer's cart: the customer buys nothing else until the
 * transaction ends. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, or INVALID_AMOUNT for an amount.
 */
export async function lockTopup(tx: Tx, { userId, topup }: TopupWish): Promise<LockedTopup> {
  const { priced } = await tx.pipeline({
    cart: (tx) => lockCartVersion(tx, userId),
    priced: (tx) => priceTopup(tx, topup),
  })
  const lines = priced.map((line) => ({ ...line, id: pastTheCart }))
  requireOnSale(lines)
  return { lines, key: topupKey(lines), equal: await ordersLike(tx, userId, lines) }
}

/**
 * Finds the customer's orders with a top-up like one of these lines, from the cart or without it: unpaid, or placed a
 * moment ago. The caller has locked the cart, so that each of several equal purchases sees those before it.
 */
export async function ordersLike(tx: Tx, userId: number, lines: readonly OrderLine[]): Promise<TopupOrder[]> {
  const topups = lines.flatMap(({ offer_id, quantity, target }) => (target ? [{ offer_id, quantity, target }] : []))
  if (topups.length === 0) return []
  const accounts = topups.map(({ target }) => target.account)
  const orders = await topupOrders(tx, userId, accounts)
  return orders.filter((order) => isRepeat(topups, order.topups))
}

/**
 * Supersedes equal top-ups that are unpaid: money that still arrives for them goes to the wallet. Refuses one so soon after
 * the last, unless the customer agreed: STATE_CONFLICT. A refunded one does not count.
 */
export async function replaceEqual(
  tx: Tx,
  equal: readonly TopupOrder[],
  { confirmRepeat }: Pick<TopupWish, 'confirmRepeat'>,
): Promise<void> {
  const repeated = equal.find(({ is_recent, status }) => is_recent && !isUnpaid(status) && status !== 'refunded')
  if (repeated && !confirmRepeat) {
    const { repeat_seconds: seconds } = await readNumbers(tx)
    throw new Failure('STATE_CONFLICT', { reason: 'repeat', order_id: repeated.id, seconds })
  }
  for (const order of equal) if (isUnpaid(order.status)) await supersedeOrder(tx, order.id)
}

/** How an ordered item would be sold now. */
interface ItemTerms {
  is_on_sale: boolean
  /** The price of one without a coupon, in minor units of the order's currency: as it was ordered, and as it is now. */
  unit_price: number
  price_now: number
  quantity: number
  /** Whether its price follows from rates. */
  is_steam: boolean
}

/**
 * Returns why money that came late no longer buys the items of its order; undefined if it still does. What follows from rates may
 * have become dearer by so much.
 */
export function whyNotSold(
  items: readonly ItemTerms[],
  lossPercent: number,
): 'not_on_sale' | 'price_changed' | undefined {
  if (items.some((item) => !item.is_on_sale)) return 'not_on_sale'
  return items.some((item) => isDearer(item, lossPercent)) ? 'price_changed' : undefined
}

/** Rates move a little every day, while an offer's price moves only when an admin changes it. */
const isDearer = ({ unit_price, price_now, is_steam }: ItemTerms, lossPercent: number): boolean =>
  (price_now - unit_price) * 100 > (is_steam ? unit_price * lossPercent : 0)

/** Returns what all items cost now, in minor units. */
export const costNow = (items: readonly ItemTerms[]): number =>
  items.reduce((sum, { price_now, quantity }) => sum + price_now * quantity, 0)

/** Returns whether somebody who ordered the same items now would get them at the same prices. */
export const isSoldAsOrdered = (items: readonly ItemTerms[]): boolean =>
  items.every(({ is_on_sale, unit_price, price_now }) => is_on_sale && unit_price === price_now)

interface TermsRow extends Omit<ItemTerms, 'price_now'> {
  /** None of a top-up of Steam, which is no offer. */
  price_now: number | null
  steam_amount: number | null
  steam_currency: SteamCurrency | null
  product_id: number
}

/**
 * Reads the terms on which each item of a locked order would be sold now. Prices and rates are read once and not
 * locked: a change that commits while the money is being accepted counts from then on.
 */
export async function termsNow(tx: Tx, { id, currency }: Pick<LockedOrder, 'id' | 'currency'>): Promise<ItemTerms[]> {
  const rows = await tx.rows<TermsRow>(sql`
    SELECT order_item.unit_price + order_item.unit_discount AS unit_price, order_item.quantity, ${isOnSale} AS is_on_sale, target.steam_currency IS NOT NULL AS is_steam,
      CASE ${currency}::text WHEN 'USD' THEN offer.price_usd ELSE offer.price_rub END AS price_now,
      target.steam_amount, target.steam_currency, product.id AS product_id
    FROM order_item
    LEFT JOIN offer ON offer.id = order_item.offer_id
    JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
    ${offerPlace}
    LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
    WHERE order_item.order_id = ${id} ORDER BY order_item.position`)
  const wishes = rows.flatMap(({ steam_amount: amount, steam_currency: currency, product_id: productId }) =>
    amount !== null && currency !== null ? [{ amount, currency, productId }] : [],
  )
  const steam = await priceSteamAgain(tx, wishes)
  return rows.map(({ steam_amount: _amount, steam_currency: _currency, product_id: _product, price_now, ...terms }) => {
    const price = terms.is_steam ? steam.shift() : undefined
    if (!price) return { ...terms, price_now: price_now ?? 0 }
    return { ...terms, price_now: currency === 'USD' ? price.priceUsd : price.priceRub }
  })
}
