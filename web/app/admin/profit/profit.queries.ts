import type { ProfitReport, profitApi } from '@olmos/contract/profit'
import { keepPreviousData } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const read = caller<typeof profitApi.read>('GET /admin/profit')

const dayMs = 86_400_000
const staleMs = 5 * 60_000

export const firstDay = (days: number): string => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)

/** What was earned on the last days, today among them. */
export const useProfit = (days: number) =>
  useAdminQuery<ProfitReport>(
    queryKeys.admin.noun('profit', days),
    async (signal) => (await read({ query: { from: firstDay(days) } }, { signal })).data,
    { placeholderData: keepPreviousData, staleTime: staleMs, refetchInterval: staleMs },
  )
