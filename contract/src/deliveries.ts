import { z } from 'zod'
import { unitCost } from './costs.ts'
import { adminEndpoint, webhookEndpoint } from './endpoint.ts'
import { bigId, byBigId, date, listQuery, orderId, reason, text, time, toData, toList, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { currencies, shownAmountSchema } from './money.ts'

export const deliveryStates = ['queued', 'sent', 'done', 'rejected', 'unknown'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One unit under way: of a top-up, or of codes that are bought from a supplier. */
export const delivery = z.object({
  id: bigId,
  order_id: orderId,
  /** The buyer's nickname. */
  nickname: z.string(),
  /** The slug of the product; `code` for codes that are bought. */
  service: z.string(),
  /** The account as one text. */
  account: z.string(),
  player_name: z.string().nullable(),
  product_title: z.string(),
  /** What is to arrive: '60 UC', '1000.00 KZT'. */
  item: z.string(),
  /** Which of the item's units this is. */
  unit: z.int(),
  quantity: z.int(),
  /** What this unit cost. */
  amount: shownAmountSchema,
  currency: z.enum(currencies),
  state: z.enum(deliveryStates),
  /** Since when it is in the operator's queue; null when it is not. */
  operator_since: time.nullable(),
  /** What last went wrong. */
  reason: z.string().nullable(),
  /** The supplier that was asked last, and its id for the order. */
  supplier: z.string().nullable(),
  supplier_order_id: z.string().nullable(),
  /** What it took, where that is known: a decimal, and the currency it is in. */
  cost: z.string().nullable(),
  cost_currency: z.string().nullable(),
  /** When the supplier is asked again. */
  next_at: time.nullable(),
  created_at: time,
  decided_at: time.nullable(),
  version,
})
export type Delivery = z.infer<typeof delivery>

const decision = {
  reason,
  /** An id elsewhere: a receipt, an order at the supplier. */
  reference: text(0, 200).default(''),
  version: version.optional(),
}

export const supplierHealth = z.object({
  name: z.string(),
  sells: z.array(z.string()),
  /** `out`: it failed so often that nothing new is sent to it for now. */
  state: z.enum(['in', 'out']),
  out_until: time.nullable(),
  /** Orders without a clear answer, in a row. */
  failures: z.int(),
  last_answer_at: time.nullable(),
  last_error: z.string().nullable(),
  last_error_at: time.nullable(),
  /** The shop's balance there; null while it is unknown. */
  balance: shownAmountSchema.nullable(),
  balance_currency: z.string().nullable(),
  balance_at: time.nullable(),
  is_balance_low: z.boolean(),
})
export type SupplierHealth = z.infer<typeof supplierHealth>

export const deliveriesApi = {
  list: adminEndpoint('GET /admin/deliveries', {
    operationId: 'listDeliveries',
    permission: 'orders.read',
    summary:
      'Top-ups on their way; `state=operator` are those an operator has to look at. A search is for an order, a buyer or a player',
    query: listQuery(['id', 'operator_since']).extend({
      state: z.enum([...deliveryStates, 'operator']).optional(),
      /** The supplier that delivered it, or `by_hand`. */
      delivered_by: text(0, LIMITS.sellerMax).optional(),
      /** The first and the last day on which they began, in the shop's time zone. */
      from: date.optional(),
      to: date.optional(),
    }),
    answer: toList(delivery),
  }),
  count: adminEndpoint('GET /admin/deliveries/count', {
    operationId: 'countOperatorsDeliveries',
    permission: 'orders.read',
    summary: 'How many an operator has to look at',
    answer: toData(z.object({ with_operator: z.int() })),
  }),
  complete: adminEndpoint('POST /admin/deliveries/:id/complete', {
    operationId: 'completeDelivery',
    permission: 'orders.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'An operator has delivered it, or has seen that it was delivered',
    params: byBigId,
    body: z.strictObject({
      ...decision,
      /** Required for a unit of codes: the code its buyer gets. */
      code: text(1, LIMITS.codeLengthMax).optional(),
      /** What it cost the shop, where the operator knows. */
      cost: unitCost.optional(),
    }),
    answer: toData(delivery),
    confirmed: true,
  }),
  retry: adminEndpoint('POST /admin/deliveries/:id/retry', {
    operationId: 'retryDelivery',
    permission: 'orders.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Begins again where nobody can have delivered it; else only asks the supplier again what became of it',
    params: byBigId,
    body: z.strictObject(decision),
    answer: toData(delivery),
    confirmed: true,
  }),
  refund: adminEndpoint('POST /admin/deliveries/:id/refund', {
    operationId: 'refundDelivery',
    permission: 'orders.refund',
    refusals: ['STATE_CONFLICT'],
    confirmed: true,
    summary:
      'Gives the price of the unit back to the wallet: an operator is sure that it was not delivered, or takes the loss',
    params: byBigId,
    body: z.strictObject(decision),
    answer: toData(delivery),
    idempotent: true,
  }),
  suppliers: adminEndpoint('GET /admin/suppliers', {
    operationId: 'listSuppliers',
    permission: 'catalogue.read',
    summary: 'How the suppliers are, and what the shop has left there',
    answer: z.object({ data: z.array(supplierHealth) }),
  }),
  webhook: webhookEndpoint('POST /supplier/webhook/:supplier', {
    operationId: 'receiveSupplierWebhook',
    summary: 'What a supplier tells; body and answer are in its own shape',
    params: z.object({ supplier: text(1, 32) }),
    answer: z.string(),
  }),
}
