import { z } from 'zod'
import { itemTypes } from './cart.ts'
import { endpointsFor } from './endpoint.ts'
import { bigId, byOrderId, customerPage, id, orderId, search, shownRegion, text, time } from './fields.ts'
import * as LIMITS from './limits.ts'
import { chargeCurrencies, shownAmountSchema } from './money.ts'
import { shownTopup } from './topup-data.ts'

export const orderStatuses = [
  'pending',
  'completed',
  'awaiting_payment',
  'expired',
  'refunded',
  'partially_refunded',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const itemStatuses = ['awaiting_payment', 'pending', 'delivered', 'unknown', 'refunded', 'expired'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/** `balance`: a filling of the buyer's own balance, which has no items. */
export const orderPurposes = ['goods', 'balance'] as const
export type OrderPurpose = (typeof orderPurposes)[number]

/** `code`: delivered for a code, which was paid for when it was bought. */
export const paymentMethods = ['balance', 'card', 'code'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** How customers know the ways to pay: each has a picture in the shop and a name in three languages. */
export const paymentMarks = ['card', 'sbp', 'payme', 'click', 'crypto', 'sandbox', 'sandbox_soums'] as const
export type PaymentMark = (typeof paymentMarks)[number]

const orderItem = z.object({
  id: bigId,
  item_type: z.enum(itemTypes),
  /** The price of the whole line in the order's currency. */
  amount: shownAmountSchema,
  quantity: z.int(),
  /** For Steam: the amount in `game_currency`, which may have decimals. */
  game_amount: z.number(),
  game_currency: z.string(),
  status: z.enum(itemStatuses),
  /** Null for a top-up, and for a code that works everywhere. */
  region: shownRegion.nullable(),
  product: z.object({
    title: z.string(),
    description: z.string(),
    image_url: z.string(),
    /** The product's own colour, as #rrggbb. */
    color: z.string(),
    activation_instructions: z.string(),
  }),
  topup_data: shownTopup.nullable(),
  /** What a customer needs to buy it again. */
  again: z.object({
    /** The product's. */
    slug: z.string(),
    /** Null for an amount, which is no offer. */
    offer_id: id.nullable(),
    /** The account as it was filled in; null for a code. */
    account: z.record(z.string(), z.string()).nullable(),
  }),
})

/** How customers sort their orders: those that are about to change, those that are over, and why. */
const orderShelves = ['open', 'completed', 'refunded', 'expired'] as const
export type OrderShelf = (typeof orderShelves)[number]

/** Where a refund went: `both` for what was paid both ways, each its own part. */
const refundedTo = ['wallet', 'card', 'both'] as const
export type RefundedTo = (typeof refundedTo)[number]

/** A refund of some units of a line, or of a sum, while the rest stays with the customer. */
export const partialRefund = z.object({
  /** How many units were returned; null for a sum alone. */
  quantity: z.int().nullable(),
  amount: shownAmountSchema,
  destination: z.enum(refundedTo),
})
export type PartialRefund = z.infer<typeof partialRefund>

/** How an order is paid past the balance, by the payment that counts for it: the one that paid it, else the latest. */
const paidBy = z.object({
  /** The name of the method. */
  method: z.string(),
  /** Null for a method that the shop no longer has. */
  mark: z.enum(paymentMarks).nullable(),
  /**
   * What the payer is charged; null where that is in the order's own currency: the total without `from_balance`, and the
   * fee.
   */
  charge: z.object({ amount: shownAmountSchema, currency: z.enum(chargeCurrencies) }).nullable(),
  /** What the method costs the payer on top of the total, in the order's currency; 0 for nothing. */
  fee: shownAmountSchema,
  /** How much of the fee was refunded, or is on its way. */
  fee_refunded: shownAmountSchema,
})
export type PaidBy = z.infer<typeof paidBy>

const order = z.object({
  id: orderId,
  /** The list of own orders has only goods. */
  purpose: z.enum(orderPurposes),
  created_at: time,
  currency: z.enum(['USD', 'RUB']),
  total_amount: shownAmountSchema,
  /** How much of the total the buyer's balance pays, while the rest is paid by card; 0 where one of them pays all. */
  from_balance: shownAmountSchema,
  /** The coupon it was ordered with, and what that took off: the total is without it. */
  coupon: z.object({ code: z.string(), discount: shownAmountSchema }).nullable(),
  status: z.enum(orderStatuses),
  /** Whether its payment is awaited, the bank declined the latest one, and no other may be paid or came. */
  is_declined: z.boolean(),
  payment_method: z.enum(paymentMethods),
  /** Null where the balance pays all of it. */
  paid_by: paidBy.nullable(),
})

export const listedOrder = order.extend({ items: z.array(orderItem) })
export type ListedOrder = z.infer<typeof listedOrder>

export const paymentStatuses = ['opening', 'open', 'succeeded', 'canceled'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/**
 * The payment by card that counts: the one that paid, else, while the order waits, one that has not ended, else the latest.
 * Where it is canceled, pressing pay again opens another.
 */
const cardPayment = z.object({
  status: z.enum(paymentStatuses),
  /** Where to continue paying, while that is possible. */
  pay_url: z.string().nullable(),
  /** Until when its codes are reserved. */
  expires_at: time.nullable(),
  /** Where the money went: what the order could not take is in the wallet. */
  settled_to: z.enum(['order', 'wallet', 'operator']).nullable(),
  /** Whether it was paid for twice, and the second payment is in the wallet. */
  is_paid_twice: z.boolean(),
})

const stepNames = ['paid', 'sent', 'delivered', 'unknown', 'refunded'] as const
/** How far a top-up has come. `unknown`: the supplier did not answer, and it is being looked into. */
export type StepName = (typeof stepNames)[number]

/** The owner's receipt. */
export const receipt = order.extend({
  payment: cardPayment.nullable(),
  items: z.array(
    orderItem.extend({
      /** One text of all its codes, one below the other; null for none. */
      code: z.string().nullable(),
      /** Each of its codes, which may be of several lines: a login and its password. */
      codes: z.array(z.string()),
      /** Further codes that turned out bad before they were seen: each is replaced, or its price refunded. */
      withheld_codes: z.int(),
      /**
       * How many of its codes are frozen: they were not shown before, and wait for the end of a dispute about a payment
       * of this customer.
       */
      held_codes: z.int(),
      refunded_to: z.enum(refundedTo).nullable(),
      /** How many units of a top-up could not be delivered and were refunded to the wallet. */
      refunded_units: z.int(),
      /** Oldest first. */
      partial_refunds: z.array(partialRefund),
      /** Within how many minutes of the payment it was promised, as far as it is delivered by somebody; null for stock. */
      promised_minutes: z.int().nullable(),
      /** For a top-up: what has happened so far, each kind of step once, oldest first. */
      steps: z.array(z.object({ name: z.enum(stepNames), at: time })),
    }),
  ),
})
export type Receipt = z.infer<typeof receipt>

const orderEndpoint = endpointsFor({ access: 'customer', tag: 'orders' })

export const ordersApi = {
  list: orderEndpoint('GET /orders', {
    operationId: 'listOrders',
    summary: 'Own orders, newest first, without codes',
    query: z.strictObject({
      ...customerPage,
      search: search.default(''),
      state: z.enum(orderShelves).optional(),
      /** The slug of a product that has to be in the order. */
      product: text(1, LIMITS.slugLengthMax).optional(),
    }),
    answer: z.object({ orders: z.array(listedOrder), total: z.int() }),
  }),
  products: orderEndpoint('GET /orders/products', {
    operationId: 'listOrderedProducts',
    summary: 'The products of own orders, each once, by title',
    answer: z.object({ data: z.array(z.object({ slug: z.string(), title: z.string() })) }),
  }),
  events: orderEndpoint('GET /orders/events', {
    operationId: 'followOrders',
    refusals: ['RATE_LIMITED'],
    stream: true,
    summary:
      'Server-sent events: own orders whose state, or whose items, changed. Ends now and then; ask for the orders again then',
    answer: z.object({ id: orderId, status: z.enum(orderStatuses) }),
  }),
  receipt: orderEndpoint('GET /orders/:id', {
    operationId: 'readOrder',
    refusals: ['RATE_LIMITED'],
    summary: 'One own order with its codes; records who saw them, once an hour',
    params: byOrderId,
    /** Hidden codes are null, none of them counts as withheld or held, and nobody is recorded to have seen them. */
    query: z.strictObject({ codes: z.enum(['shown', 'hidden']).default('shown') }),
    answer: receipt,
  }),
}
