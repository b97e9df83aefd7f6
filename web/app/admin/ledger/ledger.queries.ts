import type { LedgerProof, operationsApi } from '@olmos/contract/operations'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { caller } from '../../api/client.ts'
import { toastError } from '../../ui/toast.ts'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin } from '../list/use-admin-list.ts'

const read = caller<typeof operationsApi.ledgerProof>('GET /admin/ledger/proof')
const prove = caller<typeof operationsApi.proveLedger>('POST /admin/ledger/proof')
const key = ['admin', 'ledger']

export type { LedgerProof }

/** How the ledger added up when it was last looked at. */
export function useLedgerProof() {
  const client = useQueryClient()
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => asAdmin(client, read({}, { signal })),
    staleTime: 0,
  })
}

/** Adds it up now; a shop with many orders takes its time. */
export function useProveLedger() {
  const { t } = useTranslation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => asAdmin(client, prove({ body: {} })),
    retry: false,
    onSuccess: (proof) => client.setQueryData(key, proof),
    onError: (error) => toastError(refusalText(t, error)),
  })
}
