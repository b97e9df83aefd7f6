import { randomInt } from 'node:crypto'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idLength = 10

/** Ten characters nobody can guess or mistake for each other. */
export function newOrderId(): string {
  return Array.from({ length: idLength }, () => crockford[randomInt(crockford.length)]).join('')
}

/** What of an item's price is not given back yet, in minor units. */
export const priceLeftOf = (item: { unit_price: number; quantity: number; refunded_amount: number }): number =>
  item.unit_price * item.quantity - item.refunded_amount

export const isOrderId = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{10}$/.test(text)
