import { z } from 'zod'
import { itemTypes } from './cart.ts'
import { codeStatuses, searchedCode } from './codes.ts'
import { profit } from './costs.ts'
import { dispute, disputeFlags } from './disputes.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  bigId,
  bigIdText,
  byId,
  byOrderId,
  date,
  id,
  idText,
  listQuery,
  orderId,
  reason,
  search,
  shownRegion,
  text,
  time,
  toData,
  toList,
  version,
} from './fields.ts'
import { refundedFilling } from './fillings.ts'
import * as LIMITS from './limits.ts'
import { currencies, shownAmountSchema } from './money.ts'
import { itemStatuses, listedOrder, orderPurposes, orderStatuses, partialRefund, paymentMethods } from './orders.ts'
import { amountText } from './payments.ts'

const buyer = { user_id: id, nickname: z.string() }

export const orderRow = z.object({
  ...listedOrder.omit({ items: true, paid_by: true }).shape,
  ...buyer,
  /** The worst dispute against it. */
  dispute: z.enum(disputeFlags).nullable(),
  /** What it earned, in its currency; null before it is paid. */
  profit: profit.nullable(),
  items: z.array(
    z.object({
      item_type: z.enum(itemTypes),
      title: z.string(),
      game_amount: z.number(),
      game_currency: z.string(),
      region: shownRegion.nullable(),
      quantity: z.int(),
      status: z.enum(itemStatuses),
    }),
  ),
})
export type OrderRow = z.infer<typeof orderRow>

const orderCode = z.object({
  id: bigId,
  /** Masked. */
  code: z.string(),
  status: z.enum(codeStatuses),
  sold_at: time,
  /** When the buyer first saw it. */
  revealed_at: time.nullable(),
  /** When it was returned, by a refund or a replacement. */
  returned_at: time.nullable(),
  /** What it cost when it was sold: a decimal in the order's currency; null where that is unknown. */
  cost: z.string().nullable(),
})
export type OrderCode = z.infer<typeof orderCode>

const orderTransfer = z.object({
  id: bigId,
  created_at: time,
  kind: z.string(),
  /** Kinds of account: wallet, sales, adjustments, card, disputes. */
  from: z.string(),
  to: z.string(),
  currency: z.enum(['USD', 'RUB']),
  amount: shownAmountSchema,
  reason: z.string().nullable(),
  made_by: z.string().nullable(),
})

