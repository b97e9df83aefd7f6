import type { BoughtCodes } from '@olmos/contract/costs'
import { Failure } from '@olmos/contract/failure'
import type { Resources } from '../../platform/context.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { dollarRates, inCurrency } from '../rates/rates.ts'
import { readNumbers } from '../shop/shop.ts'

/** A cost of one unit: a decimal, and the currency it is in. */
export interface UnitCost {
  amount: string
  currency: string
}

/** How the shop came by the codes of a batch. */
export interface Purchase extends BoughtCodes {
  /** Selects the time zone in which the day ends on which they expire. */
  timeZone: Sql
}

/** What the audit trail keeps of it: what somebody said. */
export const toAudited = ({ timeZone: _, ...bought }: Partial<Purchase> = {}): object =>
  Object.fromEntries(Object.entries(bought).filter(([, value]) => value != null && value !== ''))

/**
 * What a code cost, in a currency at the rates in force; null while that is unknown. Needs `code` and `code_batch` in
 * scope.
 */
export const codeCost = (currency: Sql): Sql =>
  inCurrency(
    sql`coalesce(code.cost, code_batch.cost)`,
    sql`coalesce(code.cost_currency, code_batch.cost_currency)`,
    currency,
  )

/** Adds up what units cost, as `sum`: null where none of them is known. */
export const costSums = sql`round(sum(cost) * 100)::bigint AS cost, count(*)::int AS units, count(cost)::int AS known_units`

/** Sets what an item cost to `sum`. */
export const costColumns = sql`cost = sum.cost, cost_units = sum.units, known_units = sum.known_units`

/** Keeps what these items cost with them, after units of them were sold, came back or were delivered. */
export const settleCosts = (tx: Tx, itemIds: readonly number[]): Promise<number> =>
  tx.run(sql`
    UPDATE order_item SET ${costColumns}
    FROM (
      SELECT id, took.* FROM unnest(${itemIds}::bigint[]) AS id CROSS JOIN LATERAL (
        SELECT ${costSums} FROM sold_unit WHERE order_item_id = id) AS took) AS sum
    WHERE order_item.id = sum.id
      AND (order_item.cost, cost_units, order_item.known_units) IS DISTINCT FROM (sum.cost, sum.units, sum.known_units)
      AND (sum.units > 0 OR cost_units IS NOT NULL)`)

/**
 * Whether a code in stock has not expired. Batches that were withdrawn have none in stock, so only those that expired since
 * the last withdrawal are left out. They are looked for once a statement, and not with every code that is taken. It is no
 * `<>`: where all stock is one batch, PostgreSQL would expect that to leave nothing, and sort the whole stock to take one
 * code. Needs `code` in scope.
 */
export const isInTime = sql`NOT coalesce(
  code.batch_id = ANY (ARRAY(SELECT id FROM code_batch WHERE sold_until <= now() AND expired_at IS NULL)), false)`

/** Where codes go that are taken off sale for good: a generated one may still be spent by who has it. */
export const offSale = sql`CASE WHEN code.denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END`

/** The moment at which a day ends. */
export const endOfDay = ({ expires_on, timeZone }: Purchase): Sql =>
  sql`((${expires_on}::date + 1)::timestamp AT TIME ZONE ${timeZone})`

/** Refuses a cost in a currency that nobody could convert; `field` is where the caller sent it. */
export async function requireRate(queries: Queries, currency: string | null | undefined, field: string): Promise<void> {
  if (currency != null && !(await dollarRates(queries)).has(currency))
    throw new Failure('VALIDATION_FAILED', { [field]: 'unknown_currency' })
}

/** Refuses a day of expiry that is over; `field` is where the caller sent it. */
export async function requireUnexpired(queries: Queries, purchase: Purchase, field: string): Promise<void> {
  if (purchase.expires_on == null) return
  const { is_over } = await queries.one<{ is_over: boolean }>(sql`SELECT ${endOfDay(purchase)} <= now() AS is_over`)
  if (is_over) throw new Failure('VALIDATION_FAILED', { [field]: 'expired' })
}

/** Refuses codes whose cost nobody could convert, and codes that have expired. */
export async function requirePurchase(queries: Queries, purchase: Purchase | undefined): Promise<void> {
  if (!purchase) return
  await requireRate(queries, purchase.currency, 'bought.currency')
  await requireUnexpired(queries, purchase, 'bought.expires_on')
}

/** Locks the batches that have expired since, so that no code of them comes back on sale meanwhile. */
const lockExpired = (tx: Tx) =>
  tx.rows<{ id: number }>(sql`
    SELECT id FROM code_batch WHERE sold_until <= now() AND expired_at IS NULL ORDER BY id FOR NO KEY UPDATE`)

const archiveExpired = (tx: Tx, batchIds: readonly number[]) =>
  tx.rows<{ product_id: number }>(sql`
    WITH archived AS (
      UPDATE code SET status = ${offSale}, is_expired = true
      WHERE batch_id = ANY (${batchIds}::int[]) AND status = 'available'),
    marked AS (
      UPDATE code_batch SET expired_at = now() WHERE id = ANY (${batchIds}::int[]) RETURNING product_id)
    SELECT DISTINCT product_id FROM marked`)

/** No more than a share of what is in stock is locked at once, and no more than a moment: sales take other codes meanwhile. */
const movedAtOnce = 500
const shareMoved = 4

/**
 * Whether the batch expires later than was thought when it took the code off sale, and nobody has seen the code, who may have
 * given it away since. Needs `code` and its `batch` in scope.
 */
