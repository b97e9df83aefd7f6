import { Box, Button, Text, TextInput } from '@mantine/core'
import type { adminPaymentsApi, ListedPayment } from '@olmos/contract/admin-payments'
import type { OrderPurpose, PaymentStatus } from '@olmos/contract/orders'
import { useState } from 'react'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import type { Tone } from '../../features/orders/order.rules.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ChargedBack } from '../disputes/ChargedBack.tsx'
import { DisputeBadge, isTakenBack, useDisputeSelect } from '../disputes/DisputeBadge.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { toOptions } from '../list/FilterSelect.tsx'
import { FilterText } from '../list/FilterText.tsx'
import { MoreFilters } from '../list/MoreFilters.tsx'
import { useAdminList } from '../list/use-admin-list.ts'
import { type ListView, toView, useTabAddress } from '../list/use-list-view.ts'
import { ViewSwitch } from '../list/ViewSwitch.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { Reconciliation } from './Reconciliation.tsx'
import { paymentView } from './reconciliation.queries.ts'

const paymentTones: Record<PaymentStatus, Tone> = {
  opening: 'wait',
  open: 'wait',
  succeeded: 'good',
  canceled: 'bad',
}

const load = caller<typeof adminPaymentsApi.list>('GET /admin/payments')
const confirm = caller<typeof adminPaymentsApi.confirm>('POST /admin/payments/:id/confirm')

const confirmPayment = (payment: ListedPayment, body: { reason: string; reference?: string }) =>
  confirm({ params: { id: String(payment.id) }, body }, { once: `confirm:${payment.id}` })

/** The payments by card, or how each day of them compares with what the providers have, as the address says. */
export default function PaymentsTab() {
  const { t } = useTranslation()
  const address = useTabAddress()
  const { param, reconciliation } = paymentView
  const [view, show] = toView(address, param, ['payments', reconciliation])
  return (
    <>
      <ViewSwitch
        mb="md"
        shown={view}
        onShow={show}
        options={[
          { value: 'payments', label: t('admin.reconciliation.payments') },
          { value: reconciliation, label: t('admin.reconciliation.title') },
        ]}
      />
      {view === reconciliation ? <Reconciliation address={address} /> : <PaymentList />}
    </>
  )
}

const rarerFilters = ['provider', 'method', 'canceled_why', 'disputed_from', 'disputed_to', 'dispute_reason']
const filterNames = ['status', 'purpose', 'from', 'to', 'dispute', ...rarerFilters]

/** Narrows payments by the days of their orders, the method, and why they failed or are disputed. */
function PaymentFilters({ view }: { view: ListView }) {
  const { t } = useTranslation()
  return (
    <>
      <FilterText view={view} name="from" type="date" label={t('admin.payments.ordersFrom')} />
      <FilterText view={view} name="to" type="date" label={t('admin.payments.ordersTo')} />
      <MoreFilters view={view} names={rarerFilters}>
        <FilterText view={view} name="provider" label={t('admin.payments.provider')} maxLength={32} />
        <FilterText view={view} name="method" label={t('admin.orderFilters.paidBy')} maxLength={64} />
        <FilterText view={view} name="canceled_why" label={t('admin.dashboard.whyFailed')} maxLength={500} />
        <FilterText view={view} name="disputed_from" type="date" label={t('admin.payments.disputedFrom')} />
        <FilterText view={view} name="disputed_to" type="date" label={t('admin.payments.disputedTo')} />
        <FilterText view={view} name="dispute_reason" label={t('admin.payments.disputeReason')} maxLength={500} />
      </MoreFilters>
    </>
  )
}

const orderPurposes = ['goods', 'balance'] as const satisfies readonly OrderPurpose[]

function PaymentList() {
  const { t } = useTranslation()
  const list = useAdminList<ListedPayment>({ noun: 'payments', load, filters: filterNames })
  const [confirmed, setConfirmed] = useState<ListedPayment>()
  const [charged, setCharged] = useState<ListedPayment>()

  const paymentColumns: Column<ListedPayment>[] = [
    columns.order({ title: t('admin.orders.order'), isHead: true }, (payment) => payment.order_id),
    columns.when({ title: t('admin.payments.begun'), sort: 'id', isBare: true }, (payment) => payment.created_at),
    { title: t('admin.orders.buyer'), isBare: true, cell: (payment) => payment.nickname },
    columns.withId({ title: t('admin.payments.provider'), isWide: true }, (payment) => [
      payment.provider,
      payment.provider_payment_id,
    ]),
    columns.money({ title: t('admin.payments.amount'), sort: 'amount', isBare: true }, (payment) => [
      payment.amount,
      payment.currency,
    ]),
    {
      title: t('admin.payments.charged'),
      cell: ({ charge_amount, charge_currency, charge_rate, fee_amount, currency }) => (
        <>
          {charge_rate !== null && (
            <>
              <Amount value={charge_amount} currency={charge_currency} />
              <Text size="xs" c="dimmed">
                {t('admin.payments.atRate', { rate: Number(charge_rate) })}
              </Text>
            </>
          )}
          {fee_amount > 0 && (
            <Text size="xs" c="dimmed">
              {t('admin.payments.withFee')} <Amount value={fee_amount} currency={currency} />
            </Text>
          )}
        </>
      ),
    },
    {
      title: t('admin.orders.status'),
      isState: true,
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
        searchLabel={t('admin.payments.search')}
        empty={t('admin.payments.empty')}
        selects={[
          {
            name: 'status',
            label: t('admin.orders.status'),
            options: toOptions(paymentTones, (status) => t(`admin.payments.statuses.${status}`)),
          },
          useDisputeSelect(),
          {
            name: 'purpose',
            label: t('admin.fillings.purpose'),
            options: orderPurposes.map((purpose) => ({
              value: purpose,
              label: t(`admin.fillings.purposes.${purpose}`),
            })),
          },
        ]}
        filters={<PaymentFilters view={list.view} />}
        actions={(payment) =>
          payment.status === 'succeeded' ? (
            payment.settled_to === 'order' &&
            !isTakenBack(payment.dispute) && (
              <Allowed to="payments.write">
                <Button size="xs" variant="default" onClick={() => setCharged(payment)}>
                  {t('admin.disputes.charge')}
                </Button>
              </Allowed>
            )
          ) : (
            <Allowed to="payments.write">
              <Button size="xs" variant="default" onClick={() => setConfirmed(payment)}>
                {t('admin.payments.confirm')}
              </Button>
            </Allowed>
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

/** Confirms a payment that was seen at the provider while its webhook never came. */
function ConfirmPayment({ payment, onClose }: { payment: ListedPayment; onClose(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [reference, setReference] = useState('')
  const isNamed = payment.provider_payment_id !== null
  const amount = formatAmount(payment.charge_amount, payment.charge_currency, language)
  return (
    <ReasonDialog
      title={t('admin.payments.confirmTitle')}
      text={t('admin.payments.confirmText', { amount, provider: payment.provider, order: payment.order_id })}
      confirmLabel={t('admin.payments.confirm')}
      isIncomplete={!isNamed && reference.trim() === ''}
      noun="payments"
      send={(reason) => confirmPayment(payment, { reason, ...(!isNamed && { reference: reference.trim() }) })}
      done={t('admin.payments.confirmed')}
      onClose={onClose}
    >
      {!isNamed && (
        <TextInput
          label={t('admin.payments.reference')}
          description={t('admin.payments.referenceHint')}
          required
          maxLength={200}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  )
}
