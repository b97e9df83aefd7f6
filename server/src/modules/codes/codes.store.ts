import type { CodeStatus } from '@olmos/contract/codes'
import * as LIMITS from '@olmos/contract/limits'
import { isStorable } from '@olmos/contract/storable'
import { toByteaArray } from '../../platform/database/bytea-array.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { codeCost, endOfDay, type Purchase, requirePurchase, type UnitCost } from './purchases.ts'

const hidden = '••••'
const shownSigns = 4
/** The last characters would reveal too much of a shorter code. */
const shortest = 12

/** Masks a code for lists: enough to recognise it, too little to use it. */
export const maskCode = (code: string): string =>
  code.length < shortest ? hidden : `${hidden}${code.slice(-shownSigns)}`

/** Names the row a code's ciphertext is bound to. */
export const codeRow = (codeId: number): string => `code:${codeId}`

/** Nobody can have it: never sold, shown, or given to a supplier. Needs `code` in scope. */
export const isUntouched = sql`(NOT EXISTS (SELECT FROM code_sale WHERE code_id = code.id)
  AND NOT EXISTS (SELECT FROM code_reveal WHERE code_id = code.id)
  AND NOT EXISTS (SELECT FROM supplier_order WHERE code_id = code.id))`

/** An untouched code of the archive can be imported elsewhere, unless it was generated here. */
const isImportable = sql`(status = 'archived' AND denomination_id IS NULL AND ${isUntouched})`

export interface KnownCodes {
  /** The product of each that can't be imported, by its fingerprint in hex. */
  known: Map<string, number>
  /** Whether some are in the archive and can be. */
  hasImportable: boolean
}

/** Finds codes that the shop has or had. */
export async function readKnown(queries: Queries, fingerprints: Buffer[]): Promise<KnownCodes> {
  const rows = await queries.rows<{ fingerprint: Buffer; product_id: number; is_importable: boolean }>(sql`
    SELECT known.fingerprint, (SELECT product_id FROM offer WHERE id = code.offer_id) AS product_id,
      ${isImportable} AS is_importable
    FROM code_fingerprint AS known JOIN code ON code.id = known.code_id
    WHERE known.fingerprint = ANY (${toByteaArray(fingerprints)}::bytea[])`)
  const known = rows.filter(({ is_importable }) => !is_importable)
  return {
    known: new Map(known.map((row) => [row.fingerprint.toString('hex'), row.product_id])),
    hasImportable: known.length < rows.length,
  }
}

/** Deletes untouched codes from the archive, so that they can be imported elsewhere; returns how many. */
export async function leaveArchive(tx: Tx, fingerprints: Buffer[]): Promise<number> {
  // Locks before it reads reveals: a code that is just being shown has its reveal written by then.
  const archived = await tx.rows<{ id: number }>(sql`
    SELECT code.id FROM code_fingerprint AS known JOIN code ON code.id = known.code_id
    WHERE known.fingerprint = ANY (${toByteaArray(fingerprints)}::bytea[]) AND code.status = 'archived'
      AND code.fingerprint = known.fingerprint -- Who waited for an edit looks at the code again, and not at what it was known by.
    ORDER BY code.id FOR UPDATE OF code`)
  if (archived.length === 0) return 0
  return tx.run(sql`DELETE FROM code WHERE id = ANY (${archived.map(({ id }) => id)}::bigint[]) AND ${isImportable}`)
}

export async function drawCodeIds(tx: Tx, count: number): Promise<number[]> {
  // As one value: a row for each costs more than drawing it.
  const { ids } = await tx.one<{ ids: number[] }>(
    sql`SELECT json_agg(nextval('code_id')) AS ids FROM generate_series(1, ${count}::int)`,
  )
  return ids
}

interface NewBatch {
  productId: number
  regionId: number | null
  importedBy: number | null
  /** How the shop came by its codes, where somebody said so. */
  purchase?: Purchase | undefined
}

