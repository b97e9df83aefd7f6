import type { productsApi } from '@olmos/contract/products'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { noun } from './products.queries.ts'

const list = caller<typeof productsApi.list>('GET /admin/products')

/** Products that are sold as codes, to choose from, by name. */
export function useCodeProducts() {
  const client = useQueryClient()
  const query = { kind: 'code', pageSize: '200', sort: 'name', order: 'asc' } as const
  return useQuery({
    queryKey: ['admin', noun, 'all'],
    queryFn: async () => (await asAdmin(client, list({ query }))).data,
  })
}
