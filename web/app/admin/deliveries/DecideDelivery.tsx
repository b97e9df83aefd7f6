import { TextInput } from '@mantine/core'
import type { Delivery } from '@olmos/contract/deliveries'
import { LIMITS } from '@olmos/contract/limits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { type DecisionName, decisions } from './deliveries.queries.ts'

interface DecideDeliveryProps {
  delivery: Delivery
  decision: DecisionName
  onClose(): void
}

/** Lets an operator decide about a delivery that cannot proceed by itself. */
export function DecideDelivery({ delivery, decision, onClose }: DecideDeliveryProps) {
  const { t } = useTranslation()
  const [reference, setReference] = useState('')
  const [code, setCode] = useState('')
  const isCodeAsked = decision === 'complete' && delivery.service === 'code'
  const action = useAdminAction({
    noun: 'deliveries',
    send: (reason: string) =>
      decisions[decision](delivery, {
        reason,
        reference: reference.trim(),
        ...(isCodeAsked && { code: code.trim() }),
      }),
    done: t(`admin.deliveries.${decision}.done`),
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={t(`admin.deliveries.${decision}.title`)}
      text={t(`admin.deliveries.${decision}.text`, { item: delivery.item, account: delivery.account })}
      confirmLabel={t(`admin.deliveries.${decision}.label`)}
      {...(decision === 'refund' && { color: 'red' })}
      isIncomplete={isCodeAsked && code.trim() === ''}
      isBusy={action.isPending}
      refusal={action.refusal}
      onConfirm={action.mutate}
      onClose={onClose}
    >
      {isCodeAsked && (
        <TextInput
          label={t('admin.deliveries.code')}
          description={t('admin.deliveries.codeHint')}
          required
          autoComplete="off"
          maxLength={LIMITS.codeLengthMax}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      {decision === 'complete' && (
        <TextInput
          label={t('admin.deliveries.reference')}
          description={t('admin.deliveries.referenceHint')}
          maxLength={200}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  )
}
