import { hash } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { languages } from '@olmos/contract/fields'
import { firstShop } from '@olmos/contract/first-shop'
import { type Front, type FrontSettings, frontApi, frontFields, type ShownBanner } from '@olmos/contract/front'
import * as LIMITS from '@olmos/contract/limits'
import { findUnreadable } from '@olmos/contract/look'
import type { Currency } from '@olmos/contract/money'
import { ownNotificationTexts, ownOperatorTexts } from '@olmos/contract/notification-texts'
import { type PageName, pageNames } from '@olmos/contract/pages'
import {
  type GameUnits,
  gameUnits,
  type NumberSettings,
  type OwnTexts,
  ownTexts,
  putWords,
  type ShopFields,
  type ShopSection,
  type ShopSettings,
  type ShopTexts,
  type ShownShop,
  shopApi,
  shopFields,
  shopNumbers,
} from '@olmos/contract/shop'
import {
  findContradicting,
  firstNumbers,
  type NumberName,
  numberNames,
  type ShopNumbers,
} from '@olmos/contract/shop-numbers'
import { toUnitTexts } from '@olmos/contract/units'
import type { Config } from '../../config.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { type Fresh, keepFresh } from '../../platform/http/shared-answers.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { findPicture, usePicture } from '../pictures/pictures.ts'
import { requireUnits } from './units.ts'
import {
  addVersion,
  findOlder,
  listVersions,
  lockSection,
  readAgain,
  readNewest,
  type SettingRow,
  shownVersion,
} from './versions.ts'

/** Adds what a version says nothing of, because it is older than the field. */
const withAll = (value: object): object => ({ ...firstShop, time_zone: null, ...value })

const toFields = (value: object): ShopFields => shopFields.parse(withAll(value))

type Environment = Pick<Config, 'timeZone'>

function shownSettings(row: SettingRow, { timeZone }: Environment): ShopSettings {
  const { value, ...change } = shownVersion(row)
  return { ...toFields(value), server_time_zone: timeZone, ...change }
}

function shownTexts(row: SettingRow): ShopTexts {
  const { value, ...change } = shownVersion(row)
  return { texts: ownTexts.parse(value), ...change }
}

const toNumbers = (value: object): ShopNumbers => shopNumbers.parse({ ...firstNumbers, ...value })

function shownNumbers(row: SettingRow): NumberSettings {
  const { value, ...change } = shownVersion(row)
  return { ...toNumbers(value), ...change }
}

/** Reads the numbers of the business that are in force. */
export const readNumbers = async (queries: Queries): Promise<ShopNumbers> =>
  toNumbers((await readNewest(queries, 'numbers')).value)

/** Selects one of them, for statements that run too often to read it before. */
export const numberInForce = (name: NumberName): Sql => sql`coalesce((
  SELECT (value ->> ${name}::text)::int FROM shop_setting WHERE section = 'numbers' ORDER BY version DESC LIMIT 1),
  ${firstNumbers[name]}::int)`

/** Selects the one that was in force at a moment, by which what began then goes on. */
export const numberAt = (name: NumberName, moment: Sql): Sql => sql`coalesce((
  SELECT (value ->> ${name}::text)::int FROM shop_setting WHERE section = 'numbers' AND changed_at <= ${moment}
  ORDER BY version DESC LIMIT 1), ${firstNumbers[name]}::int)`

/** Refuses numbers that contradict others that are in force with them. */
function requireNoContradiction(numbers: ShopNumbers, changed: readonly string[]): void {
  const names = findContradicting(numbers, changed)
  if (names.length > 0)
    throw new Failure('VALIDATION_FAILED', Object.fromEntries(names.map((name) => [name, 'contradicts'])))
}

/** Reads what the shop is called. */
export const readShopName = async (queries: Queries): Promise<string> =>
  toFields((await readNewest(queries, 'shop')).value).name

