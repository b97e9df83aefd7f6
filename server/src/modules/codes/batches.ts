import type { BatchBuyer, CodeBatch, codeBatchesApi } from '@olmos/contract/code-batches'
import { Failure } from '@olmos/contract/failure'
import type { Currency } from '@olmos/contract/money'
import {
  allConditions,
  countAll,
  direction,
  type ListPage,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Sealed } from '../../platform/security/vault.ts'
import { isNamed } from '../accounts/accounts.store.ts'
import { endOfDay, type Purchase, requireRate, requireUnexpired } from './purchases.ts'

interface BatchRow extends Omit<CodeBatch, 'created_at' | 'recalled_at'> {
  created_at: Date
  recalled_at: Date | null
}

const batchColumns = (counts: Sql): Sql => sql`
  batch.id, batch.product_id, texts.title AS product_title, coalesce(batch.region_id, 0) AS region_id,
  coalesce(region.name, '') AS region_name, users.nickname AS imported_by,
  coalesce(batch.supplier, nullif(batch.seller, '')) AS supplier, batch.supplier IS NOT NULL AS is_bought_singly,
  trim_scale(batch.cost)::text AS cost, batch.cost_currency AS currency, batch.invoice,
  batch.expires_on::text, batch.created_at, batch.recalled_at, batch.recall_reason,
  ${counts} AS counts, batch.version`

/** By status. */
const allCounts = sql`coalesce((SELECT jsonb_object_agg(status, count) FROM (
  SELECT status, count(*) AS count FROM code WHERE batch_id = batch.id GROUP BY status) AS counted), '{}')`

/** What is left, which an index counts: a page of imports has millions of codes. */
const leftCount = sql`
  jsonb_build_object('available', (SELECT count(*) FROM code WHERE batch_id = batch.id AND status = 'available'))`

const batchJoins = sql`
  JOIN product_text AS texts ON texts.product_id = batch.product_id AND texts.language = 'ru'
  LEFT JOIN region ON region.id = batch.region_id
  LEFT JOIN users ON users.id = batch.imported_by`

const readBatch = (queries: Queries, batchId: number) =>
  queries.maybe<BatchRow>(sql`
    SELECT ${batchColumns(allCounts)} FROM code_batch AS batch ${batchJoins} WHERE batch.id = ${batchId}`)

type BatchList = SortedList<typeof codeBatchesApi.list>

const isListed = ({ search, productId, cost }: BatchList) =>
  allConditions(
    productId ? sql`product_id = ${productId}` : undefined,
    cost ? sql`cost IS NULL AND supplier IS NULL` : undefined,
    search
      ? sql`(lower(invoice) LIKE ${containing(search.toLowerCase())} OR id::text = ${search}
          OR lower(coalesce(supplier, seller)) LIKE ${containing(search.toLowerCase())})`
      : undefined,
  )

const batchOrder = (list: BatchList): Sql =>
  list.sort === 'id'
    ? sql`batch.id ${direction(list.order)}`
    : sql`batch.expires_on ${direction(list.order)} NULLS LAST, batch.id ${direction(list.order)}`

/** Reads a page of imports, and how many there are in all. */
export async function listBatches(queries: Queries, list: BatchList): Promise<{ data: CodeBatch[]; total: number }> {
  const read = queries.rows<BatchRow>(sql`
    SELECT ${batchColumns(leftCount)} FROM (
      SELECT * FROM code_batch AS batch WHERE ${isListed(list)} ORDER BY ${batchOrder(list)} ${toPage(list)}) AS batch
    ${batchJoins} ORDER BY ${batchOrder(list)}`)
  const count = () => countAll(queries, sql`SELECT FROM code_batch WHERE ${isListed(list)}`, list.search)
  const { rows, total } = await withTotal(list, read, count)
  return { data: rows.map(shownBatch), total }
}

/**
 * Nobody sells one of its reserved codes, shows one for the first time or returns one to stock until the transaction
 * ends.
 */
const lockBatch = (tx: Tx, batchId: number) =>
  tx.maybe<{ is_recalled: boolean }>(sql`
    SELECT recalled_at IS NOT NULL AS is_recalled FROM code_batch WHERE id = ${batchId} FOR NO KEY UPDATE`)

/** Uses the clock, not the start of the transaction: a code that was revealed first has an earlier time. */
const markRecalled = (tx: Tx, batchId: number, reason: string) =>
  tx.run(sql`
    WITH this AS MATERIALIZED (SELECT clock_timestamp() AS moment)
    UPDATE code_batch SET recalled_at = moment, recall_holds_since = moment, recall_reason = ${reason}
    FROM this WHERE id = ${batchId}`)

