import type { EditedField } from '@olmos/contract/account-fields'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import type { EditedOffer } from '@olmos/contract/offers'
import type { Belongings, EditedProduct, productsApi } from '@olmos/contract/products'
import {
  allConditions,
  countAll,
  direction,
  exists,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAuditChange } from '../../platform/security/audit.ts'
import type { OfferPlace, OfferPrice, ProductTexts } from './product.rules.ts'

interface OfferDraft extends OfferPrice {
  isPopular: boolean
  /** What the supplier of a top-up calls it. */
  itemId?: string
  /** What customers call it, where that is more than an amount. */
  name?: string
  /** That in other languages. */
  translations?: EditedOffer['translations']
  isActive?: boolean
}

/** Adds an offer to a product, active by default; returns its id. */
export async function insertOffer(queries: Queries, place: OfferPlace, offer: OfferDraft): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO offer (product_id, region_id, game_amount, price_usd, price_rub, is_popular, item_id, name,
      translations, is_active)
    VALUES (${place.productId}, ${place.regionId}, ${offer.gameAmount}, ${offer.priceUsd}, ${offer.priceRub},
      ${offer.isPopular}, ${offer.itemId ?? null}, ${offer.name ?? null},
      ${offer.translations ?? {}}, ${offer.isActive ?? true}) RETURNING id`)
  return id
}

export const hasProducts = (queries: Queries) => exists(queries, sql`SELECT FROM product`)

export interface EditedProductRow
  extends Omit<EditedProduct, 'name' | 'description' | 'activationInstructions' | 'created_at'> {
  translations: ProductTexts
  created_at: Date
}

const columns = sql`
  product.id, product.slug, product.kind, product.image_url AS "imageUrl", product.color, product.keywords, product.category,
  product.game_currency AS "gameCurrency", product.supports_code_generation AS "supportsCodeGeneration",
  coalesce(product.code_prefix, '') AS "codePrefix", product.code_game AS "codeGame", product.buys_on_demand AS "buysOnDemand",
  product.pricing, product.player_check AS "playerCheck", product.promised_minutes AS "promisedMinutes", product.presets,
  product.receipt_tax AS "receiptTax", product.receipt_subject AS "receiptSubject", product.receipt_mode AS "receiptMode",
  product.receipt_ikpu AS "receiptIkpu", product.receipt_package_code AS "receiptPackageCode",
  product.receipt_vat_percent AS "receiptVatPercent",
  product.is_active AS "isActive", product.position,
  product.created_at, product.version,
  (SELECT json_object_agg(language, json_build_object('name', title, 'description', description,
      'activationInstructions', activation_instructions))
    FROM product_text WHERE product_id = product.id) AS translations,
  (SELECT coalesce(json_agg(json_build_object('id', region.id, 'name', region.name, 'code', region.code,
      'flag', region.flag, 'is_active', region.is_active,
      'game_currency', coalesce(product_region.game_currency, ''),
      'offers_count', (SELECT count(*) FROM offer
        WHERE product_id = product.id AND region_id = region.id AND deleted_at IS NULL))
      ORDER BY region.id), '[]')
    FROM product_region JOIN region ON region.id = product_region.region_id
    WHERE product_region.product_id = product.id) AS regions,
  (SELECT count(*)::int FROM offer WHERE product_id = product.id AND deleted_at IS NULL) AS offers_count`

const toColumn = {
  position: sql`product.position`,
  id: sql`product.id`,
  name: sql`(SELECT lower(title) FROM product_text WHERE product_id = product.id AND language = 'ru')`,
  slug: sql`product.slug`,
  is_active: sql`product.is_active`,
  created_at: sql`product.created_at`,
}

type ProductList = SortedList<typeof productsApi.list>

const isListed = ({ search, kind }: ProductList) =>
  allConditions(
    sql`product.deleted_at IS NULL`,
    kind && sql`product.kind = ${kind}`,
    search
      ? sql`(product.slug ILIKE ${containing(search)}
          OR EXISTS (SELECT FROM unnest(product.keywords) AS word WHERE word ILIKE ${containing(search)})
          OR EXISTS (SELECT FROM product_text WHERE product_id = product.id AND title ILIKE ${containing(search)}))`
      : undefined,
  )

/** Reads a page of products as the admin area shows them, and how many there are in all. */
export async function listEditedProducts(
  queries: Queries,
  list: ProductList,
): Promise<{ data: EditedProduct[]; total: number }> {
  const { rows, total } = await withTotal(
    list,
    queries.rows<EditedProductRow>(sql`
      SELECT ${columns} FROM product WHERE ${isListed(list)}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, product.id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM product WHERE ${isListed(list)}`),
  )
  return { data: rows.map(shownEditedProduct), total }
}

const findEditedProduct = (queries: Queries, productId: number) =>
  queries.maybe<EditedProductRow>(sql`
    SELECT ${columns} FROM product WHERE product.id = ${productId} AND product.deleted_at IS NULL`)

const locked = { toChange: sql`FOR UPDATE`, toUse: sql`FOR SHARE` }

/**
 * Locks a product until the transaction ends, then reads it: a single statement that waits would return the texts from
 * before the wait.
 */
async function lockProductRow(
  tx: Tx,
  productId: number,
  lock: keyof typeof locked,
): Promise<EditedProductRow | undefined> {
  await tx.run(sql`SELECT FROM product WHERE id = ${productId} ${locked[lock]}`)
  return findEditedProduct(tx, productId)
}

/** The caller has written the audit entry, and deals with its codes. */
export const deleteProductRow = (tx: Tx, productId: number) =>
  tx.run(sql`UPDATE product SET deleted_at = now() WHERE id = ${productId}`)

const codesIn = (productId: number, status: 'available' | 'used') => sql`
  (SELECT count(*)::int FROM (
    SELECT FROM code JOIN offer ON offer.id = code.offer_id
    WHERE offer.product_id = ${productId} AND code.status = ${status} LIMIT ${LIMITS.listCountMax}) AS code)`

export const readBelongings = (queries: Queries, productId: number) =>
  queries.one<Belongings>(sql`
    SELECT (SELECT count(*)::int FROM offer WHERE product_id = ${productId} AND deleted_at IS NULL) AS offers_count,
      ${codesIn(productId, 'available')} AS available_codes, ${codesIn(productId, 'used')} AS sold_codes,
      (SELECT count(*)::int FROM cart_item LEFT JOIN offer ON offer.id = cart_item.offer_id
        WHERE coalesce(cart_item.product_id, offer.product_id) = ${productId}) AS cart_items`)

const noTexts = { name: '', description: '', activationInstructions: '' }

const shownEditedProduct = (row: EditedProductRow): EditedProduct => ({
  ...row,
  ...noTexts,
  ...row.translations.ru,
  created_at: row.created_at.toISOString(),
})

function found(row: EditedProductRow | undefined): EditedProduct {
  if (!row) throw new Failure('NOT_FOUND')
  return shownEditedProduct(row)
}

/** Reads a product for editing. Refuses a missing or deleted one with NOT_FOUND. */
export const readProduct = async (queries: Queries, productId: number): Promise<EditedProduct> =>
  found(await findEditedProduct(queries, productId))

/** Reads a product and locks it: nobody else changes it until the transaction ends. */
export const lockProduct = async (tx: Tx, productId: number): Promise<EditedProduct> =>
  found(await lockProductRow(tx, productId, 'toChange'))

/**
 * Reads a product and takes a shared lock: nobody changes it until the transaction ends, while others may use it too.
 */
export const lockProductToUse = async (tx: Tx, productId: number): Promise<EditedProduct> =>
  found(await lockProductRow(tx, productId, 'toUse'))

/**
 * Locks a product for its deletion: nobody else changes it or adds codes to it. One of top-ups that has packages can't be
 * deleted: STATE_CONFLICT.
 */
export async function lockProductToDelete(
  tx: Tx,
  productId: number,
): Promise<{ product: EditedProduct; belongings: Belongings }> {
  const product = await lockProduct(tx, productId)
  const belongings = await readBelongings(tx, productId)
  if (product.kind === 'topup') {
    if (belongings.offers_count > 0)
      throw new Failure('STATE_CONFLICT', { reason: 'product_has_offers', product: 'has_packages' })
  }
  return { product, belongings }
}

/** A field as it is given by whoever makes a product; what is left out is as the contract has it. */
export type FieldDraft = Pick<EditedField, 'key' | 'type' | 'labels'> & Partial<EditedField>

interface EditedFieldRow extends Omit<EditedField, 'options'> {
  options: { value: string; label: EditedField['labels'] }[]
}

/** What can be chosen in a field, with its labels by language. */
type FieldOptions = readonly { value: string; label: Readonly<Record<string, string | undefined>> }[]

const readRows = (queries: Queries, productId: number) =>
  queries.rows<EditedFieldRow>(sql`
    SELECT key, type, label AS labels, hint AS hints, pattern, length_min AS "lengthMin", length_max AS "lengthMax",
      is_required AS "isRequired", options
    FROM account_field WHERE product_id = ${productId} AND retired_at IS NULL ORDER BY position, id`)

const insertField = (tx: Tx, productId: number, position: number, field: FieldDraft) =>
  tx.run(sql`
    INSERT INTO account_field (product_id, position, key, type, label, hint, pattern, length_min, length_max, options,
      is_required)
    VALUES (${productId}, ${position}, ${field.key}, ${field.type}, ${JSON.stringify(field.labels)},
      ${JSON.stringify(field.hints ?? {})}, ${field.pattern ?? ''}, ${field.lengthMin ?? 1}, ${field.lengthMax ?? 64},
      ${JSON.stringify((field.options ?? []).map(({ value, labels }) => ({ value, label: labels })))},
      ${field.isRequired ?? true})`)

/** Counts a change beside the product's row as a change of the product, so that who edits it meanwhile is told. */
export const touchProduct = (tx: Tx, productId: number) =>
  tx.run(sql`UPDATE product SET position = position WHERE id = ${productId}`)

/** Reads what a product asks its customers for, in its order. */
async function readFields(queries: Queries, productId: number): Promise<EditedField[]> {
  const rows = await readRows(queries, productId)
  return rows.map(({ options, ...row }) => ({
    ...row,
    options: options.map(({ value, label }) => ({ value, labels: label })),
  }))
}

/** Adds what a new product asks for. */
export async function insertFields(tx: Tx, productId: number, fields: readonly FieldDraft[]): Promise<void> {
  for (const [index, field] of fields.entries()) await insertField(tx, productId, index + 1, field)
}

interface FieldsOfProduct {
  fields: EditedField[]
  /** That of the product. */
  version: number
}

/** Reads the fields of a top-up for editing. Refuses a missing product with NOT_FOUND. */
export async function readEditedFields(queries: Queries, productId: number): Promise<FieldsOfProduct> {
  const { version } = await readProduct(queries, productId)
  return { fields: await readFields(queries, productId), version }
}

/**
 * Sets what a top-up asks for. The earlier rows are kept, because receipts take their labels from them. Refuses a product
 * of codes with STATE_CONFLICT.
 */
export async function changeFields(
  tx: Tx,
  adminId: number,
  productId: number,
  wanted: { fields: readonly EditedField[]; version?: number | undefined },
): Promise<FieldsOfProduct> {
  const product = await lockProduct(tx, productId)
  const before = await readFields(tx, productId)
  const shown: FieldsOfProduct = { fields: before, version: product.version }
  requireVersion(shown, wanted.version)
  if (product.kind !== 'topup') throw new Failure('STATE_CONFLICT', { reason: 'fields_not_topup', fields: 'not_topup' })
  await tx.run(sql`
    UPDATE account_field SET retired_at = now() WHERE product_id = ${productId} AND retired_at IS NULL`)
  await insertFields(tx, productId, wanted.fields)
  await touchProduct(tx, productId)
  const after = await readEditedFields(tx, productId)
  const entry = { actorId: adminId, action: 'product.fields', subject: `product:${productId}` } as const
  await writeAuditChange(tx, entry, { fields: before }, { fields: after.fields })
  tx.notify('catalogue', `product:${productId}`)
  return after
}

/**
 * Sets what can be chosen in a field of a product that the caller has locked, as suppliers have changed it. The earlier row
 * is kept: orders find in it how their choice is called.
 */
export async function changeOptions(tx: Tx, productId: number, key: string, options: FieldOptions): Promise<void> {
  const before = await readFields(tx, productId)
  await tx.run(sql`
    WITH retired AS (
      UPDATE account_field AS field SET retired_at = now()
      WHERE product_id = ${productId} AND field.key = ${key} AND retired_at IS NULL RETURNING field.*)
    INSERT INTO account_field (product_id, position, key, type, label, hint, pattern, length_min, length_max, options,
      is_required)
    SELECT product_id, position, key, type, label, hint, pattern, length_min, length_max, ${JSON.stringify(options)},
      is_required
    FROM retired`)
  await touchProduct(tx, productId)
  const entry = { actorId: null, action: 'product.fields', subject: `product:${productId}` } as const
  await writeAuditChange(tx, entry, { fields: before }, { fields: await readFields(tx, productId) })
  tx.notify('catalogue', `product:${productId}`)
}
