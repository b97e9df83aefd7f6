import { z } from 'zod'
import { couponCode } from './coupons.ts'
import { adminEndpoint, endpoint, endpointsFor, webhookEndpoint } from './endpoint.ts'
import { bigId, byOrderId, orderId, reason, text, time, toData } from './fields.ts'
import { emailAddress } from './fiscal-settings.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, chargeCurrencies, currencies, currencySchema, shownAmountSchema } from './money.ts'
import { orderStatuses, paymentMarks } from './orders.ts'
import { topupData, topupRefusals } from './topup-data.ts'

/** `balance`: the payer's own balance is filled with the amount, where the shop has that switched on. */
const paymentPurposes = ['order', 'balance'] as const

const paymentFields = z.strictObject({
  /** The total the customer saw; when another is in force: 409 PRICE_CHANGED. For `balance`, what it is filled with. */
  amount: amountSchema,
  currency: currencySchema,
  /**
   * How much of the total the balance pays, less than all of it: reserved when the order is placed, and returned when the
   * order ends unpaid. The rest is what the method charges. Pressed again with another sum, it is another order.
   */
  from_balance: amountSchema.refine((amount) => amount > 0, 'invalid_amount').optional(),
  /**
   * The fee of the method that the customer saw, which comes on top of the amount; when another is in force: 409
   * PRICE_CHANGED. Without it, none was seen.
   */
  fee: amountSchema.optional(),
  type: z.enum(paymentPurposes),
  /** The name of a method, from `GET /payment/methods`; by default the first that fits. */
  method: text(1, 32).optional(),
  /** What to pay for instead of the cart. */
  topupData: topupData.optional(),
  /** See `POST /orders/topup`: for a cart it is about the top-ups in it. */
  confirmRepeat: z.boolean().default(false),
  /** See `POST /checkout/coupon`; the amount is what is left to be paid. Pressed again with another one, it is another order. */
  coupon: couponCode.optional(),
  /** What a method `needs`: where the fiscal receipt goes. Kept with the payment, and not with the customer. */
  contact: z.strictObject({ email: emailAddress }).optional(),
})

const isForOrder = ({ type }: { type: (typeof paymentPurposes)[number] }) => type === 'order'

export const createPayment = paymentFields
  .refine((body) => isForOrder(body) || !body.topupData, { path: ['topupData'], error: 'invalid' })
  .refine((body) => isForOrder(body) || !body.from_balance, { path: ['from_balance'], error: 'invalid' })
  .refine((body) => isForOrder(body) || !body.coupon, { path: ['coupon'], error: 'invalid' })

/** What the store may have to ask a customer for. */
export const contactNeeds = ['email'] as const
export type ContactNeed = (typeof contactNeeds)[number]

/** A way to pay that the shop offers, and what it would charge. */
const offeredMethod = z.object({
  /** For `method` of `POST /payment/create`. */
  name: z.string(),
  /** The shop's own words for it, in the language of the call; null where the name of its first mark is meant. */
  title: z.string().nullable(),
  /** Which pictures stand beside it. */
  marks: z.array(z.enum(paymentMarks)).min(1),
  charge_currencies: z.array(z.enum(chargeCurrencies)).min(1),
  /** What is charged for an order in the currency asked about. */
  charge: z.object({
    currency: z.enum(chargeCurrencies),
    /** How much of the charge currency one of the order's is: a decimal; null where both are one currency. */
    rate: z.string().nullable(),
    /** For the amount asked about, with the fee; null when none was. It is frozen when the payment is created. */
    amount: shownAmountSchema.nullable(),
  }),
  /** In the currency of the charge: the least and the most that it takes, with the fee. */
  least: shownAmountSchema.nullable(),
  most: shownAmountSchema.nullable(),
  /** What the customer pays for using it on top of the amount asked about, in the order's currency; null for nothing. */
  fee: shownAmountSchema.nullable(),
  /** What it must know of the customer for a fiscal receipt: without it the payment is refused with CONTACT_REQUIRED. */
  needs: z.array(z.enum(contactNeeds)),
})
export type OfferedMethod = z.infer<typeof offeredMethod>

/** An amount in a query: `12.50`. */
export const amountText = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'invalid_amount')
  .transform(Number)
  .pipe(amountSchema)

export const openedPayment = z.object({
  /** The provider's pay page, or the receipt of an order that is paid already. */
  pay_url: z.string(),
  order_id: orderId,
})
export type OpenedPayment = z.infer<typeof openedPayment>

