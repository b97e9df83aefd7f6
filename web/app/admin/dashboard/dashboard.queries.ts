import type { Summary, summaryApi } from '@olmos/contract/summary'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { asAdmin } from '../list/use-admin-list.ts'

const read = caller<typeof summaryApi.read>('GET /admin/summary')

export type { Summary }

const dayMs = 86_400_000
const refreshMs = 60_000

/** The last days, today among them. */
export function useSummary(days: number) {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['admin', 'summary', days],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)
      return (await asAdmin(client, read({ query: { from } }, { signal }))).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: refreshMs,
  })
}
