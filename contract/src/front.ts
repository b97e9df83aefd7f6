import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { id, isHttpsAddress, languageSchema, text, time, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'

/** An https address, or a page of the shop. */
const linkAddress = text(1, LIMITS.linkAddressMax).refine(
  (value) => isHttpsAddress(value) || /^\/(?!\/)[^\s"'<>\\]*$/.test(value),
  'invalid_link',
)

export const bannerKinds = ['info', 'warning'] as const

const bannerFields = z.strictObject({
  is_on: z.boolean(),
  kind: z.enum(bannerKinds),
  /** A blank text is none. */
  texts: z.partialRecord(languageSchema, text(0, LIMITS.bannerTextMax)),
  /** Where a press on it leads. */
  url: linkAddress.nullable(),
  /** Null: at once, and for as long as it is on. */
  from: time.nullable(),
  until: time.nullable(),
})

/** What stands above every page for a while, unless one that is in force comes before it. */
const banner = bannerFields
  .refine(({ is_on, texts }) => !is_on || Object.values(texts).some((one) => one !== ''), {
    path: ['texts'],
    error: 'required',
  })
  .refine(({ from, until }) => from === null || until === null || Date.parse(until) > Date.parse(from), {
    path: ['until'],
    error: 'before_start',
  })
export type ShopBanner = z.infer<typeof banner>

const question = z.strictObject({
  question: text(1, LIMITS.questionMax),
  answer: text(1, LIMITS.answerMax),
})
export type ShopQuestion = z.infer<typeof question>

/** What the owner puts in front: on the home page, above all pages, and among the questions of the support page. */
export const frontFields = z.object({
  /** Where the button of the home page leads; null: to the catalogue. */
  action_url: linkAddress.nullable(),
  /** The products that the home page shows by themselves, in this order; none: those of the store. */
  featured: z
    .array(id)
    .max(LIMITS.featuredMax, 'list_too_long')
    .refine((ids) => new Set(ids).size === ids.length, 'invalid'),
  /** In their order: the first one that is on and in its time is shown. */
  banners: z.array(banner).max(LIMITS.bannersMax, 'list_too_long'),
  /** By language; where there are none, those of the store. */
  questions: z.partialRecord(languageSchema, z.array(question).max(LIMITS.questionsMax, 'list_too_long')),
})
export type Front = z.infer<typeof frontFields>

/** A banner that is on, as pages are rendered with it; `id` is another one when it says something else. */
export interface ShownBanner extends Omit<ShopBanner, 'is_on'> {
  id: string
}

const frontSettings = z.object({
  ...frontFields.shape,
  version,
  changed_at: time,
  changed_by: z.string().nullable(),
})
export type FrontSettings = z.infer<typeof frontSettings>

export const frontApi = {
  questions: endpoint('GET /shop/questions', {
    operationId: 'listShopQuestions',
    access: 'visitor',
    tag: 'store',
    summary:
      'The owner’s questions and answers in the language of Accept-Language; none where the store’s own are shown',
    answer: z.object({ data: z.array(question) }),
  }),
  settings: adminEndpoint('GET /admin/shop-front', {
    operationId: 'readShopFront',
    permission: 'settings.read',
    summary:
      'Where the button of the home page leads, the featured products, the banners, and the questions and answers',
    answer: toData(frontSettings),
  }),
  change: adminEndpoint('PUT /admin/shop-front', {
    operationId: 'changeShopFront',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes what stands in front, on every page at once',
    body: z.strictObject({ ...frontFields.shape, version }).partial(),
    bodyLimit: LIMITS.pageBodyBytes,
    answer: toData(frontSettings),
    confirmed: true,
  }),
}
