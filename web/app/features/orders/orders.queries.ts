import { LIMITS } from '@olmos/contract/limits'
import type { ListedOrder, ordersApi, Receipt } from '@olmos/contract/orders'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { useLanguage } from '../../i18n/use-language.ts'

const list = caller<typeof ordersApi.list>('GET /orders')
const receipt = caller<typeof ordersApi.receipt>('GET /orders/:id')

const pageSize = LIMITS.ordersPageSize

/** Own orders whose id has the text in it, newest first, a page more at a time; refreshed by itself. */
export const useOrders = (search: string) =>
  useInfiniteQuery({
    queryKey: ['orders', 'list', search, useLanguage()],
    queryFn: ({ pageParam }) => list({ query: { page: String(pageParam), pageSize: String(pageSize), search } }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * pageSize < last.total ? pages.length + 1 : undefined),
    select: ({ pages }) => onlyOnce(pages.flatMap((page) => page.orders)),
    placeholderData: keepPreviousData,
    refetchInterval: LIMITS.ordersRefreshMs,
    staleTime: LIMITS.ordersStaleMs,
    gcTime: LIMITS.ordersCacheMs,
  })

/** A new order between the reading of two pages moves one into both. */
const onlyOnce = (orders: ListedOrder[]): ListedOrder[] => [
  ...new Map(orders.map((order) => [order.id, order])).values(),
]

/** One own order with its codes; asked for again and again while the bank has not answered. */
export function useReceipt(id: string) {
  const client = useQueryClient()
  const queryKey = ['orders', 'receipt', id, useLanguage()]
  return useQuery({
    queryKey,
    queryFn: async () => {
      const before = client.getQueryData<Receipt>(queryKey)
      const order = await receipt({ params: { id } })
      // Once the bank has answered, the cart is bought and the balance may have changed.
      if (before && before.status !== order.status) {
        for (const touched of [['cart'], ['balance'], ['profile']]) client.invalidateQueries({ queryKey: touched })
      }
      return order
    },
    refetchInterval: ({ state }) => refreshOf(state.data),
    staleTime: LIMITS.ordersStaleMs,
    gcTime: LIMITS.ordersCacheMs,
  })
}

const awaitedRefreshMs = 2_000

const refreshOf = (order: Receipt | undefined): number | false => {
  if (order?.status === 'awaiting_payment') return awaitedRefreshMs
  return order?.status === 'pending' ? LIMITS.ordersRefreshMs : false
}
