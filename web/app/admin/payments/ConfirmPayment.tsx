import { TextInput } from '@mantine/core'
import type { ListedPayment } from '@olmos/contract/admin-payments'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../i18n/use-language.ts'
import { formatAmount } from '../../money/format.ts'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { confirmPayment } from './payments.queries.ts'

/** Confirms a payment that was seen at the provider while its webhook never came. */
export function ConfirmPayment({ payment, onClose }: { payment: ListedPayment; onClose(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [reference, setReference] = useState('')
  const isNamed = payment.provider_payment_id !== null
  const confirm = useAdminAction({
    noun: 'payments',
    send: (reason: string) => confirmPayment(payment, { reason, ...(!isNamed && { reference: reference.trim() }) }),
    done: t('admin.payments.confirmed'),
    onDone: onClose,
  })
  const amount = formatAmount(payment.amount, payment.currency, language)
  return (
    <ReasonDialog
      title={t('admin.payments.confirmTitle')}
      text={t('admin.payments.confirmText', { amount, provider: payment.provider, order: payment.order_id })}
      confirmLabel={t('admin.payments.confirm')}
      isIncomplete={!isNamed && reference.trim() === ''}
      isBusy={confirm.isPending}
      refusal={confirm.refusal}
      onConfirm={confirm.mutate}
      onClose={onClose}
    >
      {!isNamed && (
        <TextInput
          label={t('admin.payments.reference')}
          description={t('admin.payments.referenceHint')}
          required
          maxLength={200}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  )
}
