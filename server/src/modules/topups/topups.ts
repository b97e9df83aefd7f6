import { findValueFault, normaliseValue } from '@olmos/contract/account-rules'
import type { DeliveryMinutes } from '@olmos/contract/catalogue'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type Currency, currencies } from '@olmos/contract/money'
import type {
  AccountFieldType,
  AccountValues,
  PlayerCheckRule,
  SteamCurrency,
  TopupPricing,
} from '@olmos/contract/topup-data'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { measuredMinutes } from '../catalogue/availability.ts'

/** Texts by language; `ru` is always there. */
type Labels = Readonly<Partial<Record<Language, string>>>

/** What a product asks about the account, one of its fields. */
export interface FieldRow {
  key: string
  type: AccountFieldType
  label: Labels
  hint: Labels
  /** A regular expression for the whole value; blank for none. */
  pattern: string
  length_min: number
  length_max: number
  options: readonly { value: string; label: Labels }[]
  is_required: boolean
}

/** An account as it is stored: what was filled in, and the text by which two accounts are the same. */
export interface ReadAccount {
  values: AccountValues
  text: string
}

/**
 * Reads what a customer filled in as an account of the product: digits lose their leading zeros, a phone number its spaces.
 * Refuses fields that are missing, wrong or not asked for with VALIDATION_FAILED: `{ 'account.zone_id': 'required' }`.
 */
export function readAccount(fields: readonly FieldRow[], given: AccountValues): ReadAccount {
  const faults: Record<string, string> = {}
  const values: Record<string, string> = {}
  for (const key of Object.keys(given)) {
    if (!fields.some((field) => field.key === key)) faults[`account.${key}`] = 'unknown_field'
  }
  for (const field of fields) {
    const typed = given[field.key] ?? ''
    if (typed === '') {
      if (field.is_required) faults[`account.${field.key}`] = 'required'
      continue
    }
    const value = normaliseValue(field.type, typed)
    const fault = findValueFault(field, value)
    if (fault) faults[`account.${field.key}`] = fault
    values[field.key] = value
  }
  if (Object.keys(faults).length > 0) throw new Failure('VALIDATION_FAILED', faults)
  if (Object.keys(values).length === 0) throw new Failure('VALIDATION_FAILED', { account: 'required' })
  return { values, text: toAccountText(fields.map(({ key }) => values[key])) }
}

/**
 * Formats an account as one text: `51234`, `51234 (2001)`. What was left blank before something else keeps its place,
 * `51234 (–, 2001)`: the text tells two accounts apart.
 */
function toAccountText(values: readonly (string | undefined)[]): string {
  const last = values.findLastIndex((value) => value !== undefined)
  const [first, ...others] = values.slice(0, last + 1).map((value = '–') => value)
  return others.length > 0 ? `${first} (${others.join(', ')})` : `${first}`
}

/**
 * Puts an account into a supplier's words: each of its fields is a template over the shop's, such as
 * `{"player_id": "{user_id}|{zone_id}"}`. Without any, the names are the same.
 */
export function toVendorAccount(values: AccountValues, fieldNames: Readonly<Record<string, string>>): AccountValues {
  const templates = Object.entries(fieldNames)
  if (templates.length === 0) return values
  return Object.fromEntries(
    templates.map(([name, template]) => [name, template.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '')]),
  )
}

/** A game, or a wallet, that is topped up. */
export interface TopupProduct {
  id: number
  slug: string
  title: string
  pricing: TopupPricing
  player_check: PlayerCheckRule
  promised_minutes: number
  delivery_minutes: DeliveryMinutes | null
  /** Amounts that the page proposes, for pricing by combination. */
  presets: number[]
  is_active: boolean
  fields: FieldRow[]
}

const fieldColumns = sql`json_build_object('key', key, 'type', type, 'label', label, 'hint', hint, 'pattern', pattern,
  'length_min', length_min, 'length_max', length_max, 'options', options, 'is_required', is_required)`

/** What a product asks about an account, in its order. Needs `product` in scope. */
const fieldsOfProduct = sql`
  (SELECT coalesce(json_agg(${fieldColumns} ORDER BY position, id), '[]') FROM account_field
    WHERE product_id = product.id AND retired_at IS NULL)`