/** Selects what the shop was called at a moment; before its first name it had that one. */
export const shopNameAt = (moment: Sql): Sql => sql`(
  SELECT value ->> 'name' FROM shop_setting WHERE section = 'shop' AND (version = 1 OR changed_at <= ${moment})
  ORDER BY version DESC LIMIT 1)`

/** Selects the time zone of the shop's days, for statements that run too often to read it before. */
export const shopTimeZone = ({ timeZone }: Environment): Sql => sql`coalesce((
  SELECT value ->> 'time_zone' FROM shop_setting WHERE section = 'shop' ORDER BY version DESC LIMIT 1), ${timeZone}::text)`

/** Reads in which time zone the days of the shop begin: the one that was chosen, or else that of the environment. */
export async function readTimeZone(queries: Queries, environment: Environment): Promise<string> {
  const { zone } = await queries.one<{ zone: string }>(sql`SELECT ${shopTimeZone(environment)} AS zone`)
  return zone
}

/** Selects whether the pages offer a currency. */
export const isCurrencyOffered = (currency: Currency): Sql => sql`coalesce((
  SELECT value -> 'currencies' ? ${currency} FROM shop_setting WHERE section = 'shop' ORDER BY version DESC LIMIT 1), true)`

/**
 * Refuses a time zone that PostgreSQL has not heard of, because whatever goes by it would fail; `field` is where the caller
 * sent it.
 */
export async function requireKnownZone(tx: Tx, zone: string, field: string): Promise<void> {
  const { is_known } = await tx.one<{ is_known: boolean }>(sql`
    SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(${zone})) AS is_known`)
  if (!is_known) throw new Failure('VALIDATION_FAILED', { [field]: 'invalid_timezone' })
}

/** Reads which pages are published, in the order in which they are listed. */
async function readPublished(queries: Queries): Promise<PageName[]> {
  const rows = await queries.rows<{ section: string; is_published: boolean }>(sql`
    SELECT DISTINCT ON (section) section, is_published FROM shop_setting WHERE section = ANY (${pageNames}::text[])
    ORDER BY section, version DESC`)
  return pageNames.filter((name) => rows.some(({ section, is_published }) => section === name && is_published))
}

/** Makes a list of the one banner that earlier versions have. */
const withBanners = (value: { banner?: object | null; banners?: object[] }): object => ({
  banners: value.banner ? [value.banner] : [],
  ...value,
})

const toFront = (value: object): Front => frontFields.parse(withBanners(value))

/** What is kept of the front. Programs that know of one banner alone read the first that is on, and fail without `banner`. */
const toKeptFront = (front: Front): object => ({ ...front, banner: front.banners.find(({ is_on }) => is_on) ?? null })

const shownFront = (row: SettingRow): FrontSettings => {
  const { value, ...change } = shownVersion(row)
  return { ...toFront(value), ...change }
}

const toShownBanners = ({ banners }: Front): ShownBanner[] =>
  banners
    .filter(({ is_on }) => is_on)
    .map(({ is_on: _, ...shown }) => ({
      ...shown,
      // The id follows from what the banner says: somebody who closed it sees it again only once that changes.
      id: hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 8),
    }))

/** Refuses what cannot be in force together, or at all. */
async function requireShop(tx: Tx, fields: ShopFields): Promise<void> {
  if (!fields.languages.includes(fields.default_language))
    throw new Failure('VALIDATION_FAILED', { default_language: 'language_off' })
  if (!fields.currencies.includes(fields.default_currency))
    throw new Failure('VALIDATION_FAILED', { default_currency: 'currency_off' })
  if (fields.time_zone) await requireKnownZone(tx, fields.time_zone, 'time_zone')
  await usePicture(tx, 'logo', fields.logo)
  await usePicture(tx, 'icon', fields.icon)
  const [unreadable] = findUnreadable(fields)
  if (unreadable) throw new Failure('UNREADABLE_COLOR', unreadable)
}