/** Adds a batch, with what its codes cost; refuses a cost that can't be converted, and codes that have expired. */
export async function insertBatch(tx: Tx, { productId, regionId, importedBy, purchase }: NewBatch): Promise<number> {
  await requirePurchase(tx, purchase)
  const { cost, currency, supplier = '', invoice = '', expires_on } = purchase ?? {}
  const { id } = await tx.one<{ id: number }>(sql`
    WITH batch AS (
      INSERT INTO code_batch
        (product_id, region_id, imported_by, cost, cost_currency, seller, invoice, expires_on, sold_until)
      VALUES (${productId}, ${regionId}, ${importedBy}, ${cost}, ${currency}, ${supplier}, ${invoice}, ${expires_on},
        ${purchase ? endOfDay(purchase) : sql`NULL`})
      RETURNING id, cost, cost_currency, imported_by),
    noted AS (
      INSERT INTO code_batch_cost (batch_id, cost, cost_currency, made_by)
      SELECT id, cost, cost_currency, imported_by FROM batch WHERE cost IS NOT NULL)
    SELECT id FROM batch`)
  return id
}

interface OpenBatch {
  product_id: number
  region_id: number | null
  imported_by: number | null
}

/** Locks a batch that may grow, so that it isn't recalled meanwhile. */
export const lockOpenBatch = (tx: Tx, batchId: number) =>
  tx.maybe<OpenBatch>(sql`
    SELECT product_id, region_id, imported_by FROM code_batch
    WHERE id = ${batchId} AND recalled_at IS NULL AND coalesce(sold_until, 'infinity') > now() FOR SHARE`)

/** Locks the batch that a supplier's codes for the offer are added to one by one, until it is recalled. */
const lockSupplierBatch = (tx: Tx, offerId: number, supplier: string) =>
  tx.one<{ id: number }>(sql`
    INSERT INTO code_batch (product_id, region_id, supplier)
    SELECT product_id, region_id, ${supplier} FROM offer WHERE id = ${offerId}
    ON CONFLICT (product_id, region_id, supplier) WHERE supplier IS NOT NULL AND recalled_at IS NULL
      DO UPDATE SET supplier = excluded.supplier
    RETURNING id`)

interface SealedCode extends Sealed {
  id: number
  offerId: number
  fingerprint: Buffer
}

export interface ShelfBatch {
  id: number
  status?: CodeStatus
  /** For generated codes: the denomination they deliver when they are spent. */
  denominationId?: number
  /** For a code that was bought alone. */
  cost?: UnitCost | undefined
}

/** Writes an array of numbers as PostgreSQL reads it; pg would quote each of them. */
const toArray = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

/** The constraint that a code violates which the shop has, or had. */
export const uniqueCode = 'code_fingerprint_key'

/**
 * Writes codes. One that is in stock violates `uniqueCode`: who looked for it before was not as quick as another transaction,
 * and runs again (`isConflict`); who did not look says so.
 */
export async function insertCodes(tx: Tx, batch: ShelfBatch, codes: readonly SealedCode[]): Promise<void> {
  const { id: batchId, status = 'available', denominationId = null, cost } = batch
  const ids = toArray(codes.map(({ id }) => id))
  const offerIds = toArray(codes.map(({ offerId }) => offerId))
  const keyIds = toArray(codes.map(({ keyId }) => keyId))
  const ciphertexts = toByteaArray(codes.map(({ ciphertext }) => ciphertext))
  const fingerprints = toByteaArray(codes.map(({ fingerprint }) => fingerprint))
  const written = await tx.run(sql`
    INSERT INTO code
      (id, offer_id, batch_id, status, denomination_id, cost, cost_currency, key_id, ciphertext, fingerprint, shelf)
    SELECT new.id, new.offer_id, batch.id, ${status}, ${denominationId}::int, ${cost?.amount}::numeric,
      ${cost?.currency}, new.key_id, new.ciphertext, new.fingerprint, shelf_place(new.id, batch.expires_on)
    FROM code_batch AS batch, unnest(${ids}::bigint[], ${offerIds}::int[], ${keyIds}::int[], ${ciphertexts}::bytea[],
      ${fingerprints}::bytea[]) AS new (id, offer_id, key_id, ciphertext, fingerprint)
    WHERE batch.id = ${batchId}`)
  if (written !== codes.length)
    throw new Error(`${written} of ${codes.length} codes were written into batch ${batchId}`)
}

