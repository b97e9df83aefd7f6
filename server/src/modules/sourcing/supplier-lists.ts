import { Failure } from '@olmos/contract/failure'
import { sourcingApi } from '@olmos/contract/sourcing'
import {
  type SupplierProduct,
  type SupplierService,
  type SupplierSync,
  supplierListsApi,
} from '@olmos/contract/supplier-lists'
import { type TakingOver, takeOverApi } from '@olmos/contract/take-over'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { lockPrices, repriceOffers } from '../pricing/reprice.ts'
import { type DollarRates, dollarRates, toDollars } from '../rates/rates.ts'
import { isSupplierName } from '../topups/suppliers.ts'
import { settleSources } from './follow-supplier.ts'
import { readSources, reopenSource, setSources } from './sources.ts'
import { type CatalogueSupplier, hasCatalogue, type SourcingShop, startSync } from './sync.ts'
import { previewTakeOver, takeOver } from './take-over.ts'

interface SyncRow extends Omit<SupplierSync, 'started_at' | 'ended_at' | 'resumes_at' | 'completed_at'> {
  started_at: Date | null
  ended_at: Date | null
  resumes_at: Date | null
  completed_at: Date | null
}

/** A game of the present run. */
const isListedNow = sql`service.supplier = sync.supplier AND service.seen_at >= sync.started_at`

const readSyncs = (queries: Queries, suppliers: readonly string[]) =>
  queries.rows<SyncRow>(sql`
    SELECT sync.supplier,
      CASE WHEN state = 'running' AND (sync.reason IS NOT NULL OR leased_until <= now()) THEN 'waiting' ELSE state END AS state,
      phase, started_at, ended_at,
      CASE WHEN state = 'running' AND sync.reason IS NOT NULL THEN greatest(leased_until, now()) END AS resumes_at, completed_at,
      (SELECT count(*)::int FROM supplier_service AS service WHERE ${isListedNow}) AS services,
      (SELECT count(*)::int FROM supplier_service AS service WHERE ${isListedNow} AND is_read) AS services_read,
      (SELECT count(*)::int FROM supplier_service AS service
        WHERE ${isListedNow} AND NOT is_read AND service.tries >= ${SERVER_LIMITS.syncTries}) AS services_failed,
      products, new_products, gone_products, rejected_rows, rejected_sample AS rejected, sync.reason
    FROM supplier_sync AS sync WHERE sync.supplier = ANY (${suppliers}::text[])`)

const never = (supplier: string): SyncRow => ({
  supplier,
  state: 'never',
  phase: 'services',
  started_at: null,
  ended_at: null,
  resumes_at: null,
  completed_at: null,
  services: 0,
  services_read: 0,
  services_failed: 0,
  products: 0,
  new_products: 0,
  gone_products: 0,
  rejected_rows: 0,
  rejected: [],
  reason: null,
})

const toTime = (moment: Date | null): string | null => moment?.toISOString() ?? null

/** Reads how far the reading of these suppliers' lists is, in their order. */
export async function listSyncs(queries: Queries, suppliers: readonly string[]): Promise<SupplierSync[]> {
  const rows = await readSyncs(queries, suppliers)
  return suppliers.map((name) => {
    const row = rows.find(({ supplier }) => supplier === name) ?? never(name)
    return {
      ...row,
      started_at: toTime(row.started_at),
      ended_at: toTime(row.ended_at),
      resumes_at: toTime(row.resumes_at),
      completed_at: toTime(row.completed_at),
    }
  })
}

interface ServiceRow extends Omit<SupplierService, 'seen_at' | 'gone_at'> {
  seen_at: Date
  gone_at: Date | null
}

const soldProducts = sql`(SELECT count(*)::int FROM supplier_product WHERE service_id = service.id AND gone_at IS NULL)`
const isTaken = sql`EXISTS (
  SELECT FROM product_service JOIN product ON product.id = product_id AND product.deleted_at IS NULL
  WHERE product_service.service_id = service.id)`

