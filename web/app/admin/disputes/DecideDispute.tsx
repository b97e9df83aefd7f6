import type { Dispute } from '@olmos/contract/disputes'
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { decisionTexts } from './dispute-texts.ts'
import { type DisputeDecision, decideDispute } from './disputes.queries.ts'

interface DecideDisputeProps {
  dispute: Dispute
  decision: DisputeDecision
  onClose(): void
}

/** How a dispute ended, where the provider does not tell; or the end of the hold. */
export function DecideDispute({ dispute, decision, onClose }: DecideDisputeProps) {
  const { t } = useTranslation()
  const texts = decisionTexts[decision]
  const decide = useAdminAction({
    noun: 'orders',
    send: (reason: string) => decideDispute(dispute.id, decision, reason),
    done: t(texts.done),
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={t(texts.title)}
      text={t(texts.text)}
      confirmLabel={t(texts.label)}
      {...(decision === 'lost' && { color: 'red' })}
      isBusy={decide.isPending}
      refusal={decide.refusal}
      onConfirm={decide.mutate}
      onClose={onClose}
    />
  )
}
