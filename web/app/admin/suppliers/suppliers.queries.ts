import type { deliveriesApi } from '@olmos/contract/deliveries'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const read = caller<typeof deliveriesApi.suppliers>('GET /admin/suppliers')

export const useSuppliers = () => useAdminRead(queryKeys.admin.noun('suppliers'), read, {})
