import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { languageSchema, time, toData, version, wholeNumber } from './fields.ts'
import * as LIMITS from './limits.ts'
import { isStorable } from './storable.ts'

/** The pages an owner writes, by the end of their address: `/pages/terms`. */
export const pageNames = ['terms', 'privacy', 'refunds', 'about', 'requisites'] as const
const pageName = z.enum(pageNames)
export type PageName = z.infer<typeof pageName>

/** A text in Markdown; a blank one is none. */
const pageText = z
  .string()
  .refine(isStorable, 'invalid_text')
  .refine((value) => new TextEncoder().encode(value).length <= LIMITS.pageTextBytes, 'too_long')
  .transform((value) => (value.trim() === '' ? null : value))
  .nullable()

/** Words that are marked alike. A line that ends on purpose ends in them. */
const pageWords = z.object({
  text: z.string(),
  marks: z.array(z.enum(['strong', 'emphasis', 'code'])),
  /** Where they lead. */
  url: z.string().nullable(),
})

/** What blocks stand in: those of one id that follow each other stand in the same. */
const pageFrame = z.object({
  kind: z.enum(['quote', 'bullets', 'numbers', 'item']),
  id: z.int(),
  /** With which number a list begins. */
  start: z.int(),
})

/** A part of a text. Nothing in it is markup: pages make elements of their own of it. */
export const pageBlock = z.object({
  kind: z.enum(['heading', 'paragraph', 'code', 'rule']),
  /** In which line of the text it begins. */
  line: z.int(),
  /** A heading has one from 2 to 4. */
  level: z.int(),
  /** Outermost first. */
  frames: z.array(pageFrame),
  words: z.array(pageWords),
})
export type PageBlock = z.infer<typeof pageBlock>

const shownPage = z.object({
  name: pageName,
  /** The language of the text: another one where it was not written in the one that was asked for. */
  language: languageSchema,
  changed_at: time,
  blocks: z.array(pageBlock),
})
export type ShownPage = z.infer<typeof shownPage>

const change = { is_published: z.boolean(), version, changed_at: time, changed_by: z.string().nullable() }

/** What each version of a page keeps. */
export const pageTexts = z.object({ texts: z.partialRecord(languageSchema, z.string()) })

const writtenPage = z.object({ name: pageName, ...pageTexts.shape, ...change })
export type WrittenPage = z.infer<typeof writtenPage>

/** A version of a page without its texts. */
const pageVersion = z.object({ name: pageName, languages: z.array(languageSchema), ...change })
export type PageVersion = z.infer<typeof pageVersion>

const byName = z.object({ name: pageName })

export const pagesApi = {
  shown: endpoint('GET /pages/:name', {
    operationId: 'readPage',
    access: 'visitor',
    tag: 'store',
    summary: 'A page that the owner wrote and published, as parts, in the language of Accept-Language where it has it',
    params: byName,
    answer: toData(shownPage),
  }),
  list: adminEndpoint('GET /admin/pages', {
    operationId: 'listPages',
    permission: 'settings.read',
    summary: 'The pages an owner writes: terms, privacy, refunds, about, requisites; without their texts',
    answer: z.object({ data: z.array(pageVersion) }),
  }),
  written: adminEndpoint('GET /admin/pages/:name', {
    operationId: 'readWrittenPage',
    permission: 'settings.read',
    summary: 'The texts of a page, as they were written; of an earlier version where one is named',
    params: byName,
    query: z.strictObject({ version: wholeNumber(9, 'invalid', 1, 999_999_999).optional() }),
    answer: toData(writtenPage),
  }),
  change: adminEndpoint('PUT /admin/pages/:name', {
    operationId: 'changePage',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Writes a page as a new version, and publishes or withdraws it; languages that are left out stay',
    params: byName,
    body: z.strictObject({
      is_published: z.boolean(),
      texts: z.partialRecord(languageSchema, pageText),
      version: version.optional(),
    }),
    bodyLimit: LIMITS.pageBodyBytes,
    answer: toData(writtenPage),
    confirmed: true,
  }),
  preview: adminEndpoint('POST /admin/pages/preview', {
    operationId: 'previewPage',
    permission: 'settings.read',
    summary: 'A text as its page would show it; what may not be in it is refused by the line it stands in',
    body: z.strictObject({ text: pageText }),
    bodyLimit: LIMITS.pageBodyBytes,
    answer: toData(z.object({ blocks: z.array(pageBlock) })),
  }),
  versions: adminEndpoint('GET /admin/pages/:name/versions', {
    operationId: 'listPageVersions',
    permission: 'settings.read',
    summary: 'The last fifty versions of a page, newest first, without their texts',
    params: byName,
    answer: z.object({ data: z.array(pageVersion) }),
  }),
}
