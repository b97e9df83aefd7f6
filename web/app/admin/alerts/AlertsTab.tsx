import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { Alert } from '@olmos/contract/alerts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { FilterSelect, toOptions } from '../list/FilterSelect.tsx'
import { AlertFacts } from './AlertFacts.tsx'
import { alertTones, toPlace } from './alert-places.ts'
import { toRefund, useAlertAnswer, useAlerts } from './alerts.queries.ts'
import { DecideRefund } from './DecideRefund.tsx'

/** What went wrong and waits for an operator. */
export default function AlertsTab() {
  const { t } = useTranslation()
  const list = useAlerts()
  const alertColumns: Column<Alert>[] = [
    { title: t('admin.alerts.what'), isHead: true, cell: (alert) => <What alert={alert} /> },
    columns.when({ title: t('admin.alerts.since'), sort: 'id' }, (alert) => alert.created_at),
    { title: t('admin.alerts.where'), cell: (alert) => <Where alert={alert} /> },
    { title: t('admin.alerts.state'), cell: (alert) => <State alert={alert} /> },
  ]
  return (
    <AdminTable
      list={list}
      columns={alertColumns}
      rowKey={({ id }) => id}
      searchLabel={t('admin.alerts.search')}
      empty={t('admin.alerts.empty')}
      filters={
        <FilterSelect
          view={list.view}
          name="state"
          label={t('admin.alerts.state')}
          options={toOptions(alertTones, (state) => t(`admin.alerts.states.${state}`))}
        />
      }
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
  const by = alert.resolved_at ? (alert.resolved_by ?? t('admin.alerts.byItself')) : alert.acknowledged_by
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
  const refundId = toRefund(alert)
  const name = `${useTitle(alert)} ${alert.subject}`
  if (alert.state === 'resolved') return null
  return (
    <>
      {refundId && (
        <Button size="xs" aria-label={t('admin.alerts.decideOf', { name })} onClick={() => setAsked(true)}>
          {t('admin.alerts.decide')}
        </Button>
      )}
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
      <Button
        size="xs"
        variant="default"
        aria-label={t('admin.alerts.resolveOf', { name })}
        onClick={() => answer.mutate({ row: alert, change: 'resolved' })}
      >
        {t('admin.alerts.resolve')}
      </Button>
    </>
  )
}
