import { Button, Group, Stack, Text } from '@mantine/core'
import type { Approval, ApprovalDecision } from '@olmos/contract/approvals'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { decideApproval, useApproval } from './alerts.queries.ts'

/** For a refund or a change of a balance that was above a colleague's limit. */
export function DecideApproval({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation()
  const query = useApproval(id)
  return (
    <Dialog isOpen onClose={onClose} title={t('admin.staff.decideTitle')} closeLabel={t('admin.form.cancel')}>
      <Loaded query={query} height={120}>
        {(approval) => <Decide approval={approval} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function Decide({ approval, onClose }: { approval: Approval; onClose(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const yes = useDecision(approval, 'yes', onClose)
  const no = useDecision(approval, 'no', onClose)
  const { reason } = approval.body
  const facts = {
    name: approval.asked_by,
    amount: formatAmount(approval.amount, approval.currency, language),
    subject: approval.nickname ?? approval.subject.replace('order:', ''),
  }
  const isBalance = approval.call === 'setBalanceOfUser'
  return (
    <Stack>
      <Text>{t(isBalance ? 'admin.staff.decideBalance' : 'admin.staff.decideRefund', facts)}</Text>
      {typeof reason === 'string' && <Text>{t('admin.staff.decideReason', { reason })}</Text>}
      <RefusalAlert text={yes.refusal ?? no.refusal} />
      <Group justify="flex-end">
        <Button variant="default" loading={no.isPending} onClick={() => no.mutate(undefined)}>
          {t('admin.staff.decideNo')}
        </Button>
        <Button loading={yes.isPending} onClick={() => yes.mutate(undefined)}>
          {t('admin.staff.decideYes')}
        </Button>
      </Group>
    </Stack>
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