const serviceColumns = sql`
  service.id, service.reference, service.title, service.kind, service.fields, service.field_names,
  service.check_reference IS NOT NULL AS checks_players, ${soldProducts} AS products_count,
  (SELECT coalesce(json_agg(json_build_object('id', product.id, 'slug', product.slug, 'title', texts.title)
      ORDER BY product.id), '[]')
    FROM product_service JOIN product ON product.id = product_id AND product.deleted_at IS NULL
    JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE product_service.service_id = service.id) AS taken,
  service.seen_at, service.gone_at`

const toServiceColumn = {
  title: sql`lower(service.title)`,
  reference: sql`service.reference`,
  products_count: soldProducts,
  seen_at: sql`service.seen_at`,
}

interface ServiceList extends SortedList<typeof supplierListsApi.services> {
  supplier: string
}

const isListedService = ({ supplier, search, kind, taken }: ServiceList) =>
  allConditions(
    sql`service.supplier = ${supplier}`,
    kind && sql`service.kind = ${kind}`,
    taken && (taken === 'true' ? isTaken : sql`NOT ${isTaken}`),
    search
      ? sql`(service.title ILIKE ${containing(search)} OR service.reference ILIKE ${containing(search)})`
      : undefined,
  )

const shownService = (row: ServiceRow): SupplierService => ({
  ...row,
  seen_at: row.seen_at.toISOString(),
  gone_at: toTime(row.gone_at),
})

/** Reads a page of the games and shelves of a supplier, and how many there are in all. */
async function listServices(queries: Queries, list: ServiceList): Promise<{ data: SupplierService[]; total: number }> {
  const { rows, total } = await withTotal(
    list,
    queries.rows<ServiceRow>(sql`
      SELECT ${serviceColumns} FROM supplier_service AS service WHERE ${isListedService(list)}
      ORDER BY ${toServiceColumn[list.sort]} ${direction(list.order)}, service.id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM supplier_service AS service WHERE ${isListedService(list)}`, list.search),
  )
  return { data: rows.map(shownService), total }
}

const findService = (queries: Queries, supplier: string, serviceId: number) =>
  queries.maybe<ServiceRow>(sql`
    SELECT ${serviceColumns} FROM supplier_service AS service
    WHERE service.supplier = ${supplier} AND service.id = ${serviceId}`)

/**
 * Sets what the fields of a supplier's game are filled with; prices follow the sources that this opens or closes. Refuses a
 * game that is not there with NOT_FOUND.
 */
async function setFieldNames(
  tx: Tx,
  adminId: number,
  { supplier, serviceId }: { supplier: string; serviceId: number },
  fieldNames: SupplierService['field_names'],
): Promise<SupplierService> {
  await lockPrices(tx)
  await tx.run(sql`SELECT FROM supplier_service WHERE id = ${serviceId} FOR UPDATE`)
  const before = await findService(tx, supplier, serviceId)
  if (!before) throw new Failure('NOT_FOUND')
  await tx.run(sql`UPDATE supplier_service SET field_names = ${JSON.stringify(fieldNames)} WHERE id = ${serviceId}`)
  const subject = `supplier:${supplier}/${before.reference}`
  const entry = { actorId: adminId, action: 'supplier.fields', subject } as const
  await writeAuditChange(tx, entry, { field_names: before.field_names }, { field_names: fieldNames })
  if (await settleSources(tx, supplier)) await repriceOffers(tx, { supplier }, { adminId, because: 'costs' })
  return shownService({ ...before, field_names: fieldNames })
}

interface ProductRow
  extends Omit<SupplierProduct, 'cost_usd' | 'created_at' | 'seen_at' | 'cost_changed_at' | 'gone_at'> {
  created_at: Date
  seen_at: Date
  cost_changed_at: Date
  gone_at: Date | null
}

