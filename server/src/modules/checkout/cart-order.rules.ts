import { Failure } from '@olmos/contract/failure'
import { type Currency, toMajor } from '@olmos/contract/money'
import type { ItemStatus } from '@olmos/contract/orders'
import type { CartLine } from '../cart/hold-cart.ts'
import type { NewItem } from '../orders/place-order.ts'

/** How a refusal names the line it is about. */
const nameOf = (line: CartLine) => ({
  item_id: line.id,
  offer_id: line.offer_id,
  product_title: line.title,
  game_amount: line.game_amount,
  game_currency: line.game_currency,
})

/** Refuses a cart that can't be charged as the customer last saw it. */
export function requireUnchanged(lines: readonly CartLine[]): void {
  if (lines.length === 0) throw new Failure('CART_EMPTY')
  const gone = lines.find((line) => !line.is_on_sale)
  if (gone) throw outOfStock(gone, 0)
  const changed = lines.filter((line) => line.price_usd !== line.seen_usd || line.price_rub !== line.seen_rub)
  if (changed.length === 0) return
  const items = changed.map((line) => ({
    ...nameOf(line),
    price_usd: toMajor(line.price_usd),
    price_rub: toMajor(line.price_rub),
  }))
  throw new Failure('PRICE_CHANGED', { items })
}

export const outOfStock = (line: CartLine, available: number): Failure =>
  new Failure('OUT_OF_STOCK', { ...nameOf(line), requested: line.quantity, available_count: available })

/** The items an order has for these lines, priced in its currency. A code is delivered the moment it is sold. */
export const itemsOf = (lines: readonly CartLine[], currency: Currency, status: ItemStatus): NewItem[] =>
  lines.map((line, index) => ({
    position: index + 1,
    itemType: line.item_type,
    offerId: line.offer_id,
    priceVersion: line.price_version,
    unitPrice: currency === 'USD' ? line.price_usd : line.price_rub,
    quantity: line.quantity,
    gameCurrency: line.game_currency,
    status,
  }))

/** Minor units. */
export const totalOf = (items: readonly NewItem[]): number =>
  items.reduce((total, item) => total + item.unitPrice * item.quantity, 0)