/** Whether a product is the top-up with this slug. Needs `product` in scope. */
export const isTopupProduct = (slug: string): Sql =>
  sql`product.slug = ${slug} AND product.kind = 'topup' AND product.deleted_at IS NULL`

/** Finds a top-up by its slug, also one that is not published. */
export const findTopupProduct = (queries: Queries, slug: string) => findProduct(queries, isTopupProduct(slug))

/** Finds a top-up by its id, likewise. */
export const findTopupProductById = (queries: Queries, id: number) =>
  findProduct(queries, sql`product.id = ${id} AND product.kind = 'topup' AND product.deleted_at IS NULL`)

const findProduct = (queries: Queries, condition: Sql) =>
  queries.maybe<TopupProduct>(sql`
    SELECT product.id, product.slug, texts.title, product.pricing, product.player_check, product.promised_minutes,
      ${measuredMinutes} AS delivery_minutes, product.presets, product.is_active, ${fieldsOfProduct} AS fields
    FROM product JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE ${condition}`)

export type FieldsOfTopup = Pick<TopupProduct, 'id' | 'title' | 'is_active' | 'fields'>

/** Locks a top-up until the transaction ends, and reads what it asks its customers for. */
export async function lockFieldsOfTopup(tx: Tx, productId: number): Promise<FieldsOfTopup> {
  await tx.run(sql`SELECT FROM product WHERE id = ${productId} FOR NO KEY UPDATE`)
  return tx.one<FieldsOfTopup>(sql`
    SELECT product.id, texts.title, product.is_active, ${fieldsOfProduct} AS fields
    FROM product JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE product.id = ${productId}`)
}

/** A game as a supplier has it. */
export interface ProductService {
  supplier: string
  reference: string
  check_reference: string | null
  /** The supplier's fields as templates over the shop's; empty where the names are the same. */
  field_names: Record<string, string>
}

/** Reads what suppliers call the game of a product; first those of their games that its packages are bought of now. */
export const readProductServices = (queries: Queries, slug: string) =>
  queries.rows<ProductService>(sql`
    SELECT service.supplier, service.reference, service.check_reference, service.field_names FROM product
    JOIN product_service ON product_service.product_id = product.id
    JOIN supplier_service AS service ON service.id = product_service.service_id
    WHERE ${isTopupProduct(slug)}
    ORDER BY NOT EXISTS (
      SELECT FROM offer JOIN offer_source ON offer_source.offer_id = offer.id
      JOIN supplier_product ON supplier_product.id = offer_source.supplier_product_id
      WHERE offer.product_id = product.id AND offer.deleted_at IS NULL AND supplier_product.service_id = service.id
        AND is_on AND closed_reason IS NULL), service.id`)

/** Finds the game that a supplier's product belongs to. */
export const findServiceByProduct = (queries: Queries, supplierProductId: number) =>
  queries.maybe<ProductService>(sql`
    SELECT service.supplier, service.reference, service.check_reference, service.field_names
    FROM supplier_product JOIN supplier_service AS service ON service.id = supplier_product.service_id
    WHERE supplier_product.id = ${supplierProductId}`)

/** The columns of an item's account. Rows that are older than accounts of several fields have the text alone. */
interface AccountColumns {
  /** jsonb: { user_id: '512' }. */
  values: Sql
  text: Sql
  isAmount: Sql
}

/** What was filled in, as it is stored. */
export const accountValues = ({ values, text, isAmount }: AccountColumns): Sql => sql`
  coalesce(${values}, jsonb_build_object(CASE WHEN ${isAmount} THEN 'login' ELSE 'player_id' END, ${text}))`

/**
 * Whether the account is still one that the product asks for: nothing that it needs is missing, nothing stands there that it
 * has no field for, and what was chosen from a list can be chosen there. Owners change fields, and suppliers their lists.
 * Needs `product` in scope.
 */
