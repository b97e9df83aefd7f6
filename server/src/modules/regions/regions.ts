import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { type NewRegion, type Region, type RegionChange, regionsApi } from '@olmos/contract/regions'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  orDuplicate,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'

/**
 * Selects the region a code works in, in the customer's language, for every list of what is or was bought: null for a
 * code that works everywhere, and for a top-up. Needs `region`, left joined by the offer's region, in scope.
 */
export const regionColumn = (language: Language) => sql`
  CASE WHEN region.id IS NOT NULL THEN json_build_object('id', region.id,
    'name', coalesce(region.translations->>${language}::text, region.name), 'flag', region.flag) END`

interface RegionDraft {
  code: string
  name: string
  translations?: Region['translations']
  flag: string
}

interface RegionFields extends RegionDraft {
  translations: Region['translations']
  is_active: boolean
}

interface RegionRow extends RegionFields {
  id: number
  created_at: Date
  products_count: number
  offers_count: number
  version: number
}

const columns = sql`
  region.id, region.name, region.translations, region.code, region.flag, region.is_active, region.created_at, region.version,
  (SELECT count(*)::int FROM product_region JOIN product ON product.id = product_id
    WHERE region_id = region.id AND product.deleted_at IS NULL) AS products_count,
  (SELECT count(*)::int FROM offer JOIN product ON product.id = product_id AND product.deleted_at IS NULL
    WHERE region_id = region.id AND offer.deleted_at IS NULL) AS offers_count`

const toColumn = {
  id: sql`region.id`,
  name: sql`lower(region.name)`,
  code: sql`region.code`,
  is_active: sql`region.is_active`,
  created_at: sql`region.created_at`,
}

type RegionList = SortedList<typeof regionsApi.list>

const isListed = ({ search }: RegionList) =>
  allConditions(
    sql`region.deleted_at IS NULL`,
    search
      ? sql`(region.name ILIKE ${containing(search)} OR region.code ILIKE ${containing(search)}
      OR EXISTS (SELECT FROM jsonb_each_text(region.translations) WHERE value ILIKE ${containing(search)}))`
      : undefined,
  )

const listRegions = (queries: Queries, list: RegionList) =>
  queries.rows<RegionRow>(sql`
    SELECT ${columns} FROM region WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, region.id ${toPage(list)}`)

const countRegions = (queries: Queries, list: RegionList) =>
  countAll(queries, sql`SELECT FROM region WHERE ${isListed(list)}`)

/** Adds a region; returns its id. */
export async function insertRegion(queries: Queries, region: RegionDraft & { is_active?: boolean }): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO region (code, name, translations, flag, is_active)
    VALUES (${region.code}, ${region.name}, ${region.translations ?? {}}, ${region.flag}, ${region.is_active ?? true})
    RETURNING id`)
  return id
}

const findRegion = (queries: Queries, regionId: number) =>
  queries.maybe<RegionRow>(sql`
    SELECT ${columns} FROM region WHERE region.id = ${regionId} AND region.deleted_at IS NULL`)

/**
 * Locks a region until the transaction ends, then reads it: a single statement that waits would count the packages from
 * before the wait.
 */
async function lockRegionRow(tx: Tx, regionId: number): Promise<RegionRow | undefined> {
  await tx.run(sql`SELECT FROM region WHERE id = ${regionId} FOR UPDATE`)
  return findRegion(tx, regionId)
}

const updateRegion = (tx: Tx, regionId: number, region: RegionFields) =>
  tx.run(sql`
    UPDATE region SET name = ${region.name}, translations = ${region.translations}, code = ${region.code},
      flag = ${region.flag}, is_active = ${region.is_active}
    WHERE id = ${regionId}`)

/** The row stays for the orders, codes and deleted packages that name it. */
const deleteRegion = (tx: Tx, regionId: number) =>
  tx.pipeline({
    products: (tx) => tx.run(sql`DELETE FROM product_region WHERE region_id = ${regionId}`),
    region: (tx) => tx.run(sql`UPDATE region SET deleted_at = now(), is_active = false WHERE id = ${regionId}`),
  })

const formatRegion = (row: RegionRow): Region => ({ ...row, created_at: row.created_at.toISOString() })

/** Leaves out the languages without a text. */
export const withoutBlank = (translations: Region['translations']): Region['translations'] =>
  Object.fromEntries(Object.entries(translations).filter(([, name]) => name !== ''))

const refuseTakenCode = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'region_code_key', 'code')

async function readRegion(tx: Tx, regionId: number): Promise<Region> {
  const row = await findRegion(tx, regionId)
  if (!row) throw new Failure('NOT_FOUND')
  return formatRegion(row)
}

async function lockRegion(tx: Tx, regionId: number): Promise<RegionRow> {
  const row = await lockRegionRow(tx, regionId)
  if (!row) throw new Failure('NOT_FOUND')
  return row
}

async function createRegion(tx: Tx, adminId: number, wanted: NewRegion): Promise<Region> {
  const translations = withoutBlank(wanted.translations)
  const region = await readRegion(tx, await refuseTakenCode(insertRegion(tx, { ...wanted, translations })))
  await writeAudit(tx, { actorId: adminId, action: 'region.create', subject: `region:${region.id}`, after: wanted })
  tx.notify('catalogue', `region:${region.id}`)
  return region
}

async function changeRegion(tx: Tx, adminId: number, regionId: number, change: RegionChange): Promise<Region> {
  const { version, ...fields } = change
  const row = await lockRegion(tx, regionId)
  const before = formatRegion(row)
  requireVersion(before, version)
  const translations = withoutBlank({ ...row.translations, ...fields.translations })
  await refuseTakenCode(updateRegion(tx, regionId, { ...row, ...fields, translations }))
  const after = await readRegion(tx, regionId)
  await writeAuditChange(
    tx,
    { actorId: adminId, action: 'region.update', subject: `region:${regionId}` },
    before,
    after,
  )
  tx.notify('catalogue', `region:${regionId}`)
  return after
}

/** Deletes a region with its links to products; returns how many there were. One that has packages is refused. */
async function removeRegion(tx: Tx, adminId: number, regionId: number): Promise<number> {
  const region = await lockRegion(tx, regionId)
  if (region.offers_count > 0) {
    throw new Failure('STATE_CONFLICT', {
      reason: 'region_has_offers',
      region: 'has_offers',
      offers_count: region.offers_count,
    })
  }
  await deleteRegion(tx, regionId)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'region.delete',
    subject: `region:${regionId}`,
    before: formatRegion(region),
  })
  tx.notify('catalogue', `region:${regionId}`)
  return region.products_count
}

export function regionsAdmin({ serve, database }: Context): void {
  serve(regionsApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listRegions(database, list), () => countRegions(database, list))
    return { data: rows.map(formatRegion), total }
  })

  serve(regionsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createRegion(tx, user.id, body)),
  }))

  serve(regionsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeRegion(tx, user.id, params.id, body)),
  }))

  serve(regionsApi.remove, async ({ user, params }) => ({
    data: { id: params.id, products_count: await database.transaction((tx) => removeRegion(tx, user.id, params.id)) },
  }))
}
