import { useWindowEvent } from '@mantine/hooks'
import type { cartApi } from '@olmos/contract/cart'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useIsLoggedIn } from '../../session/session.ts'
import { lastingStorage } from '../../ui/browser-storage.ts'

const count = caller<typeof cartApi.count>('GET /cart/count')

/** Writing the count notifies other tabs, which then refetch the cart. */
const storageKey = 'cartCount'

/**
 * Counts the items in the cart of the customer who is logged in. Stands apart from the rest of the cart because every page
 * loads it.
 */
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

  // Nobody is logged in any more where the count goes.
  useEffect(() => () => lastingStorage.removeItem(storageKey), [])

  useWindowEvent('storage', ({ key }) => {
    // A mutation that is under way here refetches when it ends.
    if (key === storageKey && client.isMutating() === 0) client.invalidateQueries({ queryKey: queryKeys.cart.all })
  })

  return query
}
