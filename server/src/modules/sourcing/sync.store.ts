import type { RejectedRow } from '@olmos/contract/supplier-lists'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { VendorField } from '../topups/supplier.ts'
import type { ProductRow, ServiceRow } from './vendor-rows.rules.ts'

/** A reading of a supplier's lists that this worker has the lease of. */
export interface Run {
  supplier: string
  attempt: number
  phase: 'services' | 'products' | 'sources'
  service_id: number | null
  next_page: string | null
  /** Pages of the present list so far. */
  pages: number
  /** How often the present page was asked for in vain. */
  tries: number
  accepts_shrunk: boolean
  /** Rejected rows that offers are bought by. */
  rejected_sources: number
  /** Whether it has been resumed for so long that it had better begin again. */
  is_old: boolean
}

const isOld = sql`started_at < now() - make_interval(hours => ${SERVER_LIMITS.syncResumeHours})`
const runColumns = sql`
  supplier, attempt, phase, service_id, next_page, pages, tries, accepts_shrunk, rejected_sources, ${isOld} AS is_old`

const leased = sql`now() + make_interval(secs => ${SERVER_LIMITS.syncLeaseSeconds})`

export interface SyncWish {
  /** Whether an operator wants it now. */
  isWanted?: boolean
  acceptsShrunk?: boolean
}

const insertSync = (tx: Tx, supplier: string) =>
  tx.run(sql`INSERT INTO supplier_sync (supplier) VALUES (${supplier}) ON CONFLICT DO NOTHING`)

/** A job that looks every minute starts a little early rather than a minute late. */
const lockSync = (tx: Tx, supplier: string) =>
  tx.one<{ is_leased: boolean; is_due: boolean; is_cut_short: boolean }>(sql`
    SELECT leased_until > now() AS is_leased,
      started_at IS NULL OR now() >= started_at + make_interval(mins => ${SERVER_BUSINESS.catalogueMinutes}, secs => -30) AS is_due,
      state = 'running' AND NOT ${isOld} AS is_cut_short
    FROM supplier_sync WHERE supplier = ${supplier} FOR UPDATE`)

const beginSync = (tx: Tx, supplier: string, acceptsShrunk: boolean) =>
  tx.one<Run>(sql`
    UPDATE supplier_sync SET state = 'running', attempt = attempt + 1, leased_until = ${leased}, phase = 'services',
      service_id = NULL, next_page = NULL, pages = 0, tries = 0, products = 0,
      accepts_shrunk = ${acceptsShrunk} OR (state = 'running' AND accepts_shrunk),
      new_products = 0, gone_products = 0, rejected_rows = 0, rejected_sample = '[]', rejected_sources = 0, reason = NULL,
      started_at = now(), ended_at = NULL
    WHERE supplier = ${supplier} RETURNING ${runColumns}`)

/** Lets the run that is being read end with a list that has shrunk. */
const acceptShrunk = (tx: Tx, supplier: string) =>
  tx.run(sql`UPDATE supplier_sync SET accepts_shrunk = true WHERE supplier = ${supplier}`)

const resumeSync = (tx: Tx, supplier: string) =>
  tx.one<Run>(sql`
    UPDATE supplier_sync SET attempt = attempt + 1, leased_until = ${leased}, reason = NULL
    WHERE supplier = ${supplier} RETURNING ${runColumns}`)

/**
 * Takes the reading of a supplier's lists for this worker: the one that was cut short, or a new one when it is time for it
 * or an operator wants it. Undefined while another worker reads them, or nobody has to.
 */
export async function claimRun(
  tx: Tx,
  supplier: string,
  { isWanted = false, acceptsShrunk = false }: SyncWish,
): Promise<Run | undefined> {
  const { sync } = await tx.pipeline({
    known: (tx) => insertSync(tx, supplier),
    sync: (tx) => lockSync(tx, supplier),
  })
  if (sync.is_leased) {
    if (acceptsShrunk) await acceptShrunk(tx, supplier)
    return undefined
  }
  if (sync.is_cut_short && !acceptsShrunk) return resumeSync(tx, supplier)
  return sync.is_due || isWanted ? beginSync(tx, supplier, acceptsShrunk) : undefined
}

