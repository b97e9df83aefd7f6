import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import type { TestOffer, TestUser } from '../factories.ts'

/** The state the store must have after each command, computed without it. Amounts are in minor units. */
export interface Model {
  buyers: Buyer[]
  shelves: Shelf[]
  orders: Order[]
  denominations: Denomination[]
  /** Roubles per dollar, in hundredths. */
  rate: number
  isSteamSold: boolean
}

export type Prices = Record<Currency, number>

/** The codes of one import. */
export interface Batch {
  id: number
  isRecalled: boolean
}

export interface Code {
  text: string
  batch: Batch
  /** `off`: nobody can buy it any more; `gone`: deleted without a trace. */
  state: 'available' | 'reserved' | 'used' | 'off' | 'gone'
  wasSold: boolean
  /** By its buyer, so nobody else may have it. */
  isSeen: boolean
}

/** An offer and its stock, in the order in which it is sold. */
export interface Shelf {
  offer: TestOffer
  price: Prices
  isActive: boolean
  deleted: 'offer' | 'product' | undefined
  codes: Code[]
  imported: number
}

/** A top-up of Free Fire. */
export interface Denomination {
  id: number
  gameAmount: number
  price: Prices
  /** The supplier's present name for it. */
  item: string
  isDeleted: boolean
}

export const count = (shelf: Shelf, state: Code['state']): number =>
  shelf.codes.filter((code) => code.state === state).length

/** Takes codes out of stock, the oldest first. */
function take(shelf: Shelf, quantity: number, to: 'reserved' | 'used'): Code[] {
  const taken = shelf.codes.filter(({ state }) => state === 'available').slice(0, quantity)
  for (const code of taken) {
    code.state = to
    code.wasSold ||= to === 'used'
  }
  return taken
}

const comesBack = ({ deleted }: Shelf, { batch, isSeen }: Code): boolean =>
  deleted === undefined && !batch.isRecalled && !isSeen

function release(shelf: Shelf, codes: readonly Code[]): void {
  for (const code of codes) code.state = comesBack(shelf, code) ? 'available' : 'off'
}

export interface Line {
  itemId: number
  shelf: Shelf
  quantity: number
  /** What the customer saw last. */
  seen: Prices
}

export interface Buyer {
  user: TestUser
  money: Prices
  lines: Line[]
  /** What the cart, as it is now, has become. */
  ofCart: Order | undefined
}

export interface Payment {
  paymentId: string
  key: string
  status: 'open' | 'succeeded' | 'canceled'
}

export interface Item {
  shelf: Shelf
  quantity: number
  unitPrice: number
  isRefunded: boolean
  /** Codes reserved for it, or sold by it. */
  codes: Code[]
}

/** Dollars that arrive for a Steam login. */
export interface SteamWish {
  login: string
  amount: number
}

/** A top-up without a cart. Equal ones are one object. */
export type TopupWish = SteamWish | Denomination

/** The commission that a new shop begins with. */
const commissionPercent = 3

/** Prices a top-up: a denomination has its price; Steam follows the rate, with the commission, each sum rounded up. */
export function topupPrice({ rate }: Pick<Model, 'rate'>, wish: TopupWish): Prices {
  if ('price' in wish) return wish.price
  const cents = wish.amount * (100 + commissionPercent)
  return { USD: cents, RUB: Math.ceil((cents * rate) / 100) }
}

export const isTopupSold = ({ isSteamSold }: Pick<Model, 'isSteamSold'>, wish: TopupWish): boolean =>
  'isDeleted' in wish ? !wish.isDeleted : isSteamSold

export interface Order {
  id: string
  buyer: Buyer
  currency: Currency
  total: number
  /** How much of it the balance pays, while a card pays the rest. */
  part: number
  /** What went back of it, in all and to the card. */
  returned: { inAll: number; toCard: number }
  status: OrderStatus
  /** The top-up of an order without a cart; such an order has no items here. */
  topup?: TopupWish
  /** The supplier's name for a denomination when it was ordered. */
  supplierItem?: string
  items: Item[]
  /** Whether no other order superseded it. */
  isOfSomeCart: boolean
  isOverdue: boolean
  /** The latest is the last; empty for an order from the balance. */
  payments: Payment[]
}

export const isOnSale = (shelf: Shelf): boolean => shelf.isActive && shelf.deleted === undefined

export const toTotal = (lines: readonly Pick<Line, 'shelf' | 'quantity'>[], currency: Currency): number =>
  lines.reduce((sum, { shelf, quantity }) => sum + shelf.price[currency] * quantity, 0)