/** Who did what to an order, and when. `details` differ by kind. */
export const orderEvent = z.object({
  at: time,
  /**
   * `placed`, `transfer`, `payment_opened`, `payment_settled`, `codes_sold`, `codes_revealed`, `codes_returned`,
   * `refund`, `dispute`, `status`, `supplier_asked`, `supplier_answered`, `operator_queue`, `notified` (a notification to
   * the customer), `conversation` (one that names the order); an admin's action by its name.
   */
  kind: z.string(),
  /** The admin's nickname; null when the shop itself did it. */
  actor: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type OrderEvent = z.infer<typeof orderEvent>

/**
 * Statuses an admin may set by hand: an unpaid order expires, a paid one is refunded to the wallet, and one in processing is
 * completed whose units were delivered by hand.
 */
const settableStatuses = ['completed', 'expired', 'refunded'] as const
export type SettableStatus = (typeof settableStatuses)[number]

/** What narrows a list of orders; all that is given has to fit. */
export const orderFilters = {
  purpose: z.enum(orderPurposes).optional(),
  status: z.enum(orderStatuses).optional(),
  payment_method: z.enum(paymentMethods).optional(),
  /** The name of the method that paid, or `balance`, or `code`. */
  paid_by: text(0, LIMITS.methodNameMax).optional(),
  /** Whether it was paid for, whatever was refunded of it since. */
  paid: z.enum(['true', 'false']).optional(),
  dispute: z.enum(disputeFlags).optional(),
  currency: z.enum(currencies).optional(),
  /** The first and the last day on which they were placed, in the shop's time zone. */
  from: date.optional(),
  to: date.optional(),
  /** The first and the last day on which money of them was refunded, and why it was. */
  refunded_from: date.optional(),
  refunded_to: date.optional(),
  refund_reason: text(0, LIMITS.reasonMax).optional(),
  /** The least and the most they came to. */
  amount_from: amountText.optional(),
  amount_to: amountText.optional(),
  productId: idText.optional(),
  /** Who delivered one of its units, or was asked to. */
  supplier: text(0, LIMITS.sellerMax).optional(),
  /** A player's id, a login, or the first of several values that make an account. */
  account: text(0, LIMITS.accountValueMax).optional(),
  /** The id of a payment, here or at its provider. */
  payment: text(0, LIMITS.vendorReferenceMax).optional(),
  /** A part of the buyer's nickname. */
  nickname: text(0, LIMITS.nicknameMax).optional(),
  /** Where a receipt went. */
  email: text(0, LIMITS.emailLengthMax).optional(),
  /** The id of a code that was sold, sent to a supplier or activated; `lookUpCode` tells it. */
  code: bigIdText.optional(),
}
const sorts = ['created_at', 'total_amount', 'status'] as const

const viewFilters: Readonly<Record<string, z.ZodType>> = {
  search,
  ...orderFilters,
  sort: z.enum(sorts),
  order: z.enum(['asc', 'desc']),
}

/** Whether the list has such a filter, and it can have this value. */
export const isViewFilter = (name: string, value: string): boolean =>
  Object.hasOwn(viewFilters, name) && viewFilters[name]?.safeParse(value).success === true

export const orderView = z.object({
  id,
  name: z.string(),
  /** As the address of the list has them, without what the list can't be narrowed by any more. */
  filters: z.record(z.string(), z.string()),
  /** Whether filters were left out for that reason. */
  is_incomplete: z.boolean(),
  /** Whether all colleagues have it. */
  is_shared: z.boolean(),
  /** Who made it. */
  made_by: z.string(),
  is_own: z.boolean(),
  /** Whether the caller may change and delete it. */
  is_changeable: z.boolean(),
  version,
})
export type SavedView = z.infer<typeof orderView>

const newView = z.strictObject({
  name: text(1, LIMITS.orderViewNameMax),
  filters: z
    .record(z.string(), z.string())
    .refine((given) => Object.entries(given).every(([name, value]) => isViewFilter(name, value)), 'invalid')
    .refine((given) => Object.keys(given).length > 0, 'required'),
  is_shared: z.boolean(),
})
export type NewOrderView = z.output<typeof newView>

const viewChange = newView.extend({ version }).partial()
export type OrderViewChange = z.output<typeof viewChange>

export const adminOrdersApi = {
  list: adminEndpoint('GET /admin/orders', {
    operationId: 'listAllOrders',
    permission: 'orders.read',
    summary:
      'Orders of everybody; a search is for a part of an order id or nickname, a user id, an account, a payment or an e-mail',
    query: listQuery(sorts).extend(orderFilters),
    answer: toList(orderRow),
  }),
  lookUpCode: adminEndpoint('POST /admin/orders/code', {
    operationId: 'lookUpCode',
    permission: 'orders.read',
    summary:
      'Tells the id of a whole code, by which orders are filtered; in a body, because addresses stand in logs. Who asked stays in the audit trail',
    body: z.strictObject({ code: searchedCode }),
    answer: toData(z.object({ id: bigId.nullable() })),
  }),
  views: adminEndpoint('GET /admin/order-views', {
    operationId: 'listOrderViews',
    permission: 'orders.read',
    summary: 'Filters of the orders that the caller keeps under a name, and those that colleagues share',
    answer: toData(z.array(orderView)),
  }),
  addView: adminEndpoint('POST /admin/order-views', {
    operationId: 'addOrderView',
    permission: 'orders.read',
    refusals: ['DUPLICATE'],
    summary: 'Keeps filters of the orders under a name, for oneself or for all colleagues',
    body: newView,
    answer: toData(orderView),
    status: 201,
  }),
  changeView: adminEndpoint('PUT /admin/order-views/:id', {
    operationId: 'changeOrderView',
    permission: 'orders.read',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Renames a view, shares it or keeps other filters in it; one of a colleague takes the permission for the staff',
    params: byId,
    body: viewChange,
    answer: toData(orderView),
  }),
  removeView: adminEndpoint('DELETE /admin/order-views/:id', {
    operationId: 'removeOrderView',
    permission: 'orders.read',
    refusals: ['STATE_CONFLICT'],
    summary: 'Deletes a view; one of a colleague takes the permission for the staff',
    params: byId,
    answer: toData(z.object({ id })),
  }),
  ofUser: adminEndpoint('GET /admin/users/:id/orders', {
    operationId: 'listOrdersOfUser',
    permission: 'customers.read',
    refusals: ['USER_NOT_FOUND'],
    summary: 'Orders of one user',
    params: byId,
    query: listQuery(sorts).extend(orderFilters),
    answer: toList(orderRow),
  }),
  one: adminEndpoint('GET /admin/orders/:id', {
    operationId: 'readAnyOrder',
    permission: 'orders.read',
    summary: 'An order with its masked codes, the money it moved, and who did what when',
    params: byOrderId,
    answer: toData(
      listedOrder.extend({
        ...buyer,
        id: orderId,
        profit: profit.nullable(),
        /** Null for goods. */
        filling: refundedFilling.nullable(),
        /** How its money goes back to the card: by the store, or in the provider's cabinet only; null if no card paid it. */
        card_refunds: z.enum(['by_store', 'in_cabinet']).nullable(),
        /** Where the fiscal receipt of its payment goes; null without one. */
        receipt_email: z.string().nullable(),
        /** The version of the shop's terms that was published when it was ordered; null if none was. */
        terms_version: version.nullable(),
        items: z.array(
          listedOrder.shape.items.element.extend({
            codes: z.array(orderCode),
            profit: profit.nullable(),
            partial_refunds: z.array(partialRefund),
            /** How much of its price, and how many of its units, were not refunded. */
            left_amount: shownAmountSchema,
            left_quantity: z.int(),
          }),
        ),
        transfers: z.array(orderTransfer),
        timeline: z.array(orderEvent),
        disputes: z.array(dispute),
      }),
    ),
  }),
  setStatus: adminEndpoint('PUT /admin/orders/:id/status', {
    operationId: 'setOrderStatus',
    permission: 'orders.refund',
    refusals: ['STATE_CONFLICT'],
    confirmed: true,
    summary:
      'Ends an unpaid order, gives all of a paid one back to the wallet, or, with `orders.write`, says of what waits for an operator that it was delivered by hand; along the table of states',
    params: byOrderId,
    body: z.strictObject({ status: z.enum(settableStatuses), reason }),
    answer: toData(z.object({ id: orderId, status: z.enum(orderStatuses) })),
    idempotent: true,
  }),
  replaceCode: adminEndpoint('POST /admin/orders/:id/codes/:codeId/replace', {
    operationId: 'replaceCodeOfOrder',
    permission: 'codes.replace',
    refusals: ['NOT_FOUND', 'CODE_NOT_FOUND', 'OUT_OF_STOCK', 'STATE_CONFLICT'],
    confirmed: true,
    summary: 'Gives the buyer another code in the place of a bad one, which goes into quarantine',
    params: byOrderId.extend({ codeId: bigIdText }),
    body: z.strictObject({ reason }),
    answer: toData(z.object({ id: orderId, item_id: bigId, code_id: bigId, replaced_code_id: bigId })),
    idempotent: true,
  }),
}