const refundDestinations = ['wallet', 'card'] as const
export type RefundDestination = (typeof refundDestinations)[number]

const isEachOnce = (ids: readonly number[]): boolean => new Set(ids).size === ids.length

/** How much of one line is refunded: without quantity and amount, all that is left of it. */
const lineRefund = z
  .strictObject({
    id: bigId,
    /** So many units, each at its price. */
    quantity: z.int('invalid').min(1, 'invalid').max(LIMITS.quantityMax, 'invalid').optional(),
    /** With a quantity: which codes are returned. By default those nobody has seen are returned first. */
    codeIds: z.array(bigId).min(1, 'required').max(LIMITS.quantityMax, 'invalid').optional(),
    /** A sum of money in major units, for which nothing is returned. */
    amount: amountSchema.refine((amount) => amount > 0, 'invalid_amount').optional(),
  })
  .refine(({ quantity, amount }) => quantity === undefined || amount === undefined, {
    path: ['amount'],
    message: 'invalid',
  })
  .refine(({ quantity, codeIds }) => !codeIds || (codeIds.length === quantity && isEachOnce(codeIds)), {
    path: ['codeIds'],
    message: 'invalid',
  })
export type LineRefund = z.output<typeof lineRefund>

/** Whole lines may be named twice; for a part nobody could tell whether it is meant twice. */
const hasEachPartOnce = (lines: readonly LineRefund[]): boolean =>
  lines.every(
    ({ id: line, quantity, amount }) =>
      (quantity === undefined && amount === undefined) || lines.filter((other) => other.id === line).length === 1,
  )

/** What was left of a line when somebody saw it, as `GET /admin/orders/:id` shows it. */
const seenLine = z.strictObject({ id: bigId, left_amount: shownAmountSchema, left_quantity: z.int('invalid').min(0) })
export type SeenLine = z.output<typeof seenLine>

const refundRequest = z.strictObject({
  /**
   * The items to refund, each by its id or as an object that says how much of it; by default all that can be refunded.
   */
  items: z
    .array(z.union([bigId.transform((whole): LineRefund => ({ id: whole })), lineRefund]))
    .min(1, 'required')
    .max(LIMITS.refundLinesMax)
    .refine(hasEachPartOnce, 'duplicate')
    .optional(),
  /** The lines that are refunded in part, as they were seen. Without it, whatever is left is refunded from. */
  seen: z.array(seenLine).min(1, 'required').max(LIMITS.refundLinesMax).optional(),
  to: z.enum(refundDestinations).default('wallet'),
  reason,
})
export type RefundRequest = z.output<typeof refundRequest>

export const refundedOrder = z.object({
  id: orderId,
  status: z.enum(orderStatuses),
  refunds: z.array(
    z.object({
      item_id: bigId,
      /** For a refund of some units: how many. */
      quantity: z.int().nullable(),
      amount: shownAmountSchema,
      currency: z.enum(currencies),
      /** Where it goes: what a provider does not refund to the card goes to the wallet. */
      destination: z.enum(refundDestinations),
      /** `waiting`: the provider has not confirmed it yet. */
      status: z.enum(['done', 'waiting']),
      reason: z.string(),
      created_at: time,
    }),
  ),
})
export type RefundedOrder = z.infer<typeof refundedOrder>

/** What decides a payment of the sandbox. */
export const sandboxPayActions = ['pay', 'decline', 'delay', 'pay_twice', 'pay_late'] as const
export type SandboxPayAction = (typeof sandboxPayActions)[number]

/** What the sandbox can do about refunds of a payment that was made, and how it can refuse to do anything. */
const sandboxRefundActions = [
  /** Somebody refunds all that is left in the sandbox's dashboard, or half of it, or all of it with a delay. */
  'refund_outside',
  'refund_outside_part',
  'refund_outside_pending',
  /** Refunds the store requests from now on stay pending, until the next two actions decide them. */
  'refunds_pend',
  'refunds_succeed',
  'refunds_fail',
  /** The next refund is carried out, its answer is lost, and every repeat is rejected. */
  'refund_lose_answer',
  /** Every call is rejected for a while: for a wrong key, or for a parameter. */
  'refuse_all',
  'refuse_parameter',
  'refuse_nothing',
] as const
export type SandboxRefundAction = (typeof sandboxRefundActions)[number]

