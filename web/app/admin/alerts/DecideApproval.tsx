import { Button, Group, Stack, Text } from '@mantine/core'
import type { Approval, ApprovalDecision, ApprovedCall } from '@olmos/contract/approvals'
import { isConflict } from '../../api/api-error.ts'
import { formatMoment } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { useMay } from '../../session/profile.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { decideApproval, useApproval, withdrawApproval } from './alerts.queries.ts'

/**
 * What would give away more than a colleague's limit, such as a refund or a change of a balance: decided by who may,
 * withdrawn by who asked, and only looked at by others and when it is over.
 */
export function DecideApproval({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation()
  const query = useApproval(id)
  return (
    <Dialog isOpen onClose={onClose} title={t('admin.staff.decideTitle')} closeLabel={t('admin.form.cancel')}>
      <Loaded query={query} height={120}>
        {(approval) => <Asked approval={approval} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

const wishes = {
  refundOrder: 'admin.staff.decideRefund',
  setOrderStatus: 'admin.staff.decideRefund',
  refundFilling: 'admin.staff.decideRefund',
  refundDelivery: 'admin.staff.decideDelivery',
  setBalanceOfUser: 'admin.staff.decideBalance',
  topUpOwnBalance: 'admin.staff.decideBalance',
  confirmPayment: 'admin.staff.decideConfirm',
  decideCardRefund: 'admin.staff.decideStuck',
  replaceCodeOfOrder: 'admin.staff.decideReplace',
} as const satisfies Record<ApprovedCall, string>

/** Those whose reference is the payment's or the refund's number at its provider. */
const ofProvider: readonly ApprovedCall[] = ['confirmPayment', 'decideCardRefund']

interface AskedProps {
  approval: Approval
  onClose(): void
}

function Asked({ approval, onClose }: AskedProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const mayDecide = useMay()('approvals.write')
  const { reason, reference } = approval.body
  const facts = {
    name: approval.asked_by,
    amount: formatAmount(approval.amount, approval.currency, language),
    subject: approval.nickname ?? approval.subject.replace(/^\w+:/, ''),
  }
  return (
    <Stack>
      <Text>{t(wishes[approval.call], facts)}</Text>
      {approval.call === 'setBalanceOfUser' && <WantedBalance approval={approval} />}
      {ofProvider.includes(approval.call) && typeof reference === 'string' && reference !== '' && (
        <Text>{t('admin.staff.decideReference', { reference })}</Text>
      )}
      {typeof reason === 'string' && <Text>{t('admin.staff.decideReason', { reason })}</Text>}
      <Text c="dimmed">
        {approval.decision
          ? t(`admin.staff.outcome.${approval.decision}`, {
              name: approval.decided_by ?? '',
              at: formatMoment(approval.decided_at ?? approval.expires_at, language),
            })
          : t('admin.staff.answerUntil', { at: formatMoment(approval.expires_at, language) })}
      </Text>
      {!approval.decision && approval.is_own && <Withdraw approval={approval} onClose={onClose} />}
      {!approval.decision && !approval.is_own && mayDecide && <Decide approval={approval} onClose={onClose} />}
    </Stack>
  )
}

/** From what to what: the sum alone does not say whether it is given or taken. */
function WantedBalance({ approval: { body, currency } }: { approval: Approval }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const field = currency === 'USD' ? 'balanceUsd' : 'balanceRub'
  const wanted = body[field]
  const seen = (body.seen as Record<string, unknown> | undefined)?.[field]
  if (typeof wanted !== 'number' || typeof seen !== 'number') return null
  const show = (amount: number) => formatAmount(amount, currency, language)
  return <Text>{t('admin.staff.decideFromTo', { from: show(seen), to: show(wanted) })}</Text>
}

function Withdraw({ approval, onClose }: AskedProps) {
  const { t } = useTranslation()
  const withdrawal = useAdminAction({
    noun: 'alerts',
    send: () => withdrawApproval(String(approval.id)),
    done: t('admin.staff.withdrawn'),
    onDone: onClose,
  })
  return (
    <>
      <RefusalAlert text={withdrawal.refusal} />
      <Group justify="flex-end">
        <Button variant="default" loading={withdrawal.isPending} onClick={() => withdrawal.mutate(undefined)}>
          {t('admin.staff.withdraw')}
        </Button>
      </Group>
    </>
  )
}

function Decide({ approval, onClose }: AskedProps) {
  const { t } = useTranslation()
  const yes = useDecision(approval, 'yes', onClose)
  const no = useDecision(approval, 'no', onClose)
  return (
    <>
      <RefusalAlert
        text={isConflict(yes.error, 'changed_meanwhile') ? t('admin.staff.decideChanged') : (yes.refusal ?? no.refusal)}
      />
      <Group justify="flex-end">
        <Button variant="default" loading={no.isPending} onClick={() => no.mutate(undefined)}>
          {t('admin.staff.decideNo')}
        </Button>
        <Button loading={yes.isPending} onClick={() => yes.mutate(undefined)}>
          {t('admin.staff.decideYes')}
        </Button>
      </Group>
    </>
  )
}

function useDecision({ id }: Approval, decision: ApprovalDecision, onDone: () => void) {
  const { t } = useTranslation()
  return useAdminAction({
    noun: 'alerts',
    send: () => decideApproval(String(id), decision),
    done: t(decision === 'yes' ? 'admin.staff.decidedYes' : 'admin.staff.decidedNo'),
    onDone,
  })
}