/**
 * Takes codes in stock, unpublished, marked as bad or archived out of sale, so that no other import gets them either, and
 * returns how many. Codes being sold at this moment are sold; reserved ones are quarantined when they would be sold or released.
 */
const quarantineBatch = (tx: Tx, batchId: number) =>
  tx.run(sql`
    UPDATE code SET status = 'quarantined'
    WHERE batch_id = ${batchId} AND status IN ('available', 'archived', 'unpublished', 'error')`)

/** The price is in minor units. */
export interface BuyerRow extends Sealed, Omit<BatchBuyer, 'code' | 'currency' | 'sold_at' | 'seen_at'> {
  currency: Currency
  sold_at: Date
  seen_at: Date | null
}

interface BuyerList extends ListPage {
  batchId: number
  /** Whether its unseen codes are withheld and listed first. */
  isRecalled: boolean
  search: string
  /** What the search matches, as long as that is little. */
  orderIds: string[] | undefined
  /** How many of the newest codes are searched otherwise. */
  lookedAt: number
}

const fewOrders = 5_000

const isNumbered = (search: string): Sql => sql`orders.id LIKE ${containing(search.toUpperCase())}`

/**
 * Finds the orders that a search matches, or undefined when there are too many to name. It runs before the codes are
 * read: the number decides whether to go from the orders to the codes or the other way, which the planner can't know.
 */
export async function findOrders(queries: Queries, search: string): Promise<string[] | undefined> {
  const rows = await queries.rows<{ id: string }>(sql`
    SELECT id FROM (
      SELECT orders.id FROM users JOIN orders ON orders.user_id = users.id WHERE ${isNamed(search)}
      UNION ALL SELECT id FROM orders WHERE ${isNumbered(search)}) AS found
    LIMIT ${fewOrders + 1}`)
  return rows.length > fewOrders ? undefined : rows.map((row) => row.id)
}

const sale = sql`
  code_sale ON code_sale.code_id = code.id AND code_sale.sale_number = code.sale_number
  JOIN order_item ON order_item.id = code_sale.order_item_id`

/** Selects the codes that somebody has. Each used code has its sale. */
const soldCodes = ({ batchId, search, orderIds, lookedAt }: BuyerList): Sql => {
  const used = sql`code.batch_id = ${batchId} AND code.status = 'used'`
  if (!search) return sql`SELECT code.id FROM code WHERE ${used}`
  if (orderIds)
    return sql`SELECT code.id FROM code JOIN ${sale} WHERE ${used} AND order_item.order_id = ANY (${orderIds})`
  // Reads one code after the other, until there are enough or too many did not match.
  return sql`
    SELECT code.id FROM (
      SELECT id, sale_number FROM code WHERE ${used} ORDER BY id DESC LIMIT ${lookedAt}) AS code CROSS JOIN LATERAL (
      SELECT order_item.order_id FROM code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
      WHERE code_sale.code_id = code.id AND code_sale.sale_number = code.sale_number LIMIT 1) AS sold
    JOIN orders ON orders.id = sold.order_id JOIN users ON users.id = orders.user_id
    WHERE ${isNumbered(search)} OR ${isNamed(search)}`
}

/**
 * A code that its buyer has seen is never sold again, so any reveal but an admin's was the buyer's, or of a friend's whom
 * the buyer sent a link.
 */
const isUnseen = sql`NOT EXISTS (SELECT FROM code_reveal WHERE code_id = found.id AND place <> 'admin')`

export const listBuyers = (queries: Queries, list: BuyerList) =>
  queries.rows<BuyerRow>(sql`
    SELECT code.id AS code_id, code.key_id AS "keyId", code.ciphertext, orders.id AS order_id, order_item.id AS item_id, order_item.quantity AS item_quantity,
      users.id AS user_id, users.nickname, offer.game_amount, order_item.game_currency, order_item.unit_price,
      orders.currency, code_sale.created_at AS sold_at,
      (SELECT min(created_at) FROM code_reveal
        WHERE code_id = code.id AND place <> 'admin' AND created_at >= code_sale.created_at) AS seen_at,
      found.is_withheld
    FROM (
      SELECT id, ${list.isRecalled ? isUnseen : sql`false`} AS is_withheld FROM (${soldCodes(list)}) AS found
      ORDER BY is_withheld DESC, id ${direction(list.order)} ${toPage(list)}) AS found
    JOIN code USING (id) JOIN ${sale}
    JOIN orders ON orders.id = order_item.order_id
    JOIN users ON users.id = orders.user_id
    JOIN offer ON offer.id = code.offer_id
    ORDER BY found.is_withheld DESC, code.id ${direction(list.order)}`)