/** What the payer's bank may still do with a payment that was made. */
const sandboxDisputeActions = ['dispute', 'win_dispute', 'lose_dispute', 'fraud_warning'] as const
export type SandboxDisputeAction = (typeof sandboxDisputeActions)[number]

const sandboxActions = [...sandboxPayActions, ...sandboxRefundActions, ...sandboxDisputeActions] as const
export type SandboxAction = (typeof sandboxActions)[number]

const sandboxStatuses = ['pending', 'processing', 'succeeded', 'canceled'] as const
export type SandboxStatus = (typeof sandboxStatuses)[number]

export const sandboxPayment = z.object({
  id: z.uuid(),
  order_id: orderId,
  amount: shownAmountSchema,
  currency: z.enum(chargeCurrencies),
  description: z.string(),
  status: z.enum(sandboxStatuses),
  /** The status of the dispute about it, if its holder disputes it. */
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  is_fraud_warned: z.boolean(),
  /** The page that the pay page returns to. */
  return_url: z.string(),
  expires_at: time,
})
export type SandboxPayment = z.infer<typeof sandboxPayment>

const ofSandbox = z.object({ id: z.uuid() })
const openEndpoint = endpointsFor({ access: 'visitor', tag: 'payments' })

export const paymentsApi = {
  methods: openEndpoint('GET /payment/methods', {
    operationId: 'listPaymentMethods',
    summary:
      'The ways to pay for an order in a currency, in the order of the shop, and what each charges for an amount',
    query: z.object({ currency: currencySchema, amount: amountText.optional() }),
    answer: toData(z.array(offeredMethod)),
  }),
  create: endpoint('POST /payment/create', {
    operationId: 'openCardPayment',
    refusals: [
      'CART_EMPTY',
      'BALANCE_ON_HOLD',
      'FORBIDDEN',
      ...topupRefusals,
      'INSUFFICIENT_BALANCE',
      'BELOW_LEAST_AMOUNT',
      'ABOVE_MOST_AMOUNT',
      'METHOD_UNAVAILABLE',
      'CONTACT_REQUIRED',
      'COUPON_REFUSED',
      'PAYMENT_PROVIDER_UNAVAILABLE',
    ],
    access: 'customer',
    tag: 'payments',
    summary:
      'Reserves the cart, or a top-up, or begins to fill the balance, and opens a pay page for it; pressed again, the same one',
    body: createPayment,
    answer: openedPayment,
    status: 201,
    idempotent: true,
  }),
  webhook: webhookEndpoint('POST /payment/webhook/:provider', {
    operationId: 'receivePaymentWebhook',
    summary: 'What a payment provider tells; body and answer are in its own shape',
    params: z.object({ provider: text(1, 32) }),
    answer: z.string(),
  }),
  webhookMethod: webhookEndpoint('POST /payment/webhook/:provider/:method', {
    operationId: 'receivePaymentCall',
    summary: 'What a payment provider asks or tells at an address of its own for each kind of call',
    params: z.object({ provider: text(1, 32), method: text(1, 32) }),
    answer: z.string(),
  }),
  refund: adminEndpoint('POST /admin/orders/:id/refund', {
    operationId: 'refundOrder',
    permission: 'orders.refund',
    refusals: ['NOT_FOUND', 'CODE_NOT_FOUND', 'STATE_CONFLICT', 'PAYMENT_PROVIDER_UNAVAILABLE'],
    confirmed: true,
    summary: 'Gives back the money of an order, of some of its items, or of a part of them, and takes the codes back',
    params: byOrderId,
    body: refundRequest,
    answer: z.object({ data: refundedOrder }),
    idempotent: true,
  }),
}

/** The pay page of the provider that takes no real money. Anyone who knows the id may act. */
export const sandboxApi = {
  read: openEndpoint('GET /sandbox/payments/:id', {
    operationId: 'readSandboxPayment',
    summary: 'A payment of the sandbox',
    params: ofSandbox,
    answer: sandboxPayment,
  }),
  act: openEndpoint('POST /sandbox/payments/:id/act', {
    operationId: 'decideSandboxPayment',
    refusals: ['STATE_CONFLICT'],
    summary:
      'Plays the bank: pays, declines, pays late, twice, or without telling; refunds by hand, late or never; refuses; takes a paid one back',
    params: ofSandbox,
    body: z.strictObject({ action: z.enum(sandboxActions) }),
    answer: sandboxPayment,
  }),
}