export const isAccountAsked = (columns: AccountColumns): Sql => sql`(
  NOT EXISTS (
    SELECT FROM account_field AS field
    LEFT JOIN jsonb_each_text(${accountValues(columns)}) AS given ON given.key = field.key
    WHERE field.product_id = product.id AND field.retired_at IS NULL AND CASE WHEN given.key IS NULL THEN field.is_required
      ELSE field.type = 'select' AND NOT field.options @> jsonb_build_array(jsonb_build_object('value', given.value)) END)
  AND NOT EXISTS (
    SELECT FROM jsonb_object_keys(${accountValues(columns)}) AS given (key) WHERE NOT EXISTS (
      SELECT FROM account_field AS field
      WHERE field.product_id = product.id AND field.retired_at IS NULL AND field.key = given.key)))`

/**
 * What was filled in, under the labels by which it was asked for: also those of fields that the product has no more. Needs
 * `product` in scope.
 */
export const shownAccount = (language: Language, columns: AccountColumns): Sql => sql`
  (SELECT json_agg(json_build_object('key', given.key, 'label', coalesce(nullif(field.label ->> ${language}, ''),
      field.label ->> 'ru', given.key), 'value', coalesce(nullif(option.label ->> ${language}, ''),
      option.label ->> 'ru', given.value)) ORDER BY field.position, given.key)
    FROM jsonb_each_text(${accountValues(columns)}) AS given
    LEFT JOIN LATERAL (
      SELECT label, position FROM account_field WHERE product_id = product.id AND account_field.key = given.key
      ORDER BY retired_at IS NOT NULL, id DESC LIMIT 1) AS field ON true
    LEFT JOIN LATERAL (
      SELECT choice -> 'label' AS label FROM account_field, jsonb_array_elements(account_field.options) AS choice
      WHERE product_id = product.id AND account_field.key = given.key AND choice ->> 'value' = given.value
      ORDER BY retired_at IS NOT NULL, id DESC LIMIT 1) AS option ON true)`

/** Picks the text of a language, else the Russian one. */
export const inLanguage = (labels: Labels, language: Language): string => labels[language] || labels.ru || ''

/** The recipient of a top-up. */
export interface TopupTarget {
  /** The slug of the product. */
  service: string
  /** The account as one text, by which two are the same. */
  account: string
  /** What was filled in. */
  values: AccountValues
  /** The player's name at the supplier; null where nobody tells names. */
  playerName: string | null
  /** Set for an amount only. */
  steam: SteamCredit | null
}

export interface SteamCredit {
  /** What the buyer wants to arrive, in minor units of `currency`. */
  amount: number
  currency: SteamCurrency
  /** The amount in US cents. */
  usd: number
  /** The shop's units per USD, of each currency that was used. */
  rates: Readonly<Record<string, string>>
  /** The row of the supplier's rate the amount was converted to USD by; null for the shop's own. */
  rateId: number | null
  /** The version of the rule that the commission follows. */
  rule: { id: number; version: number }
}

/** A quantity of one offer, or of one amount, for one account. Prices are per unit, in minor units. */
export interface TopupLine {
  item_type: 'topup'
  offer_id: number | null
  price_version: number | null
  /** Set for items without an offer. */
  product_id: number | null
  title: string
  /** For an amount: it, in major units of its currency. */
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  quantity: number
  is_on_sale: boolean
  target: TopupTarget
}

interface PlacedTarget extends TopupTarget {
  /** The item's position within its order. */
  position: number
}

/** Stores the recipients of an order's items, which are written before. */
export const insertTargets = (tx: Tx, orderId: string, targets: readonly PlacedTarget[]) =>
  tx.run(sql`
    INSERT INTO topup_target
      (order_item_id, service, account, account_fields, player_name, steam_amount, steam_currency, steam_usd, rates,
        steam_rate_id, is_exact, rule_id, rule_version)
    SELECT order_item.id, target.service, target.account, target.account_fields::jsonb, target.player_name, target.steam_amount,
      target.steam_currency, target.steam_usd, target.rates::jsonb, target.steam_rate_id, target.rates IS NOT NULL, target.rule_id,
      target.rule_version
    FROM unnest(
      ${targets.map((target) => target.position)}::smallint[], ${targets.map((target) => target.service)}::text[],
      ${targets.map((target) => target.account)}::text[],
      ${targets.map((target) => JSON.stringify(target.values))}::text[], ${targets.map((target) => target.playerName)}::text[],
      ${targets.map((target) => target.steam?.amount ?? null)}::bigint[],
      ${targets.map((target) => target.steam?.currency ?? null)}::text[],
      ${targets.map((target) => target.steam?.usd ?? null)}::bigint[],
      ${targets.map((target) => (target.steam ? JSON.stringify(target.steam.rates) : null))}::text[],
      ${targets.map((target) => target.steam?.rateId ?? null)}::bigint[],
      ${targets.map((target) => target.steam?.rule.id ?? null)}::int[],
      ${targets.map((target) => target.steam?.rule.version ?? null)}::int[])
      AS target (position, service, account, account_fields, player_name, steam_amount, steam_currency, steam_usd, rates,
        steam_rate_id, rule_id, rule_version)
    JOIN order_item ON order_item.order_id = ${orderId} AND order_item.position = target.position`)

