import { z } from 'zod'
import { boughtCodes } from './costs.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  bigId,
  byBigId,
  codeIdSearch,
  emptyBody,
  id,
  idText,
  listQuery,
  regionId,
  regionIdText,
  text,
  time,
  toData,
  toList,
  version,
} from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { confirmPrices, priceChange, priceSchema } from './offers.ts'

/** `unpublished` is a generated code that is not on sale yet. */
export const codeStatuses = [
  'available',
  'reserved',
  'used',
  'error',
  'quarantined',
  'archived',
  'unpublished',
] as const
export type CodeStatus = (typeof codeStatuses)[number]

/** Why a line was rejected. */
const lineReasons = [
  'wrong_columns',
  'code_missing',
  'code_too_long',
  'price_usd_invalid',
  'price_rub_invalid',
  'game_amount_invalid',
  'price_differs_within_import',
  /** It says no price, and there is no package of its amount yet. */
  'price_missing',
] as const
export type LineReason = (typeof lineReasons)[number]

export const importReport = z.object({
  /** Codes added to stock, or in a dry run the codes that would be. */
  added: z.int(),
  /** The import the codes belong to; null in a dry run, with an invalid line, or when nothing was new. */
  batch_id: id.nullable(),
  /** Line numbers, from 1, whose code is in stock already or appears earlier in this import. */
  duplicates: z.array(z.int()),
  /** Those of the duplicates whose code is in stock as another product's. */
  elsewhere: z.array(z.int()),
  invalid: z.array(z.object({ line: z.int(), reason: z.enum(lineReasons) })),
  /** Packages that are made, and prices that change. */
  price_changes: z.array(priceChange),
})
export type ImportReport = z.infer<typeof importReport>

/** One word, as a game takes it. A mask, as lists show it, is not a code. */
export const gameCode = text(1, LIMITS.codeLengthMax).regex(/^[^\s•]+$/, 'invalid_code')
/** As long as a code can be. */
export const searchedCode = text(1, LIMITS.codeLengthMax)
/** A login and its password, say, are several lines of one code. */
const shelfCode = text(1, LIMITS.codeLengthMax).regex(/^[^\r•]+$/, 'invalid_code')
const gameAmount = z.int().min(1).max(LIMITS.gameAmountMax)

/** A row of a file, as a browser has read it. */
const importRow = z
  .strictObject({
    /** Where it begins in the file; the report names it so. */
    line: z.int().min(1).max(LIMITS.importFileLinesMax),
    code: shelfCode,
    gameAmount,
    /** Both or neither: the package keeps its price then. */
    priceUsd: priceSchema.optional(),
    priceRub: priceSchema.optional(),
  })
  .refine(({ priceUsd, priceRub }) => (priceUsd === undefined) === (priceRub === undefined), {
    path: ['priceRub'],
    error: 'required',
  })
export type ImportRow = z.infer<typeof importRow>

export const newCode = z.strictObject({
  productId: id,
  /** 0 or null: everywhere. */
  regionId: regionId.nullish(),
  code: shelfCode,
  gameAmount,
  priceUsd: priceSchema,
  priceRub: priceSchema,
  bought: boughtCodes.optional(),
  confirmPrices,
})
export type NewCode = z.infer<typeof newCode>

/** A field that is left out stays as it is. A price is the price of the whole package. */
const codeChange = z.strictObject({
  productId: id.optional(),
  regionId: regionId.nullish(),
  code: shelfCode.optional(),
  gameAmount: gameAmount.optional(),
  priceUsd: priceSchema.optional(),
  priceRub: priceSchema.optional(),
  status: z.enum(['available', 'archived']).optional(),
  confirmPrices,
  version: version.optional(),
})
export type CodeChange = z.infer<typeof codeChange>

