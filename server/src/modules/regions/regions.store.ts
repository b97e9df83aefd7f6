import type { Region } from '@olmos/contract/regions'
import { containing, type Queries, sql, type Tx } from '../../platform/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/lists.ts'

export interface RegionDraft {
  code: string
  name: string
  translations?: Region['translations']
  flag: string
}

export interface RegionFields extends RegionDraft {
  translations: Region['translations']
  is_active: boolean
}

export interface RegionRow extends RegionFields {
  id: number
  created_at: Date
  products_count: number
  offers_count: number
  version: number
}

const columns = sql`
  region.id, region.name, region.translations, region.code, region.flag, region.is_active, region.created_at, region.version,
  (SELECT count(*)::int FROM product_region JOIN product ON product.id = product_id
    WHERE region_id = region.id AND deleted_at IS NULL) AS products_count,
  (SELECT count(*)::int FROM offer WHERE region_id = region.id) AS offers_count`

const columnOf = {
  id: sql`region.id`,
  name: sql`lower(region.name)`,
  code: sql`region.code`,
  is_active: sql`region.is_active`,
  created_at: sql`region.created_at`,
}

export interface RegionList extends ListPage {
  search: string
  sort: keyof typeof columnOf
}

const isListed = ({ search }: RegionList) =>
  allOf(
    search
      ? sql`(region.name ILIKE ${containing(search)} OR region.code ILIKE ${containing(search)}
      OR EXISTS (SELECT FROM jsonb_each_text(region.translations) WHERE value ILIKE ${containing(search)}))`
      : undefined,
  )

export const listRegions = (queries: Queries, list: RegionList) =>
  queries.rows<RegionRow>(sql`
    SELECT ${columns} FROM region WHERE ${isListed(list)}
    ORDER BY ${columnOf[list.sort]} ${direction(list.order)}, region.id ${pageOf(list)}`)

export const countRegions = (queries: Queries, list: RegionList) =>
  countOf(queries, sql`SELECT FROM region WHERE ${isListed(list)}`)

export async function insertRegion(queries: Queries, region: RegionDraft & { is_active?: boolean }): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO region (code, name, translations, flag, is_active)
    VALUES (${region.code}, ${region.name}, ${region.translations ?? {}}, ${region.flag}, ${region.is_active ?? true})
    RETURNING id`)
  return id
}

export const findRegion = (queries: Queries, regionId: number) =>
  queries.maybe<RegionRow>(sql`SELECT ${columns} FROM region WHERE region.id = ${regionId}`)

/** The same, held until the transaction ends. */
export const lockRegion = (tx: Tx, regionId: number) =>
  tx.maybe<RegionRow>(sql`SELECT ${columns} FROM region WHERE region.id = ${regionId} FOR UPDATE`)

export const updateRegion = (tx: Tx, regionId: number, region: RegionFields) =>
  tx.run(sql`
    UPDATE region SET name = ${region.name}, translations = ${region.translations}, code = ${region.code},
      flag = ${region.flag}, is_active = ${region.is_active}
    WHERE id = ${regionId}`)

export const deleteRegion = (tx: Tx, regionId: number) =>
  Promise.all([
    tx.run(sql`DELETE FROM product_region WHERE region_id = ${regionId}`),
    tx.run(sql`DELETE FROM region WHERE id = ${regionId}`),
  ])