/** The last cost of a product before a moment; none before it was first seen. Needs `sold` in scope. */
const costThen = (since: Sql) => sql`
  (SELECT earlier.cost FROM supplier_cost AS earlier
    WHERE earlier.product_id = sold.id AND earlier.valid_from <= ${since} AND earlier.currency = sold.currency
      AND NOT EXISTS (SELECT FROM supplier_cost AS later WHERE later.product_id = sold.id
        AND later.valid_from > earlier.valid_from AND later.valid_from <= ${since}))`

const isBought = sql`EXISTS (
  SELECT FROM offer_source JOIN offer ON offer.id = offer_id AND offer.deleted_at IS NULL
  JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
  WHERE supplier_product_id = sold.id)`

const toProductColumn = {
  name: sql`lower(sold.name)`,
  reference: sql`sold.reference`,
  cost: sql`sold.cost`,
  created_at: sql`sold.created_at`,
  cost_changed_at: sql`sold.cost_changed_at`,
  gone_at: sql`sold.gone_at`,
}

interface ProductList extends SortedList<typeof supplierListsApi.products> {
  supplier: string
}

const toSince = ({ since }: ProductList) =>
  since === undefined ? sql`(now() - interval '1 day')` : sql`${since}::timestamptz`

/** What is gone is only listed where that is asked for. */
function isListedProduct(list: ProductList): Sql {
  const { supplier, search, service, change, taken } = list
  const since = toSince(list)
  const changes = {
    new: sql`sold.created_at > ${since} AND sold.gone_at IS NULL`,
    gone: sql`sold.gone_at > ${since}`,
    dearer: sql`sold.cost_changed_at > ${since} AND sold.gone_at IS NULL AND sold.cost > ${costThen(since)}`,
  }
  return allConditions(
    sql`sold.supplier = ${supplier}`,
    change ? changes[change] : sql`sold.gone_at IS NULL`,
    service === undefined ? undefined : sql`sold.service_id = ${service}`,
    taken && (taken === 'true' ? isBought : sql`NOT ${isBought}`),
    search ? sql`(sold.name ILIKE ${containing(search)} OR sold.reference ILIKE ${containing(search)})` : undefined,
  )
}

/** Reads a page of what a supplier sells, and how many there are in all. */
async function listProducts(queries: Queries, list: ProductList): Promise<{ data: SupplierProduct[]; total: number }> {
  const read = queries.rows<ProductRow>(sql`
      SELECT sold.id, sold.reference, sold.service_id, service.title AS service_title, sold.kind, sold.name,
        trim_scale(sold.cost)::text AS cost, sold.currency, trim_scale(${costThen(toSince(list))})::text AS cost_then,
        sold.stock, sold.quantity_min, sold.quantity_max, sold.region, sold.created_at, sold.seen_at,
        sold.cost_changed_at, sold.gone_at,
        (SELECT coalesce(json_agg(json_build_object('id', offer.id, 'product_id', offer.product_id,
            'product_title', texts.title) ORDER BY offer.id), '[]')
          FROM offer_source JOIN offer ON offer.id = offer_id AND offer.deleted_at IS NULL
          JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
          JOIN product_text AS texts ON texts.product_id = offer.product_id AND texts.language = 'ru'
          WHERE supplier_product_id = sold.id) AS offers
      FROM supplier_product AS sold LEFT JOIN supplier_service AS service ON service.id = sold.service_id
      WHERE ${isListedProduct(list)}
      ORDER BY ${toProductColumn[list.sort]} ${direction(list.order)}, sold.id ${toPage(list)}`)
  const count = () =>
    countAll(queries, sql`SELECT FROM supplier_product AS sold WHERE ${isListedProduct(list)}`, list.search)
  const [{ rows, total }, rates] = await Promise.all([withTotal(list, read, count), dollarRates(queries)])
  return { data: rows.map((row) => shownProduct(row, rates)), total }
}

