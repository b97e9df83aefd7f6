import { z } from 'zod'
import { packageEntry } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { dataOf, id, idText, listOf, listQuery, time, version } from './fields.ts'
import { amountSchema } from './money.ts'

/** Money a package may cost. */
export const priceSchema = amountSchema.min(0.01, 'invalid_amount')

/** A package as it is edited. `available_count` ends at `LIMITS.stockShownMax`. */
export const editedOffer = packageEntry.omit({ offer_id: true }).extend({
  id,
  product_id: id,
  /** Blank for no region. */
  region_name: z.string(),
  is_active: z.boolean(),
  created_at: time,
  version,
})
export type EditedOffer = z.infer<typeof editedOffer>

/** What is left out stays as it is. */
export const offerChange = z.strictObject({
  priceUsd: priceSchema.optional(),
  priceRub: priceSchema.optional(),
  isPopular: z.boolean().optional(),
  isActive: z.boolean().optional(),
  version: version.optional(),
})
export type OfferChange = z.infer<typeof offerChange>

const params = z.object({ id: idText })
const tag = 'admin'

export const offersApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/products/:id/offers',
    access: 'admin',
    tag,
    summary: 'Packages of a product, also those that are not sold',
    params,
    query: listQuery(['game_amount', 'id', 'region', 'price_usd', 'price_rub', 'is_popular', 'is_active']),
    answer: listOf(editedOffer),
  }),
  change: endpoint({
    method: 'PUT',
    path: '/admin/offers/:id',
    access: 'admin',
    tag,
    summary: 'Changes the price of a package, or whether it is popular or sold',
    params,
    body: offerChange,
    answer: dataOf(editedOffer),
  }),
}