const isBack = sql`(code.is_expired AND code.status IN ('archived', 'unpublished')
  AND coalesce(batch.sold_until, 'infinity') > now()
  AND NOT EXISTS (SELECT FROM code_reveal WHERE code_reveal.code_id = code.id))`

const isMisplaced = sql`(code.shelf <> shelf_place(code.id, batch.expires_on) OR ${isBack})`

interface Moved {
  /** The last code it looked at. */
  last: number
  /** The product of the batch if some are in stock again. */
  product_id: number | null
}

/**
 * Moves codes of a batch, from an id on, to where its day of expiry says, which may be back on sale; undefined when there
 * are none.
 */
const moveOnShelf = (tx: Tx, batchId: number, from: number) =>
  tx.maybe<Moved>(sql`
    WITH batch AS MATERIALIZED (
      SELECT id, product_id, expires_on, sold_until FROM code_batch WHERE id = ${batchId} FOR SHARE),
    share AS (
      SELECT greatest(1, count(*) / ${shareMoved}) AS codes
      FROM code WHERE batch_id = ${batchId} AND status = 'available'),
    next AS (
      SELECT id FROM (
        SELECT id, count(*) FILTER (WHERE status = 'available') OVER (ORDER BY id) AS in_stock FROM (
          SELECT id, status FROM code WHERE batch_id = ${batchId} AND id > ${from} ORDER BY id LIMIT ${movedAtOnce}) AS code)
        AS counted
      WHERE in_stock <= (SELECT codes FROM share)),
    misplaced AS (
      SELECT code.id, shelf_place(code.id, batch.expires_on) AS place, ${isBack} AS is_back FROM batch, code
      WHERE code.id IN (SELECT id FROM next) AND ${isMisplaced}
      FOR UPDATE OF code SKIP LOCKED),
    moved AS (
      UPDATE code SET shelf = place, status = CASE WHEN is_back THEN 'available' ELSE status END,
        is_expired = is_expired AND NOT is_back
      FROM misplaced WHERE code.id = misplaced.id RETURNING is_back)
    SELECT max(id) AS last, (SELECT product_id FROM batch WHERE true IN (SELECT is_back FROM moved)) AS product_id
    FROM next HAVING count(*) > 0`)

/** Says that all is in its place, unless somebody has changed the day again: it is compared with the day in force. */
const markShelved = (queries: Queries, batchId: number) =>
  queries.run(sql`
    UPDATE code_batch AS batch SET is_shelved = true WHERE id = ${batchId}
      AND NOT EXISTS (SELECT FROM code WHERE batch_id = batch.id AND ${isMisplaced})`)

/**
 * Runs every minute: what expires sooner is sold sooner, also after somebody has changed the day of a batch, and what went off
 * sale by a day that was wrong is in stock again.
 */
export async function sellByExpiry({ database }: Resources): Promise<void> {
  const batches = await database.rows<{ id: number }>(sql`
    SELECT id FROM code_batch WHERE NOT is_shelved ORDER BY expires_on, id`)
  for (const { id } of batches) {
    let last: number | undefined = 0
    while (last !== undefined) {
      const from: number = last
      last = await database.transaction(async (tx) => {
        const moved = await moveOnShelf(tx, id, from)
        if (moved && moved.product_id !== null) tx.notify('catalogue', `product:${moved.product_id}`)
        return moved?.last
      })
    }
    await markShelved(database, id)
  }
}

interface ExpiringRow {
  id: number
  product_title: string
  expires_on: string
  codes: number
}

const readExpiring = (tx: Tx, days: number) =>
  tx.rows<ExpiringRow>(sql`
    SELECT batch.id, texts.title AS product_title, batch.expires_on::text, count(*)::int AS codes
    FROM code_batch AS batch
    JOIN code ON code.batch_id = batch.id AND code.status IN ('available', 'reserved')
    JOIN product_text AS texts ON texts.product_id = batch.product_id AND texts.language = 'ru'
    WHERE batch.sold_until > now() AND batch.sold_until < now() + make_interval(days => ${days})
    GROUP BY batch.id, texts.title`)

const readAlerted = (tx: Tx) =>
  tx.rows<{ subject: string }>(sql`SELECT subject FROM alert WHERE kind = 'codes.expiring' AND resolved_at IS NULL`)

/**
 * Runs every minute and takes what is left of expired batches off sale. Nobody could have bought it any more: this is for
 * what is counted and shown.
 */
export const withdrawExpired = ({ database }: Resources): Promise<void> =>
  database.transaction(async (tx) => {
    const batchIds = (await lockExpired(tx)).map(({ id }) => id)
    if (batchIds.length === 0) return
    for (const { product_id } of await archiveExpired(tx, batchIds)) tx.notify('catalogue', `product:${product_id}`)
  })

/** Runs every hour: an alert is open for each batch that expires soon, as long as codes of it are left. */
export const warnOfExpiry = ({ database }: Resources): Promise<void> =>
  database.transaction(async (tx) => {
    const { expiry_warning_days } = await readNumbers(tx)
    const expiring = await readExpiring(tx, expiry_warning_days)
    const subjects = new Set(expiring.map(({ id }) => `batch:${id}`))
    for (const { subject } of await readAlerted(tx)) {
      if (!subjects.has(subject)) await resolveAlert(tx, 'codes.expiring', subject)
    }
    for (const { id, product_title: product, expires_on, codes } of expiring) {
      const details = { product, expires_on, codes }
      await raiseAlert(tx, { kind: 'codes.expiring', subject: `batch:${id}`, details, whenChanged: 'refresh' })
    }
  })
