import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, bigIdText, id, listQuery, moment, text, time, toData, toList } from './fields.ts'
import * as LIMITS from './limits.ts'
import { costSchema } from './offers.ts'

export const bySupplier = z.object({ name: text(1, 32) })
const vendorKinds = ['topup', 'code'] as const

/** Why a row of a supplier's list was left out. */
const rowFaults = ['reference', 'name', 'cost', 'decimals', 'currency', 'quantity', 'fields', 'duplicate'] as const
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
  cost: costSchema,
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

const productChanges = ['new', 'gone', 'dearer'] as const

/** Calls about what suppliers sell. */
export const supplierListsApi = {
  syncs: adminEndpoint('GET /admin/suppliers/syncs', {
    operationId: 'listSupplierSyncs',
    permission: 'catalogue.read',
    summary: 'The suppliers that tell what they sell, and how far each list has been read',
    answer: toData(z.array(supplierSync)),
  }),
  sync: adminEndpoint('GET /admin/suppliers/:name/sync', {
    operationId: 'readSupplierSync',
    permission: 'catalogue.read',
    summary: 'How far the reading of a supplier’s list is',
    params: bySupplier,
    answer: toData(supplierSync),
  }),
  startSync: adminEndpoint('POST /admin/suppliers/:name/sync', {
    operationId: 'syncSupplier',
    permission: 'suppliers.write',
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
    permission: 'catalogue.read',
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
    permission: 'suppliers.write',
    summary: 'Sets what the fields of a supplier’s game are filled with',
    params: bySupplier.extend({ id: bigIdText }),
    body: z.strictObject({ fieldNames }),
    answer: toData(supplierService),
    confirmed: true,
  }),
  products: adminEndpoint('GET /admin/suppliers/:name/products', {
    operationId: 'listSupplierProducts',
    permission: 'catalogue.read',
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
}
