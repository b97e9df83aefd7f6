import type { adminPaymentsApi, RefundDecision } from '@olmos/contract/admin-payments'
import type { Alert, alertsApi } from '@olmos/contract/alerts'
import type { ApprovalDecision, approvalsApi } from '@olmos/contract/approvals'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useMay } from '../../session/profile.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { useAdminList, useAdminRead } from '../list/use-admin-list.ts'

const list = caller<typeof alertsApi.list>('GET /admin/alerts')
const count = caller<typeof alertsApi.count>('GET /admin/alerts/count')
const change = caller<typeof alertsApi.change>('PUT /admin/alerts/:id')

const decide = caller<typeof adminPaymentsApi.decideRefund>('POST /admin/card-refunds/:id/decide')

const approval = caller<typeof approvalsApi.one>('GET /admin/approvals/:id')
const decideOn = caller<typeof approvalsApi.decide>('POST /admin/approvals/:id/decide')
const withdraw = caller<typeof approvalsApi.withdraw>('POST /admin/approvals/:id/withdraw')

const countedEveryMs = 60_000

export const useAlerts = () => useAdminList<Alert>({ noun: 'alerts', load: list, filters: ['state', 'waits'] })

/** How many nobody has taken on yet; asked again while the admin area is open. None until it is known. */
export function useOpenAlerts(): { open: number; only_here: number } {
  const key = queryKeys.admin.noun('alerts', 'count')
  const enabled = useMay()('alerts.write')
  return useAdminRead(key, count, {}, { enabled, refetchInterval: countedEveryMs }).data ?? { open: 0, only_here: 0 }
}

type AlertAnswer = 'acknowledged' | 'resolved'

export const useAlertAnswer = () =>
  useAdminChange<Alert, AlertAnswer>({
    noun: 'alerts',
    send: (alert, state) => change({ params: { id: String(alert.id) }, body: { state } }),
    shown: (alert, state) => ({ ...alert, state }),
  })

/** The refund a stuck one's alert is about: 'card-refund:17'. */
export const toRefund = ({ kind, subject }: Alert): string | undefined =>
  kind === 'refund.stuck' ? subject.split(':')[1] : undefined

export const decideRefund = (id: string, body: { decision: RefundDecision; reason: string; reference?: string }) =>
  decide({ params: { id }, body }, { once: `decide:${id}:${body.decision}` })

/** What waits for a yes, or waited for it in vain, by the alert about it: 'approval:17'. */
export const toApproval = ({ kind, subject }: Alert): string | undefined =>
  kind === 'approval.waiting' || kind === 'approval.expired' ? subject.split(':')[1] : undefined

export const useApproval = (id: string) =>
  useAdminRead(queryKeys.admin.noun('alerts', 'approval', id), approval, { params: { id } })

export const decideApproval = (id: string, decision: ApprovalDecision) =>
  decideOn({ params: { id }, body: { decision } }, { once: `approval:${id}:${decision}` })

export const withdrawApproval = (id: string) => withdraw({ params: { id } })
