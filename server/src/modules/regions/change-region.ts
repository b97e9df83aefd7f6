import { Failure } from '@olmos/contract/failure'
import type { NewRegion, Region, RegionChange } from '@olmos/contract/regions'
import { announce } from '../../platform/announce.ts'
import { record, recordChange } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { orDuplicate, requireVersion } from '../../platform/edits.ts'
import { deleteRegion, findRegion, insertRegion, lockRegion, type RegionRow, updateRegion } from './regions.store.ts'

export const shownRegion = (row: RegionRow): Region => ({ ...row, created_at: row.created_at.toISOString() })

const withoutBlank = (translations: Region['translations']): Region['translations'] =>
  Object.fromEntries(Object.entries(translations).filter(([, name]) => name !== ''))

const isCodeFree = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'region_code_key', 'code')

async function readRegion(tx: Tx, regionId: number): Promise<Region> {
  const row = await findRegion(tx, regionId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownRegion(row)
}

async function holdRegion(tx: Tx, regionId: number): Promise<RegionRow> {
  const row = await lockRegion(tx, regionId)
  if (!row) throw new Failure('NOT_FOUND')
  return row
}

export async function createRegion(tx: Tx, adminId: number, wanted: NewRegion): Promise<Region> {
  const translations = withoutBlank(wanted.translations)
  const region = await readRegion(tx, await isCodeFree(insertRegion(tx, { ...wanted, translations })))
  await record(tx, { actorId: adminId, action: 'region.create', subject: `region:${region.id}`, after: wanted })
  await announce(tx, 'catalogue', `region:${region.id}`)
  return region
}

export async function changeRegion(tx: Tx, adminId: number, regionId: number, change: RegionChange): Promise<Region> {
  const { version, ...fields } = change
  const row = await holdRegion(tx, regionId)
  const before = shownRegion(row)
  requireVersion(before, version)
  const translations = withoutBlank({ ...row.translations, ...fields.translations })
  await isCodeFree(updateRegion(tx, regionId, { ...row, ...fields, translations }))
  const after = await readRegion(tx, regionId)
  await recordChange(tx, { actorId: adminId, action: 'region.update', subject: `region:${regionId}` }, before, after)
  await announce(tx, 'catalogue', `region:${regionId}`)
  return after
}

/** Deletes a region with its links to products; answers how many there were. One that has packages is refused. */
export async function removeRegion(tx: Tx, adminId: number, regionId: number): Promise<number> {
  const region = await holdRegion(tx, regionId)
  if (region.offers_count > 0) {
    throw new Failure('STATE_CONFLICT', { region: 'has_offers', offers_count: region.offers_count })
  }
  await deleteRegion(tx, regionId)
  await record(tx, {
    actorId: adminId,
    action: 'region.delete',
    subject: `region:${regionId}`,
    before: shownRegion(region),
  })
  await announce(tx, 'catalogue', `region:${regionId}`)
  return region.products_count
}
