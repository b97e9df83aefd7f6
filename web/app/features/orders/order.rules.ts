import type { ItemStatus, ListedOrder, OrderStatus, Receipt } from '@olmos/contract/orders'
import { regionText } from '../../money/region-text.ts'

/** Colours a state: delivered, pending, refused; what is over and no fault is calm. */
export type Tone = 'good' | 'wait' | 'bad' | 'calm'

export const orderTones: Record<OrderStatus, Tone> = {
  completed: 'good',
  pending: 'wait',
  awaiting_payment: 'wait',
  partially_refunded: 'calm',
  expired: 'calm',
  refunded: 'calm',
}

export const itemTones: Record<ItemStatus, Tone> = {
  delivered: 'good',
  awaiting_payment: 'wait',
  pending: 'wait',
  unknown: 'wait',
  expired: 'calm',
  refunded: 'calm',
}

/** An order of only top-ups has no codes to wait for. */
export const isOnlyTopups = (order: ListedOrder | Receipt): boolean =>
  order.items.length > 0 && order.items.every((item) => item.item_type === 'topup')

/**
 * How an order is labelled: one of only top-ups that are paid for is completed, as the purchase is over; how far each of
 * them is on its way its items say.
 */
export const toLabel = (order: ListedOrder | Receipt): OrderStatus =>
  order.status === 'pending' && isOnlyTopups(order) ? 'completed' : order.status

/** The state of pending top-ups, which the label of a completed order hides. */
export const readDelivery = (order: ListedOrder | Receipt): 'pending' | 'unknown' | undefined => {
  if (toLabel(order) === order.status) return undefined
  return order.items.some(({ status }) => status === 'unknown') ? 'unknown' : 'pending'
}

type ReceiptItem = Receipt['items'][number]

/** What a code is for, and where it works. */
const codesName = ({ product, region }: ReceiptItem, amount: string): string =>
  [product.title, amount, region && regionText(region)].filter(Boolean).join(', ')

/** One code as it is copied. Where it works stands below it: a field that takes one line keeps the code's beginning. */
export const copiedCode = (item: ReceiptItem, code: string, amount: string): string =>
  item.region ? `${code}\n${codesName(item, amount)}` : code

/** All codes of an order as they are copied or shared: bare when they are all alike, else below what they are for. */
export function copiedCodes(order: Receipt, toAmount: (item: ReceiptItem) => string): string {
  const items = order.items.filter(({ codes }) => codes.length > 0)
  if (items.length === 1 && !items[0]?.region) return inTurn(allCodes(order))
  return items.map((item) => [codesName(item, toAmount(item)), inTurn(item.codes)].join('\n')).join('\n\n')
}

/** One below the other; where they have several lines themselves, with an empty one between. */
const inTurn = (texts: readonly string[]): string =>
  texts.join(texts.slice(1).some((text) => text.includes('\n')) ? '\n\n' : '\n')

/** A count for texts that tell one from several and name no number: in Russian 21 would be like one. */
export const oneOrMore = (count: number): number => Math.min(count, 2)

export const allCodes = (order: Receipt): string[] => order.items.flatMap(({ codes }) => codes)

/**
 * Finds the address at which codes are redeemed in the steps that explain it: `roblox.com/redeem`. Undefined where they name
 * none.
 */
export const redeemAddress = (instructions: string): string | undefined =>
  /(?:^|[\s(])(?:https:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[\w.~/-]*[\w~/-])?)(?=$|[\s,.;:!?)])/m.exec(
    instructions,
  )?.[1]

/** Links to that address; one that ends with a slash wants the code behind it. */
export const redeemLink = (address: string, code: string | undefined): string =>
  `https://${address}${address.endsWith('/') && code ? encodeURIComponent(code) : ''}`

/** Returns whether codes can be expected although none is shown: something was paid for and not refunded. */
export const mayHaveCodes = (order: Receipt): boolean =>
  (order.status === 'completed' || order.status === 'partially_refunded') &&
  order.items.every((item) => item.withheld_codes === 0 && item.held_codes === 0)

/** Whether the order is about to change by itself. */
export const isAwaited = (order: ListedOrder | Receipt): boolean =>
  order.status === 'awaiting_payment' || order.status === 'pending'
