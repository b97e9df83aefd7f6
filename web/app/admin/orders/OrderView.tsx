import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OrderBadge } from '../../features/orders/OrderBadge.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import { ChargedBack } from '../disputes/ChargedBack.tsx'
import { isTakenBack } from '../disputes/dispute-tones.ts'
import { OrderDisputes } from '../disputes/OrderDisputes.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { EndOrder } from './EndOrder.tsx'
import { OrderItem } from './OrderItem.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { type OrderDetail, useOrder } from './orders.queries.ts'
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

const mayBeCharged = ({ payment_method, status, disputes }: OrderDetail) =>
  payment_method === 'card' &&
  status !== 'awaiting_payment' &&
  status !== 'expired' &&
  !disputes.some((dispute) => dispute.kind === 'dispute' && isTakenBack(dispute.status))

function Order({ order }: { order: OrderDetail }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'refund' | 'end' | 'charge'>()
  const close = () => setDialog(undefined)
  const canRefund = order.items.some((item) => item.status === 'delivered')
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group gap="sm">
          <OrderBadge status={order.status} isDeclined={order.is_declined} />
          <Text fw={700} size="lg">
            <Amount value={order.total_amount} currency={order.currency} />
          </Text>
          <Text c="dimmed">{t(`admin.orders.methods.${order.payment_method}`)}</Text>
        </Group>
        <Text size="sm">
          <Anchor component={Link} to={`${paths.admin('users')}?user=${order.user_id}`} size="sm" underline="always">
            {order.nickname}
          </Anchor>
          {' · '}
          <Moment at={order.created_at} />
        </Text>
      </Stack>

      <Group gap="sm">
        {canRefund && (
          <Button variant="default" onClick={() => setDialog('refund')}>
            {t('admin.orders.refund')}
          </Button>
        )}
        {order.status === 'awaiting_payment' && (
          <Button variant="default" onClick={() => setDialog('end')}>
            {t('admin.orders.end')}
          </Button>
        )}
        {hasDeliveries(order) && (
          <Button variant="default" component={Link} to={`${paths.admin('deliveries')}?search=${order.id}`}>
            {t('admin.orders.deliveries')}
          </Button>
        )}
        {order.payment_method === 'card' && (
          <Button variant="default" component={Link} to={`${paths.admin('payments')}?search=${order.id}`}>
            {t('admin.orders.payments')}
          </Button>
        )}
        {mayBeCharged(order) && (
          <Button variant="default" onClick={() => setDialog('charge')}>
            {t('admin.disputes.charge')}
          </Button>
        )}
      </Group>

      <OrderDisputes disputes={order.disputes} />

      <Stack component="section" aria-label={t('admin.orders.items')} gap="sm">
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
          payment={{ orderId: order.id, amount: order.total_amount, currency: order.currency }}
          onClose={close}
        />
      )}
    </Stack>
  )
}
