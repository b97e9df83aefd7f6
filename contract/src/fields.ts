import { z } from 'zod'
import * as LIMITS from './limits.ts'
import { isPictureAddress } from './picture-address.ts'
import { isStorable } from './storable.ts'

/** Text that can be stored, trimmed. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine(isStorable, 'invalid_text')
    .trim()
    .min(min, min > 0 ? 'required' : undefined)
    .max(max, 'too_long')

/** What nobody sees and what turns the direction of text around; a line's end and the mark that colours an emoji stay. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu
const seen = ['\n', '\uFE0F']

/** Writes a text as it will be shown: one kind of line end, nothing invisible, no towers of accents. */
const toPlain = (value: string): string =>
  value
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replaceAll('\t', ' ')
    .replace(invisible, (character) => (seen.includes(character) ? character : ''))
    .replace(/(?<!\p{Emoji})\uFE0F/gu, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** What people write to each other: plain text in lines, in which nothing is a link. */
export const plainText = (min: number, max: number) =>
  z
    .string()
    .refine(isStorable, 'invalid_text')
    .transform(toPlain)
    .pipe(
      z
        .string()
        .min(min, min > 0 ? 'required' : undefined)
        .max(max, 'too_long'),
    )

/** A whole number in a path or a query, where everything arrives as text. */
export const wholeNumber = (digits: number, fault: string, min: number, max: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), fault)
    .transform(Number)
    .pipe(z.number().min(min).max(max))

const maxId = 2_147_483_647

export const id = z.int().min(1).max(maxId)
export const idText = wholeNumber(10, 'invalid_id', 1, maxId)

const maxBigId = 999_999_999_999_999

/** The id of what purchases, payments and visits add to: it outgrows the other ids, and is still exact as a number. */
export const bigId = z.int().min(1).max(maxBigId)
export const bigIdText = wholeNumber(15, 'invalid_id', 1, maxBigId)

/** A region id: 0 means no region. */
export const regionIdText = wholeNumber(10, 'invalid_id', 0, maxId)
export const regionId = z.int().min(0).max(maxId)

/** The region a code works in, for customers; the flag is an emoji or the address of a picture. */
export const shownRegion = z.object({ id, name: z.string(), flag: z.string() })
export type ShownRegion = z.infer<typeof shownRegion>

/** Ten random characters of Crockford's base32. */
export const orderId = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{10}$/, 'invalid_id')

/**
 * The paths of calls about one thing, `/admin/users/:id`, and about one order, whose id may be anything that is typed, in
 * either case.
 */
export const byId = z.object({ id: idText })
export const byBigId = z.object({ id: bigIdText })
export const byOrderId = z.object({ id: text(1, 64).toUpperCase() })

/** Why an admin does something. */
export const reason = text(1, LIMITS.reasonMax)

export const time = z.iso.datetime()

/** Before that there was no store, and the database knows no year 0. */
const firstDay = '2000-01-01'

/** A day that is asked for or typed. */
export const date = z.iso.date('invalid_date').refine((day) => day >= firstDay, 'invalid_date')

/** Names the same moment in UTC, whatever offset it was typed with: the database knows none of sixteen hours. */
function toUtc(text: string): string {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

/** A moment that is asked for or typed. A year that is not of four digits begins with a sign, which comes before any digit. */
export const moment = z.iso
  .datetime({ offset: true, error: 'invalid_time' })
  .overwrite(toUtc)
  .refine((text) => text >= firstDay, 'invalid_time')

/** An hour and a minute of any day: 09:30. */
export const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'invalid_time')

/** Whether it is an https address without anything that could end the attribute or the sentence it stands in. */
export const isHttpsAddress = (address: string): boolean => /^https:\/\/[^\s"'<>\\]+$/.test(address)

export const languages = ['ru', 'en', 'uz'] as const
export type Language = (typeof languages)[number]
export const languageSchema = z.enum(languages)
/** The languages besides Russian, in which the text itself is; a blank one removes its language. */
export const otherLanguage = languageSchema.exclude(['ru'])

const pageNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'invalid_page')
  .transform(Number)
  .pipe(z.number().min(1))
const pageSizeUpTo = (max: number) => wholeNumber(4, 'invalid_page', 1, max)

export const search = text(0, 100)

/** For lists of codes: addresses are logged, so a code itself is searched for by a body. */
export const codeIdSearch = z
  .string()
  .regex(/^\d{0,15}$/, 'invalid_search')
  .default('')

/** `?page=1&pageSize=50&search=&sort=&order=` of every admin list; `sort` names a column of that list. */
export const listQuery = <const Sort extends readonly [string, ...string[]]>(sort: Sort) =>
  z.strictObject({
    page: pageNumber.default(1),
    pageSize: pageSizeUpTo(LIMITS.listPageSizeMax).default(LIMITS.listPageSize),
    search: search.default(''),
    sort: z.enum(sort).optional(),
    order: z.enum(['asc', 'desc']).default('desc'),
  })

export const customerPage = {
  page: pageNumber.default(1),
  pageSize: pageSizeUpTo(LIMITS.customerPageSizeMax).default(LIMITS.customerPageSizeMax),
}

export const success = z.object({ success: z.literal(true) })
export const nothing = z.undefined()

/** A request without data may be sent with no body, or with an empty object. */
export const emptyBody = z.strictObject({}).nullish()

/** The answers of admin calls: one item, or a page of items and their total. */
export const toData = <Item extends z.ZodType>(item: Item) => z.object({ data: item })
export const toList = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.int() })

/** The version of an edited thing that the admin saw. Without it, whatever is there is changed. */
export const version = z.int().min(1)

/** A percentage with at most two decimals. */
export const percentBetween = (min: number, max: number) =>
  z
    .number({ error: 'invalid_amount' })
    .min(min, 'invalid_amount')
    .max(max, 'invalid_amount')
    .refine((percent) => Math.round(percent * 100) / 100 === percent, 'invalid_amount')

/** A colour as #rrggbb, kept in lower case. */
export const hexColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'invalid_color')
  .transform((value) => value.toLowerCase())

/** A picture: at any https address, one that was uploaded, or the shop's own artwork. */
export const imageUrl = text(0, 2_000).refine(
  (value) =>
    value === '' ||
    isPictureAddress(value) ||
    /^https:\/\/[^\s"'<>\\]+$/.test(value) ||
    /^\/art\/[\w-]+(\.[\w-]+)*$/.test(value),
  'invalid_image_url',
)