export const countBuyers = (queries: Queries, list: BuyerList) => countAll(queries, soldCodes(list), list.search)

const shownBatch = ({ created_at, recalled_at, ...batch }: BatchRow): CodeBatch => ({
  ...batch,
  created_at: created_at.toISOString(),
  recalled_at: recalled_at?.toISOString() ?? null,
})

/** Reads an import of codes. Refuses an unknown one with NOT_FOUND. */
export async function findCodeBatch(queries: Queries, batchId: number): Promise<CodeBatch> {
  const batch = await readBatch(queries, batchId)
  if (!batch) throw new Failure('NOT_FOUND')
  return shownBatch(batch)
}

/** What is left out stays as it is. Each cost that is given is kept, for what was sold at it. */
const setPurchase = (tx: Tx, batchId: number, purchase: Purchase, adminId: number) => {
  const given = (value: unknown, column: Sql, now: Sql) => (value === undefined ? column : now)
  const { cost, currency, supplier, invoice, expires_on } = purchase
  return tx.run(sql`
    WITH changed AS (
      UPDATE code_batch SET cost = ${given(cost, sql`cost`, sql`${cost}`)},
        cost_currency = ${given(cost, sql`cost_currency`, sql`${currency}`)},
        seller = ${given(supplier, sql`seller`, sql`${supplier}`)},
        invoice = ${given(invoice, sql`invoice`, sql`${invoice}`)},
        expires_on = ${given(expires_on, sql`expires_on`, sql`${expires_on}`)},
        sold_until = ${given(expires_on, sql`sold_until`, endOfDay(purchase))},
        expired_at = ${given(expires_on, sql`expired_at`, sql`NULL`)}, version = version + 1
      WHERE id = ${batchId} RETURNING id, cost, cost_currency)
    INSERT INTO code_batch_cost (batch_id, cost, cost_currency, made_by)
    SELECT id, cost, cost_currency, ${adminId} FROM changed WHERE ${cost !== undefined}`)
}

interface BatchChange {
  batchId: number
  adminId: number
  version: number | undefined
  /** What is left out stays as it is. */
  purchase: Purchase
}

/**
 * Says what the codes of a batch cost, and until when they are sold. What was sold before keeps the cost that it had
 * then; a code that waits in an unpaid order gets the one in force when it is paid. Refuses another day of expiry that is
 * over with VALIDATION_FAILED.
 */
export async function changeBatch(tx: Tx, { batchId, adminId, version, purchase }: BatchChange): Promise<CodeBatch> {
  await lockBatch(tx, batchId)
  const before = await findCodeBatch(tx, batchId)
  requireVersion(before, version)
  if (before.is_bought_singly && purchase.supplier !== undefined && purchase.supplier !== before.supplier)
    throw new Failure('VALIDATION_FAILED', { supplier: 'bought_singly' })
  await requireRate(tx, purchase.currency, 'currency')
  if (purchase.expires_on !== before.expires_on) await requireUnexpired(tx, purchase, 'expires_on')
  await setPurchase(tx, batchId, purchase, adminId)
  const after = await findCodeBatch(tx, batchId)
  await writeAuditChange(
    tx,
    { actorId: adminId, action: 'batch.update', subject: `batch:${batchId}` },
    audited(before),
    audited(after),
  )
  return after
}

const audited = ({ cost, currency, supplier, invoice, expires_on }: CodeBatch) => ({
  cost,
  currency,
  supplier,
  invoice,
  expires_on,
})

interface Recall {
  batchId: number
  reason: string
  adminId: number
}

/**
 * Recalls an import for good: its codes are not sold again when they are returned or released from a reservation. What
 * was sold and seen stays with its buyers until it is replaced or refunded; what was not seen is withheld from them.
 */
export async function recallBatch(tx: Tx, { batchId, reason, adminId }: Recall): Promise<CodeBatch> {
  const locked = await lockBatch(tx, batchId)
  if (!locked || locked.is_recalled) return refuseSecond(await findCodeBatch(tx, batchId))
  const quarantined = await quarantineBatch(tx, batchId)
  await markRecalled(tx, batchId, reason)
  const batch = await findCodeBatch(tx, batchId)
  const entry = { actorId: adminId, action: 'codes.recall', subject: `batch:${batchId}` } as const
  await writeAudit(tx, { ...entry, after: { reason, quarantined, counts: batch.counts } })
  tx.notify('catalogue', `product:${batch.product_id}`)
  return batch
}

function refuseSecond({ recalled_at, recall_reason }: CodeBatch): never {
  throw new Failure('STATE_CONFLICT', { reason: 'batch_recalled', batch: 'recalled', recalled_at, recall_reason })
}
