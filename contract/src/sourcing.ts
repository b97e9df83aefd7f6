import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, bigIdText, byId, id, idText, listQuery, text, time, toData, toList, version } from './fields.ts'
import { LIMITS } from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { confirmPrices, priceModes, priceSchema } from './offers.ts'

const bySupplier = z.object({ name: text(1, 32) })
const reference = text(1, LIMITS.vendorReferenceMax)
const vendorKinds = ['topup', 'code'] as const

/** Money by the unit of a supplier: a decimal above zero as text, with at most eight places. */
const decimalText = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,8})?$/, 'invalid_amount')
  .refine((value) => /[1-9]/.test(value), 'invalid_amount')

/** Why a row of a supplier's list was left out. */
export const rowFaults = [
  'reference',
  'name',
  'cost',
  'decimals',
  'currency',
  'quantity',
  'fields',
  'duplicate',
] as const
export type RowFault = (typeof rowFaults)[number]

const rejectedRow = z.object({ reference: z.string(), name: z.string(), reason: z.enum(rowFaults) })
export type RejectedRow = z.infer<typeof rejectedRow>

/** How far the reading of a supplier's lists is, or how the last one ended. */
export const supplierSync = z.object({
  supplier: z.string(),
  /** `waiting`: it resumes by itself, at `resumes_at` or soon. */
  state: z.enum(['never', 'running', 'waiting', 'done', 'failed']),
  /** What is being read: the list of games, the products of each, or what both mean for sources. */
  phase: z.enum(['services', 'products', 'sources']),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  resumes_at: time.nullable(),
  /** When it was last read to the end. */
  completed_at: time.nullable(),
  /** Games in its list now, those whose products have been read, and those that could not be read. */
  services: z.int(),
  services_read: z.int(),
  services_failed: z.int(),
  products: z.int(),
  new_products: z.int(),
  gone_products: z.int(),
  /** Rows that make no sense and were left out, with the first of them. */
  rejected_rows: z.int(),
  rejected: z.array(rejectedRow),
  /** Why it failed or waits. `shrunk`: so much of the list is missing that an operator has to say yes. */
  reason: z.string().nullable(),
})
export type SupplierSync = z.infer<typeof supplierSync>

const option = z.object({ value: z.string(), label: z.string() })

/** A field as the supplier describes it. */
const vendorField = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(['digits', 'text', 'select']),
  isRequired: z.boolean(),
  options: z.array(option).optional(),
})

/**
 * What a supplier's fields are filled with, by templates over the shop's keys: { player_id: '{user_id}|{zone_id}' }. Empty:
 * both have the same names.
 */
export const fieldNames = z
  .record(text(1, 64), text(1, 200))
  .refine((names) => Object.keys(names).length <= LIMITS.accountFieldsMax, 'list_too_long')
  .refine((names) => Object.values(names).every((template) => /\{[a-z][a-z0-9_]*\}/.test(template)), 'invalid_template')

const takenProduct = z.object({ id, slug: z.string(), title: z.string() })

/** A game, or a shelf of codes, as a supplier has it. */
export const supplierService = z.object({
  id: bigId,
  reference: z.string(),
  title: z.string(),
  kind: z.enum(vendorKinds),
  fields: z.array(vendorField),
  field_names: fieldNames,
  /** Whether it looks for players of it. */
  checks_players: z.boolean(),
  /** Products of it that it still sells. */
  products_count: z.int(),
  /** The shop's products that are this game. */
  taken: z.array(takenProduct),
  seen_at: time,
  gone_at: time.nullable(),
})
export type SupplierService = z.infer<typeof supplierService>

