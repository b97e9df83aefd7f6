import { findValueFault, normaliseValue } from '@olmos/contract/account-rules'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { AccountFieldType, AccountValues, PlayerCheckRule, TopupPricing } from '@olmos/contract/topup-data'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'

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
  return { values, text: toAccountText(Object.values(values)) }
}

/** Formats an account as one text: `51234`, `51234 (2001)`. */
function toAccountText([first = '', ...others]: readonly string[]): string {
  return others.length > 0 ? `${first} (${others.join(', ')})` : first
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
      product.presets, product.is_active, ${fieldsOfProduct} AS fields
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

/** Reads what suppliers call the game of a product. */
export const readProductServices = (queries: Queries, slug: string) =>
  queries.rows<ProductService>(sql`
    SELECT supplier, reference, check_reference, field_names FROM product
    JOIN product_service ON product_service.product_id = product.id
    JOIN supplier_service ON supplier_service.id = product_service.service_id
    WHERE ${isTopupProduct(slug)} ORDER BY supplier_service.id`)

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
 * Whether everything that was chosen from a list can still be chosen there. Suppliers change their lists. Needs `product` in
 * scope.
 */
export const areOptionsKnown = (columns: AccountColumns): Sql => sql`
  NOT EXISTS (
    SELECT FROM account_field AS field JOIN jsonb_each_text(${accountValues(columns)}) AS given ON given.key = field.key
    WHERE field.product_id = product.id AND field.retired_at IS NULL AND field.type = 'select'
      AND NOT field.options @> jsonb_build_array(jsonb_build_object('value', given.value)))`

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