/** Finds the currency of the order that an item belongs to. */
export const orderCurrency = (itemId: number): Sql => sql`(
  SELECT currency FROM orders JOIN order_item ON order_item.order_id = orders.id WHERE order_item.id = ${itemId})`

const sellUnit = (tx: Tx, codeId: number, { itemId, unit }: { itemId: number; unit: number }) =>
  tx.run(sql`
    INSERT INTO code_sale (code_id, order_item_id, position, cost)
    SELECT code.id, ${itemId}, ${unit}, ${codeCost(orderCurrency(itemId))}
    FROM code JOIN code_batch ON code_batch.id = code.batch_id WHERE code.id = ${codeId}`)

interface SoldCode extends Sealed {
  id: number
  item_position: number
  /** Whether it belongs to a recalled batch and its buyer has not seen it. */
  is_withheld: boolean
  /** Whether its buyer has not seen it and is frozen. */
  is_frozen: boolean
}

/** Needs `code` and the `buyer` in scope. */
const isSeen = sql`EXISTS (SELECT FROM code_reveal WHERE code_id = code.id AND place <> 'admin')`
const isFrozen = sql`(buyer.held_since IS NOT NULL AND NOT EXISTS (
  SELECT FROM code_reveal WHERE code_id = code.id AND code_reveal.user_id = buyer.id))`

/** `link`: shown to who had the link of a receipt, in the name of its owner. */
export type RevealPlace = 'receipt' | 'admin' | 'link'

/**
 * Reads the codes of an order that are still the customer's, in the order they are shown, and writes their reveals in
 * one statement: a simultaneous refund either finds the reveals or has returned the codes before, and a recall or a
 * freeze either withholds them or comes after. Only a code shown for the first time waits for a recall. Reveals can
 * never be deleted, so one reader leaves one per code and hour, however often the receipt is read; what is shown past a
 * link, which opens a few times at most, is written down each time.
 */
export function revealSoldCodes(queries: Queries, orderId: string, userId: number, place: RevealPlace) {
  const hour = place === 'link' ? sql`NULL::timestamp` : sql`date_trunc('hour', now() AT TIME ZONE 'UTC')`
  const saleNumber = place === 'link' ? sql`NULL::smallint` : sql`sale_number`
  return queries.rows<SoldCode>(sql`
    WITH buyer AS MATERIALIZED (
      SELECT users.id, users.held_since FROM orders JOIN users ON users.id = orders.user_id
      WHERE orders.id = ${orderId} FOR SHARE OF users),
    sold AS (
      SELECT code.id, code.sale_number, code.key_id AS "keyId", code.ciphertext, order_item.position AS item_position,
        code_sale.position, code.batch_id,
        ${isSeen} AS is_seen, ${isFrozen} AS is_frozen
      FROM buyer CROSS JOIN order_item
      JOIN code_sale ON code_sale.order_item_id = order_item.id
      JOIN code ON code.id = code_sale.code_id AND code.sale_number = code_sale.sale_number
      WHERE order_item.order_id = ${orderId} AND item_type = 'code' AND code.status = 'used'
      FOR SHARE OF code),
    sound AS (
      SELECT id FROM code_batch
      WHERE id IN (SELECT batch_id FROM sold WHERE NOT is_seen) AND recalled_at IS NULL FOR SHARE),
    judged AS (SELECT *, NOT is_seen AND batch_id NOT IN (SELECT id FROM sound) AS is_withheld FROM sold),
    revealed AS (
      INSERT INTO code_reveal (code_id, user_id, place, sale_number, hour)
      SELECT id, ${userId}, ${place}, ${saleNumber}, ${hour}
      FROM judged WHERE NOT is_withheld AND NOT is_frozen
      ON CONFLICT (code_id, user_id, place, sale_number, hour) WHERE hour IS NOT NULL DO NOTHING)
    SELECT id, "keyId", ciphertext, item_position, is_withheld, is_frozen FROM judged ORDER BY item_position, position`)
}

