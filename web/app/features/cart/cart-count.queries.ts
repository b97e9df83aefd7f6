import type { cartApi } from '@olmos/contract/cart'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { useIsLoggedIn } from '../../session/session.ts'

const count = caller<typeof cartApi.count>('GET /cart/count')

/** Asked for only when somebody is logged in. Apart from the rest of the cart: it is on every page. */
export const useCartCount = () =>
  useQuery({
    queryKey: ['cart', 'count'],
    queryFn: async () => (await count({})).count,
    enabled: useIsLoggedIn() === true,
  })
