import type { ordersApi } from '@olmos/contract/orders'
import type { NewSupportMessage, supportApi } from '@olmos/contract/support'
import { useMutation, useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'

const send = caller<typeof supportApi.send>('POST /support')
const list = caller<typeof ordersApi.list>('GET /orders')

/** Sends a message to the shop. Not tried again by itself: a message whose answer was lost may have arrived. */
export const useSendMessage = () =>
  useMutation({ mutationFn: (body: NewSupportMessage) => send({ body }), retry: false })

/** The latest orders of who is logged in, one of which a message may be about. */
export const useLatestOrders = (isLoggedIn: boolean) =>
  useQuery({
    queryKey: queryKeys.orders.latest(useLanguage()),
    queryFn: async ({ signal }) =>
      (await list({ query: { page: '1', pageSize: String(WEB_LIMITS.ordersPageSize) } }, { signal })).orders,
    enabled: isLoggedIn,
  })
