import type { ProfitReport, profitApi } from '@olmos/contract/profit'
import type { SummaryPeriod } from '@olmos/contract/summary'
import { keepPreviousData } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const read = caller<typeof profitApi.read>('GET /admin/profit')

const staleMs = 5 * 60_000

/** Days of the shop, both included; without an end up to its today. Which days a period is, the store knows. */
export type Days = { from: string; to?: string } | { period: SummaryPeriod }

/** What was earned on these days. */
export const useProfit = (days: Days, { enabled = true } = {}) =>
  useAdminQuery<ProfitReport>(
    queryKeys.admin.noun('profit', days),
    async (signal) => (await read({ query: days }, { signal })).data,
    { enabled, placeholderData: keepPreviousData, staleTime: staleMs, refetchInterval: staleMs },
  )
