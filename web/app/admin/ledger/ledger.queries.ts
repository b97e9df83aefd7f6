import type { operationsApi } from '@olmos/contract/operations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { toastError } from '../../ui/toast.ts'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin, useAdminQuery } from '../list/use-admin-list.ts'

const read = caller<typeof operationsApi.ledgerProof>('GET /admin/ledger/proof')
const prove = caller<typeof operationsApi.proveLedger>('POST /admin/ledger/proof')

/** How the ledger added up when it was last looked at. */
export const useLedgerProof = () => useAdminQuery(queryKeys.admin.noun('ledger'), (signal) => read({}, { signal }))

/** Adds it up now; a shop with many orders takes its time. */
export function useProveLedger() {
  const { t } = useTranslation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => asAdmin(client, prove({ body: {} })),
    retry: false,
    onSuccess: (proof) => client.setQueryData(queryKeys.admin.noun('ledger'), proof),
    onError: (error) => toastError(refusalText(t, error)),
  })
}
