import { z } from 'zod'
import { codeStatuses, gameCode, importReport, searchedCode } from './codes.ts'
import { boughtCodes } from './costs.ts'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, codeIdSearch, id, idText, listQuery, time, toData, toList, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'

/** A code of the pool: spent on a player's id by a delivery, never shown to a customer. */
export const pubgCode = z.object({
  id: bigId,
  denomination_id: id,
  /** Masked. */
  code: z.string(),
  uc_amount: z.int(),
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  status: z.enum(codeStatuses),
  batch_id: id,
  /** The order it was spent for. */
  order_id: z.string().nullable(),
  user_id: id.nullable(),
  nickname: z.string().nullable(),
  created_at: time,
  version,
})
export type PubgCode = z.infer<typeof pubgCode>

const poolReport = importReport.omit({ batch_id: true, elsewhere: true, price_changes: true })
export type PoolReport = z.infer<typeof poolReport>

const pubgCodeChange = z
  .strictObject({ denomination_id: id, code: gameCode, status: z.enum(['available', 'error', 'archived']), version })
  .partial()
export type PubgCodeChange = z.infer<typeof pubgCodeChange>

export const pubgCodesApi = {
  list: adminEndpoint('GET /pubg-admin/codes', {
    operationId: 'listPubgCodes',
    permission: 'codes.read',
    summary: 'Codes of the PUBG pool, masked; a search is for the id of one',
    query: listQuery(['id', 'created_at', 'uc_amount', 'price_usd', 'price_rub', 'status']).extend({
      search: codeIdSearch,
      denominationId: idText.optional(),
      status: z.enum(codeStatuses).optional(),
      batch: idText.optional(),
    }),
    answer: toList(pubgCode),
  }),
  search: adminEndpoint('POST /pubg-admin/codes/search', {
    operationId: 'searchPubgCodes',
    permission: 'codes.read',
    summary: 'One exact code of the PUBG pool, or its id; in a body, because addresses stand in logs',
    body: z.strictObject({
      search: searchedCode,
      denominationId: id.optional(),
      status: z.enum(codeStatuses).optional(),
      batch: id.optional(),
    }),
    answer: toList(pubgCode),
  }),
  add: adminEndpoint('POST /pubg-admin/codes', {
    operationId: 'addPubgCode',
    permission: 'stock.write',
    refusals: ['OFFER_NOT_FOUND', 'DUPLICATE'],
    summary: 'Puts one code into the pool of a denomination',
    body: z.strictObject({ denomination_id: id, code: gameCode, bought: boughtCodes.optional() }),
    answer: toData(pubgCode),
    status: 201,
    confirmed: true,
  }),
  importMany: adminEndpoint('POST /pubg-admin/codes/bulk', {
    operationId: 'importPubgCodes',
    permission: 'stock.write',
    refusals: ['OFFER_NOT_FOUND'],
    summary: 'Puts codes into the pool of a denomination, one a line. With an invalid line, none',
    query: z.strictObject({ dryRun: z.enum(['true', 'false', '1', '0', '']).default('false') }),
    body: z.strictObject({
      denomination_id: id,
      lines: z.union([z.string(), z.array(z.string()).max(LIMITS.importLinesMax)]),
      bought: boughtCodes.optional(),
    }),
    answer: toData(poolReport),
    confirmed: true,
    bodyLimit: LIMITS.bulkBodyBytes,
  }),
  change: adminEndpoint('PUT /pubg-admin/codes/:id', {
    operationId: 'changePubgCode',
    permission: 'stock.write',
    refusals: ['CODE_NOT_FOUND', 'OFFER_NOT_FOUND', 'DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a code of the pool that was never spent; another denomination takes `prices.write`',
    params: byBigId,
    body: pubgCodeChange,
    answer: toData(pubgCode),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /pubg-admin/codes/:id', {
    operationId: 'removePubgCode',
    permission: 'stock.write',
    refusals: ['CODE_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Deletes a code of the pool that was never spent nor shown',
    params: byBigId,
    answer: toData(z.object({ id: bigId })),
    confirmed: true,
  }),
}