/** Something a supplier sells. */
export const supplierProduct = z.object({
  id: bigId,
  reference: z.string(),
  service_id: bigId.nullable(),
  service_title: z.string().nullable(),
  kind: z.enum(vendorKinds),
  name: z.string(),
  cost: decimalText,
  currency: z.string(),
  /** In USD at the rate in force; null where there is none. */
  cost_usd: z.string().nullable(),
  /** What it cost at `since`, for a list with one; null where that is not known, or was in another currency. */
  cost_then: z.string().nullable(),
  stock: z.int().nullable(),
  quantity_min: z.int().nullable(),
  quantity_max: z.int().nullable(),
  region: z.string().nullable(),
  created_at: time,
  seen_at: time,
  cost_changed_at: time,
  gone_at: time.nullable(),
  /** The shop's offers that are bought by it. */
  offers: z.array(z.object({ id, product_id: id, product_title: z.string() })),
})
export type SupplierProduct = z.infer<typeof supplierProduct>

export const productChanges = ['new', 'gone', 'dearer'] as const

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
  cost_at_most: decimalText.nullable(),
  /** Why the sync closed it. */
  closed_reason: z.enum(['gone', 'cost_moved']).nullable(),
  closed_at: time.nullable(),
  /** For kind `supplier`. */
  product: z
    .object({
      id: bigId,
      supplier: z.string(),
      reference: z.string(),
      name: z.string(),
      service_title: z.string().nullable(),
      cost: decimalText,
      currency: z.string(),
      cost_usd: z.string().nullable(),
      stock: z.int().nullable(),
      gone_at: time.nullable(),
      /** The cost that an operator said yes to last. */
      accepted_cost: decimalText.nullable(),
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
        costAtMost: decimalText.nullable().default(null),
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

/** A product of a supplier that is to be sold. */
const takenOffer = z
  .strictObject({
    reference,
    /** An offer there is already, to be served by this one, too. */
    offerId: id.optional(),
    /** Read from the supplier's name for it where it is left out. */
    gameAmount: z.int().min(1).max(LIMITS.gameAmountMax).optional(),
    /** Both or none: without them the price follows from the cost. */
    priceUsd: priceSchema.optional(),
    priceRub: priceSchema.optional(),
  })
  .refine(({ priceUsd, priceRub }) => (priceUsd === undefined) === (priceRub === undefined), {
    path: ['priceRub'],
    error: 'required',
  })
export type TakenOffer = z.output<typeof takenOffer>

/** A game of a supplier's catalogue that is to be sold, with some of its products. */
const takenGame = z.strictObject({
  service: reference,
  /** The shop's product that it is; without one, the product it was taken over as before, or a new one. */
  productId: id.optional(),
  /** For a new product; the supplier's title by default. */
  name: text(1, 200).optional(),
  slug: text(1, LIMITS.slugLengthMax)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'invalid_slug')
    .optional(),
  gameCurrency: text(0, 40).optional(),
  category: z.array(text(1, LIMITS.wordLengthMax)).max(LIMITS.wordsMax).default([]),
  offers: z
    .array(takenOffer)
    .min(1, 'required')
    .max(LIMITS.takenOffersMax, 'list_too_long')
    .refine((list) => new Set(list.map(({ reference }) => reference)).size === list.length, 'duplicate'),
})
export type TakenGame = z.output<typeof takenGame>

/** Why a game was not taken over. */
export const gameRefusals = [
  /** The supplier has no such game, or not any more. */
  'service_not_found',
  'product_not_found',
  /** The shop's product sells codes and the game is topped up, or the other way round, or it is priced by amount. */
  'other_kind',
  /** There is a product of that name: `product_id` tells which. It may be the same game. */
  'slug_taken',
  /** The title has no letters for an address. */
  'slug_needed',
  /** It asks for more than a shop may ask a customer, such as a password. */
  'asks_secret',
  /** A field is chosen from a list that the supplier has not told. */
  'options_unknown',
  /** It asks for something that the product does not: `fields` tells what. */
  'fields_missing',
  'too_many_fields',
  /** None of its products could be taken. */
  'nothing_left',
] as const
export type GameRefusal = (typeof gameRefusals)[number]

/** Why a product was not taken over. */
export const takenRefusals = [
  'product_not_found',
  'gone',
  /** It belongs to another game of the supplier. */
  'other_service',
  /** It is sold by more than one unit only. */
  'quantity',
  /** Its currency has no rate. */
  'no_rate',
  /** Neither a price nor a margin was given, or the price is beyond what an offer may cost. */
  'price',
  /** The given price is under the cost; `confirmPrices` takes it all the same. */
  'under_cost',
  /** The given prices differ by more than `BUSINESS.priceSpreadPercent`; likewise. */
  'price_doubtful',
  /** The amount can't be read from its name. */
  'amount_needed',
  /** There is an offer of the amount, `offer_id`: it may be the same thing. */
  'amount_taken',
  'offer_not_found',
] as const
export type TakenRefusal = (typeof takenRefusals)[number]

export const takenOver = z.object({
  service: z.string(),
  /** `made`: a new product, not on sale yet; `added`: offers or sources of one; `unchanged`: all of it was there. */
  outcome: z.enum(['made', 'added', 'unchanged', 'refused']),
  reason: z.enum(gameRefusals).nullable(),
  /** The fields it is refused for. */
  fields: z.array(z.string()),
  product_id: id.nullable(),
  slug: z.string().nullable(),
  offers: z.array(
    z.object({
      reference: z.string(),
      /** `joined`: it is one more source of an offer. */
      outcome: z.enum(['made', 'joined', 'unchanged', 'refused']),
      reason: z.enum(takenRefusals).nullable(),
      offer_id: id.nullable(),
      /** What the supplier calls it; null when it has no such product. */
      name: z.string().nullable(),
      /** What its offer is sold at, and what it costs at the rates in force; null where it is refused or unknown. */
      price_usd: shownAmountSchema.nullable(),
      price_rub: shownAmountSchema.nullable(),
      floor_usd: shownAmountSchema.nullable(),
      floor_rub: shownAmountSchema.nullable(),
    }),
  ),
})
export type TakenOver = z.infer<typeof takenOver>

/** Games that are to be sold, and where the prices of what is new come from. */
const takingOver = z.strictObject({
  games: z.array(takenGame).min(1, 'required').max(LIMITS.takenGamesMax, 'list_too_long'),
  /** Added to the cost, at the rates in force, where no price is given. */
  marginPercent: z.number().min(0).max(1_000).multipleOf(0.01).optional(),
  /** `rule`: new offers are priced by the nearest rule, now and whenever their cost changes. */
  priceMode: z.enum(priceModes).default('fixed'),
  /** Offers that are added to a product of the shop are sold at once; those of a new product are, once it is. */
  isActive: z.boolean().default(false),
  confirmPrices,
})
export type TakingOver = z.output<typeof takingOver>

const moment = z.iso.datetime({ offset: true, error: 'invalid_time' })

/** Calls about what suppliers sell, and by whom the shop's offers are delivered. */
export const sourcingApi = {
  syncs: adminEndpoint('GET /admin/suppliers/syncs', {
    operationId: 'listSupplierSyncs',
    summary: 'The suppliers that tell what they sell, and how far each list has been read',
    answer: toData(z.array(supplierSync)),
  }),
  sync: adminEndpoint('GET /admin/suppliers/:name/sync', {
    operationId: 'readSupplierSync',
    summary: 'How far the reading of a supplier’s list is',
    params: bySupplier,
    answer: toData(supplierSync),
  }),
  startSync: adminEndpoint('POST /admin/suppliers/:name/sync', {
    operationId: 'syncSupplier',
    refusals: ['STATE_CONFLICT'],
    summary: 'Reads what a supplier sells, unless that is being done; answers once it is read, or after a few seconds',
    params: bySupplier,
    body: z.strictObject({
      /** Takes the list as it is, however much is missing from it: sources of what is gone are closed. */
      acceptShrunk: z.boolean().default(false),
    }),
    answer: toData(supplierSync),
  }),
  services: adminEndpoint('GET /admin/suppliers/:name/services', {
    operationId: 'listSupplierServices',
    summary: 'The games and shelves of codes of a supplier; a search is for a part of the title or the reference',
    params: bySupplier,
    query: listQuery(['title', 'reference', 'products_count', 'seen_at']).extend({
      kind: z.enum(vendorKinds).optional(),
      /** `true`: those that the shop sells. */
      taken: z.enum(['true', 'false']).optional(),
    }),
    answer: toList(supplierService),
  }),
  setFieldNames: adminEndpoint('PUT /admin/suppliers/:name/services/:id/field-names', {
    operationId: 'setFieldNamesOfService',
    summary: 'Sets what the fields of a supplier’s game are filled with',
    params: bySupplier.extend({ id: bigIdText }),
    body: z.strictObject({ fieldNames }),
    answer: toData(supplierService),
    confirmed: true,
  }),
  products: adminEndpoint('GET /admin/suppliers/:name/products', {
    operationId: 'listSupplierProducts',
    summary:
      'What a supplier sells; `change` with `since` lists what is new, gone or dearer since then. A search is for a part of the name or the reference',
    params: bySupplier,
    query: listQuery(['name', 'reference', 'cost', 'created_at', 'cost_changed_at', 'gone_at']).extend({
      /** The id of a game. */
      service: bigIdText.optional(),
      change: z.enum(productChanges).optional(),
      /** A day ago by default; costs are remembered for `SERVER_BUSINESS.supplierCostDays`. */
      since: moment.optional(),
      taken: z.enum(['true', 'false']).optional(),
    }),
    answer: toList(supplierProduct),
  }),
  takeOver: adminEndpoint('POST /admin/suppliers/:name/take-over', {
    operationId: 'takeOverGames',
    summary:
      'Sells games of a supplier’s catalogue: each becomes a product that is not on sale yet, or is added to one; what is there already stays as it is',
    params: bySupplier,
    body: takingOver,
    answer: toData(z.array(takenOver)),
    bodyLimit: 1024 * 1024,
    confirmed: true,
  }),
  previewTakeOver: adminEndpoint('POST /admin/suppliers/:name/take-over/preview', {
    operationId: 'previewTakeOver',
    summary:
      'What taking games over would make and at which prices, in the answer of the taking over; it changes nothing, and what is not there yet has no id',
    params: bySupplier,
    body: takingOver,
    answer: toData(z.array(takenOver)),
    bodyLimit: 1024 * 1024,
  }),
  sources: adminEndpoint('GET /admin/offers/:id/sources', {
    operationId: 'readSourcesOfOffer',
    refusals: ['OFFER_NOT_FOUND'],
    summary: 'Who delivers an offer, in which order; without any, all suppliers of the shop are asked for its item id',
    params: byId,
    answer: toData(sourcesOfOffer),
  }),
  setSources: adminEndpoint('PUT /admin/offers/:id/sources', {
    operationId: 'setSourcesOfOffer',
    refusals: ['OFFER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Sets who delivers an offer, the first to be asked first; units that nobody has been asked for follow it',
    params: byId,
    body: z.strictObject({ sources: wantedSources, version: version.optional() }),
    answer: toData(sourcesOfOffer),
    confirmed: true,
  }),
  reopenSource: adminEndpoint('POST /admin/offers/:id/sources/:sourceId/reopen', {
    operationId: 'reopenSource',
    refusals: ['OFFER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Says yes to what a source costs now, and opens it again',
    params: z.object({ id: idText, sourceId: bigIdText }),
    body: z.strictObject({
      /** The cost that was seen; when it is another by now: 409 STATE_CONFLICT. */
      cost: decimalText,
      currency: text(1, 8),
    }),
    answer: toData(sourcesOfOffer),
    confirmed: true,
  }),
}
