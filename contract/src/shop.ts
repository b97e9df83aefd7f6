import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { isHttpsAddress, type Language, languageSchema, languages, text, toData, version } from './fields.ts'
import { emailAddress } from './fiscal-settings.ts'
import type { ShownBanner } from './front.ts'
import * as LIMITS from './limits.ts'
import { type OwnColorName, ownColorNames } from './look.ts'
import { convertedCurrencies, currencies } from './money.ts'
import type { PageName } from './pages.ts'
import { type Picture, pictureAddress } from './pictures.ts'
import { timeZone } from './rates.ts'
import { type NumberName, numberNames, numberRanges } from './shop-numbers.ts'
import { unitForms } from './units.ts'
import { keptVersion, restoredVersion, versionFields } from './versions.ts'

const contactUrl = text(1, 200).refine(isHttpsAddress, 'invalid')
const phone = z
  .string()
  .trim()
  .regex(/^\+?[\d ()-]{5,25}$/, 'invalid')

const color = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'invalid_color')
  .nullable()
const ownColors = Object.fromEntries(ownColorNames.map((name) => [name, color])) as Record<OwnColorName, typeof color>

/** Who the shop is: what the header, the titles and the foot of every page say. A contact that is null is not shown. */
export const shopFields = z.object({
  name: text(1, LIMITS.shopNameMax),
  /** The operator's messenger, at an https address. */
  messenger_url: contactUrl.nullable(),
  email: emailAddress.nullable(),
  phone: phone.nullable(),
  /** When somebody answers, in the owner's words. */
  working_hours: text(1, LIMITS.workingHoursMax).nullable(),
  /** Uploaded pictures: in place of the name in the header, and of the mark in tabs and on phones. */
  logo: pictureAddress.nullable(),
  icon: pictureAddress.nullable(),
  /** The shop's own colours; what cannot be read in them is refused. */
  ...ownColors,
  /** The languages of the pages. */
  languages: z
    .array(languageSchema)
    .min(1, 'required')
    .refine((all) => new Set(all).size === all.length, 'invalid'),
  /** The one of them that an address need not name. */
  default_language: languageSchema,
  /** The currencies of orders that the pages offer. Balances may be in the others too. */
  currencies: z
    .array(z.enum(currencies, 'invalid'))
    .min(1, 'required')
    .refine((all) => new Set(all).size === all.length, 'invalid'),
  /** The one of them that a visitor without a choice gets. */
  default_currency: z.enum(currencies, 'invalid'),
  /** What else prices are shown in where there is a rate, while dollars are offered. What was paid in others stays readable. */
  shown_currencies: z
    .array(z.enum(convertedCurrencies, 'invalid'))
    .refine((all) => new Set(all).size === all.length, 'invalid'),
  /** In which its days begin and end; null for that of the environment. */
  time_zone: timeZone.nullable(),
})
export type ShopFields = z.infer<typeof shopFields>

/** The owner's own words for texts of the pages, by language and by the key of the text. */
export const ownTexts = z.partialRecord(languageSchema, z.record(z.string(), z.string()))
export type OwnTexts = z.infer<typeof ownTexts>

/** What shops and suppliers call a game's currency: in any script, `Echo` or `V-Buck`. */
const unitName = text(1, LIMITS.unitNameMax).refine(
  (name) => /^[\p{L}\p{M}\p{N}]+(?:[ -][\p{L}\p{M}\p{N}]+)*$/u.test(name),
  'invalid',
)

/** A word in a sentence: nothing invisible, and nothing that texts are filled in by. */
const unitWord = text(1, LIMITS.unitWordMax).refine((word) => !/[<>{}\p{C}\p{Zl}\p{Zp}]/u.test(word), 'invalid')

const inForms = <const Form extends string>(forms: readonly Form[]) =>
  z.strictObject(Object.fromEntries(forms.map((form) => [form, unitWord])) as Record<Form, typeof unitWord>)

/** Every form of each language that has words for it, which are one at least. */
const unitWords = z
  .strictObject({ ru: inForms(unitForms.ru), en: inForms(unitForms.en), uz: inForms(unitForms.uz) })
  .partial()
  .refine((words) => Object.values(words).some((forms) => forms !== undefined), 'required')

/** The owner's words for currencies of games, by their names. */
export const gameUnits = z.record(unitName, unitWords)
export type GameUnits = z.infer<typeof gameUnits>

/** What the pages are rendered with. Its languages and currencies begin with the default one; with another `version` its texts are others. */
export interface ShownShop extends Omit<ShopFields, 'logo' | 'time_zone'> {
  logo: Picture | null
  /** Within how many hours somebody answers. */
  reply_hours: number
  /** The own pages that are published. */
  pages: readonly PageName[]
  /** Where the button of the home page leads, if not to the catalogue. */
  action_url: string | null
  /** The ids of the featured products; none for those of the store. */
  featured: readonly number[]
  /** Those that are on, in their order: all of them, or in what a page is rendered with the one that stands above it. */
  banners: readonly ShownBanner[]
  version: string
  texts: OwnTexts
}

/** What is changed together, and has versions of its own. */
const shopSections = ['shop', 'texts', 'units', 'numbers', 'front', 'notifications', 'operators'] as const
export type ShopSection = (typeof shopSections)[number]

const toNumber = (name: NumberName) => {
  const { least, most } = numberRanges[name]
  return z.int('invalid').min(least, 'invalid').max(most, 'invalid')
}

