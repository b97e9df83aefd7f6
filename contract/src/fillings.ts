import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { byOrderId, customerPage, orderId, reason, time, toData, toList, version } from './fields.ts'
import { amountSchema, currencies, shownAmountSchema } from './money.ts'
import { orderStatuses } from './orders.ts'

/** How much a customer may fill the balance with at a time, in one currency. */
const bounds = z.object({ currency: z.enum(currencies), least: shownAmountSchema, most: shownAmountSchema })

/** An order of money for the buyer's own balance, for its buyer. */
const filling = z.object({
  id: orderId,
  created_at: time,
  currency: z.enum(currencies),
  amount: shownAmountSchema,
  /** `completed`: the money is in the balance. `expired`: it was not paid in time; what still comes is put into the balance. */
  status: z.enum(orderStatuses),
  /** Where to continue paying, while that is possible. */
  pay_url: z.string().nullable(),
})

const limit = amountSchema.refine((amount) => amount > 0, 'invalid_amount')

export const fillingSettings = z.object({
  /** Off: nobody may fill a balance; what is under way goes on. */
  is_on: z.boolean(),
  least_usd: shownAmountSchema,
  least_rub: shownAmountSchema,
  most_usd: shownAmountSchema,
  most_rub: shownAmountSchema,
  version,
})
export type FillingSettings = z.infer<typeof fillingSettings>

/** What is left out stays. */
const settingsChange = z
  .strictObject({ is_on: z.boolean(), least_usd: limit, least_rub: limit, most_usd: limit, most_rub: limit, version })
  .partial()

/** What was paid for a filling, how much was refunded to the card, and what still can be. */
export const refundedFilling = z.object({
  id: orderId,
  currency: z.enum(currencies),
  /** What was paid for it, in the currency of the balance, without the method's fee. */
  paid: shownAmountSchema,
  refunded: shownAmountSchema,
  /** How much can be refunded now: what was not, as far as it is still in the balance. */
  refundable: shownAmountSchema,
  refunds: z.array(
    z.object({
      amount: shownAmountSchema,
      /** What goes back of the method's fee besides. */
      fee: shownAmountSchema,
      /** `failed`: the card did not take it, and the money is in the balance again. */
      status: z.enum(['done', 'waiting', 'failed']),
      /** Whether somebody made it in the provider's cabinet. */
      is_outside: z.boolean(),
      created_at: time,
    }),
  ),
})
export type RefundedFilling = z.infer<typeof refundedFilling>

export const fillingsApi = {
  terms: endpoint('GET /balance/filling-terms', {
    operationId: 'readFillingTerms',
    access: 'customer',
    tag: 'wallet',
    summary: 'Whether the balance can be filled by `POST /payment/create`, and with how much at a time',
    answer: z.object({ is_on: z.boolean(), bounds: z.array(bounds) }),
  }),
  list: endpoint('GET /balance/fillings', {
    operationId: 'listFillings',
    access: 'customer',
    tag: 'wallet',
    summary: 'Own fillings of the balance, newest first, those that wait for their payment too',
    query: z.strictObject(customerPage),
    answer: toList(filling),
  }),
  settings: adminEndpoint('GET /admin/filling-settings', {
    operationId: 'readFillingSettings',
    permission: 'payments.read',
    summary: 'Whether customers may fill their balance, and with how much at a time',
    answer: toData(fillingSettings),
  }),
  change: adminEndpoint('PUT /admin/filling-settings', {
    operationId: 'changeFillingSettings',
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes whether customers may fill their balance, and with how much at a time',
    body: settingsChange,
    answer: toData(fillingSettings),
    confirmed: true,
  }),
  refund: adminEndpoint('POST /admin/fillings/:id/refund', {
    operationId: 'refundFilling',
    permission: 'orders.refund',
    refusals: ['INSUFFICIENT_BALANCE', 'STATE_CONFLICT', 'PAYMENT_PROVIDER_UNAVAILABLE'],
    summary: 'Takes money of a filling out of the balance again and gives it back to the card',
    params: byOrderId,
    body: z.strictObject({
      /** By default all that can be refunded. */
      amount: limit.optional(),
      /** What had been refunded when the operator looked. Without it, whatever is left is refunded from. */
      seen: z.strictObject({ refunded: shownAmountSchema }).optional(),
      reason,
    }),
    answer: toData(refundedFilling),
    confirmed: true,
    idempotent: true,
  }),
}
