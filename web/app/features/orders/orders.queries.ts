import type { OrderShelf, ordersApi, Receipt } from '@olmos/contract/orders'
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { caller } from '../../api/client.ts'
import { useLiveRefetch } from '../../api/live-refetch.ts'
import { onlyOnce } from '../../api/only-once.ts'
import { cacheTime } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { isAwaited } from './order.rules.ts'

const list = caller<typeof ordersApi.list>('GET /orders')
const products = caller<typeof ordersApi.products>('GET /orders/products')
const receipt = caller<typeof ordersApi.receipt>('GET /orders/:id')

const pageSize = WEB_LIMITS.ordersPageSize

export interface OrderFilter {
  /** Has to be in the id. */
  search: string
  state: OrderShelf | undefined
  /** The slug of one that has to be in the order. */
  product: string | undefined
}

/** Refetches orders as they move, while one of them is awaited. */
const useOrderEvents = (isSomeAwaited: boolean, isHeard: RefObject<boolean>) =>
  useLiveRefetch({ path: isSomeAwaited ? '/orders/events' : undefined, queryKey: queryKeys.orders.all, isHeard })

/** Own orders that pass the filter, newest first, a page more at a time; refreshed by itself. `total` counts all of them. */
export function useOrders(filter: OrderFilter) {
  const { search, state, product } = filter
  const query = useInfiniteQuery({
    queryKey: queryKeys.orders.list(filter, useLanguage()),
    queryFn: ({ pageParam }) =>
      list({
        query: {
          page: String(pageParam),
          pageSize: String(pageSize),
          search,
          ...(state && { state }),
          ...(product && { product }),
        },
      }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * pageSize < last.total ? pages.length + 1 : undefined),
    select: ({ pages }) => ({
      orders: onlyOnce(pages.flatMap((page) => page.orders)),
      total: pages.at(-1)?.total ?? 0,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: WEB_LIMITS.ordersRefreshMs,
    staleTime: WEB_LIMITS.ordersStaleMs,
    gcTime: cacheTime(WEB_LIMITS.ordersCacheMs),
  })
  useOrderEvents(query.data?.orders.some(isAwaited) ?? false, useRef(false))
  return query
}

/** The products that are in own orders, by title. */
export const useOrderedProducts = () =>
  useQuery({
    queryKey: queryKeys.orders.products(useLanguage()),
    queryFn: async ({ signal }) => (await products({}, { signal })).data,
  })

/** One own order with its codes; what is awaited of it is heard of at once, or asked for again and again. */
export function useReceipt(id: string, { enabled } = { enabled: true }) {
  const client = useQueryClient()
  const queryKey = queryKeys.orders.receipt(id, useLanguage())
  const isHeard = useRef(false)
  const query = useQuery({
    queryKey,
    enabled,
    queryFn: async () => seeChange(client, client.getQueryData(queryKey), await receipt({ params: { id }, query: {} })),
    refetchInterval: ({ state }) => toRefreshMs(state.data, isHeard.current),
    staleTime: WEB_LIMITS.ordersStaleMs,
    gcTime: cacheTime(WEB_LIMITS.ordersCacheMs),
  })
  useOrderEvents(enabled && query.data !== undefined && isAwaited(query.data), isHeard)
  return query
}

/** One own order without its codes, which nobody has seen then. The list beside it hears what becomes of the order. */
export function useOrderWithoutCodes(id: string, { enabled }: { enabled: boolean }) {
  const client = useQueryClient()
  const queryKey = queryKeys.orders.withoutCodes(id, useLanguage())
  return useQuery({
    queryKey,
    enabled,
    queryFn: async () =>
      seeChange(client, client.getQueryData(queryKey), await receipt({ params: { id }, query: { codes: 'hidden' } })),
    refetchInterval: ({ state }) => toRefreshMs(state.data, true),
    staleTime: WEB_LIMITS.ordersStaleMs,
    gcTime: cacheTime(WEB_LIMITS.ordersCacheMs),
  })
}

/** Reads an order with its codes, once they are to be seen. */
export const useReveal = (id: string) => {
  const client = useQueryClient()
  const queryKey = queryKeys.orders.receipt(id, useLanguage())
  return () => client.fetchQuery({ queryKey, queryFn: () => receipt({ params: { id }, query: {} }) })
}

/** Once the bank has answered, the cart is bought; with that or a refund the balance has changed. */
function seeChange(client: QueryClient, before: Receipt | undefined, order: Receipt): Receipt {
  if (before && before.status !== order.status) {
    const { cart, balance, profile } = queryKeys
    for (const touched of [cart.all, balance.all, profile]) client.invalidateQueries({ queryKey: touched })
  }
  return order
}

const awaitedRefreshMs = 2_000

/** Where changes are heard of, asking is only for what might have been missed. */
const toRefreshMs = (order: Receipt | undefined, isHeard: boolean): number | false => {
  if (!order || !isAwaited(order)) return false
  return isHeard ? WEB_LIMITS.ordersRefreshMs : awaitedRefreshMs
}
