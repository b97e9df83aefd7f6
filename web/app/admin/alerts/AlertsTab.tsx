import { Anchor, Button, Flex, Stack, Text } from '@mantine/core'
import type { Alert, AlertState } from '@olmos/contract/alerts'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Tone } from '../../features/orders/order.rules.ts'
import { Ago } from '../../i18n/Ago.tsx'
import { formatMoment } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { readChargeCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { useMay } from '../../session/profile.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { useDisputeReason } from '../disputes/use-dispute-reason.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { toOptions } from '../list/FilterSelect.tsx'
import { toPlace } from './alert-places.ts'
import { toApproval, toRefund, useAlertAnswer, useAlerts } from './alerts.queries.ts'
import { DecideApproval } from './DecideApproval.tsx'
import { DecideRefund } from './DecideRefund.tsx'

const alertTones: Record<AlertState, Tone> = { open: 'bad', acknowledged: 'wait', resolved: 'good' }

/** What went wrong and waits for an operator. */
export default function AlertsTab() {
  const { t } = useTranslation()
  const list = useAlerts()
  const alertColumns: Column<Alert>[] = [
    { title: t('admin.alerts.what'), isHead: true, cell: (alert) => <What alert={alert} /> },
    columns.when({ title: t('admin.audit.when'), sort: 'id', isBare: true }, (alert) => alert.created_at),
    { title: t('admin.alerts.where'), cell: (alert) => <Where alert={alert} /> },
    { title: t('admin.alerts.state'), isState: true, cell: (alert) => <State alert={alert} /> },
  ]
  return (
    <AdminTable
      list={list}
      columns={alertColumns}
      searchLabel={t('admin.alerts.search')}
      empty={t('admin.alerts.empty')}
      selects={[
        {
          name: 'state',
          label: t('admin.alerts.state'),
          options: toOptions(alertTones, (state) => t(`admin.alerts.states.${state}`)),
        },
        {
          name: 'waits',
          label: t('admin.alerts.waits.label'),
          options: [
            { value: 'here', label: t('admin.alerts.waits.here') },
            { value: 'elsewhere', label: t('admin.alerts.waits.elsewhere') },
          ],
        },
      ]}
      actions={(alert) => <Answers alert={alert} />}
    />
  )
}

const useTitle = ({ kind }: Alert): string => {
  const { t } = useTranslation()
  return t(`admin.alerts.kind.${kind}`, { defaultValue: '' }) || kind
}

function What({ alert }: { alert: Alert }) {
  const { t } = useTranslation()
  const rule = t(`admin.ledger.rule.${alert.subject}`, { defaultValue: '' })
  return (
    <Stack gap={2}>
      <Text fw={600}>{useTitle(alert)}</Text>
      {rule && <Text size="sm">{rule}</Text>}
      <AlertFacts subject={alert.subject} details={alert.details} />
    </Stack>
  )
}

/** The way to what it is about. */
function Where({ alert }: { alert: Alert }) {
  const { t } = useTranslation()
  const place = toPlace(alert)
  if (!place) return '—'
  return (
    <Anchor component={Link} to={place.to} size="sm">
      {t(`admin.tabs.${place.tab}`)}
    </Anchor>
  )
}

function State({ alert }: { alert: Alert }) {
  const { t } = useTranslation()
  const at = alert.resolved_at ?? alert.acknowledged_at
  const by = alert.resolved_at ? (alert.resolved_by ?? t('admin.orders.byItself')) : alert.acknowledged_by
  return (
    <>
      <StatusBadge tone={alertTones[alert.state]} text={t(`admin.alerts.states.${alert.state}`)} />
      {at && (
        <Text size="xs" c="dimmed">
          {by}, <Ago at={at} />
        </Text>
      )}
    </>
  )
}

function Answers({ alert }: { alert: Alert }) {
  const { t } = useTranslation()
  const answer = useAlertAnswer()
  const [isAsked, setAsked] = useState(false)
  const may = useMay()
  const refundId = may('orders.refund') ? toRefund(alert) : undefined
  const approvalId = toApproval(alert)
  const isOver = alert.state === 'resolved'
  const mayDecide = refundId !== undefined || (may('approvals.write') && alert.kind === 'approval.waiting')
  const isDecided = mayDecide && !isOver
  const name = `${useTitle(alert)} ${alert.subject}`
  return (
    // Three buttons beside each other would need more than a table has at 1440 px.
    <Flex direction={{ base: 'row', md: 'column' }} wrap="wrap" align="stretch" gap={4} miw={{ md: 'max-content' }}>
      {((refundId && !isOver) || approvalId) && (
        <Button
          size="xs"
          variant={isDecided ? 'filled' : 'default'}
          aria-label={t(isDecided ? 'admin.alerts.decideOf' : 'admin.alerts.lookOf', { name })}
          onClick={() => setAsked(true)}
        >
          {t(isDecided ? 'admin.alerts.decide' : 'admin.alerts.look')}
        </Button>
      )}
      {approvalId && isAsked && <DecideApproval id={approvalId} onClose={() => setAsked(false)} />}
      {refundId && isAsked && <DecideRefund alert={alert} refundId={refundId} onClose={() => setAsked(false)} />}
      {alert.state === 'open' && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('admin.alerts.acknowledgeOf', { name })}
          onClick={() => answer.mutate({ row: alert, change: 'acknowledged' })}
        >
          {t('admin.alerts.acknowledge')}
        </Button>
      )}
      {!isOver && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('admin.alerts.resolveOf', { name })}
          onClick={() => answer.mutate({ row: alert, change: 'resolved' })}
        >
          {t('admin.alerts.resolve')}
        </Button>
      )}
    </Flex>
  )
}

type Facts = Record<string, unknown>

/** Lists the details of an alert: order, supplier, amounts, the reason. Details without a text keep their names. */
function AlertFacts({ subject, details: { sentence: _, amount, currency, ...details } }: AlertFactsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const reasonText = useReasonText()
  const disputeReason = useDisputeReason()
  const money = (of: Facts): string | undefined => {
    const currency = readChargeCurrency(of.currency)
    return typeof of.amount === 'number' && currency ? formatAmount(of.amount / 100, currency, language) : undefined
  }
  const shown = (value: unknown): string => {
    if (Array.isArray(value)) return value.join(', ')
    if (typeof value === 'object' && value !== null) return money(value as Facts) ?? JSON.stringify(value)
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))) return formatMoment(String(value), language)
    // Rates come with all their decimals.
    return /^\d+\.\d+$/.test(String(value)) ? String(Number(value)) : disputeReason(reasonText(String(value)))
  }
  const sourceText = (name: string) => t(`admin.rates.origin.${name}`, { defaultValue: name })
  const toName = (fact: string) => t(`admin.alerts.fact.${fact}`, { defaultValue: '' }) || fact
  const toText = (fact: string, value: unknown) => (fact === 'source' ? sourceText(String(value)) : shown(value))
  const total = money({ amount, currency }) ?? amount
  const facts = { ...details, ...(total !== undefined && { amount: total }) }
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {[
        sourceText(subject),
        ...Object.entries(facts).map(([fact, value]) => `${toName(fact)}: ${toText(fact, value)}`),
      ].join(' · ')}
    </Text>
  )
}

interface AlertFactsProps {
  subject: string
  details: Facts
}