export const listedCode = z.object({
  id: bigId,
  product_id: id,
  product_title: z.string(),
  region_id: regionId,
  region_name: z.string(),
  /** Masked. */
  code: z.string(),
  game_amount: z.int(),
  game_currency: z.string(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  status: z.enum(codeStatuses),
  batch_id: id,
  /** The order it was sold to. */
  order_id: z.string().nullable(),
  user_id: id.nullable(),
  nickname: z.string().nullable(),
  created_at: time,
  version,
})
export type ListedCode = z.infer<typeof listedCode>

/** Checked before the text is split: a million lines would take a while. */
function isShortEnough(lines: string): boolean {
  let count = 1
  for (let at = lines.indexOf('\n'); at >= 0 && count <= LIMITS.importLinesMax; at = lines.indexOf('\n', at + 1))
    count++
  return count <= LIMITS.importLinesMax
}

export const codesApi = {
  list: adminEndpoint('GET /admin/codes', {
    operationId: 'listCodes',
    permission: 'codes.read',
    summary: 'Codes, masked; a search is for the id of one, among the codes of every product',
    query: listQuery(['id', 'created_at', 'game_amount', 'price_usd', 'price_rub', 'status']).extend({
      search: codeIdSearch,
      productId: idText.optional(),
      regionId: regionIdText.optional(),
      /** A package of the product. */
      offerId: idText.optional(),
      status: z.enum(codeStatuses).optional(),
      batch: idText.optional(),
    }),
    answer: toList(listedCode),
  }),
  search: adminEndpoint('POST /admin/codes/search', {
    operationId: 'searchCodes',
    permission: 'codes.read',
    summary: 'One exact code, or its id, among the codes of every product; in a body, because addresses stand in logs',
    body: z.strictObject({
      search: searchedCode,
      productId: id.optional(),
      regionId: regionId.optional(),
      offerId: id.optional(),
      status: z.enum(codeStatuses).optional(),
      batch: id.optional(),
    }),
    answer: toList(listedCode),
  }),
  add: adminEndpoint('POST /admin/codes', {
    operationId: 'addCode',
    permission: 'stock.write',
    refusals: ['NOT_FOUND', 'PRICE_CHANGED', 'FLOOR_PRICE', 'DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Puts one code on the shelf; a price other than the one in force is one of the whole package, once confirmed. A missing package is made for who has `prices.write`',
    body: newCode,
    answer: toData(listedCode),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/codes/:id', {
    operationId: 'changeCode',
    permission: 'stock.write',
    refusals: ['CODE_NOT_FOUND', 'NOT_FOUND', 'PRICE_CHANGED', 'FLOOR_PRICE', 'DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Changes a code that was never sold; a price change is one of the whole package, once confirmed. Another package takes `prices.write`',
    params: byBigId,
    body: codeChange,
    answer: toData(listedCode),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/codes/:id', {
    operationId: 'removeCode',
    permission: 'stock.write',
    refusals: ['CODE_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Deletes a code that was never sold, shown nor tried at a supplier',
    params: byBigId,
    answer: toData(z.object({ id: bigId })),
    confirmed: true,
  }),
  reveal: adminEndpoint('POST /admin/codes/:id/reveal', {
    operationId: 'revealCode',
    permission: 'codes.reveal',
    refusals: ['CODE_NOT_FOUND', 'RATE_LIMITED'],
    summary: 'Shows a code; who looked is written down first',
    params: byBigId,
    body: emptyBody,
    answer: toData(z.object({ id: bigId, code: z.string() })),
    confirmed: true,
  }),
  importMany: adminEndpoint('POST /admin/codes/bulk', {
    operationId: 'importCodes',
    permission: 'stock.write',
    refusals: ['NOT_FOUND', 'OFFER_NOT_FOUND', 'PRICE_CHANGED', 'FLOOR_PRICE', 'STATE_CONFLICT'],
    summary:
      'Imports codes, one a line: code, price USD, price RUB, game amount; with an invalid line, none. Or rows of a file, of which invalid ones are left out. Missing packages are made for who has `prices.write`',
    query: z.strictObject({ dryRun: z.enum(['true', 'false', '1', '0', '']).default('false') }),
    body: z
      .strictObject({
        productId: id,
        regionId: regionId.nullish(),
        lines: z
          .union([
            z.string().refine(isShortEnough, 'too_many_lines'),
            z.array(z.string()).refine(({ length }) => length <= LIMITS.importLinesMax, 'too_many_lines'),
          ])
          .optional(),
        rows: z.array(importRow).max(LIMITS.importLinesMax, 'too_many_lines').optional(),
        /** Continues an earlier import into one place: a long list is sent in parts. */
        batchId: id.optional(),
        /** Said with the first part. */
        bought: boughtCodes.optional(),
        confirmPrices,
      })
      .refine((body) => body.batchId === undefined || body.bought === undefined, {
        path: ['bought'],
        error: 'import_begun',
      })
      .refine(({ lines, rows }) => (lines === undefined) !== (rows === undefined), {
        path: ['lines'],
        error: 'required',
      }),
    answer: importReport,
    confirmed: true,
    bodyLimit: LIMITS.bulkBodyBytes,
  }),
}
