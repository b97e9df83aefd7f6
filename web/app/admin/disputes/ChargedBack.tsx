import { Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { openDispute, type WantedDispute } from './disputes.queries.ts'

interface ChargedBackProps {
  noun: 'orders' | 'payments'
  payment: { orderId: string; amount: number; currency: string }
  onClose(): void
}

/** Records a chargeback that was announced by letter: the provider sends no webhook for it, or none arrived. */
export function ChargedBack({ noun, payment, onClose }: ChargedBackProps) {
  const { t } = useTranslation()
  const [status, setStatus] = useState<WantedDispute['status']>('lost')
  const [reference, setReference] = useState('')
  const [amount, setAmount] = useState<string | number>(payment.amount)
  const [day, setDay] = useState('')
  const isAmount = Number(amount) > 0 && Number(amount) <= payment.amount
  return (
    <ReasonDialog
      title={t('admin.disputes.chargeTitle')}
      text={t('admin.disputes.chargeText')}
      confirmLabel={t('admin.disputes.charge')}
      color="red"
      isIncomplete={reference.trim() === '' || !isAmount}
      noun={noun}
      send={(reason) =>
        openDispute(payment.orderId, {
          reason,
          reference: reference.trim(),
          status,
          amount: Number(amount),
          ...(status === 'open' && day !== '' && { due_by: new Date(`${day}T23:59:59`).toISOString() }),
        })
      }
      done={t('admin.disputes.chargedDone')}
      onClose={onClose}
    >
      <div>
        <Text size="sm" fw={500} mb={4} id="charge-status">
          {t('admin.disputes.chargeStatus')}
        </Text>
        <SegmentedControl
          aria-labelledby="charge-status"
          fullWidth
          value={status}
          onChange={setStatus}
          data={[
            { value: 'lost', label: t('admin.disputes.statusLost') },
            { value: 'open', label: t('admin.disputes.statusOpen') },
          ]}
        />
      </div>
      <TextInput
        label={t('admin.disputes.chargeReference')}
        required
        maxLength={200}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      <Group grow align="flex-start">
        <MoneyInput
          label={t('admin.disputes.chargeAmount', { currency: payment.currency })}
          required
          min={0.01}
          max={payment.amount}
          value={amount}
          onChange={setAmount}
        />
        {status === 'open' && (
          <TextInput
            type="date"
            label={t('admin.disputes.dueBy')}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        )}
      </Group>
    </ReasonDialog>
  )
}
