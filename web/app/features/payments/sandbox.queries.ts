import type { SandboxAction, SandboxPayment, sandboxApi } from '@olmos/contract/payments'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const read = caller<typeof sandboxApi.read>('GET /sandbox/payments/:id')
const act = caller<typeof sandboxApi.act>('POST /sandbox/payments/:id/act')

const delayedRefreshMs = 2_000

/** A payment of the sandbox; asked for again while the bank takes its time. */
export const useSandboxPayment = (id: string) =>
  useQuery({
    queryKey: queryKeys.sandboxPayment(id),
    queryFn: () => read({ params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? delayedRefreshMs : false),
    staleTime: 0,
  })

/** Plays the bank. */
export function useSandboxAct(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: SandboxAction) => act({ params: { id }, body: { action } }),
    retry: false,
    onSuccess: (payment: SandboxPayment) => client.setQueryData(queryKeys.sandboxPayment(id), payment),
    onError: () => client.invalidateQueries({ queryKey: queryKeys.sandboxPayment(id) }),
  })
}