/** Lists the unpaid orders that a new one of this buyer would supersede. */
const replaceable = ({ orders }: Model, buyer: Buyer): Order[] =>
  orders.filter(
    (order) =>
      order.buyer === buyer &&
      order.isOfSomeCart &&
      order.topup === undefined &&
      (order.status === 'awaiting_payment' || (order.status === 'expired' && buyer.ofCart === order)),
  )

/** Whether the buyer ever paid for an order; others may reserve little. */
export const hasPaid = ({ orders }: Pick<Model, 'orders'>, buyer: Buyer): boolean =>
  orders.some((order) => order.buyer === buyer && !['awaiting_payment', 'expired'].includes(order.status))

/** Lists why the whole cart can't be bought now: any of these refusals is right; empty when it can. */
export function listRefusals(
  model: Model,
  buyer: Buyer,
  wanted: { currency: Currency; from: 'balance' | 'card'; part?: number },
) {
  const { lines } = buyer
  if (lines.length === 0) return ['CART_EMPTY']
  if (lines.some((line) => !isOnSale(line.shelf))) return ['OUT_OF_STOCK']
  const isStale = ({ shelf: { price }, seen }: Line) => price.USD !== seen.USD || price.RUB !== seen.RUB
  if (lines.some(isStale)) return ['PRICE_CHANGED']
  const freed = replaceable(model, buyer).filter((order) => order.status === 'awaiting_payment')
  const toFreed = (shelf: Shelf) =>
    freed
      .flatMap((order) => order.items)
      .flatMap((item) => (item.shelf === shelf ? item.codes.filter((code) => comesBack(shelf, code)) : [])).length
  const isShort = lines.some(({ shelf, quantity }) => count(shelf, 'available') + toFreed(shelf) < quantity)
  const toReserved = (shelf: Shelf) =>
    count(shelf, 'reserved') -
    freed.flatMap(({ items }) => items).flatMap((item) => (item.shelf === shelf ? item.codes : [])).length
  const isShared = lines.some(({ shelf, quantity }) => {
    const [onShelf, reserved] = [count(shelf, 'available') + toFreed(shelf), toReserved(shelf)]
    return reserved + quantity > Math.ceil(((onShelf + reserved) * firstNumbers.reserved_share_percent) / 100)
  })
  const isOverShare = wanted.from === 'card' && isShared
  const fromBalance = wanted.from === 'balance' ? toTotal(lines, wanted.currency) : (wanted.part ?? 0)
  const freedMoney = freed
    .filter(({ currency }) => currency === wanted.currency)
    .reduce((sum, { part }) => sum + part, 0)
  const isPoor = buyer.money[wanted.currency] + freedMoney < fromBalance
  return [
    ...(isPoor ? ['INSUFFICIENT_BALANCE'] : []),
    ...(isShort ? ['OUT_OF_STOCK'] : []),
    ...(isOverShare ? ['STATE_CONFLICT'] : []),
  ]
}

/** Turns the cart into this order, which supersedes the unpaid ones before it. */
export function place(
  model: Model,
  buyer: Buyer,
  { part = 0, ...order }: Pick<Order, 'id' | 'currency' | 'payments'> & { part?: number },
): Order {
  for (const older of replaceable(model, buyer)) {
    expire(older)
    older.isOfSomeCart = false
  }
  const placed = order.payments.length === 0 ? sell(buyer, buyer.lines, order) : reserve(buyer, part, order)
  if (order.payments.length === 0) buyer.lines = []
  buyer.ofCart = placed
  model.orders.push(placed)
  return placed
}

type Wanted = Pick<Line, 'shelf' | 'quantity'>

/** Buys one offer from the balance, whatever is in the cart. */
export function placeNow(
  model: Model,
  buyer: Buyer,
  { line, ...order }: { line: Wanted; id: string; currency: Currency },
): void {
  model.orders.push({ ...sell(buyer, [line], { ...order, payments: [] }), isOfSomeCart: false })
}

type Placed = Pick<Order, 'id' | 'currency' | 'payments'>

function sell(buyer: Buyer, lines: readonly Wanted[], order: Placed): Order {
  const sold = toOrder(buyer, lines, { ...order, part: 0, status: 'completed' })
  buyer.money[order.currency] -= sold.total
  return sold
}

function reserve(buyer: Buyer, part: number, order: Placed): Order {
  buyer.money[order.currency] -= part
  return toOrder(buyer, buyer.lines, { ...order, part, status: 'awaiting_payment' })
}