/** Locks the run until the transaction ends and renews its lease; undefined when another worker has it by now. */
export const lockRun = (tx: Tx, { supplier, attempt }: Pick<Run, 'supplier' | 'attempt'>) =>
  tx.maybe<Run>(sql`
    UPDATE supplier_sync SET leased_until = ${leased}
    WHERE supplier = ${supplier} AND attempt = ${attempt} AND state = 'running' RETURNING ${runColumns}`)

/** Where a run stands after a step. */
interface Place {
  phase: Run['phase']
  serviceId: number | null
  nextPage: string | null
}

export const setPlace = (tx: Tx, run: Run, { phase, serviceId, nextPage }: Place) =>
  tx.run(sql`
    UPDATE supplier_sync SET phase = ${phase}, service_id = ${serviceId}, next_page = ${nextPage}, tries = 0,
      pages = CASE WHEN ${nextPage}::text IS NULL THEN 0 ELSE pages + 1 END
    WHERE supplier = ${run.supplier}`)

export const addRejected = (tx: Tx, run: Run, rejected: readonly RejectedRow[], sources: number) =>
  tx.run(sql`
    UPDATE supplier_sync SET rejected_rows = rejected_rows + ${rejected.length},
      rejected_sources = rejected_sources + ${sources},
      rejected_sample = CASE WHEN jsonb_array_length(rejected_sample) >= ${SERVER_LIMITS.syncRejectedShown}
        THEN rejected_sample ELSE rejected_sample || ${JSON.stringify(rejected.slice(0, SERVER_LIMITS.syncRejectedShown))}::jsonb END
    WHERE supplier = ${run.supplier}`)

/** Lets the run rest; it resumes once its lease has ended. */
export const restRun = (
  tx: Tx,
  run: Run,
  { reason, seconds, tries }: { reason: string; seconds: number; tries: number },
) =>
  tx.run(sql`
    UPDATE supplier_sync SET reason = ${reason}, tries = ${tries},
      leased_until = now() + make_interval(secs => ${seconds})
    WHERE supplier = ${run.supplier}`)

export const failRun = (tx: Tx, run: Run, reason: string) =>
  tx.one<{ failures: number }>(sql`
    UPDATE supplier_sync SET state = 'failed', reason = ${reason}, failures = failures + 1, ended_at = now(),
      leased_until = now()
    WHERE supplier = ${run.supplier} RETURNING failures`)

/** Ends a run that came to its end; one that left out games of which the shop sells something counts as a failure. */
export const endRun = (tx: Tx, run: Run, { isWhole }: { isWhole: boolean }) =>
  tx.one<{ failures: number }>(sql`
    UPDATE supplier_sync SET state = 'done', failures = CASE WHEN ${isWhole} THEN 0 ELSE failures + 1 END, ended_at = now(),
      completed_at = now(), leased_until = now(), next_page = NULL, service_id = NULL
    WHERE supplier = ${run.supplier} RETURNING failures`)

const begun = ({ supplier }: Run) => sql`(SELECT started_at FROM supplier_sync WHERE supplier = ${supplier})`

/** The clock of a database that took over from another one may be behind: nothing is seen before the run began. */
const seenNow = (run: Run) => sql`greatest(now(), ${begun(run)})`

const countBought = sql`count(DISTINCT bought.id)::int AS sources`
/** Keeps those products that offers are bought by. Needs `bought` in scope. */
const onlyBought = sql`
  JOIN offer_source ON supplier_product_id = bought.id AND is_on
  JOIN offer ON offer.id = offer_id AND offer.deleted_at IS NULL
  JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL`

/**
 * Adds games, or notes that they are still listed. What the shop has set stays: `field_names`, and the name for the player
 * check where the list does not tell one.
 */
export const writeServices = (tx: Tx, run: Run, services: readonly ServiceRow[]) =>
  tx.run(sql`
    INSERT INTO supplier_service AS known (supplier, reference, title, kind, check_reference, fields, is_listed, seen_at)
    SELECT ${run.supplier}, reference, title, kind, check_reference, fields, true, ${seenNow(run)}
    FROM jsonb_to_recordset(${JSON.stringify(services)}::jsonb)
      AS given (reference text, title text, kind text, check_reference text, fields jsonb)
    ON CONFLICT (supplier, reference) DO UPDATE SET title = excluded.title, kind = excluded.kind,
      check_reference = coalesce(excluded.check_reference, known.check_reference), fields = excluded.fields,
      is_listed = true, is_read = false, tries = 0, seen_at = excluded.seen_at, gone_at = NULL`)