/** Refuses more own words than pages can carry. */
function requireFew(texts: OwnTexts): void {
  if (languages.some((language) => Object.keys(texts[language] ?? {}).length > LIMITS.ownTextsMax))
    throw new Failure('VALIDATION_FAILED', { key: 'list_too_long' })
}

/** Refuses products that there are none of. */
async function requireProducts(tx: Tx, ids: readonly number[]): Promise<void> {
  const { known } = await tx.one<{ known: number }>(sql`
    SELECT count(*)::int AS known FROM product WHERE id = ANY (${ids}::int[]) AND deleted_at IS NULL`)
  if (known !== ids.length) throw new Failure('VALIDATION_FAILED', { featured: 'invalid' })
}

/** Refuses an older version that could not be saved today in the place of the newest one, section by section. */
const requireRestorable: Record<ShopSection, (tx: Tx, value: object, newest: object) => Promise<void>> = {
  shop: (tx, value) => requireShop(tx, readAgain(shopFields, withAll(value))),
  async texts(_, value) {
    requireFew(readAgain(ownTexts, value))
  },
  async units(_, value) {
    requireUnits(value)
  },
  async numbers(_, value) {
    requireNoContradiction(readAgain(shopNumbers, { ...firstNumbers, ...value }), numberNames)
  },
  async front(tx, value, newest) {
    const { featured } = readAgain(frontFields, withBanners(value))
    // Products that were deleted while they are featured keep nobody from changing something else.
    if (featured.join() !== toFront(newest).featured.join()) await requireProducts(tx, featured)
  },
  async notifications(_, value) {
    readAgain(ownNotificationTexts, value)
  },
  async operators(_, value) {
    readAgain(ownOperatorTexts, value)
  },
}

/** Adds the owner's words for currencies of games to the own texts, among which pages look for them. */
function withUnits(texts: OwnTexts, units: GameUnits): OwnTexts {
  const added = toUnitTexts(units)
  const all = languages.map((language) => [language, { ...texts[language], ...added[language] }] as const)
  return Object.fromEntries(all.filter(([, own]) => Object.keys(own).length > 0))
}

async function readShown(queries: Queries): Promise<ShownShop> {
  const [shop, own] = [await readNewest(queries, 'shop'), await readNewest(queries, 'texts')]
  const numbers = await readNewest(queries, 'numbers')
  const units = await readNewest(queries, 'units')
  const front = toFront((await readNewest(queries, 'front')).value)
  const { logo, time_zone: _, ...fields } = toFields(shop.value)
  const { default_language: language, default_currency: currency } = fields
  return {
    ...fields,
    languages: [language, ...fields.languages.filter((other) => other !== language)],
    currencies: [currency, ...fields.currencies.filter((other) => other !== currency)],
    logo: logo === null ? null : ((await findPicture(queries, logo)) ?? null),
    texts: withUnits(ownTexts.parse(own.value), gameUnits.parse(units.value)),
    reply_hours: toNumbers(numbers.value).support_reply_hours,
    pages: await readPublished(queries),
    action_url: front.action_url,
    featured: front.featured,
    banners: toShownBanners(front),
    version: [shop, own, numbers, units].map(({ version }) => version).join('.'),
  }
}

/** Caches the owner's settings that pages are rendered with. */
export const cacheShop = (queries: Queries): Fresh<ShownShop> =>
  keepFresh(() => readShown(queries), { first: firstShop, freshMs: SERVER_LIMITS.shopFreshMs })

