import { Alert, Button, Stack, Text } from '@mantine/core'
import type { SandboxAction, SandboxPayment, SandboxStatus } from '@olmos/contract/payments'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { noticeError, noticeSuccess } from '../../ui/notice.ts'
import { Surface } from '../../ui/Surface.tsx'
import { useSandboxAct } from './sandbox.queries.ts'

const rareActions = [
  ['decline', 'sandbox.decline'],
  ['delay', 'sandbox.delay'],
  ['pay_twice', 'sandbox.payTwice'],
  ['pay_late', 'sandbox.payLate'],
] as const satisfies [SandboxAction, string][]

/** What the bank may still do with a payment that went through. */
const laterActions = [
  ['dispute', 'sandbox.dispute'],
  ['win_dispute', 'sandbox.winDispute'],
  ['lose_dispute', 'sandbox.loseDispute'],
  ['fraud_warning', 'sandbox.fraudWarning'],
] as const satisfies [SandboxAction, string][]

function canPlay(action: (typeof laterActions)[number][0], { dispute, is_fraud_warned }: SandboxPayment): boolean {
  if (action === 'fraud_warning') return !is_fraud_warned
  return action === 'dispute' ? dispute === null : dispute === 'open'
}

const disputeTexts = {
  open: 'sandbox.disputed',
  won: 'sandbox.disputeWon',
  lost: 'sandbox.disputeLost',
} as const
/** Of a payment that was made: what its refunds come to. */
const refundActions = [
  ['refund_outside', 'sandbox.refundOutside'],
  ['refund_outside_part', 'sandbox.refundOutsidePart'],
  ['refund_outside_pending', 'sandbox.refundOutsidePending'],
  ['refunds_pend', 'sandbox.refundsPend'],
  ['refunds_succeed', 'sandbox.refundsSucceed'],
  ['refunds_fail', 'sandbox.refundsFail'],
  ['refund_lose_answer', 'sandbox.refundLoseAnswer'],
] as const satisfies [SandboxAction, string][]

const refusalActions = [
  ['refuse_all', 'sandbox.refuseAll'],
  ['refuse_parameter', 'sandbox.refuseParameter'],
  ['refuse_nothing', 'sandbox.refuseNothing'],
] as const satisfies [SandboxAction, string][]

const statusTexts = {
  processing: 'sandbox.processing',
  succeeded: 'sandbox.succeeded',
  canceled: 'sandbox.canceled',
} as const satisfies Partial<Record<SandboxStatus, string>>

/** The bank's side of a payment: what it is for, and everything a bank can do with it. */
export function SandboxBank({ payment }: { payment: SandboxPayment }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const act = useSandboxAct(payment.id)
  const isOpen = payment.status === 'pending'
  const play = (action: SandboxAction) =>
    act.mutate(action, {
      onSuccess: () => {
        if (action === 'pay') window.location.assign(payment.return_url)
        else if (!rareActions.some(([rare]) => rare === action)) noticeSuccess(t('sandbox.played'))
      },
      onError: (error) => noticeError(failureText(t, error)),
    })

  const buttonOf = ([action, text]: readonly [SandboxAction, string]) => (
    <Button key={action} variant="default" disabled={act.isPending} onClick={() => play(action)}>
      {t(text)}
    </Button>
  )

  return (
    <Surface p="lg">
      <Stack>
        <div>
          <Text c="dimmed">{payment.description}</Text>
          <Text fw={700} fz={32}>
            <Amount value={payment.amount} currency={payment.currency} />
          </Text>
        </div>
        <Stack role="status" gap="xs">
          {payment.status !== 'pending' && <Alert>{t(statusTexts[payment.status])}</Alert>}
          {payment.dispute && <Alert color="yellow">{t(disputeTexts[payment.dispute])}</Alert>}
          {payment.is_fraud_warned && <Alert color="yellow">{t('sandbox.fraudWarned')}</Alert>}
        </Stack>
        {isOpen && (
          <>
            <Button size="md" loading={act.isPending} onClick={() => play('pay')}>
              {t('sandbox.pay', { amount: formatAmount(payment.amount, payment.currency, language) })}
            </Button>
            {rareActions.map(buttonOf)}
          </>
        )}
        {payment.status === 'succeeded' && laterActions.filter(([action]) => canPlay(action, payment)).map(buttonOf)}
        {payment.status === 'succeeded' && refundActions.map(buttonOf)}
        {refusalActions.map(buttonOf)}
        <Button component="a" href={payment.return_url} variant={isOpen ? 'subtle' : 'filled'}>
          {t('sandbox.back')}
        </Button>
      </Stack>
    </Surface>
  )
}
