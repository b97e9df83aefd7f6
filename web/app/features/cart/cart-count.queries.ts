import type { cartApi } from '@olmos/contract/cart'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useIsLoggedIn } from '../../session/session.ts'
import { lastingStorage } from '../../ui/browser-storage.ts'

const count = caller<typeof cartApi.count>('GET /cart/count')

/** Told to the other tabs by being written: a cart that another tab changed is read anew. */
const storageKey = 'cartCount'

/** Asked for only when somebody is logged in. Apart from the rest of the cart: it is on every page. */
export function useCartCount() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: queryKeys.cart.count,
    queryFn: async () => (await count({})).count,
    enabled: useIsLoggedIn() === true,
  })

  useEffect(() => {
    if (query.data !== undefined) lastingStorage.setItem(storageKey, String(query.data))
  }, [query.data])

  useEffect(() => {
    const refetchCart = ({ key }: StorageEvent) => {
      // A change that is under way here reads it anew when it is over.
      if (key === storageKey && client.isMutating() === 0) client.invalidateQueries({ queryKey: queryKeys.cart.all })
    }
    window.addEventListener('storage', refetchCart)
    return () => window.removeEventListener('storage', refetchCart)
  }, [client])

  return query
}
