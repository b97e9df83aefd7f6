import { Text } from '@mantine/core'
import type { Delivery, DeliveryState } from '@olmos/contract/deliveries'
import { useState } from 'react'
import type { Tone } from '../../features/orders/order.rules.ts'
import { Ago } from '../../i18n/Ago.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { DayFilters } from '../list/DayFilters.tsx'
import { toOptions } from '../list/FilterSelect.tsx'
import { useSuppliers } from '../suppliers/suppliers.queries.ts'
import { DecideDelivery, DecisionButtons } from './DecideDelivery.tsx'
import { type DecisionName, useDeliveries } from './deliveries.queries.ts'
import { useReasonText } from './use-reason-text.ts'

const deliveryStateTones: Record<DeliveryState, Tone> = {
  queued: 'wait',
  sent: 'wait',
  done: 'good',
  rejected: 'bad',
  unknown: 'wait',
}

/** Top-ups on their way, and those that wait for an operator. */
export default function DeliveriesTab() {
  const { t } = useTranslation()
  const list = useDeliveries()
  const { data: suppliers = [] } = useSuppliers()
  const [wish, setWish] = useState<{ delivery: Delivery; decision: DecisionName }>()

  const deliveryColumns: Column<Delivery>[] = [
    { title: t('admin.deliveries.what'), isHead: true, cell: (delivery) => <What delivery={delivery} /> },
    { title: t('admin.deliveries.account'), cell: (delivery) => <Account delivery={delivery} /> },
    columns.order({ title: t('admin.orders.order'), isBare: true }, (delivery) => delivery.order_id),
    columns.when({ title: t('admin.deliveries.since'), sort: 'id', isBare: true }, (delivery) => delivery.created_at),
    columns.money({ title: t('admin.payments.amount'), isBare: true }, (delivery) => [
      delivery.amount,
      delivery.currency,
    ]),
    {
      title: t('admin.profit.cost'),
      align: 'right',
      cell: ({ cost, cost_currency }) => (cost === null ? '—' : `${cost} ${cost_currency}`),
    },
    { title: t('admin.orders.status'), isState: true, cell: (delivery) => <State delivery={delivery} /> },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={deliveryColumns}
        searchLabel={t('admin.deliveries.search')}
        empty={t('admin.deliveries.empty')}
        selects={[
          {
            name: 'state',
            label: t('admin.orders.status'),
            options: [
              { value: 'operator', label: t('admin.deliveries.waiting') },
              ...toOptions(deliveryStateTones, (state) => t(`admin.deliveries.state.${state}`)),
            ],
          },
          {
            name: 'delivered_by',
            label: t('admin.deliveries.by'),
            options: [
              ...suppliers.filter(({ name }) => name !== 'manual').map(({ name }) => ({ value: name, label: name })),
              { value: 'by_hand', label: t('admin.deliveries.byHand') },
            ],
          },
        ]}
        filters={<DayFilters view={list.view} />}
        actions={(delivery) =>
          delivery.operator_since && <DecisionButtons onChoose={(decision) => setWish({ delivery, decision })} />
        }
      />
      {wish && <DecideDelivery {...wish} onClose={() => setWish(undefined)} />}
    </>
  )
}

function What({ delivery }: { delivery: Delivery }) {
  return (
    <>
      {delivery.product_title}, {delivery.item}
      {delivery.quantity > 1 && (
        <Text span size="sm" c="dimmed">
          {' '}
          {delivery.unit}/{delivery.quantity}
        </Text>
      )}
    </>
  )
}

function Account({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <Text size="sm" translate="no">
        {delivery.account}
      </Text>
      <Text size="xs" c="dimmed" translate="no">
        {delivery.player_name ?? delivery.nickname}
      </Text>
    </>
  )
}

/** How far it is, who was asked, and what went wrong. */
function State({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const isWaiting = delivery.operator_since !== null
  return (
    <>
      <StatusBadge
        tone={isWaiting ? 'bad' : deliveryStateTones[delivery.state]}
        text={t(isWaiting ? 'admin.deliveries.waiting' : `admin.deliveries.state.${delivery.state}`)}
      />
      {(delivery.supplier || delivery.reason) && (
        <Text size="xs" c="dimmed">
          {[delivery.supplier, delivery.reason && reasonText(delivery.reason)].filter(Boolean).join(': ')}
        </Text>
      )}
      {delivery.next_at && (
        <Text size="xs" c="dimmed">
          {t('admin.deliveries.next')} <Ago at={delivery.next_at} />
        </Text>
      )}
    </>
  )
}