/** Counts by item the codes of an order that its buyer would not be shown; nobody sees any by that. */
export const countKeptBack = (queries: Queries, orderId: string) =>
  queries.rows<{ item_position: number; withheld: number; frozen: number }>(sql`
    SELECT item_position, count(*) FILTER (WHERE is_withheld)::int AS withheld,
      count(*) FILTER (WHERE is_frozen AND NOT is_withheld)::int AS frozen
    FROM (
      SELECT order_item.position AS item_position, ${isFrozen} AS is_frozen,
        code_batch.recalled_at IS NOT NULL AND NOT ${isSeen} AS is_withheld
      FROM orders JOIN users AS buyer ON buyer.id = orders.user_id
      JOIN order_item ON order_item.order_id = orders.id
      JOIN code_sale ON code_sale.order_item_id = order_item.id
      JOIN code ON code.id = code_sale.code_id AND code.sale_number = code_sale.sale_number
      JOIN code_batch ON code_batch.id = code.batch_id
      WHERE orders.id = ${orderId} AND item_type = 'code' AND code.status = 'used') AS judged
    WHERE is_withheld OR is_frozen GROUP BY item_position`)

export const insertReveals = (queries: Queries, codeIds: number[], userId: number, place: 'receipt' | 'admin') =>
  queries.run(sql`
    INSERT INTO code_reveal (code_id, user_id, place)
    SELECT code_id, ${userId}, ${place} FROM unnest(${codeIds}::bigint[]) AS code_id`)

/** A code's exact text or its id. */
export interface WantedCode {
  fingerprint?: Buffer
  id?: number | undefined
}

/** Reads a search as a code or an id; a long code of digits may be meant as either. */
export const wantedCode = (vault: Vault, search: string, spelling = search): WantedCode => ({
  fingerprint: vault.fingerprint(spelling),
  id: /^\d{1,15}$/.test(search) ? Number(search) : undefined,
})

/** Reads a search in an address, where no code may appear. */
export const wantedId = (search: string): WantedCode | undefined => (search ? { id: Number(search) } : undefined)

interface BoughtCode {
  /** In plain text; never log it. */
  code: string
  offerId: number
  /** The item it was bought for. */
  itemId: number
  unit: number
  supplier: string
  /** What the supplier took for it, where that is known. */
  cost: UnitCost | undefined
}

/**
 * Stores a code that a supplier sold to the shop in the vault, already sold. Returns false and stores nothing when the
 * shop has had this code before, or it can't be stored.
 */
export async function sellBoughtCode(tx: Tx, vault: Vault, bought: BoughtCode): Promise<boolean> {
  const code = bought.code.trim()
  if (code === '' || code.length > LIMITS.codeLengthMax || !isStorable(code)) return false
  const fingerprint = vault.fingerprint(code)
  if (await exists(tx, sql`SELECT FROM code_fingerprint WHERE fingerprint = ${fingerprint}`)) return false
  const batch = await lockSupplierBatch(tx, bought.offerId, bought.supplier)
  const { ids, seal } = await tx.pipeline({ ids: (tx) => drawCodeIds(tx, 1), seal: (tx) => vault.sealer(tx) })
  const [id] = ids
  if (id === undefined) throw new Error('no id for a code')
  const sealed = { id, offerId: bought.offerId, fingerprint, ...seal(code, codeRow(id)) }
  await insertCodes(tx, { id: batch.id, status: 'used', cost: bought.cost }, [sealed])
  await sellUnit(tx, id, bought)
  return true
}
