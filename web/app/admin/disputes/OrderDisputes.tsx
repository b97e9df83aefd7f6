import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Dispute } from '@olmos/contract/disputes'
import { useState } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { walletCurrencies } from '../../money/currency.ts'
import { useMay } from '../../session/profile.ts'
import { Surface } from '../../ui/Surface.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { saveFile } from '../generated-codes/save-file.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { DisputeBadge } from './DisputeBadge.tsx'
import { type DisputeDecision, decideDispute, takeEvidence } from './disputes.queries.ts'
import { useDisputeReason } from './use-dispute-reason.ts'

/** What banks say against an order, how each of them stands, and what can be done. */
export function OrderDisputes({ disputes }: { disputes: readonly Dispute[] }) {
  const { t } = useTranslation()
  if (disputes.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="disputes" gap="sm">
      <Title order={2} size="h4" id="disputes">
        {t('admin.disputes.title')}
      </Title>
      {disputes.map((dispute) => (
        <OneDispute key={dispute.id} dispute={dispute} />
      ))}
    </Stack>
  )
}

function OneDispute({ dispute }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const reasonText = useDisputeReason()
  const [decision, setDecision] = useState<DisputeDecision>()
  const mayDecide = useMay()('payments.write')
  const evidence = useAdminAction({
    noun: 'orders',
    send: () => takeEvidence(dispute.id),
    done: t('admin.disputes.evidenceDone'),
    onDone: ({ data }) => saveFile(data.name, data.html, 'text/html;charset=utf-8'),
  })
  const flag = dispute.kind === 'dispute' ? dispute.status : dispute.status === 'open' ? 'fraud_warning' : 'closed'
  const isUndecided = dispute.kind === 'dispute' && (dispute.status === 'open' || dispute.status === 'inquiry')
  const currency = walletCurrencies.find((known) => known === dispute.currency)
  const decisions: DisputeDecision[] = [
    ...(isUndecided ? (['won', 'lost'] as const) : []),
    ...(dispute.kind === 'dispute' && dispute.status === 'lost' ? (['won'] as const) : []),
    ...(dispute.is_holding ? (['release'] as const) : []),
  ]
  return (
    <Surface p="md">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Text component="div" fw={700}>
              {currency ? (
                <Amount value={dispute.amount} currency={currency} />
              ) : (
                `${dispute.amount} ${dispute.currency}`
              )}
            </Text>
            <Text size="sm">{reasonText(dispute.reason)}</Text>
          </div>
          <DisputeBadge flag={flag} />
        </Group>
        {dispute.due_by && isUndecided && (
          <Text size="sm" fw={600}>
            {t('admin.disputes.dueBy')} <Moment at={dispute.due_by} />
          </Text>
        )}
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {dispute.kind === 'dispute' && <>{t(`admin.disputes.funds.${dispute.funds}`)} · </>}
          {dispute.provider} · {t('admin.disputes.reference', { reference: dispute.provider_dispute_id })} ·{' '}
          <Moment at={dispute.created_at} />
          {dispute.made_by && ` · ${t('admin.disputes.byHand', { nickname: dispute.made_by })}`}
          {dispute.released_by && ` · ${t('admin.disputes.released', { nickname: dispute.released_by })}`}
        </Text>
        {dispute.is_holding && <Alert color="yellow">{t('admin.disputes.holding')}</Alert>}
        <RefusalAlert text={evidence.refusal} />
        <Group gap="xs">
          <Allowed to="payments.write">
            <Button size="xs" variant="default" loading={evidence.isPending} onClick={() => evidence.mutate(undefined)}>
              {t('admin.disputes.evidence')}
            </Button>
          </Allowed>
          {mayDecide &&
            decisions.map((name) => (
              <Button key={name} size="xs" variant="default" onClick={() => setDecision(name)}>
                {t(
                  name === 'release' && dispute.kind === 'fraud_warning'
                    ? 'admin.disputes.clear'
                    : `admin.disputes.decide.${name}.label`,
                )}
              </Button>
            ))}
        </Group>
      </Stack>
      {decision && <DecideDispute dispute={dispute} decision={decision} onClose={() => setDecision(undefined)} />}
    </Surface>
  )
}

interface DecideDisputeProps {
  dispute: Dispute
  decision: DisputeDecision
  onClose(): void
}

/** Records how a dispute ended where the provider does not report it, or releases the buyer. */
function DecideDispute({ dispute, decision, onClose }: DecideDisputeProps) {
  const { t } = useTranslation()
  return (
    <ReasonDialog
      title={t(`admin.disputes.decide.${decision}.title`)}
      text={t(`admin.disputes.decide.${decision}.text`)}
      confirmLabel={t(`admin.disputes.decide.${decision}.label`)}
      {...(decision === 'lost' && { color: 'red' })}
      noun="orders"
      send={(reason) => decideDispute(dispute.id, decision, reason)}
      done={t(`admin.disputes.decide.${decision}.done`)}
      onClose={onClose}
    />
  )
}