/** Sums up what all of it costs, in minor units. */
export const toTotals = (lines: readonly TopupLine[]): Record<Currency, number> => ({
  USD: lines.reduce((sum, line) => sum + line.price_usd * line.quantity, 0),
  RUB: lines.reduce((sum, line) => sum + line.price_rub * line.quantity, 0),
})

export interface SeenPrices {
  /** In major units; 0 when the customer was shown none. */
  price_usd: number
  price_rub: number
}

/**
 * Refuses a top-up whose price differs from what the customer saw in the currency of the payment. While that currency is
 * open, any price that was seen counts, and one must have been: PRICE_CHANGED.
 */
export function requireSeenPrices(
  lines: readonly TopupLine[],
  { currency, seen }: { currency?: Currency; seen: SeenPrices },
): void {
  const totals = toTotals(lines)
  const prices = { USD: toMinor(seen.price_usd), RUB: toMinor(seen.price_rub) }
  const counted = currency ? [currency] : currencies.filter((one) => prices[one] !== 0)
  if (counted.length === 0 || counted.some((one) => prices[one] !== totals[one]))
    throw new Failure('PRICE_CHANGED', shownTotals(totals))
}

/** The prices of a top-up as a refusal names them. */
export const shownTotals = (totals: Record<Currency, number>) => ({
  price_usd: toMajor(totals.USD),
  price_rub: toMajor(totals.RUB),
})

/** Identifies equal top-ups bought without a cart: by the player, the offers and their quantities. */
export function topupKey(lines: readonly TopupLine[]): string {
  const [first] = lines
  if (!first) throw new Error('a top-up of nothing')
  const { service, account } = first.target
  const parts = lines.map(({ offer_id, quantity, target: { steam } }) =>
    steam ? `${steam.currency}${steam.amount}` : `${offer_id}x${quantity}`,
  )
  return [service, account.toLowerCase(), parts.toSorted().join(',')].join(':')
}

/** A player's top-ups, however they were bought. */
export interface ToppedUp {
  offer_id: number | null
  quantity: number
  target: Pick<TopupTarget, 'service' | 'account'> & { steam: Pick<SteamCredit, 'amount' | 'currency'> | null }
}

/**
 * Whether one of two purchases has everything the other has for some player, which is what a customer does who doubts
 * that the first press worked.
 */
export function isRepeat(wanted: readonly ToppedUp[], earlier: readonly ToppedUp[]): boolean {
  const before = partsByPlayer(earlier)
  return [...partsByPlayer(wanted)].some(([player, parts]) => {
    const others = before.get(player)
    return others !== undefined && (hasAll(parts, others) || hasAll(others, parts))
  })
}

/** Counts each offer, or each amount for Steam, by player. */
function partsByPlayer(items: readonly ToppedUp[]): Map<string, Map<string, number>> {
  const players = new Map<string, Map<string, number>>()
  for (const { offer_id, quantity, target } of items) {
    const player = `${target.service}:${target.account.toLowerCase()}`
    const what = target.steam ? `${target.steam.currency}${target.steam.amount}` : String(offer_id)
    const parts = players.get(player) ?? new Map<string, number>()
    players.set(player, parts.set(what, (parts.get(what) ?? 0) + quantity))
  }
  return players
}

const hasAll = (parts: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): boolean =>
  [...wanted].every(([what, quantity]) => parts.get(what) === quantity)
