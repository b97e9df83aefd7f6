import { z } from 'zod'
import { couponCode } from './coupons.ts'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { byId, hexColor, id, languageSchema, listQuery, text, time, toData, toList, version } from './fields.ts'

export const promotion = z.object({
  id,
  text: z.string(),
  background_color: z.string(),
  /** The code of its coupon, while that can be used. */
  coupon: z.string().nullable(),
})
export type Promotion = z.infer<typeof promotion>

const fields = { text: text(1, 200), background_color: hexColor }

/** By language; a blank text removes a translation. Russian is the text itself. */
const translations = z.partialRecord(languageSchema, text(0, 200))

/** The code of a coupon that customers are told with it; null for none. */
const coupon = couponCode.nullable()

export const listedPromotion = promotion.extend({
  /** Whether it can be used now or not. */
  coupon: z.string().nullable(),
  translations: z.partialRecord(languageSchema, z.string()),
  is_active: z.boolean(),
  created_at: time,
  version,
})
export type ListedPromotion = z.infer<typeof listedPromotion>

const newPromotion = z.strictObject({
  ...fields,
  is_active: z.boolean().default(true),
  translations: translations.default({}),
  coupon: coupon.default(null),
})
export type NewPromotion = z.infer<typeof newPromotion>

/** A field that is left out stays as it is. */
const promotionChange = z.strictObject({ ...fields, is_active: z.boolean(), translations, coupon, version }).partial()
export type PromotionChange = z.infer<typeof promotionChange>

export const promotionsApi = {
  active: endpoint('GET /promotions/active', {
    operationId: 'listActivePromotions',
    access: 'visitor',
    tag: 'promotions',
    summary: 'Promotions shown on the home page, in the language of Accept-Language',
    answer: z.array(promotion),
  }),
  list: adminEndpoint('GET /admin/promotions', {
    operationId: 'listPromotions',
    permission: 'catalogue.read',
    summary: 'Promotions with their translations',
    query: listQuery(['id', 'text', 'is_active', 'created_at']),
    answer: toList(listedPromotion),
  }),
  add: adminEndpoint('POST /admin/promotions', {
    operationId: 'addPromotion',
    permission: 'catalogue.write',
    summary: 'Adds a promotion',
    body: newPromotion,
    answer: toData(listedPromotion),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/promotions/:id', {
    operationId: 'changePromotion',
    permission: 'catalogue.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes a promotion',
    params: byId,
    body: promotionChange,
    answer: toData(listedPromotion),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/promotions/:id', {
    operationId: 'removePromotion',
    permission: 'catalogue.write',
    summary: 'Deletes a promotion',
    params: byId,
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
}
