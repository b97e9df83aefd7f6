import { Anchor, Group, Text } from '@mantine/core'
import type { OrderRow } from '@olmos/contract/admin-orders'
import type { OrderPurpose, PaymentMethod } from '@olmos/contract/orders'
import { OrderBadge } from '../../features/orders/OrderBadge.tsx'
import { orderTones } from '../../features/orders/order.rules.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { OfferName } from '../../money/OfferName.tsx'
import { DisputeBadge, useDisputeSelect } from '../disputes/DisputeBadge.tsx'
import { ExportButtons } from '../exports/ExportButtons.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { type ListSelect, toOptions } from '../list/FilterSelect.tsx'
import { useChosen } from '../list/use-list-view.ts'
import { Margin } from '../profit/Earned.tsx'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderView } from './OrderView.tsx'
import { OrderViews } from './OrderViews.tsx'
import { toFilters, useOrderList } from './orders.queries.ts'

export default function OrdersTab() {
  const { t } = useTranslation()
  const list = useOrderList()
  const [chosen, choose] = useChosen(list.view, 'order')

  const orderColumns: Column<OrderRow>[] = [
    {
      title: t('admin.orders.order'),
      isBare: true,
      cell: (order) => (
        <Anchor component="button" ff="monospace" fw={600} onClick={() => choose(order.id)}>
          {order.id}
        </Anchor>
      ),
    },
    columns.when({ title: t('admin.orders.created'), sort: 'created_at', isBare: true }, (order) => order.created_at),
    { title: t('admin.orders.buyer'), isSecondary: true, cell: (order) => order.nickname },
    { title: t('admin.orders.items'), isHead: true, cell: (order) => <Items order={order} /> },
    columns.money({ title: t('admin.orders.total'), sort: 'total_amount', isBare: true }, (order) => [
      order.total_amount,
      order.currency,
    ]),
    {
      title: t('admin.profit.margin'),
      align: 'right',
      isSecondary: true,
      cell: ({ profit, currency }) => (profit ? <Margin profit={profit} currency={currency} /> : '—'),
    },
    {
      title: t('admin.orders.method'),
      isSecondary: true,
      cell: (order) => t(`admin.orders.methods.${order.payment_method}`),
    },
    { title: t('admin.orders.status'), sort: 'status', isState: true, cell: (order) => <States order={order} /> },
  ]

  return (
    <>
      <OrderViews list={list.view} />
      <AdminTable
        list={list}
        columns={orderColumns}
        onOpen={({ id }) => choose(id)}
        searchLabel={t('admin.orders.search')}
        empty={t('admin.orders.empty')}
        selects={useOrderSelects()}
        filters={<OrderFilters view={list.view} />}
        head={<ExportButtons what="orders" narrowed={{ filters: toFilters(list.view) }} />}
      />
      {chosen && <OrderView id={chosen} onClose={() => choose(undefined)} />}
    </>
  )
}

const paymentMethods = ['balance', 'card', 'code'] as const satisfies readonly PaymentMethod[]
const orderPurposes = ['goods', 'balance'] as const satisfies readonly OrderPurpose[]

/** What orders are narrowed by most. */
function useOrderSelects(): ListSelect[] {
  const { t } = useTranslation()
  return [
    {
      name: 'status',
      label: t('admin.orders.status'),
      options: toOptions(orderTones, (status) => t(`orders.status.${status}`)),
    },
    {
      name: 'paid',
      label: t('admin.orderFilters.paid'),
      options: [
        { value: 'true', label: t('admin.orderFilters.isPaid') },
        { value: 'false', label: t('admin.orderFilters.isUnpaid') },
      ],
    },
    {
      name: 'purpose',
      label: t('admin.fillings.purpose'),
      options: orderPurposes.map((purpose) => ({ value: purpose, label: t(`admin.fillings.purposes.${purpose}`) })),
    },
    useDisputeSelect(),
    {
      name: 'payment_method',
      label: t('admin.orders.method'),
      options: paymentMethods.map((method) => ({ value: method, label: t(`admin.orders.methods.${method}`) })),
    },
  ]
}

/** How it stands, and what banks say against it. */
const States = ({ order }: { order: OrderRow }) => (
  <Group gap={4}>
    <OrderBadge status={order.status} isDeclined={order.is_declined} />
    {order.dispute && <DisputeBadge flag={order.dispute} />}
  </Group>
)

const itemsShown = 2

/** What was bought, as far as a row has room for it: on a phone one thing. */
function Items({ order }: { order: OrderRow }) {
  const { t } = useTranslation()
  const toMore = (shown: number) =>
    order.items.length > shown && t('admin.orders.more', { count: order.items.length - shown })
  if (order.purpose === 'balance')
    return (
      <Text size="sm" fw="inherit">
        {t('admin.fillings.item')}
      </Text>
    )
  return (
    <>
      {order.items.slice(0, itemsShown).map((item, index) => (
        <Text key={index} size="sm" fw="inherit" {...(index > 0 && { visibleFrom: 'sm' })}>
          {item.title}, <OfferName item={item} />
        </Text>
      ))}
      <Text size="sm" c="dimmed" hiddenFrom="sm">
        {toMore(1)}
      </Text>
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {toMore(itemsShown)}
      </Text>
    </>
  )
}
