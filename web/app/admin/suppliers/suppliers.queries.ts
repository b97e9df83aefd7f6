import type { deliveriesApi } from '@olmos/contract/deliveries'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { asAdmin } from '../list/use-admin-list.ts'

const read = caller<typeof deliveriesApi.suppliers>('GET /admin/suppliers')

export function useSuppliers() {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['admin', 'suppliers'],
    queryFn: async ({ signal }) => (await asAdmin(client, read({}, { signal }))).data,
    staleTime: 0,
  })
}
