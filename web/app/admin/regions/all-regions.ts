import type { regionsApi } from '@olmos/contract/regions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { noun } from './regions.queries.ts'

const list = caller<typeof regionsApi.list>('GET /admin/regions')

/** Regions to choose from, by name. */
export function useAllRegions() {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['admin', noun, 'all'],
    queryFn: async () => (await asAdmin(client, list({ query: { pageSize: '200', sort: 'name', order: 'asc' } }))).data,
  })
}
