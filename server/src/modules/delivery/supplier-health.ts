import type { AlertKind } from '@olmos/contract/alerts'
import { BUSINESS } from '@olmos/contract/business'
import { one } from '@olmos/contract/decimal'
import type { SupplierHealth } from '@olmos/contract/deliveries'
import { toMajor } from '@olmos/contract/minor-units'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import type { Outcome } from '../../platform/vendor/vendor.ts'
import { repriceOffers } from '../pricing/reprice.ts'
import { type DollarRates, dollarRates } from '../rates/rates.ts'
import { readNumbers } from '../shop/shop.ts'
import { type Supplier, type SupplierOrder, tooDear } from '../topups/supplier.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import type { DeliveryShop } from './deliveries.ts'

/** Reads the suppliers that failed so often, or asked to be left alone, that they get nothing new for a while. */
const readOut = (queries: Queries) =>
  queries.rows<{ supplier: string }>(sql`
    SELECT supplier FROM supplier_health
    WHERE failures >= ${SERVER_LIMITS.breakerFailures} AND out_until > now() OR quiet_until > now()`)

/** Reads for how many seconds the supplier asks to be left alone; zero or less: it may be asked. */
export const readQuiet = async (queries: Queries, supplier: string): Promise<number> => {
  const row = await queries.maybe<{ seconds: number | null }>(sql`
    SELECT ceil(extract(epoch FROM quiet_until - now()))::int AS seconds FROM supplier_health WHERE supplier = ${supplier}`)
  return row?.seconds ?? 0
}

/** The longer of two pauses counts. */
const setQuiet = (queries: Queries, supplier: string, seconds: number) =>
  queries.run(sql`
    INSERT INTO supplier_health AS health (supplier, quiet_until)
    VALUES (${supplier}, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (supplier) DO UPDATE SET quiet_until = greatest(health.quiet_until, excluded.quiet_until)`)

/** Whether the supplier may have one more order: after an outage, one at a time until it answers. */
export const admitCall = async (tx: Tx, supplier: string): Promise<boolean> => {
  const { admitCall } = await tx.one<{ admitCall: boolean }>(sql`
    WITH trial AS (
      UPDATE supplier_health SET out_until = now() + make_interval(secs => ${SERVER_LIMITS.breakerSeconds})
      WHERE supplier = ${supplier} AND failures >= ${SERVER_LIMITS.breakerFailures} AND out_until <= now() RETURNING supplier)
    SELECT EXISTS (SELECT FROM trial) OR NOT EXISTS (
      SELECT FROM supplier_health WHERE supplier = ${supplier} AND failures >= ${SERVER_LIMITS.breakerFailures})
      AS "admitCall"`)
  return admitCall
}

/** One that answers about old orders may still take no new ones. */
const noteLookedUp = (queries: Queries, supplier: string) =>
  queries.run(sql`
    INSERT INTO supplier_health (supplier, last_answer_at) VALUES (${supplier}, now())
    ON CONFLICT (supplier) DO UPDATE SET last_answer_at = now()`)

/** Returns how many failures in a row there were before. */
const noteAnswered = (tx: Tx, supplier: string) =>
  tx.one<{ failures: number }>(sql`
    WITH before AS (SELECT failures FROM supplier_health WHERE supplier = ${supplier} FOR UPDATE),
    noted AS (
      INSERT INTO supplier_health (supplier, last_answer_at) VALUES (${supplier}, now())
      ON CONFLICT (supplier) DO UPDATE SET failures = 0, out_until = NULL, last_answer_at = now())
    SELECT coalesce((SELECT failures FROM before), 0) AS failures`)

/** Returns how many failures in a row there are now. */
const noteFailed = (tx: Tx, supplier: string, why: string) =>
  tx.one<{ failures: number }>(sql`
    INSERT INTO supplier_health AS health (supplier, failures, last_error, last_error_at)
    VALUES (${supplier}, 1, ${why}, now())
    ON CONFLICT (supplier) DO UPDATE SET failures = health.failures + 1, last_error = ${why}, last_error_at = now(),
      out_until = CASE WHEN health.failures + 1 >= ${SERVER_LIMITS.breakerFailures}
        THEN now() + make_interval(secs => ${SERVER_LIMITS.breakerSeconds}) END
    RETURNING failures`)

