import type { fillingsApi } from '@olmos/contract/fillings'
import type { Currency } from '@olmos/contract/money'
import type { walletApi } from '@olmos/contract/wallet'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { onlyOnce } from '../../api/only-once.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'

const history = caller<typeof walletApi.history>('GET /balance/history')
const fillings = caller<typeof fillingsApi.list>('GET /balance/fillings')
const topUp = caller<typeof walletApi.topUp>('POST /balance/topup')

const historyPageSize = 10

/** What moved the balance, newest first, a page more at a time. */
export const useBalanceHistory = () =>
  useInfiniteQuery({
    queryKey: queryKeys.balance.history,
    queryFn: ({ pageParam }) => history({ query: { page: String(pageParam), pageSize: String(historyPageSize) } }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * historyPageSize < last.total ? pages.length + 1 : undefined),
    select: ({ pages }) => onlyOnce(pages.flatMap((page) => page.data)),
    staleTime: 0,
  })

const latestFillings = 5

/** The customer's latest fillings of the balance. */
export const useFillings = () =>
  useQuery({
    queryKey: queryKeys.balance.fillings,
    queryFn: async ({ signal }) =>
      (await fillings({ query: { page: '1', pageSize: String(latestFillings) } }, { signal })).data,
    staleTime: 0,
  })

/** An admin's own balance. The same try again is the same top-up, not another. */
export function useTopUpBalance() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { currency: Currency; amount: number }) =>
      topUp({ body }, { once: `topup:${body.currency}:${body.amount}`, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.balance.all }),
        client.invalidateQueries({ queryKey: queryKeys.profile }),
      ]),
  })
}
