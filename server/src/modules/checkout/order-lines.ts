import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { type Currency, priceIn } from '@olmos/contract/money'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import type { Lack } from '../../platform/database/failures.ts'
import type { Tx } from '../../platform/database/queries.ts'
import type { CartLine } from '../cart/cart.ts'
import type { CodeReservation, ReservedCodes } from '../codes/take-codes.ts'
import type { UnitDiscount } from '../coupons/coupons.ts'
import { countOnTheWay } from '../delivery/deliveries.ts'
import type { NewItem } from '../orders/place-order.ts'
import { readNumbers } from '../shop/shop.ts'

/** A line that an order is made of: of the cart, or of a top-up that was never in it (its id is `pastTheCart`). */
export type OrderLine = Omit<CartLine, 'seen_usd' | 'seen_rub' | 'is_on_demand' | 'is_offered_check' | 'kept'> &
  Partial<Pick<CartLine, 'is_on_demand' | 'kept'> & UnitDiscount>

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

const outOfStock = (line: OrderLine, available: number): Failure =>
  new Failure('OUT_OF_STOCK', { ...toName(line), requested: line.quantity, available_count: available })

/** Prices the lines as items of an unpaid order, in its currency. */
export const toItems = (lines: readonly OrderLine[], currency: Currency): NewItem[] =>
  lines.map((line, index) => ({
    position: index + 1,
    itemType: line.item_type,
    offerId: line.offer_id,
    priceVersion: line.price_version,
    productId: line.product_id,
    unitPrice: priceIn(line, currency) - (line.unit_discount ?? 0),
    unitDiscount: line.unit_discount,
    unitFloor: line.unit_floor,
    quantity: line.quantity,
    gameCurrency: line.game_currency,
    status: 'awaiting_payment',
    isOnDemand: line.is_on_demand,
    target: line.target,
    kept: line.kept,
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

/** Names the refusal of a sale that lacks codes; undefined for another lack. */
export function toOutOfStock(lines: readonly OrderLine[], { what, place, had }: Lack): Failure | undefined {
  const line = what === 'codes' && place !== null ? lines[place - 1] : undefined
  return line && outOfStock(line, had ?? 0)
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

/** What stock had for the codes of an order; `found` has the order of `wanted`. */
interface ShelfCodes {
  lines: readonly OrderLine[]
  wanted: readonly CodeReservation[]
  found: readonly number[]
  /** Whether the missing codes have been queued for delivery already. */
  isQueued: boolean
}

/**
 * Refuses with OUT_OF_STOCK when more codes of an offer would be on order from suppliers than are allowed at a time.
 */
export async function requireRoom(tx: Tx, { lines, wanted, found, isQueued }: ShelfCodes): Promise<void> {
  if (wanted.every(({ quantity }, index) => quantity === (found[index] ?? 0))) return
  const { on_demand_units: most } = await readNumbers(tx)
  for (const [index, { position, offerId, quantity }] of wanted.entries()) {
    const line = lines[position - 1]
    const missing = quantity - (found[index] ?? 0)
    if (!line || missing === 0) continue
    const room = most - (await countOnTheWay(tx, offerId)) + (isQueued ? missing : 0)
    if (missing > room) throw outOfStock(line, quantity - missing + Math.max(0, room))
  }
}

/** Minor units. */
export const toTotal = (items: readonly NewItem[]): number =>
  items.reduce((total, item) => total + item.unitPrice * item.quantity, 0)
