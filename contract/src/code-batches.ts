import { z } from 'zod'
import { codeStatuses } from './codes.ts'
import { boughtCodes } from './costs.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  bigId,
  byId,
  id,
  idText,
  listQuery,
  orderId,
  reason,
  regionId,
  time,
  toData,
  toList,
  version,
} from './fields.ts'
import { lowerCurrencySchema, shownAmountSchema } from './money.ts'

export const codeBatch = z.object({
  id,
  product_id: id,
  product_title: z.string(),
  region_id: regionId,
  region_name: z.string(),
  /** The admin's nickname; null when the shop itself did it. */
  imported_by: z.string().nullable(),
  /** Who sold its codes to the shop; null where nobody said. */
  supplier: z.string().nullable(),
  /** Whether the supplier sold them one by one, each at a cost of its own. */
  is_bought_singly: z.boolean(),
  /** What one code cost, as a decimal; null while that is unknown. */
  cost: z.string().nullable(),
  currency: z.string().nullable(),
  invoice: z.string(),
  /** The last day on which its codes can be activated. */
  expires_on: z.iso.date().nullable(),
  created_at: time,
  recalled_at: time.nullable(),
  recall_reason: z.string().nullable(),
  /** The number of its codes by status; in a list only of those that are left, `available`. */
  counts: z.partialRecord(z.enum(codeStatuses), z.int()),
  version,
})
export type CodeBatch = z.infer<typeof codeBatch>

/** The present owner of a code of a batch. */
const batchBuyer = z.object({
  code_id: bigId,
  /** Masked. */
  code: z.string(),
  order_id: orderId,
  item_id: bigId,
  /** Codes on one line of the order: a refund returns all of them. */
  item_quantity: z.int(),
  user_id: id,
  nickname: z.string(),
  game_amount: z.int(),
  game_currency: z.string(),
  /** Per unit. */
  unit_price: shownAmountSchema,
  currency: lowerCurrencySchema,
  sold_at: time,
  /** When the buyer first saw it. */
  seen_at: time.nullable(),
  /**
   * The batch is recalled and the buyer has not seen the code: the receipt doesn't show it. Such buyers are listed
   * first.
   */
  is_withheld: z.boolean(),
})
export type BatchBuyer = z.infer<typeof batchBuyer>

export const codeBatchesApi = {
  list: adminEndpoint('GET /admin/code-batches', {
    operationId: 'listCodeBatches',
    permission: 'codes.read',
    summary:
      'Imports of codes, what they cost and how many of each are left; a search is for a part of an invoice or a supplier, or for an id',
    query: listQuery(['id', 'expires_on']).extend({
      productId: idText.optional(),
      /** Only those whose cost is unknown. */
      cost: z.enum(['unknown']).optional(),
    }),
    answer: toList(codeBatch),
  }),
  change: adminEndpoint('PUT /admin/code-batches/:id', {
    operationId: 'changeCodeBatch',
    permission: 'stock.write',
    refusals: ['STATE_CONFLICT'],
    summary:
      'Says what the codes of an import cost, who sold them and until when they can be sold; what was sold before keeps its cost',
    params: byId,
    body: boughtCodes.safeExtend({ version: version.optional() }),
    answer: toData(codeBatch),
    confirmed: true,
  }),
  one: adminEndpoint('GET /admin/code-batches/:id', {
    operationId: 'readCodeBatch',
    permission: 'codes.read',
    summary: 'One import of codes, and what became of them',
    params: byId,
    answer: toData(codeBatch),
  }),
  buyers: adminEndpoint('GET /admin/code-batches/:id/buyers', {
    operationId: 'listBuyersOfBatch',
    permission: 'codes.read',
    summary:
      'Who has codes of an import, those it is withheld from first; a search is for a part of an order id or nickname',
    params: byId,
    query: listQuery(['code_id']),
    answer: toList(batchBuyer).extend({
      /**
       * How many of the newest codes were searched, because the search matches too many orders; null for all of them.
       */
      looked_at: z.int().nullable(),
    }),
  }),
  recall: adminEndpoint('POST /admin/code-batches/:id/recall', {
    operationId: 'recallCodeBatch',
    permission: 'stock.write',
    refusals: ['STATE_CONFLICT'],
    summary:
      'Takes what is left of an import off the shelf for good, also what comes back later, and withholds what its buyers have not seen',
    params: byId,
    body: z.strictObject({ reason }),
    answer: toData(codeBatch),
    confirmed: true,
  }),
}
