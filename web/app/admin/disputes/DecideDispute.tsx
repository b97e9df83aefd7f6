import type { Dispute } from '@olmos/contract/disputes'
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { type DisputeDecision, decideDispute } from './disputes.queries.ts'

interface DecideDisputeProps {
  dispute: Dispute
  decision: DisputeDecision
  onClose(): void
}

/** Records how a dispute ended where the provider does not report it, or releases the buyer. */
export function DecideDispute({ dispute, decision, onClose }: DecideDisputeProps) {
  const { t } = useTranslation()
  const decide = useAdminAction({
    noun: 'orders',
    send: (reason: string) => decideDispute(dispute.id, decision, reason),
    done: t(`admin.disputes.decide.${decision}.done`),
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={t(`admin.disputes.decide.${decision}.title`)}
      text={t(`admin.disputes.decide.${decision}.text`)}
      confirmLabel={t(`admin.disputes.decide.${decision}.label`)}
      {...(decision === 'lost' && { color: 'red' })}
      isBusy={decide.isPending}
      refusal={decide.refusal}
      onConfirm={decide.mutate}
      onClose={onClose}
    />
  )
}