/** The numbers of the business, all of them whole. */
export const shopNumbers = z.object(
  Object.fromEntries(numberNames.map((name) => [name, toNumber(name)])) as Record<NumberName, z.ZodInt>,
)

const shopSettings = z.object({
  ...shopFields.shape,
  /** What is in force while `time_zone` is null. */
  server_time_zone: z.string(),
  ...versionFields,
})
export type ShopSettings = z.infer<typeof shopSettings>

const shopTexts = z.object({ texts: ownTexts, ...versionFields })
export type ShopTexts = z.infer<typeof shopTexts>

const unitSettings = z.object({ units: gameUnits, ...versionFields })
export type UnitSettings = z.infer<typeof unitSettings>

const numberSettings = z.object({ ...shopNumbers.shape, ...versionFields })
export type NumberSettings = z.infer<typeof numberSettings>

const textKey = z
  .string()
  .max(LIMITS.textKeyMax, 'too_long')
  .regex(/^[a-z]\w*(?:\.\w+)+$/i, 'invalid')

export const shopApi = {
  shown: endpoint('GET /shop', {
    operationId: 'readShop',
    access: 'visitor',
    tag: 'store',
    summary: 'What the shop is called, how it looks, and where its people are reached',
    answer: toData(z.object({ ...shopFields.shape, time_zone: z.string() })),
  }),
  settings: adminEndpoint('GET /admin/shop', {
    operationId: 'readShopSettings',
    permission: 'settings.read',
    summary: 'The name of the shop, its contacts, languages, currencies, time zone and look, with their version',
    answer: toData(shopSettings),
  }),
  change: adminEndpoint('PUT /admin/shop', {
    operationId: 'changeShopSettings',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT', 'UNREADABLE_COLOR'],
    summary: 'Changes the name of the shop, its contacts, languages, currencies, time zone or look, everywhere at once',
    body: z.strictObject({ ...shopFields.shape, version }).partial(),
    answer: toData(shopSettings),
    confirmed: true,
  }),
  texts: adminEndpoint('GET /admin/shop-texts', {
    operationId: 'readShopTexts',
    permission: 'settings.read',
    summary: 'The texts of the pages that the owner has put in words of their own',
    answer: toData(shopTexts),
  }),
  setText: adminEndpoint('PUT /admin/shop-texts', {
    operationId: 'changeShopText',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Puts one text of the pages in own words, in some languages; null brings the text of the store back',
    body: z.strictObject({
      key: textKey,
      words: z.partialRecord(languageSchema, text(1, LIMITS.ownTextMax).nullable()),
      version: version.optional(),
    }),
    answer: toData(shopTexts),
    confirmed: true,
  }),
  units: adminEndpoint('GET /admin/shop-units', {
    operationId: 'readShopUnits',
    permission: 'settings.read',
    summary: 'The currencies of games that the owner has given words, with their plural forms in each language',
    answer: toData(unitSettings),
  }),
  setUnit: adminEndpoint('PUT /admin/shop-units', {
    operationId: 'changeShopUnit',
    permission: 'settings.write',
    refusals: ['NOT_FOUND', 'DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Gives the currency of a game words in some languages, in every form a language has; null takes all of them away',
    body: z.strictObject({
      name: unitName,
      words: unitWords.nullable(),
      /** What it was called; left out of a new one. */
      was: unitName.optional(),
      version: version.optional(),
    }),
    answer: toData(unitSettings),
    confirmed: true,
  }),
  numbers: adminEndpoint('GET /admin/shop-numbers', {
    operationId: 'readShopNumbers',
    permission: 'settings.read',
    summary: 'The numbers of the business: limits, thresholds and promises',
    answer: toData(numberSettings),
  }),
  setNumbers: adminEndpoint('PUT /admin/shop-numbers', {
    operationId: 'changeShopNumbers',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes numbers of the business; what is under way keeps those it began with',
    body: z.strictObject({ ...shopNumbers.shape, version }).partial(),
    answer: toData(numberSettings),
    confirmed: true,
  }),
  versions: adminEndpoint('GET /admin/shop-versions/:section', {
    operationId: 'listShopVersions',
    permission: 'settings.read',
    summary:
      'The last fifty versions of the name and contacts, of the own texts, of the words for currencies of games, of the numbers, of the front or of the texts of what customers or operators are told, newest first',
    params: z.object({ section: z.enum(shopSections) }),
    answer: toData(z.array(keptVersion)),
  }),
  restore: adminEndpoint('POST /admin/shop-versions/:section/restore', {
    operationId: 'restoreShopVersion',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets what an older version said, as a new version, if it could be saved today',
    params: z.object({ section: z.enum(shopSections) }),
    body: restoredVersion,
    answer: toData(keptVersion),
    confirmed: true,
  }),
}

/** Applies a change of own words to those there are; languages without any are left out. */
export function putWords(texts: OwnTexts, key: string, words: Partial<Record<Language, string | null>>): OwnTexts {
  const changed = languages.map((language) => {
    const { [key]: before, ...others } = texts[language] ?? {}
    const word = words[language] === undefined ? before : words[language]
    return [language, word === null || word === undefined ? others : { ...others, [key]: word }] as const
  })
  return Object.fromEntries(changed.filter(([, own]) => Object.keys(own).length > 0))
}
