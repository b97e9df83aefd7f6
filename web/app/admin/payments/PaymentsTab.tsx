import { Box, Button, Text } from '@mantine/core'
import type { ListedPayment } from '@olmos/contract/admin-payments'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ChargedBack } from '../disputes/ChargedBack.tsx'
import { DisputeBadge, DisputeFilter } from '../disputes/DisputeBadge.tsx'
import { isTakenBack } from '../disputes/dispute-tones.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { FilterSelect, toOptions } from '../list/FilterSelect.tsx'
import { ConfirmPayment } from './ConfirmPayment.tsx'
import { paymentTones } from './payment-tones.ts'
import { usePayments } from './payments.queries.ts'

export default function PaymentsTab() {
  const { t } = useTranslation()
  const list = usePayments()
  const [confirmed, setConfirmed] = useState<ListedPayment>()
  const [charged, setCharged] = useState<ListedPayment>()

  const paymentColumns: Column<ListedPayment>[] = [
    columns.order({ title: t('admin.orders.order'), isHead: true }, (payment) => payment.order_id),
    columns.when({ title: t('admin.payments.begun'), sort: 'id' }, (payment) => payment.created_at),
    { title: t('admin.orders.buyer'), cell: (payment) => payment.nickname },
    {
      title: t('admin.payments.provider'),
      cell: (payment) => (
        <>
          {payment.provider}
          <Text size="xs" c="dimmed" ff="monospace" translate="no">
            {payment.provider_payment_id}
          </Text>
        </>
      ),
    },
    columns.money({ title: t('admin.payments.amount'), sort: 'amount' }, (payment) => [
      payment.amount,
      payment.currency,
    ]),
    {
      title: t('admin.orders.status'),
      cell: (payment) => (
        <>
          <StatusBadge tone={paymentTones[payment.status]} text={t(`admin.payments.statuses.${payment.status}`)} />
          {payment.settled_to && (
            <Text size="xs" c="dimmed">
              {t(`admin.payments.settledTo.${payment.settled_to}`)}
            </Text>
          )}
          {payment.dispute && (
            <Box mt={4}>
              <Link to={`${paths.admin('orders')}?order=${payment.order_id}`}>
                <DisputeBadge flag={payment.dispute} />
              </Link>
            </Box>
          )}
        </>
      ),
    },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={paymentColumns}
        rowKey={({ id }) => id}
        searchLabel={t('admin.payments.search')}
        empty={t('admin.payments.empty')}
        filters={
          <>
            <FilterSelect
              view={list.view}
              name="status"
              label={t('admin.orders.status')}
              options={toOptions(paymentTones, (status) => t(`admin.payments.statuses.${status}`))}
            />
            <DisputeFilter view={list.view} />
          </>
        }
        actions={(payment) =>
          payment.status === 'succeeded' ? (
            payment.settled_to === 'order' &&
            !isTakenBack(payment.dispute) && (
              <Button size="xs" variant="default" onClick={() => setCharged(payment)}>
                {t('admin.disputes.charge')}
              </Button>
            )
          ) : (
            <Button size="xs" variant="default" onClick={() => setConfirmed(payment)}>
              {t('admin.payments.confirm')}
            </Button>
          )
        }
      />
      {charged && (
        <ChargedBack
          noun="payments"
          payment={{ orderId: charged.order_id, amount: charged.amount, currency: charged.currency }}
          onClose={() => setCharged(undefined)}
        />
      )}
      {confirmed && <ConfirmPayment payment={confirmed} onClose={() => setConfirmed(undefined)} />}
    </>
  )
}
