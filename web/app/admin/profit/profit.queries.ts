import type { ProfitReport, profitApi } from '@olmos/contract/profit'
import { keepPreviousData } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const read = caller<typeof profitApi.read>('GET /admin/profit')

const dayMs = 86_400_000
const staleMs = 5 * 60_000

/** Days of the shop, both included; without an end up to today. */
export interface Days {
  from: string
  to?: string
}

export const lastDays = (days: number): Days => ({
  from: new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10),
})

/** What was earned on these days. */
export const useProfit = (days: Days, { enabled = true } = {}) =>
  useAdminQuery<ProfitReport>(
    queryKeys.admin.noun('profit', days),
    async (signal) => (await read({ query: days }, { signal })).data,
    { enabled, placeholderData: keepPreviousData, staleTime: staleMs, refetchInterval: staleMs },
  )