/** Notes that games are listed although they can't be read; returns how many of their products offers are bought by. */
export const keepServices = (tx: Tx, run: Run, references: readonly string[]) =>
  tx.one<{ sources: number }>(sql`
    WITH kept AS (
      UPDATE supplier_service SET seen_at = ${seenNow(run)}, is_read = false, tries = ${SERVER_LIMITS.syncTries}::int
      WHERE supplier = ${run.supplier} AND reference = ANY (${references}::text[]) RETURNING id)
    SELECT ${countBought} FROM kept JOIN supplier_product AS bought ON bought.service_id = kept.id AND bought.gone_at IS NULL
    ${onlyBought}`)

export interface ListedService {
  id: number
  reference: string
  kind: 'topup' | 'code'
  fields: VendorField[]
}

const serviceColumns = sql`id, reference, kind, fields`

/** Finds the next game whose products are to be read; those that could not be read come again at the end. */
export const findUnread = (tx: Tx, run: Run) =>
  tx.maybe<ListedService>(sql`
    SELECT ${serviceColumns} FROM supplier_service
    WHERE supplier = ${run.supplier} AND seen_at >= ${begun(run)} AND NOT is_read
      AND tries < ${SERVER_LIMITS.syncTries}
    ORDER BY tries, id LIMIT 1`)

/** Names some of the games that the run lists but could not read to the end, and of which offers are bought. */
export const findLeftOut = (tx: Tx, run: Run) =>
  tx.rows<{ title: string }>(sql`
    SELECT title FROM supplier_service AS service
    WHERE supplier = ${run.supplier} AND seen_at >= ${begun(run)} AND NOT is_read AND EXISTS (
      SELECT FROM supplier_product AS bought ${onlyBought} WHERE bought.service_id = service.id AND bought.gone_at IS NULL)
    ORDER BY id LIMIT ${SERVER_LIMITS.syncRejectedShown}::int`)

export const readListed = (tx: Tx, serviceId: number) =>
  tx.one<ListedService>(sql`SELECT ${serviceColumns} FROM supplier_service WHERE id = ${serviceId}`)

export const setRead = (tx: Tx, serviceId: number) =>
  tx.run(sql`UPDATE supplier_service SET is_read = true WHERE id = ${serviceId}`)

export const noteVain = (tx: Tx, serviceId: number, { isFinal }: { isFinal: boolean }) =>
  tx.run(sql`
    UPDATE supplier_service SET tries = CASE WHEN ${isFinal} THEN ${SERVER_LIMITS.syncTries}::int ELSE tries + 1 END
    WHERE id = ${serviceId}`)

/** Stores what may be chosen in a field. */
export const setFields = (tx: Tx, serviceId: number, fields: readonly VendorField[]) =>
  tx.run(sql`UPDATE supplier_service SET fields = ${JSON.stringify(fields)} WHERE id = ${serviceId}`)

/**
 * Adds the products of a game, or notes what they cost now. What another game of the run has under a reference stays with
 * that game. Returns how many were written, and which were not.
 */
