import type { EditedProduct, productsApi } from '@olmos/contract/products'
import { caller } from '../../api/client.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { useAdminList } from '../list/use-admin-list.ts'

const list = caller<typeof productsApi.list>('GET /admin/products')
const change = caller<typeof productsApi.change>('PUT /admin/products/:id')

const noun = 'products'

export const useProducts = () => useAdminList<EditedProduct>({ noun, load: list, filters: ['kind'] })

export const useProductSwitch = () =>
  useAdminChange<EditedProduct, boolean>({
    noun,
    send: (product, isActive) => change({ params: { id: String(product.id) }, body: { isActive } }),
    shown: (product, isActive) => ({ ...product, isActive }),
  })
