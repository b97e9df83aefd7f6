import { Text, Timeline, Title } from '@mantine/core'
import type { OrderEvent } from '@olmos/contract/admin-orders'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { Amount } from '../../money/Amount.tsx'
import { shownCurrencies } from '../../money/currency.ts'
import type { OrderDetail } from './orders.queries.ts'

/** Who did what with the order, and when. */
export function OrderTimeline({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="timeline">
      <Title order={2} size="h4" mb="md" id="timeline">
        {t('admin.orders.timeline')}
      </Title>
      <Timeline bulletSize={14} lineWidth={2} active={order.timeline.length}>
        {order.timeline.map((event, index) => (
          <Timeline.Item key={index} title={<What event={event} />}>
            <Text size="sm" c="dimmed">
              <Moment at={event.at} /> · {event.actor ?? t('admin.orders.byItself')}
            </Text>
            <Details event={event} />
          </Timeline.Item>
        ))}
      </Timeline>
    </section>
  )
}

function What({ event }: { event: OrderEvent }) {
  const { t } = useTranslation()
  return t(`admin.orders.event.${event.kind}`, { defaultValue: '' }) || event.kind
}

/** What the event carries, in short; of an admin's change what it became. */
function Details({ event: { kind, details } }: { event: OrderEvent }) {
  const { t } = useTranslation()
  const { amount, currency, codes, provider, reason, became } = isRecord(details.after) ? details.after : details
  const isMoney = typeof amount === 'number' && isAmong(shownCurrencies, currency)
  // What was refunded stands at the refunds themselves, which come at the same moment.
  const parts = [
    isMoney && kind !== 'order.refund' && <Amount key="amount" value={amount} currency={currency} />,
    typeof codes === 'number' && t('admin.orders.codes', { count: codes }),
    provider,
    (typeof became === 'string' && t(`orders.status.${became}`, { defaultValue: '' })) || undefined,
    reason,
  ].filter((part) => part !== undefined && part !== null && part !== false)
  if (parts.length === 0) return null
  return (
    <Text size="sm">
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {part as ReactNode}
        </Fragment>
      ))}
    </Text>
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isAmong = <T,>(all: readonly T[], value: unknown): value is T => all.some((one) => one === value)
