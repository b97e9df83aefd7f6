import { z } from 'zod'
import { endpointsFor } from './endpoint.ts'
import { bigId, byBigId, emptyBody, id, regionId, shownRegion, success, text } from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, shownAmountSchema } from './money.ts'
import { shownTopup, topupData, topupRefusals } from './topup-data.ts'

export const itemTypes = ['code', 'topup'] as const
export type ItemType = (typeof itemTypes)[number]

export const cartItem = z.object({
  id: bigId,
  product_id: id,
  product_slug: z.string(),
  product_title: z.string(),
  description: z.string(),
  image_url: z.string(),
  /** The product's own colour, as #rrggbb. */
  color: z.string(),
  region_id: regionId,
  /** Null for a top-up, and for a code that works everywhere. */
  region: shownRegion.nullable(),
  /** For Steam: the amount in `game_currency`, which may have decimals. */
  game_amount: z.number(),
  game_currency: z.string(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  quantity: z.int(),
  available_count: z.int(),
  item_type: z.enum(itemTypes),
  topup_data: shownTopup.nullable(),
})
export type CartItem = z.infer<typeof cartItem>

export const quantity = z.int('invalid_quantity').min(1, 'invalid_quantity').max(LIMITS.quantityMax, 'invalid_quantity')

const addToCartBody = z.strictObject({
  productId: id,
  gameAmount: z.int().min(1).max(LIMITS.gameAmountMax),
  /** The prices the customer saw; when others are in force: 409 PRICE_CHANGED. */
  priceUsd: amountSchema,
  priceRub: amountSchema,
  /** The specification sends it; what is meant is said by product, region and amount. */
  gameCurrency: text(0, 40),
  quantity: quantity.default(1),
  regionId: regionId.nullish(),
})
export type AddToCart = z.infer<typeof addToCartBody>

const oneItem = z.object({ success: z.literal(true), data: cartItem })
const cartEndpoint = endpointsFor({ access: 'customer', tag: 'cart' })

export const cartApi = {
  list: cartEndpoint('GET /cart', {
    operationId: 'readCart',
    summary: 'The cart at the prices in force now',
    answer: z.object({ success: z.literal(true), data: z.array(cartItem) }),
  }),
  count: cartEndpoint('GET /cart/count', {
    operationId: 'countCart',
    summary: 'Sum of the quantities',
    answer: z.object({ count: z.int() }),
  }),
  add: cartEndpoint('POST /cart/add', {
    operationId: 'addToCart',
    refusals: ['OFFER_NOT_FOUND', 'PRICE_CHANGED', 'OUT_OF_STOCK', 'STATE_CONFLICT'],
    summary: 'Puts a package into the cart; the same package again adds to its quantity',
    body: addToCartBody,
    answer: oneItem,
    status: 201,
    idempotent: true,
  }),
  addTopup: cartEndpoint('POST /cart/add-topup', {
    operationId: 'addTopupToCart',
    refusals: topupRefusals,
    summary: 'Puts a top-up into the cart, a line for each of its offers; the same for the same player adds up',
    body: z.strictObject({ topupData }),
    /** The first of its lines. */
    answer: oneItem,
    status: 201,
    idempotent: true,
  }),
  updateQuantity: cartEndpoint('PUT /cart/update-quantity/:id', {
    operationId: 'changeQuantity',
    refusals: ['OUT_OF_STOCK'],
    summary: 'Sets the quantity of a line',
    params: byBigId,
    body: z.strictObject({ quantity }),
    answer: oneItem,
  }),
  remove: cartEndpoint('DELETE /cart/remove/:id', {
    operationId: 'removeFromCart',
    summary: 'Takes a line out',
    params: byBigId,
    answer: success,
  }),
  clear: cartEndpoint('POST /cart/clear', {
    operationId: 'clearCart',
    summary: 'Empties the cart',
    body: emptyBody,
    answer: success,
  }),
}