const toOrder = (buyer: Buyer, lines: readonly Wanted[], order: Placed & Pick<Order, 'part' | 'status'>): Order => ({
  ...order,
  buyer,
  total: toTotal(lines, order.currency),
  returned: { inAll: 0, toCard: 0 },
  // An order has its items in the order of their offers, whatever was put into the cart first.
  items: lines
    .toSorted((one, other) => one.shelf.offer.id - other.shelf.offer.id)
    .map(({ shelf, quantity }) => ({
      shelf,
      quantity,
      unitPrice: shelf.price[order.currency],
      isRefunded: false,
      codes: take(shelf, quantity, order.status === 'completed' ? 'used' : 'reserved'),
    })),
  isOfSomeCart: true,
  isOverdue: false,
})

export function expire(order: Order): void {
  if (order.status !== 'awaiting_payment') return
  order.status = 'expired'
  order.buyer.money[order.currency] += order.part
  for (const item of order.items) {
    release(item.shelf, item.codes)
    item.codes = []
  }
}

/** Whether all of the order could be sold at this moment, at prices that the test accepts. */
function isSoldAt(
  model: Model,
  { items, topup, total, currency }: Order,
  accepts: (price: { now: number; ordered: number; isSteam: boolean }) => boolean,
): boolean {
  if (topup) {
    const now = topupPrice(model, topup)[currency]
    return isTopupSold(model, topup) && accepts({ now, ordered: total, isSteam: 'login' in topup })
  }
  return items.every(
    ({ shelf, unitPrice }) =>
      isOnSale(shelf) && accepts({ now: shelf.price[currency], ordered: unitPrice, isSteam: false }),
  )
}

/** A repeated press resumes the earlier order only at the prices in force. */
export const isResumable = (model: Model, order: Order): boolean =>
  isSoldAt(model, order, ({ now, ordered }) => now === ordered)

const isNotDearer = (price: { now: number; ordered: number; isSteam: boolean }): boolean =>
  price.now * 100 <= price.ordered * (100 + (price.isSteam ? firstNumbers.late_loss_percent : 0))

/**
 * Settles a payment: for the codes if they are available at that price, else into the wallet. Nothing is delivered to a
 * buyer whom an operator has blocked.
 */
export function settle(model: Model, order: Order, payment: Payment, { isBlocked = false } = {}): void {
  if (payment.status === 'succeeded') return
  payment.status = 'succeeded'
  const { buyer, items } = order
  const isWaiting = order.status === 'awaiting_payment'
  const isLate = order.status === 'expired' && order.isOfSomeCart && isSoldAt(model, order, isNotDearer)
  for (const { codes } of items) {
    for (const code of codes) if (isWaiting && code.batch.isRecalled) code.state = 'off'
  }
  const reserved = ({ codes }: Item) => codes.filter(({ state }) => state === 'reserved')
  const canBeHad = items.every((item) => count(item.shelf, 'available') >= item.quantity - reserved(item).length)
  // The part that was returned may be spent by now.
  const hasPart = isWaiting || buyer.money[order.currency] >= order.part
  if (isBlocked || !(isWaiting || isLate) || !canBeHad || !hasPart) {
    for (const item of items) item.codes = isWaiting ? reserved(item) : item.codes
    expire(order)
    buyer.money[order.currency] += order.total - order.part
    return
  }
  if (!isWaiting) buyer.money[order.currency] -= order.part
  for (const item of items) {
    const kept = reserved(item)
    for (const code of kept) {
      code.state = 'used'
      code.wasSold = true
    }
    item.codes = [...kept, ...take(item.shelf, item.quantity - kept.length, 'used')]
  }
  order.status = order.topup === undefined ? 'completed' : 'pending'
  if (buyer.ofCart === order) buyer.lines = []
}

export const canRefund = (order: Order, items: readonly Item[], to: 'wallet' | 'card'): boolean =>
  ['completed', 'partially_refunded'].includes(order.status) &&
  items.length > 0 &&
  items.every((item) => !item.isRefunded) &&
  (to === 'wallet' || order.payments.length > 0)

export function refund(order: Order, items: readonly Item[], to: 'wallet' | 'card'): void {
  const amount = items.reduce((sum, item) => sum + item.unitPrice * item.quantity, 0)
  for (const item of items) {
    item.isRefunded = true
    release(item.shelf, item.codes)
    item.codes = []
  }
  const { returned, total, part } = order
  returned.inAll += amount
  const dueToCard = Math.floor((returned.inAll * (total - part)) / total)
  const toCard = to === 'card' ? Math.min(amount, Math.max(0, dueToCard - returned.toCard)) : 0
  returned.toCard += toCard
  order.buyer.money[order.currency] += amount - toCard
  order.status = order.items.every((item) => item.isRefunded) ? 'refunded' : 'partially_refunded'
}