/** Returns how many orders it refused since it last delivered one. Units of one order that are refused in a row count once. */
const noteRefused = (queries: Queries, supplier: string, orderId: string) =>
  queries.one<{ refusals: number }>(sql`
    INSERT INTO supplier_health AS health (supplier, refusals, refused_order) VALUES (${supplier}, 1, ${orderId})
    ON CONFLICT (supplier) DO UPDATE SET refused_order = excluded.refused_order,
      refusals = health.refusals + (health.refused_order IS DISTINCT FROM excluded.refused_order)::int
    RETURNING refusals`)

/** Returns whether it refused any since it last delivered one. */
const endRefusals = async (queries: Queries, supplier: string): Promise<boolean> =>
  (await queries.run(sql`
    UPDATE supplier_health SET refusals = 0, refused_order = NULL WHERE supplier = ${supplier} AND refusals > 0`)) > 0

const noteBalance = (queries: Queries, supplier: string, balance: { amount: number; currency: string }) =>
  queries.run(sql`
    INSERT INTO supplier_health (supplier, balance, balance_currency, balance_at)
    VALUES (${supplier}, ${balance.amount}, ${balance.currency}, now())
    ON CONFLICT (supplier) DO UPDATE SET balance = excluded.balance, balance_currency = excluded.balance_currency,
      balance_at = now()`)

/** From now on exactly these suppliers are on. Returns those of which that, or what they sell, is new. */
const setSellers = (tx: Tx, sellers: readonly Pick<Supplier, 'name' | 'sells' | 'needsItem' | 'redeemsCodes'>[]) =>
  tx.rows<{ supplier: string }>(sql`
    WITH seller AS (
      SELECT name AS supplier, sells, "needsItem" AS needs_item, "redeemsCodes" AS redeems_codes,
        'code' = ANY (sells) AS sells_codes
      FROM json_to_recordset(${JSON.stringify(
        sellers.map(({ name, sells, needsItem, redeemsCodes }) => ({ name, sells, needsItem, redeemsCodes })),
      )}::json) AS told (name text, sells text[], "needsItem" boolean, "redeemsCodes" boolean)),
    others AS (
      UPDATE supplier_health SET sells = '{}', sells_codes = false
      WHERE (sells <> '{}' OR sells_codes) AND supplier NOT IN (SELECT supplier FROM seller) RETURNING supplier),
    noted AS (
      INSERT INTO supplier_health AS known (supplier, sells, needs_item, redeems_codes, sells_codes)
      SELECT supplier, sells, needs_item, redeems_codes, sells_codes FROM seller
      ON CONFLICT (supplier) DO UPDATE SET sells = excluded.sells, needs_item = excluded.needs_item,
        redeems_codes = excluded.redeems_codes, sells_codes = excluded.sells_codes
      WHERE (known.sells, known.needs_item, known.redeems_codes, known.sells_codes)
        IS DISTINCT FROM (excluded.sells, excluded.needs_item, excluded.redeems_codes, excluded.sells_codes)
      RETURNING supplier)
    SELECT supplier FROM others UNION ALL SELECT supplier FROM noted`)

interface HealthRow {
  supplier: string
  failures: number
  is_out: boolean
  out_until: Date | null
  last_answer_at: Date | null
  last_error: string | null
  last_error_at: Date | null
  balance: number | null
  balance_currency: string | null
  balance_at: Date | null
}

const readHealth = (queries: Queries) =>
  queries.rows<HealthRow>(sql`
    SELECT supplier, failures, failures >= ${SERVER_LIMITS.breakerFailures} AS is_out, out_until, last_answer_at, last_error,
      last_error_at, balance, balance_currency, balance_at
    FROM supplier_health`)

export const suppliersOut = async (tx: Tx): Promise<Set<string>> =>
  new Set((await readOut(tx)).map(({ supplier }) => supplier))

/**
 * Tells the catalogue, which knows no settings, which suppliers are on and what they sell. Where that is new, it renews the
 * pages, and the prices by rule of what is bought there: what a supplier that is off wants, nothing costs.
 */
