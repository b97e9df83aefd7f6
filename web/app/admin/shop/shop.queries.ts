import type { Language } from '@olmos/contract/fields'
import { ownColorNames } from '@olmos/contract/look'
import type { ShopFields, ShopSection, shopApi } from '@olmos/contract/shop'
import { type NumberName, numberNames } from '@olmos/contract/shop-numbers'
import type { UnitWords } from '@olmos/contract/units'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Texts } from '../../i18n/translate.ts'
import { useAdminRead } from '../list/use-admin-list.ts'
import type { History } from './Versions.tsx'

const settings = caller<typeof shopApi.settings>('GET /admin/shop')
const change = caller<typeof shopApi.change>('PUT /admin/shop')
const texts = caller<typeof shopApi.texts>('GET /admin/shop-texts')
const setText = caller<typeof shopApi.setText>('PUT /admin/shop-texts')
const units = caller<typeof shopApi.units>('GET /admin/shop-units')
const setUnit = caller<typeof shopApi.setUnit>('PUT /admin/shop-units')
const numbers = caller<typeof shopApi.numbers>('GET /admin/shop-numbers')
const setNumbers = caller<typeof shopApi.setNumbers>('PUT /admin/shop-numbers')
const versions = caller<typeof shopApi.versions>('GET /admin/shop-versions/:section')
const restore = caller<typeof shopApi.restore>('POST /admin/shop-versions/:section/restore')

export const useShopSettings = () => useAdminRead(queryKeys.admin.noun('shop', 'settings'), settings, {})

export const useOwnTexts = () => useAdminRead(queryKeys.admin.noun('shop', 'texts'), texts, {})

/** The owner's words for currencies of games; `isWanted` is false for those who may not read them. */
export const useUnits = (isWanted = true) =>
  useAdminRead(queryKeys.admin.noun('shop', 'units'), units, {}, { enabled: isWanted })

export const useNumbers = () => useAdminRead(queryKeys.admin.noun('shop', 'numbers'), numbers, {})

/** The values of the form; a blank field is a text. */
export type NumberValues = Record<NumberName, number | string>

export const saveNumbers = (values: NumberValues, version: number | undefined) => {
  // What is blank is refused by the store at its field.
  const typed = numberNames.map((name) => [name, values[name] === '' ? null : values[name]])
  return setNumbers({ body: { ...Object.fromEntries(typed), ...(version && { version }) } })
}

const lookNames = ['logo', 'icon', ...ownColorNames] as const

/** The values of the form of the look; blank is the store's own. */
export type LookValues = Record<(typeof lookNames)[number], string>

export const toLookValues = (shop: ShopFields) =>
  Object.fromEntries(lookNames.map((name) => [name, shop[name] ?? ''])) as LookValues

export const saveLook = (values: LookValues, version: number | undefined) => {
  const look = Object.fromEntries(lookNames.map((name) => [name, values[name].trim() || null]))
  return change({ body: { ...look, ...(version && { version }) } })
}

/** The values of the form; what is not known is blank. */
export type ShopValues = Record<'name' | 'messenger_url' | 'email' | 'phone' | 'working_hours', string>

export const toShopValues = (shop: ShopFields): ShopValues => ({
  name: shop.name,
  messenger_url: shop.messenger_url ?? '',
  email: shop.email ?? '',
  phone: shop.phone ?? '',
  working_hours: shop.working_hours ?? '',
})

export const saveShop = ({ name, ...contacts }: ShopValues, version: number | undefined) => {
  const toContact = (value: string) => value.trim() || null
  return change({
    body: {
      name,
      messenger_url: toContact(contacts.messenger_url),
      email: toContact(contacts.email),
      phone: toContact(contacts.phone),
      working_hours: toContact(contacts.working_hours),
      ...(version && { version }),
    },
  })
}

export type LanguageValues = Pick<ShopFields, 'languages' | 'default_language'>

export const saveLanguages = ({ languages, default_language }: LanguageValues, version: number | undefined) =>
  change({ body: { languages, default_language, ...(version && { version }) } })

export type CurrencyValues = Pick<ShopFields, 'currencies' | 'default_currency' | 'shown_currencies'>

export const saveCurrencies = (values: CurrencyValues, version: number | undefined) =>
  change({ body: { ...values, ...(version && { version }) } })

/** The value of the form; blank for the time zone of the server. */
export type TimeZoneValues = Record<'time_zone', string>

export const saveTimeZone = ({ time_zone }: TimeZoneValues, version: number | undefined) =>
  change({ body: { time_zone: time_zone || null, ...(version && { version }) } })

/** Words of one text in each language; blank where the store's own stand. */
export type Words = Record<Language, string>

export const saveWords = (key: string, words: Words, version: number | undefined) =>
  setText({
    body: {
      key,
      words: { ru: words.ru.trim() || null, en: words.en.trim() || null, uz: words.uz.trim() || null },
      ...(version && { version }),
    },
  })

/** Keeps the words for a currency, which was called something else before, or had none. */
export const saveUnit = (unit: { name: string; words: UnitWords; was?: string }, version: number | undefined) =>
  setUnit({ body: { ...unit, ...(version && { version }) } })

export const removeUnit = (name: string, version: number) => setUnit({ body: { name, words: null, version } })

export const shopHistory = (section: ShopSection): History => ({
  noun: 'shop',
  key: section,
  permission: 'settings.write',
  read: (_, options) => versions({ params: { section } }, options),
  restore: (restored, version) => restore({ params: { section }, body: { restored, version } }),
})

/** A text that came with the store, in its three languages. */
export interface BuiltInText {
  key: string
  words: Words
}

/** The texts of the pages that customers see, with the words for currencies of games. Only who edits them loads all of them. */
export const useBuiltInTexts = () =>
  useQuery({
    queryKey: queryKeys.admin.noun('shop', 'builtIn'),
    queryFn: async (): Promise<BuiltInText[]> => {
      const [{ ru }, { en }, { uz }] = await Promise.all([
        import('../../i18n/ru.ts'),
        import('../../i18n/en.ts'),
        import('../../i18n/uz.ts'),
      ])
      const [inRussian, inEnglish, inUzbek] = [ru, en, uz].map((all) => new Map(flatten(all)))
      const keys = new Set([...(inRussian?.keys() ?? []), ...(inEnglish?.keys() ?? []), ...(inUzbek?.keys() ?? [])])
      return [...keys].map((key) => ({
        key,
        words: { ru: inRussian?.get(key) ?? '', en: inEnglish?.get(key) ?? '', uz: inUzbek?.get(key) ?? '' },
      }))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const flatten = (texts: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value] as [string, string]] : flatten(value, `${path}${name}.`),
  )
