import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { byId, id, imageUrl, listQuery, otherLanguage, text, time, toData, toList, version } from './fields.ts'

const emojiLengthMax = 16

const flag = text(0, 2_000).refine(
  (value) => (value.length <= emojiLengthMax && !/[:/<>]/.test(value)) || imageUrl.safeParse(value).success,
  'invalid_flag',
)
const name = text(1, 100)
const translations = z.partialRecord(otherLanguage, text(0, 100))
const code = text(1, 10)
  .regex(/^[A-Za-z0-9_-]+$/, 'invalid_code')
  .transform((value) => value.toUpperCase())

export const region = z.object({
  id,
  name: z.string(),
  translations: z.partialRecord(otherLanguage, z.string()),
  code: z.string(),
  /** An emoji or the address of a picture. */
  flag: z.string(),
  is_active: z.boolean(),
  created_at: time,
  /** Products it is linked to, and their packages in it. */
  products_count: z.int(),
  offers_count: z.int(),
  version,
})
export type Region = z.infer<typeof region>

const newRegion = z.strictObject({
  name,
  translations: translations.default({}),
  code,
  flag: flag.default(''),
  is_active: z.boolean().default(true),
})
export type NewRegion = z.infer<typeof newRegion>

/** A field that is left out stays as it is. */
const regionChange = z.strictObject({ name, translations, code, flag, is_active: z.boolean(), version }).partial()
export type RegionChange = z.infer<typeof regionChange>

export const regionsApi = {
  list: adminEndpoint('GET /admin/regions', {
    operationId: 'listRegions',
    permission: 'catalogue.read',
    summary: 'Regions',
    query: listQuery(['id', 'name', 'code', 'is_active', 'created_at']),
    answer: toList(region),
  }),
  add: adminEndpoint('POST /admin/regions', {
    operationId: 'addRegion',
    permission: 'catalogue.write',
    refusals: ['DUPLICATE'],
    summary: 'Adds a region',
    body: newRegion,
    answer: toData(region),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/regions/:id', {
    operationId: 'changeRegion',
    permission: 'catalogue.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a region',
    params: byId,
    body: regionChange,
    answer: toData(region),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/regions/:id', {
    operationId: 'removeRegion',
    permission: 'catalogue.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Deletes a region and its links to products; one that has packages is refused',
    params: byId,
    answer: toData(z.object({ id, products_count: z.int() })),
    confirmed: true,
  }),
}