export function shopRoutes({ serve, database, config }: Context): void {
  serve(shopApi.shown, async () => {
    const { value } = await readNewest(database, 'shop')
    const fields = toFields(value)
    return { data: { ...fields, time_zone: fields.time_zone ?? config.timeZone } }
  })

  serve(shopApi.settings, async () => ({ data: shownSettings(await readNewest(database, 'shop'), config) }))

  serve(shopApi.change, ({ user, body: { version, ...change } }) =>
    database.transaction(async (tx) => {
      const row = await lockSection(tx, 'shop')
      const before = shownSettings(row, config)
      requireVersion(before, version)
      const value = { ...toFields(row.value), ...change }
      await requireShop(tx, value)
      const after = shownSettings(await addVersion(tx, { section: 'shop', value, after: row }, user.id), config)
      await writeAudit(tx, { actorId: user.id, action: 'shop.update', subject: 'shop', before, after })
      return { data: after }
    }),
  )

  serve(shopApi.texts, async () => ({ data: shownTexts(await readNewest(database, 'texts')) }))

  serve(shopApi.setText, ({ user, body: { key, words, version } }) =>
    database.transaction(async (tx) => {
      const row = await lockSection(tx, 'texts')
      const before = shownTexts(row)
      requireVersion(before, version)
      const value = putWords(before.texts, key, words)
      requireFew(value)
      const after = shownTexts(await addVersion(tx, { section: 'texts', value, after: row }, user.id))
      const toWords = ({ texts }: ShopTexts) =>
        Object.fromEntries(languages.map((language) => [language, texts[language]?.[key] ?? null]))
      await writeAudit(tx, {
        actorId: user.id,
        action: 'shop.texts',
        subject: `text:${key}`,
        before: toWords(before),
        after: toWords(after),
      })
      return { data: after }
    }),
  )

  serve(shopApi.numbers, async () => ({ data: shownNumbers(await readNewest(database, 'numbers')) }))

  serve(shopApi.setNumbers, ({ user, body: { version, ...change } }) =>
    database.transaction(async (tx) => {
      const row = await lockSection(tx, 'numbers')
      const before = shownNumbers(row)
      requireVersion(before, version)
      const value = { ...toNumbers(row.value), ...change }
      requireNoContradiction(value, Object.keys(change))
      const after = shownNumbers(await addVersion(tx, { section: 'numbers', value, after: row }, user.id))
      await writeAudit(tx, { actorId: user.id, action: 'shop.numbers', subject: 'shop', before, after })
      return { data: after }
    }),
  )

  serve.shared(frontApi.questions, async ({ language }) => {
    const { questions } = shownFront(await readNewest(database, 'front'))
    return { data: questions[language] ?? [] }
  })

  serve(frontApi.settings, async () => ({ data: shownFront(await readNewest(database, 'front')) }))

  serve(frontApi.change, ({ user, body: { version, ...change } }) =>
    database.transaction(async (tx) => {
      const row = await lockSection(tx, 'front')
      const before = shownFront(row)
      requireVersion(before, version)
      // One that was deleted while it is featured keeps nobody from changing something else.
      const added = change.featured?.filter((id) => !before.featured.includes(id))
      if (added) await requireProducts(tx, added)
      const value = toKeptFront({ ...toFront(row.value), ...change })
      const after = shownFront(await addVersion(tx, { section: 'front', value, after: row }, user.id))
      await writeAudit(tx, { actorId: user.id, action: 'shop.front', subject: 'shop', before, after })
      return { data: after }
    }),
  )

  serve(shopApi.versions, async ({ params: { section } }) => ({ data: await listVersions(database, section) }))

  serve(shopApi.restore, ({ user, params: { section }, body }) =>
    database.transaction(async (tx) => {
      await lockSection(tx, section)
      const { older, newest } = await findOlder(tx, section, body)
      await requireRestorable[section](tx, older.value, newest.value)
      const after = await addVersion(tx, { section, value: older.value, after: newest }, user.id)
      await writeAudit(tx, {
        actorId: user.id,
        action: 'shop.restore',
        subject: `shop:${section}`,
        before: { version: newest.version },
        after: { version: after.version, restored: body.restored },
      })
      return { data: shownVersion(after) }
    }),
  )
}
