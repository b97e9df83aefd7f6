import type { summaryApi } from '@olmos/contract/summary'
import { keepPreviousData } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const read = caller<typeof summaryApi.read>('GET /admin/summary')

const dayMs = 86_400_000
const refreshMs = 60_000

/** The last days, today among them. */
export const useSummary = (days: number) =>
  useAdminQuery(
    queryKeys.admin.noun('summary', days),
    async (signal) => {
      const from = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)
      return (await read({ query: { from } }, { signal })).data
    },
    { placeholderData: keepPreviousData, refetchInterval: refreshMs },
  )
