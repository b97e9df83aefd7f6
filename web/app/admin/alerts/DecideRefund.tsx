import { Radio, Stack, TextInput } from '@mantine/core'
import { type RefundDecision, refundDecisions } from '@olmos/contract/admin-payments'
import type { Alert } from '@olmos/contract/alerts'
import { useState } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { readCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { decideRefund } from './alerts.queries.ts'

interface DecideRefundProps {
  alert: Alert
  refundId: string
  onClose(): void
}

/** For a refund to a card of which the provider's answers don't say whether it was made. */
export function DecideRefund({ alert: { details }, refundId, onClose }: DecideRefundProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [decision, setDecision] = useState<RefundDecision>()
  const [reference, setReference] = useState('')
  const isPaid = decision === 'paid'
  const amount = formatAmount(Number(details.amount) / 100, readCurrency(String(details.currency)), language)
  return (
    <ReasonDialog
      title={t('admin.alerts.decideTitle')}
      text={t('admin.alerts.decideText', {
        amount,
        provider: String(details.provider),
        order: String(details.order),
      })}
      confirmLabel={t('admin.alerts.decide')}
      isIncomplete={!decision || (isPaid && reference.trim() === '')}
      noun="alerts"
      send={(reason) =>
        decideRefund(refundId, {
          decision: decision ?? 'paid',
          reason,
          ...(isPaid && { reference: reference.trim() }),
        })
      }
      done={t('admin.alerts.decided')}
      onClose={onClose}
    >
      <Radio.Group
        aria-label={t('admin.alerts.decideTitle')}
        value={decision ?? null}
        onChange={(value) => setDecision(refundDecisions.find((known) => known === value))}
      >
        <Stack gap="xs">
          {refundDecisions.map((known) => (
            <Radio key={known} value={known} label={t(`admin.alerts.decision.${known}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {isPaid && (
        <TextInput
          label={t('admin.alerts.decideReference')}
          required
          maxLength={200}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  )
}
