import type { deliveriesApi } from '@olmos/contract/deliveries'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const read = caller<typeof deliveriesApi.suppliers>('GET /admin/suppliers')

export const useSuppliers = () =>
  useAdminQuery(queryKeys.admin.noun('suppliers'), async (signal) => (await read({}, { signal })).data)
