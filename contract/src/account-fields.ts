import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { byId, languageSchema, text, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { accountFieldTypes, accountKey, anyTopup } from './topup-data.ts'

const label = text(0, 100)
/** By language; `ru` is required, and stands in for one that is blank. */
const labels = z.strictObject({
  ru: z.string({ error: 'required' }).pipe(text(1, 100)),
  en: label.optional(),
  uz: label.optional(),
})

/**
 * A regular expression that can be tried on anything at once: literals and classes with at most three quantifiers that
 * leave a choice, no groups and no alternatives.
 */
const simplePattern = text(0, LIMITS.accountPatternMax).refine(isSimplePattern, 'invalid_pattern')

function isSimplePattern(pattern: string): boolean {
  const bare = pattern.replace(/\\[dwsDWS.\-+*?[\]{}^$/\\]/g, 'x').replace(/\[[^\]]*\]/g, 'x')
  if (/[()|\\]/.test(bare) || (bare.match(/[*+?]|\{\d*,\d*\}/g) ?? []).length > 3) return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** A field as it is stored. */
const storedField = z.strictObject({
  key: accountKey,
  type: z.enum(accountFieldTypes),
  labels,
  hints: z.partialRecord(languageSchema, text(0, 300)).default({}),
  pattern: simplePattern.default(''),
  lengthMin: z.int().min(0).max(LIMITS.accountValueMax).default(1),
  lengthMax: z.int().min(1).max(LIMITS.accountValueMax).default(64),
  isRequired: z.boolean().default(true),
  /** For `select`, and for nothing else. */
  options: z
    .array(z.strictObject({ value: text(1, 100), labels }))
    .max(LIMITS.accountOptionsMax, 'list_too_long')
    .refine((list) => new Set(list.map(({ value }) => value)).size === list.length, 'duplicate')
    .default([]),
})

/** A field as an operator edits it. */
export const editedField = storedField
  .refine(({ lengthMin, lengthMax }) => lengthMin <= lengthMax, { path: ['lengthMax'], error: 'invalid_length' })
  .refine(({ type, options }) => (type === 'select') === options.length > 0, { path: ['options'], error: 'required' })
export type EditedField = z.output<typeof editedField>

const editedFields = z
  .array(editedField)
  .max(LIMITS.accountFieldsMax, 'list_too_long')
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'duplicate')

const fieldsOfProduct = z.object({ fields: z.array(storedField), version })

export const accountFieldsApi = {
  read: adminEndpoint('GET /admin/products/:id/fields', {
    operationId: 'readAccountFields',
    permission: 'catalogue.read',
    summary: 'What a top-up asks its customers for',
    params: byId,
    answer: toData(fieldsOfProduct),
  }),
  change: adminEndpoint('PUT /admin/products/:id/fields', {
    operationId: 'changeAccountFields',
    permission: 'catalogue.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets what a top-up asks for; orders that were placed keep what they were asked',
    params: byId,
    body: z.strictObject({ fields: editedFields, version: version.optional() }),
    answer: toData(fieldsOfProduct),
    confirmed: true,
  }),
  try: adminEndpoint('POST /admin/products/:id/try', {
    operationId: 'tryTopup',
    permission: 'catalogue.read',
    refusals: [
      'NOT_FOUND',
      'PLAYER_NOT_FOUND',
      'STEAM_LOGIN_REFUSED',
      'OFFER_NOT_FOUND',
      'RATE_LIMITED',
      'SUPPLIER_UNAVAILABLE',
    ],
    summary:
      'Tries a top-up that may not be published yet: checks the account as for a customer, and has the sandbox deliver an offer',
    params: byId,
    body: z.strictObject({ account: anyTopup.shape.account, offerId: z.int().min(1).optional() }),
    answer: toData(
      z.object({
        /** The account as one text. */
        account: z.string(),
        player_name: z.string().nullable(),
        /** What the sandbox made of the order; null when no offer was named, or the shop has no sandbox. */
        delivery: z.enum(['done', 'pending', 'failed', 'rejected', 'unknown']).nullable(),
        why: z.string().nullable(),
      }),
    ),
  }),
}