export const noteSellers = (database: Database, { configured }: Suppliers): Promise<void> =>
  database.transaction(
    async (tx) => {
      // Nodes that do so at once would lock each other's rows.
      await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('sellers'))`)
      const changed = await setSellers(tx, configured)
      for (const { supplier } of changed) await repriceOffers(tx, { supplier }, { adminId: null, because: 'costs' })
      if (changed.length > 0) tx.notify('catalogue', 'suppliers')
    },
    { statementMs: SERVER_LIMITS.repricingMs },
  )

/** A call that a supplier has answered. */
interface AnsweredCall {
  kind: 'submit' | 'look_up'
  /** Whether no clear answer counts. */
  isCounted: boolean
  order: { code_id: number | null }
  /** The customer's order. */
  orderId: string
}

/**
 * Records whether a supplier answered, whatever it said. Too many orders in a row without a clear answer put it out of
 * service for a while; a clear answer to an order ends that. What may be the fault of one order does not count again and again.
 * After too many refusals in a row it gets orders as before, because they may be about what was ordered, but an operator is told.
 */
export async function noteHealth(
  database: Database,
  supplier: string,
  answer: Outcome<SupplierOrder>,
  call: AnsweredCall,
): Promise<void> {
  const { kind, isCounted } = call
  await noteRefusals(database, supplier, answer, call)
  if (answer.kind !== 'done' && answer.retryAfterSeconds) await setQuiet(database, supplier, answer.retryAfterSeconds)
  if (answer.kind !== 'unknown' && kind === 'look_up') return void (await noteLookedUp(database, supplier))
  if (answer.kind === 'unknown' && !isCounted) return
  // Together, so that an answer and a failure of one moment leave the alert as the count is.
  await database.transaction(async (tx) => {
    const { failures } =
      answer.kind === 'unknown' ? await noteFailed(tx, supplier, answer.why) : await noteAnswered(tx, supplier)
    if (failures < SERVER_LIMITS.breakerFailures) return
    if (answer.kind !== 'unknown') return resolveAlert(tx, 'supplier.out', supplier)
    const details = { failures, why: answer.why }
    return raiseAlert(tx, { kind: 'supplier.out', subject: supplier, details, whenChanged: 'refresh' })
  })
}

/** Rejections that every order gets until an operator does something. */
export const faultsOfTheShop: ReadonlyMap<string, AlertKind> = new Map([
  ['float_empty', 'supplier.float'],
  ['not_allowed', 'supplier.not_allowed'],
  ['no_rate', 'supplier.no_rate'],
])

/** Why an order came to nothing for certain; undefined where it did not, or that is not certain. */
function readRefusal(answer: Outcome<SupplierOrder>, kind: AnsweredCall['kind']): string | undefined {
  if (answer.kind === 'rejected') return kind === 'submit' ? answer.code : undefined
  if (answer.kind === 'unknown' || answer.value.status !== 'failed') return undefined
  return answer.value.why ?? 'failed'
}

/**
 * Raises an alert when a supplier refused so many orders in a row, each of which is refunded, until it delivers one. That it
 * takes one says too little: it may fail there. What has an alert of its own is not counted, nor are codes of the pool, which
 * may be bad.
 */
async function noteRefusals(
  database: Database,
  supplier: string,
  answer: Outcome<SupplierOrder>,
  { kind, order, orderId }: AnsweredCall,
): Promise<void> {
  if (answer.kind === 'done' && answer.value.status === 'done') {
    if (await endRefusals(database, supplier)) await resolveAlert(database, 'supplier.refuses', supplier)
    return
  }
  const why = readRefusal(answer, kind)
  if (why === undefined || order.code_id !== null || why === tooDear || faultsOfTheShop.has(why)) return
  // Together, so that a delivery of the same moment ends either both or neither.
  await database.transaction(async (tx) => {
    const { refusals } = await noteRefused(tx, supplier, orderId)
    if (refusals < SERVER_LIMITS.breakerFailures) return
    const details = { order: orderId, why }
    await raiseAlert(tx, { kind: 'supplier.refuses', subject: supplier, details, whenChanged: 'refresh' })
  })
}

interface Balance {
  /** In minor units of the currency. */
  amount: number
  /** In capitals. */
  currency: string
}

/** Whether so little is left, compared in dollars; without a rate, with a sum of the currency itself. */
function isFloatLow({ amount, currency }: Balance, rates: DollarRates, dollars: number): boolean {
  const cents = dollars * 100
  const rate = rates.get(currency)
  if (rate === undefined) return amount < (SERVER_BUSINESS.supplierFloatLowWithoutRate[currency] ?? cents)
  return BigInt(amount) * one < BigInt(cents) * rate
}

/** Asks every supplier for the shop's balance there; a low one raises an alert, and so does a key that is refused. */
export async function readSupplierBalances({ database, suppliers, log }: DeliveryShop): Promise<void> {
  const rates = await dollarRates(database)
  const { supplier_float_low: dollars } = await readNumbers(database)
  for (const supplier of suppliers.configured) {
    const answer = await supplier.readBalance?.()
    if (!answer) continue
    if (answer.kind !== 'done') {
      log.warn({ supplier: supplier.name, answer }, 'balance not read')
      // Else the first buyer would find out.
      if (answer.kind === 'rejected' && answer.code === 'not_allowed')
        await raiseAlert(database, { kind: 'supplier.not_allowed', subject: supplier.name, details: {} })
      continue
    }
    const { amount, currency } = answer.value
    await noteBalance(database, supplier.name, answer.value)
    if (!isFloatLow(answer.value, rates, dollars)) await resolveAlert(database, 'supplier.float', supplier.name)
    else {
      const details = { amount, currency }
      await raiseAlert(database, { kind: 'supplier.float', subject: supplier.name, details, whenChanged: 'refresh' })
    }
  }
}

/** Reads the suppliers' health, in the order in which they are asked. */
export async function readSuppliers(database: Database, suppliers: Suppliers): Promise<SupplierHealth[]> {
  const rows = await readHealth(database)
  const rates = await dollarRates(database)
  const { supplier_float_low: dollars } = await readNumbers(database)
  return suppliers.configured.map(({ name, sells }) => {
    const row = rows.find(({ supplier }) => supplier === name)
    return {
      name,
      sells: [...sells],
      state: row?.is_out ? 'out' : 'in',
      out_until: row?.is_out ? (row.out_until?.toISOString() ?? null) : null,
      failures: row?.failures ?? 0,
      last_answer_at: row?.last_answer_at?.toISOString() ?? null,
      last_error: row?.last_error ?? null,
      last_error_at: row?.last_error_at?.toISOString() ?? null,
      balance: row?.balance === null || row === undefined ? null : toMajor(row.balance),
      balance_currency: row?.balance_currency ?? null,
      balance_at: row?.balance_at?.toISOString() ?? null,
      is_balance_low:
        row?.balance != null &&
        isFloatLow({ amount: row.balance, currency: row.balance_currency ?? 'USD' }, rates, dollars),
    }
  })
}

/**
 * How many minutes each unit took that was paid for in the last days. What was refunded never came, and neither has what
 * is still under way past its promise: both stand behind everything that was delivered. What is younger is left out.
 */
const units = sql`
  SELECT coalesce(order_item.product_id, offer.product_id) AS product_id,
    CASE WHEN delivery.state = 'done' AND order_item.status <> 'refunded'
      THEN (extract(epoch FROM delivery.decided_at - delivery.created_at) / 60)::float8
      ELSE 'Infinity'::float8 END AS minutes
  FROM delivery JOIN order_item ON order_item.id = delivery.order_item_id
  LEFT JOIN offer ON offer.id = order_item.offer_id
  WHERE delivery.created_at > now() - make_interval(days => ${BUSINESS.measuredDays})
    AND (delivery.decided_at IS NOT NULL
      OR delivery.created_at < now() - make_interval(mins => delivery.promised_minutes))`

/** Writes what differs from the last time, and returns the products it is about. */
const updateMinutes = (tx: Tx) =>
  tx.rows<{ product_id: number }>(sql`
    WITH pace AS (
      SELECT product_id, percentile_disc(ARRAY[0.5, 0.95]::float8[]) WITHIN GROUP (ORDER BY minutes) AS minutes
      FROM (${units}) AS unit GROUP BY product_id
      HAVING count(*) FILTER (WHERE minutes < 'Infinity') >= ${SERVER_BUSINESS.measuredDeliveriesMin}),
    measured AS (
      SELECT product_id, greatest(1, ceil(minutes[1]))::int AS p50, greatest(1, ceil(minutes[2]))::int AS p95
      FROM pace WHERE minutes[2] < 'Infinity'),
    gone AS (
      DELETE FROM delivery_minutes WHERE product_id NOT IN (SELECT product_id FROM measured) RETURNING product_id),
    written AS (
      INSERT INTO delivery_minutes AS known (product_id, p50, p95) SELECT product_id, p50, p95 FROM measured
      ON CONFLICT (product_id) DO UPDATE SET p50 = excluded.p50, p95 = excluded.p95
      WHERE (known.p50, known.p95) IS DISTINCT FROM (excluded.p50, excluded.p95)
      RETURNING product_id)
    SELECT product_id FROM gone UNION ALL SELECT product_id FROM written`)

/** Measures how long deliveries take, from the payment on, and renews the pages that show it. */
export const measureMinutes = ({ database }: Pick<Resources, 'database'>): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { product_id } of await updateMinutes(tx)) tx.notify('catalogue', `product:${product_id}`)
  })
