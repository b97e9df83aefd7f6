import { z } from 'zod'
import { quantity } from './cart.ts'
import { couponCode, hasSeenTotal } from './coupons.ts'
import { endpoint } from './endpoint.ts'
import { id, orderId } from './fields.ts'
import { amountSchema, currencySchema } from './money.ts'
import { orderStatuses } from './orders.ts'

export const placedOrder = z.object({
  success: z.literal(true),
  order: z.object({ id: orderId, status: z.enum(orderStatuses) }),
})
export type PlacedOrder = z.infer<typeof placedOrder>

export const checkoutApi = {
  payFromBalance: endpoint('POST /payment/from-balance', {
    operationId: 'payFromBalance',
    refusals: [
      'CART_EMPTY',
      'INSUFFICIENT_BALANCE',
      'BALANCE_ON_HOLD',
      'PRICE_CHANGED',
      'OUT_OF_STOCK',
      'INVALID_AMOUNT',
      'STEAM_LOGIN_REFUSED',
      'STATE_CONFLICT',
      'RATE_LIMITED',
      'COUPON_REFUSED',
    ],
    access: 'customer',
    tag: 'checkout',
    summary: 'Buys the whole cart from the balance, or nothing',
    body: z
      .strictObject({
        currency: currencySchema,
        /**
         * The total the customer saw; when another is in force: 409 PRICE_CHANGED. Without it, whatever the cart costs.
         */
        amount: amountSchema.optional(),
        /**
         * Buys a top-up in the cart although an equal one was bought a moment ago; else 409 STATE_CONFLICT, `reason:
         * repeat`.
         */
        confirmRepeat: z.boolean().default(false),
        /** See `POST /checkout/coupon`; the amount is what is left to be paid. */
        coupon: couponCode.optional(),
      })
      .refine(hasSeenTotal.check, hasSeenTotal.fault),
    answer: placedOrder,
    status: 201,
    idempotent: true,
  }),
  buyNow: endpoint('POST /payment/buy-now', {
    operationId: 'buyNow',
    refusals: ['OFFER_NOT_FOUND', 'INSUFFICIENT_BALANCE', 'BALANCE_ON_HOLD', 'PRICE_CHANGED', 'OUT_OF_STOCK'],
    access: 'customer',
    tag: 'checkout',
    summary: 'Buys one package of codes from the balance, past the cart, which stays as it is',
    body: z.strictObject({
      offerId: id,
      quantity,
      currency: currencySchema,
      /** The total the customer saw; when another is in force: 409 PRICE_CHANGED. */
      amount: amountSchema,
    }),
    answer: placedOrder,
    status: 201,
    idempotent: true,
    needsKey: true,
  }),
}
