import { z } from 'zod'
import { type CodeStatus, codeStatuses, searchedCode } from './codes.ts'
import { boughtCodes } from './costs.ts'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, codeIdSearch, id, idText, listQuery, text, time, toData, toList } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'

/** Whether a code can be bought is stated by `published`, not by its status. */
const generatedStatuses = codeStatuses.filter(
  (status): status is Exclude<CodeStatus, 'unpublished'> => status !== 'unpublished',
)
export type GeneratedStatus = (typeof generatedStatuses)[number]

/** How a generated code was spent. */
const activation = z.object({
  order_id: z.string(),
  user_id: id,
  nickname: z.string(),
  player_id: z.string(),
  player_name: z.string().nullable(),
})

export const generatedCode = z.object({
  id: bigId,
  product_id: id,
  product_title: z.string(),
  /** What activating it delivers. */
  denomination_id: id,
  denomination_name: z.string(),
  prefix: z.string(),
  /** Masked. */
  code: z.string(),
  game_amount: z.int(),
  game_currency: z.string(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  status: z.enum(generatedStatuses),
  /** Whether customers can buy it, or have bought it. */
  published: z.boolean(),
  /** Whether its whole package is popular. */
  popular: z.boolean(),
  offer_id: id,
  batch_id: id,
  /** The order it was sold to. */
  order_id: z.string().nullable(),
  user_id: id.nullable(),
  nickname: z.string().nullable(),
  activated_at: time.nullable(),
  activation: activation.nullable(),
  created_at: time,
})
export type GeneratedCode = z.infer<typeof generatedCode>

export const codePrefix = text(0, LIMITS.codePrefixMax).regex(/^[A-Za-z0-9]*$/, 'invalid_generated_prefix')

const generateRequest = z.strictObject({
  productId: id,
  denominationId: id,
  count: z.int('invalid_quantity').min(1, 'invalid_quantity').max(LIMITS.generatedCodesMax, 'invalid_quantity'),
  /** By default the product's. */
  prefix: codePrefix.nullish(),
  /** On sale at once. */
  published: z.boolean().default(false),
  /** Left out they cost nothing: what a code delivers is a cost of the order that it is spent by. */
  bought: boughtCodes.optional(),
})
export type GenerateRequest = z.infer<typeof generateRequest>

const ids = z.array(bigId).min(1, 'required').max(LIMITS.generatedCodesMax, 'list_too_long')

const isYes = z.enum(['true', 'false']).transform((value) => value === 'true')

const filters = {
  productId: id.optional(),
  denominationId: id.optional(),
  status: z.enum(generatedStatuses).optional(),
  published: z.boolean().optional(),
  activated: z.boolean().optional(),
  batch: id.optional(),
}

const copyFilter = z.strictObject({ ...filters, ids: ids.optional(), search: searchedCode.optional() })

export const generatedCodesApi = {
  list: adminEndpoint('GET /admin/generated-codes', {
    operationId: 'listGeneratedCodes',
    permission: 'codes.read',
    summary: 'Generated codes, masked; a search is for the id of one',
    query: listQuery(['id', 'created_at', 'game_amount', 'price_usd', 'price_rub', 'status']).extend({
      search: codeIdSearch,
      productId: idText.optional(),
      denominationId: idText.optional(),
      status: z.enum(generatedStatuses).optional(),
      published: isYes.optional(),
      activated: isYes.optional(),
      batch: idText.optional(),
    }),
    answer: toList(generatedCode),
  }),
  search: adminEndpoint('POST /admin/generated-codes/search', {
    operationId: 'searchGeneratedCodes',
    permission: 'codes.read',
    summary: 'One exact generated code, however it is typed, or its id; in a body, because addresses stand in logs',
    body: z.strictObject({ ...filters, search: searchedCode }),
    answer: toList(generatedCode),
  }),
  generate: adminEndpoint('POST /admin/generated-codes/generate', {
    operationId: 'generateCodes',
    permission: 'stock.write',
    refusals: ['NOT_FOUND', 'OFFER_NOT_FOUND', 'STATE_CONFLICT'],
    summary:
      'Makes codes that nobody can guess, for a denomination of Free Fire; all of them or none. A missing package is made for who has `prices.write`',
    body: generateRequest,
    answer: toData(z.object({ batch_id: id, offer_id: id, count: z.int(), published: z.boolean() })),
    status: 201,
    idempotent: true,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/generated-codes/:id', {
    operationId: 'changeGeneratedCode',
    permission: 'stock.write',
    refusals: ['CODE_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Puts a code on sale or takes it off; marks its whole package as popular',
    params: byBigId,
    body: z.strictObject({ published: z.boolean().optional(), popular: z.boolean().optional() }),
    answer: toData(generatedCode),
    confirmed: true,
  }),
  publish: adminEndpoint('POST /admin/generated-codes/publish', {
    operationId: 'publishGeneratedCodes',
    permission: 'stock.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'The same for many codes, or a whole batch; those that are sold or reserved stay as they are',
    body: z
      .strictObject({ ids: ids.optional(), batch: id.optional(), published: z.boolean() })
      .refine((body) => (body.ids === undefined) !== (body.batch === undefined), { error: 'required', path: ['ids'] }),
    answer: toData(z.object({ changed: z.int() })),
    confirmed: true,
  }),
  copy: adminEndpoint('POST /admin/generated-codes/copy', {
    operationId: 'copyGeneratedCodes',
    permission: 'codes.reveal',
    summary: 'All codes of a filter in plain text, one a line, or as CSV; who copied them is written down first',
    body: z.strictObject({ filter: copyFilter.default({}), format: z.enum(['text', 'csv']).default('text') }),
    answer: toData(z.object({ count: z.int(), text: z.string() })),
    confirmed: true,
  }),
}
