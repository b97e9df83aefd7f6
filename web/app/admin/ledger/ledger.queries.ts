import type { LedgerProof, operationsApi } from '@olmos/contract/operations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { asAdmin } from '../list/use-admin-list.ts'

const prove = caller<typeof operationsApi.ledgerProof>('GET /admin/ledger/proof')

export type { LedgerProof }

export function useLedgerProof() {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['admin', 'ledger'],
    queryFn: ({ signal }) => asAdmin(client, prove({}, { signal })),
    staleTime: 0,
  })
}
