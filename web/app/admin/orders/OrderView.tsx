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
import { useMay } from '../../session/profile.ts'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { WaitingDeliveries } from '../deliveries/WaitingDeliveries.tsx'
import { ChargedBack } from '../disputes/ChargedBack.tsx'
import { OrderDisputes } from '../disputes/OrderDisputes.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { CostLine } from '../profit/Earned.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { conversationPath } from '../support/support.queries.ts'
import { FillingRefunds } from './FillingRefunds.tsx'
import { OrderItem } from './OrderItem.tsx'
import classes from './OrderView.module.css'
import { whyNoCharge, whyNoEnd, whyNoRefund } from './order-actions.rules.ts'
import { endOrder, type OrderDetail, useOrder } from './orders.queries.ts'
import { RefundDialog } from './RefundDialog.tsx'

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

type OrderDialog = 'refund' | 'end' | 'charge'

function Order({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [dialog, setDialog] = useState<OrderDialog>()
  const close = () => setDialog(undefined)
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group gap="sm">
          <OrderBadge status={order.status} isDeclined={order.is_declined} />
          <Text component="div" fw={700} size="lg">
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

      <OrderActions order={order} onChoose={setDialog} />

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

/** A button for each thing that can be done with the whole order, or a sentence why it can't. */
function OrderActions({ order, onChoose }: { order: OrderDetail; onChoose(dialog: OrderDialog): void }) {
  const { t } = useTranslation()
  const noRefund = whyNoRefund(order)
  const noEnd = whyNoEnd(order)
  const noCharge = whyNoCharge(order)
  return (
    <Group gap="sm" className={classes.actions}>
      {/* What a filling of a balance refunds stands at its payment. */}
      {!order.filling && (
        <Allowed to="orders.refund">
          {noRefund ? (
            <Missing why={t(`admin.orders.noRefund.${noRefund}`)} />
          ) : (
            <Button variant="outline" color="red" onClick={() => onChoose('refund')}>
              {t('admin.orders.refund')}
            </Button>
          )}
        </Allowed>
      )}
      <Allowed to="orders.refund">
        {noEnd ? (
          <Missing why={t(`admin.orders.noEnd.${noEnd}`)} />
        ) : (
          <Button variant="outline" color="red" onClick={() => onChoose('end')}>
            {t('admin.orders.end')}
          </Button>
        )}
      </Allowed>
      <Allowed to="payments.write">
        {noCharge ? (
          <Missing why={t(`admin.orders.noCharge.${noCharge}`)} />
        ) : (
          <Button variant="default" onClick={() => onChoose('charge')}>
            {t('admin.disputes.charge')}
          </Button>
        )}
      </Allowed>
    </Group>
  )
}

/** Stands where a button would, and says why it is not there. */
const Missing = ({ why }: { why: string }) => (
  <Text size="sm" c="dimmed">
    {why}
  </Text>
)

/** Where more stands about an order. */
function Places({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  const may = useMay()
  const { id, payment_method, terms_version } = order
  const places = [
    hasDeliveries(order) && { text: t('admin.tabs.deliveries'), to: `${paths.admin('deliveries')}?search=${id}` },
    payment_method === 'card' && { text: t('admin.tabs.payments'), to: `${paths.admin('payments')}?search=${id}` },
    may('support.write') &&
      order.timeline.some(({ kind }) => kind === 'conversation') && {
        text: t('admin.users.talks'),
        to: `${paths.admin('support')}?search=${id}`,
      },
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
              <Moment at={event.at} /> · {event.actor ?? claimedActor(event) ?? t('admin.orders.byItself')}
            </Text>
            <Details event={event} />
          </Timeline.Item>
        ))}
      </Timeline>
    </section>
  )
}

/** What a visitor who opened a conversation called themselves. */
const claimedActor = ({ kind, details }: OrderEvent): string | undefined =>
  kind === 'conversation' ? String(details.nickname) : undefined

/** What the event carries, in short; of an admin's change what it became. */
function Details({ event }: { event: OrderEvent }) {
  const { t } = useTranslation()
  const may = useMay()
  const reasonText = useReasonText()
  const { kind, details } = event
  const { amount, currency, codes, provider, reason, became } = isRecord(details.after) ? details.after : details
  const { supplier, outcome, why, units, channel, notification, state, conversation } = details
  const isMoney = typeof amount === 'number' && isAmong(walletCurrencies, currency)
  // What was refunded stands at the refunds themselves, which come at the same moment.
  const parts = [
    isMoney && kind !== 'order.refund' && <Amount key="amount" value={amount} currency={currency} />,
    typeof codes === 'number' && t('admin.orders.codes', { count: codes }),
    details.place === 'link' && t('admin.orders.byLink'),
    provider,
    (typeof became === 'string' && t(`orders.status.${became}`, { defaultValue: '' })) || undefined,
    reason,
    supplier,
    typeof units === 'number' && units > 1 && t('admin.orders.units', { count: units }),
    typeof outcome === 'string' && t(`admin.orders.outcome.${outcome}`, { defaultValue: '' }),
    typeof why === 'string' && reasonText(why),
    typeof notification === 'string' && t(`admin.messages.topic.${notification}`, { defaultValue: '' }),
    typeof channel === 'string' && t(`admin.messages.channel.${channel}`, { defaultValue: '' }),
    kind === 'notified' && typeof state === 'string' && t(`admin.messages.states.${state}`, { defaultValue: '' }),
    typeof conversation === 'number' && may('support.write') && (
      <Anchor key="conversation" component={Link} to={conversationPath(conversation)} inherit underline="always">
        {t('admin.support.number', { id: conversation })}
      </Anchor>
    ),
  ].filter((part) => part !== undefined && part !== null && part !== false && part !== '')
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