export const writeProducts = (tx: Tx, run: Run, service: ListedService, products: readonly ProductRow[]) =>
  tx.one<{ written: number; added: number; taken: string[] }>(sql`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb) AS given (reference text, name text,
        cost numeric, currency text, stock int, quantity_min int, quantity_max int, region text)),
    earlier AS (
      SELECT reference, supplier_product.cost, supplier_product.currency
      FROM supplier_product JOIN given USING (reference) WHERE supplier = ${run.supplier}),
    written AS (
      INSERT INTO supplier_product AS known (supplier, reference, service_id, kind, name, cost, currency, stock,
        quantity_min, quantity_max, region, seen_at)
      SELECT ${run.supplier}, reference, ${service.id}, ${service.kind}, name, cost, currency, stock, quantity_min,
        quantity_max, region, ${seenNow(run)}
      FROM given
      ON CONFLICT (supplier, reference) DO UPDATE SET service_id = excluded.service_id, kind = excluded.kind,
        name = excluded.name, cost = excluded.cost, currency = excluded.currency, stock = excluded.stock,
        quantity_min = excluded.quantity_min, quantity_max = excluded.quantity_max, region = excluded.region,
        seen_at = excluded.seen_at, gone_at = NULL,
        cost_changed_at = CASE WHEN (known.cost, known.currency) = (excluded.cost, excluded.currency)
          THEN known.cost_changed_at ELSE now() END
      WHERE known.seen_at < ${begun(run)} OR known.service_id = excluded.service_id
      RETURNING id, reference, cost, currency),
    costs AS (
      INSERT INTO supplier_cost (product_id, cost, currency)
      SELECT written.id, written.cost, written.currency FROM written LEFT JOIN earlier USING (reference)
      WHERE (earlier.cost, earlier.currency) IS DISTINCT FROM (written.cost, written.currency))
    SELECT (SELECT count(*)::int FROM written) AS written,
      (SELECT count(*)::int FROM written WHERE reference NOT IN (SELECT reference FROM earlier)) AS added,
      coalesce((SELECT array_agg(reference) FROM given WHERE reference NOT IN (SELECT reference FROM written)), '{}') AS taken`)

export const addProducts = (tx: Tx, run: Run, { written, added }: { written: number; added: number }) =>
  tx.run(sql`
    UPDATE supplier_sync SET products = products + ${written}, new_products = new_products + ${added}
    WHERE supplier = ${run.supplier}`)

/** Notes that products are listed although their rows make no sense; returns how many of them offers are bought by. */
export const keepProducts = (tx: Tx, run: Run, references: readonly string[]) =>
  tx.one<{ sources: number }>(sql`
    WITH kept AS (
      UPDATE supplier_product SET seen_at = ${seenNow(run)}
      WHERE supplier = ${run.supplier} AND reference = ANY (${references}::text[]) AND gone_at IS NULL RETURNING id)
    SELECT ${countBought} FROM kept AS bought ${onlyBought}`)

/** Which products the run proves to be gone: it read the whole list of their game, or the game itself is gone. */
const isMissing = (run: Run) => sql`
  product.supplier = ${run.supplier} AND product.gone_at IS NULL AND product.seen_at < ${begun(run)}
  AND EXISTS (SELECT FROM supplier_service AS service WHERE service.id = product.service_id AND service.is_listed
    AND (service.is_read OR service.seen_at < ${begun(run)}))`

export const countMissing = (queries: Queries, run: Run) =>
  queries.one<{ known: number; missing: number }>(sql`
    SELECT count(*)::int AS known, (count(*) FILTER (WHERE ${isMissing(run)}))::int AS missing
    FROM supplier_product AS product WHERE product.supplier = ${run.supplier} AND product.gone_at IS NULL
      AND product.created_at < ${begun(run)}`)

/** Notes what is gone by this run. */
export const setGone = (tx: Tx, run: Run) =>
  tx.pipeline({
    products: (tx) =>
      tx.run(sql`
        WITH gone AS (UPDATE supplier_product AS product SET gone_at = now() WHERE ${isMissing(run)} RETURNING id)
        UPDATE supplier_sync SET gone_products = gone_products + (SELECT count(*)::int FROM gone)
        WHERE supplier = ${run.supplier}`),
    services: (tx) =>
      tx.run(sql`
        UPDATE supplier_service SET gone_at = now()
        WHERE supplier = ${run.supplier} AND is_listed AND gone_at IS NULL AND seen_at < ${begun(run)}`),
  })

/** Forgets costs that are older than lists look back, but for the last of each product before that. */
export const forgetCosts = (queries: Queries) =>
  queries.run(sql`
    DELETE FROM supplier_cost AS old
    WHERE valid_from < now() - make_interval(days => ${SERVER_BUSINESS.supplierCostDays})
      AND EXISTS (SELECT FROM supplier_cost AS later WHERE later.product_id = old.product_id
        AND later.valid_from > old.valid_from
        AND later.valid_from < now() - make_interval(days => ${SERVER_BUSINESS.supplierCostDays}))`)
