import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { toData } from './fields.ts'
import { lowStock, underFloor } from './offers.ts'
import { namedOffer, offerSelection } from './price-changes.ts'
import { previewDigest } from './price-rules.ts'

/** What many packages are set to at once; what is left out stays as it is of each. Of top-ups only `is_active` is set. */
const offerWish = z.strictObject({
  selection: offerSelection,
  set: z
    .strictObject({ is_active: z.boolean().optional(), is_popular: z.boolean().optional(), low_stock: lowStock })
    .refine((set) => Object.values(set).some((value) => value !== undefined), { path: ['set'], error: 'required' }),
})
export type OfferWish = z.infer<typeof offerWish>

/** `kept_off`: the shop keeps it off sale because its price is under its cost, and would put it on again by itself. */
const saleStates = ['on', 'off', 'kept_off'] as const

/** How a package is offered. */
const offered = z.object({
  sale: z.enum(saleStates),
  is_popular: z.boolean(),
  /** With how many codes it runs out; null for the shop's number. */
  low_stock: z.int().nullable(),
})
export type OfferedState = z.infer<typeof offered>

const previewedOffer = z.object({
  ...namedOffer,
  before: offered,
  after: offered,
  /** Whether it comes on sale for less than it costs. */
  is_under_floor: z.boolean(),
})
export type PreviewedOffer = z.infer<typeof previewedOffer>

const preview = z.object({
  /** A page of the packages that change. */
  data: z.array(previewedOffer),
  /** How many change. */
  total: z.int(),
  /** How many come on sale, and how many of them for less than they cost. */
  turned_on: z.int(),
  under_floor: z.int(),
  /** Names all of it: what is confirmed is what was seen. */
  digest: z.string(),
})
export type OffersPreview = z.infer<typeof preview>

/** Calls about how many packages are offered: on sale, as popular, and when they run out. */
export const offerChangesApi = {
  preview: adminEndpoint('POST /admin/offer-changes/preview', {
    operationId: 'previewOffers',
    permission: 'catalogue.read',
    summary: 'Every package that a change would touch, before and after; it changes nothing',
    body: z.strictObject({ wish: offerWish, page: z.int().min(1).max(1_000_000).default(1) }),
    answer: preview,
  }),
  apply: adminEndpoint('POST /admin/offer-changes', {
    operationId: 'changeOffers',
    permission: 'prices.write',
    refusals: ['STATE_CONFLICT', 'FLOOR_PRICE'],
    summary:
      'Turns many packages on or off, makes them popular or sets when they run out, as previewed, or none of them',
    body: z.strictObject({ wish: offerWish, seen: previewDigest, underFloor }),
    answer: toData(z.object({ changed: z.int() })),
    confirmed: true,
  }),
}
