import { Anchor, Button, Group, Stack, Text, Timeline, Title } from '@mantine/core'
import type { OrderEvent } from '@olmos/contract/admin-orders'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { OrderBadge } from '../../features/orders/OrderBadge.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { walletCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'
import { WaitingDeliveries } from '../deliveries/WaitingDeliveries.tsx'
import { ChargedBack } from '../disputes/ChargedBack.tsx'
import { isTakenBack } from '../disputes/DisputeBadge.tsx'
import { OrderDisputes } from '../disputes/OrderDisputes.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { CostLine } from '../profit/Earned.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { FillingRefunds } from './FillingRefunds.tsx'
import { OrderItem } from './OrderItem.tsx'
import classes from './OrderView.module.css'
import { endOrder, type OrderDetail, useOrder } from './orders.queries.ts'
import { RefundDialog } from './RefundDialog.tsx'
import { isRefundable } from './refund-lines.rules.ts'

/** All about one order, and what can be done with it. */
export function OrderView({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <SideView title={t('orders.number', { id })} onClose={onClose}>
      <Loaded query={useOrder(id)} height={320}>
        {(order) => <Order order={order} />}
      </Loaded>
    </SideView>
  )
}

/** Top-ups, and codes that a supplier is yet to sell. */
const hasDeliveries = ({ items, status }: OrderDetail) =>
  items.some((item) => item.item_type === 'topup' || (status === 'pending' && item.status !== 'delivered'))

const mayBeCharged = ({ payment_method, status, disputes }: OrderDetail) =>
  payment_method === 'card' &&
  status !== 'awaiting_payment' &&
  status !== 'expired' &&
  !disputes.some((dispute) => dispute.kind === 'dispute' && isTakenBack(dispute.status))

function Order({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [dialog, setDialog] = useState<'refund' | 'end' | 'charge'>()
  const close = () => setDialog(undefined)
  const canRefund = order.items.some(isRefundable)
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group gap="sm">
          <OrderBadge status={order.status} isDeclined={order.is_declined} />
          <Text fw={700} size="lg">
            <Amount value={order.total_amount} currency={order.currency} />
          </Text>
          <Text c="dimmed">{t(`admin.orders.methods.${order.payment_method}`)}</Text>
          {order.coupon && (
            <Text c="dimmed">
              {t('receipt.coupon', {
                code: order.coupon.code,
                amount: formatAmount(order.coupon.discount, order.currency, language),
              })}
            </Text>
          )}
          {order.from_balance > 0 && (
            <Text c="dimmed">
              {t('receipt.fromBalance', { amount: formatAmount(order.from_balance, order.currency, language) })}
            </Text>
          )}
          {order.paid_by && order.paid_by.fee > 0 && (
            <Text c="dimmed">
              {t('checkout.feeOfMethod', { amount: formatAmount(order.paid_by.fee, order.currency, language) })}
              {order.paid_by.fee_refunded > 0 &&
                ` · ${t('receipt.feeRefunded', { amount: formatAmount(order.paid_by.fee_refunded, order.currency, language) })}`}
            </Text>
          )}
        </Group>
        <Text size="sm">
          <Anchor component={Link} to={`${paths.admin('users')}?user=${order.user_id}`} size="sm" underline="always">
            {order.nickname}
          </Anchor>
          {' · '}
          <Moment at={order.created_at} />
        </Text>
        {order.profit && <CostLine profit={order.profit} currency={order.currency} />}
        {order.receipt_email && <Text size="sm">{t('admin.fiscal.receiptEmail', { email: order.receipt_email })}</Text>}
        <Places order={order} />
      </Stack>

      <Group gap="sm" className={classes.actions}>
        {canRefund && (
          <Allowed to="orders.refund">
            <Button variant="outline" color="red" onClick={() => setDialog('refund')}>
              {t('admin.orders.refund')}
            </Button>
          </Allowed>
        )}
        {order.status === 'awaiting_payment' && (
          <Allowed to="orders.refund">
            <Button variant="outline" color="red" onClick={() => setDialog('end')}>
              {t('admin.orders.end')}
            </Button>
          </Allowed>
        )}
        {mayBeCharged(order) && (
          <Allowed to="payments.write">
            <Button variant="default" onClick={() => setDialog('charge')}>
              {t('admin.disputes.charge')}
            </Button>
          </Allowed>
        )}
      </Group>

      {hasDeliveries(order) && <WaitingDeliveries orderId={order.id} />}

      <OrderDisputes disputes={order.disputes} />

      <Stack component="section" aria-label={t('admin.orders.items')} gap="sm">
        {order.filling && <FillingRefunds filling={order.filling} />}
        {order.items.map((item) => (
          <OrderItem key={item.id} order={order} item={item} />
        ))}
      </Stack>

      <OrderTimeline order={order} />
      {dialog === 'refund' && <RefundDialog order={order} onClose={close} />}
      {dialog === 'end' && <EndOrder order={order} onClose={close} />}
      {dialog === 'charge' && (
        <ChargedBack
          noun="orders"
          payment={{
            orderId: order.id,
            amount: toMajor(
              toMinor(order.total_amount) - toMinor(order.from_balance) + toMinor(order.paid_by?.fee ?? 0),
            ),
            currency: order.currency,
          }}
          onClose={close}
        />
      )}
    </Stack>
  )
}

/** Where more stands about an order. */
function Places({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  const { id, payment_method, terms_version } = order
  const places = [
    hasDeliveries(order) && { text: t('admin.tabs.deliveries'), to: `${paths.admin('deliveries')}?search=${id}` },
    payment_method === 'card' && { text: t('admin.tabs.payments'), to: `${paths.admin('payments')}?search=${id}` },
    terms_version !== null && {
      text: `${t('pages.terms')}: ${t('admin.pages.version', { number: terms_version })}`,
      to: `${paths.admin('pages')}?page=terms&version=${terms_version}`,
    },
  ].filter((place) => place !== false)
  if (places.length === 0) return null
  return (
    <Group gap="md">
      {places.map(({ text, to }) => (
        <Anchor key={to} component={Link} to={to} size="sm" underline="always">
          {text}
        </Anchor>
      ))}
    </Group>
  )
}

/** Ends an order that nobody pays, so that its codes are on the shelf again before its time is over. */
function EndOrder({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ReasonDialog
      title={t('admin.orders.endTitle')}
      text={t('admin.orders.endText')}
      confirmLabel={t('admin.orders.end')}
      color="red"
      noun="orders"
      send={(reason) => endOrder(order.id, reason)}
      done={t('admin.orders.ended')}
      onClose={onClose}
    />
  )
}

/** Who did what with the order, and when. */
function OrderTimeline({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="timeline">
      <Title order={2} size="h4" mb="md" id="timeline">
        {t('admin.orders.timeline')}
      </Title>
      <Timeline bulletSize={14} lineWidth={2} active={order.timeline.length}>
        {order.timeline.map((event, index) => (
          <Timeline.Item key={index} title={t(`admin.orders.event.${event.kind}`, { defaultValue: '' }) || event.kind}>
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

/** What the event carries, in short; of an admin's change what it became. */
function Details({ event: { kind, details } }: { event: OrderEvent }) {
  const { t } = useTranslation()
  const { amount, currency, codes, provider, reason, became } = isRecord(details.after) ? details.after : details
  const isMoney = typeof amount === 'number' && isAmong(walletCurrencies, currency)
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