const shownProduct = (row: ProductRow, rates: DollarRates): SupplierProduct => ({
  ...row,
  cost_usd: toDollars(row, rates),
  created_at: row.created_at.toISOString(),
  seen_at: row.seen_at.toISOString(),
  cost_changed_at: row.cost_changed_at.toISOString(),
  gone_at: toTime(row.gone_at),
})

export function sourcingAdmin(context: Context & SourcingShop): void {
  const { serve, database, suppliers } = context

  /** Reads a list of a supplier that the shop may have had before; only a name that nobody has is refused. */
  const requireName = (name: string): string => {
    if (isSupplierName(name) || suppliers.configured.some((supplier) => supplier.name === name)) return name
    throw new Failure('NOT_FOUND')
  }

  const requireCatalogue = (name: string): CatalogueSupplier => {
    const supplier = suppliers.configured.find((one) => one.name === requireName(name))
    if (!supplier || !hasCatalogue(supplier))
      throw new Failure('STATE_CONFLICT', { reason: 'no_catalogue', supplier: name })
    return supplier
  }

  const readSync = async (name: string): Promise<SupplierSync> => {
    const [sync] = await listSyncs(database, [name])
    if (!sync) throw new Failure('NOT_FOUND')
    return sync
  }

  serve(supplierListsApi.syncs, async () => ({
    data: await listSyncs(
      database,
      suppliers.configured.filter(hasCatalogue).map(({ name }) => name),
    ),
  }))

  serve(supplierListsApi.sync, async ({ params }) => ({ data: await readSync(requireName(params.name)) }))

  serve(supplierListsApi.startSync, async ({ user, params, body }) => {
    const supplier = requireCatalogue(params.name)
    const { acceptShrunk } = body
    const entry = { actorId: user.id, action: 'supplier.sync', subject: `supplier:${supplier.name}` } as const
    await database.transaction((tx) => writeAudit(tx, { ...entry, after: { acceptShrunk } }))
    await startSync(context, supplier, { isWanted: true, acceptsShrunk: acceptShrunk })
    return { data: await readSync(supplier.name) }
  })

  serve(supplierListsApi.services, ({ params, query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'title' as const, order: 'asc' as const }
    return listServices(database, { ...query, ...sorted, supplier: requireName(params.name) })
  })

  serve(supplierListsApi.setFieldNames, async ({ user, params, body }) => {
    const place = { supplier: requireName(params.name), serviceId: params.id }
    const data = await database.transaction((tx) => setFieldNames(tx, user.id, place, body.fieldNames), {
      statementMs: SERVER_LIMITS.repricingMs,
    })
    return { data }
  })

  serve(supplierListsApi.products, ({ params, query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'name' as const, order: 'asc' as const }
    return listProducts(database, { ...query, ...sorted, supplier: requireName(params.name) })
  })

  const toWish = (call: { user: { id: number }; params: { name: string }; body: TakingOver }) => ({
    supplier: requireName(call.params.name),
    adminId: call.user.id,
    marginPercent: call.body.marginPercent,
    isByRule: call.body.priceMode === 'rule',
    isActive: call.body.isActive,
    isConfirmed: call.body.confirmPrices ?? false,
  })

  serve(takeOverApi.takeOver, async (call) => ({ data: await takeOver(context, call.body.games, toWish(call)) }))

  serve(takeOverApi.preview, async (call) => ({
    data: await previewTakeOver(context, call.body.games, toWish(call)),
  }))

  serve(sourcingApi.sources, async ({ params }) => ({ data: await readSources(database, params.id) }))

  serve(sourcingApi.setSources, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => setSources(tx, user.id, params.id, body)),
  }))

  serve(sourcingApi.reopenSource, async ({ user, params, body }) => {
    const place = { offerId: params.id, sourceId: params.sourceId }
    return { data: await database.transaction((tx) => reopenSource(tx, user.id, place, body)) }
  })
}
