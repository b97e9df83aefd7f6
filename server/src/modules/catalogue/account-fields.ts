import type { EditedField } from '@olmos/contract/account-fields'
import { Failure } from '@olmos/contract/failure'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAuditChange } from '../../platform/security/audit.ts'
import { lockProduct, readProduct } from './products.ts'

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

/** Counts new fields as a change of their product, so that who edits it meanwhile is told. */
const countChange = (tx: Tx, productId: number) =>
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
  await countChange(tx, productId)
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
  await countChange(tx, productId)
  const entry = { actorId: null, action: 'product.fields', subject: `product:${productId}` } as const
  await writeAuditChange(tx, entry, { fields: before }, { fields: await readFields(tx, productId) })
  tx.notify('catalogue', `product:${productId}`)
}
