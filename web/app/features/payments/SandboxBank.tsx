import { Alert, Button, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { SandboxAction, SandboxPayment } from '@olmos/contract/payments'
import type { ReactNode } from 'react'
import { failureText } from '../../api/failure-text.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { useSandboxAct } from './sandbox.queries.ts'

type Act = Exclude<SandboxAction, 'pay'>

const rareActions: readonly Act[] = ['decline', 'delay', 'pay_twice', 'pay_late']

/** What the bank may still do with a payment that went through. */
const laterActions: readonly Act[] = ['dispute', 'win_dispute', 'lose_dispute', 'fraud_warning']

function canPlay(action: Act, { dispute, is_fraud_warned }: SandboxPayment): boolean {
  if (action === 'fraud_warning') return !is_fraud_warned
  return action === 'dispute' ? dispute === null : dispute === 'open'
}

/** What the bank may do with the refunds of a payment. */
const refundActions: readonly Act[] = [
  'refund_outside',
  'refund_outside_part',
  'refund_outside_pending',
  'refunds_pend',
  'refunds_succeed',
  'refunds_fail',
  'refund_lose_answer',
]

const refusalActions: readonly Act[] = ['refuse_all', 'refuse_parameter', 'refuse_nothing']

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
        else if (!rareActions.some((rare) => rare === action)) toastSuccess(t('sandbox.played'))
      },
      onError: (error) => toastError(failureText(t, error)),
    })

  const toButton = (action: Act) => (
    <Button key={action} variant="default" size="sm" fullWidth disabled={act.isPending} onClick={() => play(action)}>
      {t(`sandbox.act.${action}`)}
    </Button>
  )

  return (
    <Surface p="lg" h="100%">
      <Stack>
        <div>
          <Text c="dimmed">{payment.description}</Text>
          <Text fw={700} fz={32}>
            <Amount value={payment.amount} currency={payment.currency} />
          </Text>
        </div>
        <Stack role="status" gap="xs">
          {payment.status !== 'pending' && <Alert>{t(`sandbox.statuses.${payment.status}`)}</Alert>}
          {payment.dispute && <Alert color="yellow">{t(`sandbox.disputeIs.${payment.dispute}`)}</Alert>}
          {payment.is_fraud_warned && <Alert color="yellow">{t('sandbox.fraudWarned')}</Alert>}
        </Stack>
        {isOpen && (
          <Button size="md" loading={act.isPending} onClick={() => play('pay')}>
            {t('sandbox.pay', { amount: formatAmount(payment.amount, payment.currency, language) })}
          </Button>
        )}
        <Button component="a" href={payment.return_url} variant={isOpen ? 'default' : 'filled'}>
          {t('sandbox.back')}
        </Button>
        {isOpen && <Acts title={t('sandbox.instead')}>{rareActions.map(toButton)}</Acts>}
        {payment.status === 'succeeded' && (
          <Acts title={t('sandbox.later')}>
            {laterActions.filter((action) => canPlay(action, payment)).map(toButton)}
            {refundActions.map(toButton)}
          </Acts>
        )}
        <Acts title={t('sandbox.refusals')}>{refusalActions.map(toButton)}</Acts>
      </Stack>
    </Surface>
  )
}

const Acts = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={6}>
      {children}
    </SimpleGrid>
  </section>
)
