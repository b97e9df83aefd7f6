import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, bigIdText, byId, idText, text, time, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { costSchema } from './offers.ts'

const sourceKinds = ['pool', 'supplier', 'operator'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** One of those who deliver an offer. */
export const offerSource = z.object({
  id: bigId,
  kind: z.enum(sourceKinds),
  /** Asked from the lowest on. */
  rank: z.int(),
  is_on: z.boolean(),
  /** The most that one unit may cost there in USD, besides what the price allows; null: no other limit. */
  cost_at_most: costSchema.nullable(),
  /** Why the sync closed it; `fields`: the supplier asks for what the product does not. */
  closed_reason: z.enum(['gone', 'cost_moved', 'fields']).nullable(),
  closed_at: time.nullable(),
  /** For kind `supplier`. */
  product: z
    .object({
      id: bigId,
      supplier: z.string(),
      reference: z.string(),
      name: z.string(),
      service_title: z.string().nullable(),
      cost: costSchema,
      currency: z.string(),
      cost_usd: z.string().nullable(),
      stock: z.int().nullable(),
      gone_at: time.nullable(),
      /** The cost that an operator said yes to last. */
      accepted_cost: costSchema.nullable(),
      accepted_currency: z.string().nullable(),
    })
    .nullable(),
})
export type OfferSource = z.infer<typeof offerSource>

const sourcesOfOffer = z.object({ sources: z.array(offerSource), version })
export type EditedSources = z.infer<typeof sourcesOfOffer>

/** In the order in which they are asked. */
const wantedSources = z
  .array(
    z
      .strictObject({
        kind: z.enum(sourceKinds),
        /** For `supplier`, and for nothing else. */
        productId: bigId.optional(),
        isOn: z.boolean().default(true),
        costAtMost: costSchema.nullable().default(null),
      })
      .refine(({ kind, productId }) => (kind === 'supplier') === (productId !== undefined), {
        path: ['productId'],
        error: 'required',
      }),
  )
  .max(LIMITS.offerSourcesMax, 'list_too_long')
  .refine(
    (list) => new Set(list.map(({ kind, productId }) => `${kind} ${productId ?? ''}`)).size === list.length,
    'duplicate',
  )
export type WantedSource = z.output<typeof wantedSources>[number]

/** Calls about by whom the shop's offers are delivered. */
export const sourcingApi = {
  sources: adminEndpoint('GET /admin/offers/:id/sources', {
    operationId: 'readSourcesOfOffer',
    permission: 'catalogue.read',
    refusals: ['OFFER_NOT_FOUND'],
    summary: 'Who delivers an offer, in which order; without any, all suppliers of the shop are asked for its item id',
    params: byId,
    answer: toData(sourcesOfOffer),
  }),
  setSources: adminEndpoint('PUT /admin/offers/:id/sources', {
    operationId: 'setSourcesOfOffer',
    permission: 'suppliers.write',
    refusals: ['OFFER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Sets who delivers an offer, the first to be asked first; units that nobody has been asked for follow it',
    params: byId,
    body: z.strictObject({ sources: wantedSources, version: version.optional() }),
    answer: toData(sourcesOfOffer),
    confirmed: true,
  }),
  reopenSource: adminEndpoint('POST /admin/offers/:id/sources/:sourceId/reopen', {
    operationId: 'reopenSource',
    permission: 'suppliers.write',
    refusals: ['OFFER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Says yes to what a source costs now, and opens it again',
    params: z.object({ id: idText, sourceId: bigIdText }),
    body: z.strictObject({
      /** The cost that was seen; when it is another by now: 409 STATE_CONFLICT. */
      cost: costSchema,
      currency: text(1, 8),
    }),
    answer: toData(sourcesOfOffer),
    confirmed: true,
  }),
}
