import type { ReconciliationState, reconciliationApi } from '@olmos/contract/reconciliation'
import { useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Tone } from '../../features/orders/order.rules.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const list = caller<typeof reconciliationApi.list>('GET /admin/reconciliation')
const read = caller<typeof reconciliationApi.read>('GET /admin/reconciliation/:day')
const run = caller<typeof reconciliationApi.run>('POST /admin/reconciliation/:day')

/** The parameters of the address: which view of the payments is shown, and which day is open. */
export const paymentView = { param: 'view', reconciliation: 'reconciliation', day: 'day' } as const

export const stateTones: Record<ReconciliationState, Tone> = {
  equal: 'good',
  cabinet_only: 'good',
  not_compared: 'wait',
  different: 'bad',
}

/** The way to the comparison of a day. */
export const toReconciliation = (day: string): string =>
  `${paths.admin('payments')}?${new URLSearchParams({ [paymentView.param]: paymentView.reconciliation, [paymentView.day]: day })}`

export const useReconciledDays = () => useAdminRead(queryKeys.admin.noun('reconciliation', 'list'), list, { query: {} })

export const useReconciledDay = (day: string) =>
  useAdminRead(queryKeys.admin.noun('reconciliation', 'day', day), read, { params: { day } })

/** Compares a day now, which takes a while with many payments. */
export function useReconcile(day: string) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return useAdminAction({
    noun: 'reconciliation',
    send: async () => (await run({ params: { day }, body: {} })).data,
    done: t('admin.reconciliation.done'),
    onDone: (answer) => client.setQueryData(queryKeys.admin.noun('reconciliation', 'day', day), answer),
  })
}
