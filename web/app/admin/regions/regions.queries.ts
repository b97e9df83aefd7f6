import type { Region, regionsApi } from '@olmos/contract/regions'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { readAllPages, useAdminList, useAdminQuery } from '../list/use-admin-list.ts'

const list = caller<typeof regionsApi.list>('GET /admin/regions')
const add = caller<typeof regionsApi.add>('POST /admin/regions')
const change = caller<typeof regionsApi.change>('PUT /admin/regions/:id')
const remove = caller<typeof regionsApi.remove>('DELETE /admin/regions/:id')

export const useRegions = () => useAdminList<Region>({ noun: 'regions', load: list })

/** Regions to choose from, by name. */
export const useAllRegions = () =>
  useAdminQuery(
    queryKeys.admin.noun('regions', 'all'),
    (signal) => readAllPages((place) => list({ query: { ...place, sort: 'name', order: 'asc' } }, { signal })),
    { staleTime: WEB_LIMITS.freshMs },
  )

export interface RegionValues extends Record<string, unknown> {
  name: string
  translations: Region['translations']
  code: string
  flag: string
  is_active: boolean
}

export const saveRegion = (region: Region | undefined, values: RegionValues, version: number | undefined) =>
  region
    ? change({ params: { id: String(region.id) }, body: { ...values, ...(version && { version }) } })
    : add({ body: values })

export const removeRegion = (region: Region) => remove({ params: { id: String(region.id) } })

export const useRegionSwitch = () =>
  useAdminChange<Region, boolean>({
    noun: 'regions',
    send: (region, is_active) =>
      change({ params: { id: String(region.id) }, body: { is_active, version: region.version } }),
    shown: (region, is_active) => ({ ...region, is_active }),
  })
