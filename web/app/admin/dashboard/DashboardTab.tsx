import { Anchor, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import type { Summary, SummaryPeriod, summaryApi } from '@olmos/contract/summary'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { FilterText } from '../list/FilterText.tsx'
import { ListFailed, Loaded } from '../list/ListFailed.tsx'
import { useAdminQuery } from '../list/use-admin-list.ts'
import { useListView } from '../list/use-list-view.ts'
import { ProfitPanel } from '../profit/ProfitPanel.tsx'
import type { Days } from '../profit/profit.queries.ts'
import { useSuppliers } from '../suppliers/suppliers.queries.ts'
import classes from './DashboardTab.module.css'
import { sold, toTab } from './links.ts'
import { ServicePanel } from './Service.tsx'
import { LowStock, StockByProduct } from './Stock.tsx'
import { Waiting } from './Waiting.tsx'

const read = caller<typeof summaryApi.read>('GET /admin/summary')

const refreshMs = 60_000

const useSummary = (days: Days) =>
  useAdminQuery(
    queryKeys.admin.noun('summary', days),
    async (signal) => (await read({ query: days }, { signal })).data,
    { placeholderData: keepPreviousData, refetchInterval: refreshMs },
  )

// The drawing of charts weighs more than the rest of the area.
const SummaryCharts = lazy(async () => ({ default: (await import('./charts.tsx')).SummaryCharts }))

const periods = ['today', 'yesterday', '7', '30', '90'] as const satisfies readonly SummaryPeriod[]

/** Which days are shown, by the address: a period by its name, or any days. */
function useDays() {
  const view = useListView()
  const [from, to] = [view.filter('from'), view.filter('to')]
  const period = periods.find((known) => known === view.filter('days')) ?? '30'
  return from || to
    ? { view, period: undefined, days: { from: from || to, ...(to && { to }) } }
    : { view, period, days: { period } }
}

/** What was sold, what runs out, what is stuck. */
export default function DashboardTab() {
  const { t } = useTranslation()
  const { view, period, days } = useDays()
  const query = useSummary(days)
  const { data: shown, error } = query
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Group align="flex-end" gap="sm">
          <SegmentedControl
            aria-label={t('admin.dashboard.period')}
            value={period ?? ''}
            onChange={(value) => view.change({ days: value, from: '', to: '' })}
            data={periods.map((value) => ({
              value,
              label:
                value === 'today' || value === 'yesterday'
                  ? t(`admin.dashboard.${value}`)
                  : t('admin.dashboard.days', { count: Number(value) }),
            }))}
          />
          <FilterText view={view} name="from" type="date" label={t('admin.audit.from')} />
          <FilterText view={view} name="to" type="date" label={t('admin.audit.to')} />
        </Group>
        {shown && (
          <Text size="sm" c="dimmed">
            {t('admin.dashboard.clock', { timezone: shown.timezone })}
          </Text>
        )}
      </Stack>
      {shown && error && <ListFailed query={query} />}
      <Loaded query={query} height={420}>
        {(summary) => (
          <>
            <Waiting summary={summary} />
            <Figures summary={summary} />
            <Suspense fallback={<Skeleton h={280} radius="lg" />}>
              <SummaryCharts days={summary.days} />
            </Suspense>
            <ProfitPanel days={{ from: summary.from, to: summary.to }} />
            <ServicePanel days={{ from: summary.from, to: summary.to }} />
            <LowStock offers={summary.low_stock} />
            <StockByProduct products={summary.stock} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const sales = [
  { currency: 'RUB', label: 'admin.dashboard.salesRub', amount: 'sales_rub', refunded: 'refunds_rub' },
  { currency: 'USD', label: 'admin.dashboard.salesUsd', amount: 'sales_usd', refunded: 'refunds_usd' },
] as const

/** The figures of the period beside those of the period before, each with the way to its list, and what is left at suppliers. */
function Figures({ summary: { totals, before, from, to, ...now } }: { summary: Summary }) {
  const { t } = useTranslation()
  const days = { from, to }
  const refunded = { refunded_from: from, refunded_to: to }
  const countOrders = ({ orders_rub, orders_usd }: Summary['totals']) => gameNumber(orders_rub + orders_usd)
  return (
    <div className={classes.figures}>
      {sales.map(({ currency, label, amount, ...amounts }) => (
        <Figure
          key={currency}
          label={t(label)}
          to={toTab('orders', { ...days, ...sold, currency })}
          before={<Amount value={before.totals[amount]} currency={currency} />}
          note={
            <Refunds
              amount={totals[amounts.refunded]}
              currency={currency}
              to={toTab('orders', { ...refunded, purpose: 'goods', currency })}
            />
          }
        >
          <Amount value={totals[amount]} currency={currency} />
        </Figure>
      ))}
      {shownDeposits(totals).map(({ currency, deposits, refunds }) => (
        <Figure
          key={currency}
          label={t('admin.fillings.deposits', { currency })}
          to={toTab('orders', { ...days, purpose: 'balance', paid: 'true', currency })}
          note={
            <Refunds
              amount={refunds}
              currency={currency}
              to={toTab('orders', { ...refunded, purpose: 'balance', currency })}
            />
          }
        >
          <Amount value={deposits} currency={currency} />
        </Figure>
      ))}
      <Figure
        label={t('admin.tabs.orders')}
        to={toTab('orders', { ...days, ...sold })}
        before={countOrders(before.totals)}
      >
        {countOrders(totals)}
      </Figure>
      <Figure
        label={t('admin.dashboard.newUsers')}
        to={toTab('users', days)}
        before={gameNumber(before.totals.new_users)}
      >
        {gameNumber(totals.new_users)}
      </Figure>
      <Figure
        label={t('admin.dashboard.unpaid')}
        to={toTab('orders', { status: 'awaiting_payment' })}
        note={t('admin.dashboard.held', { count: now.unpaid_holds.codes })}
      >
        {gameNumber(now.unpaid_holds.orders)}
      </Figure>
      <Floats />
    </div>
  )
}

/** What customers filled their balances with, which is no sale; nothing where nobody did. */
const shownDeposits = ({ deposits_rub, deposits_usd, deposit_refunds_rub, deposit_refunds_usd }: Summary['totals']) =>
  [
    { currency: 'RUB' as const, deposits: deposits_rub, refunds: deposit_refunds_rub },
    { currency: 'USD' as const, deposits: deposits_usd, refunds: deposit_refunds_usd },
  ].filter(({ deposits, refunds }) => deposits > 0 || refunds > 0)

/** What the shop has left at each supplier that says so. */
function Floats() {
  const { t } = useTranslation()
  const { data: suppliers = [] } = useSuppliers()
  return suppliers
    .filter(({ balance }) => balance !== null)
    .map(({ name, balance, balance_currency, is_balance_low, state }) => (
      <Figure
        key={name}
        label={t('admin.dashboard.float', { name })}
        isPressing={is_balance_low || state === 'out'}
        to={paths.admin('suppliers')}
      >
        {gameNumber(balance ?? 0)} {balance_currency}
      </Figure>
    ))
}

interface FigureProps {
  label: string
  note?: ReactNode
  /** What it was in the period before. */
  before?: ReactNode
  /** Waits for somebody. */
  isPressing?: boolean
  to?: string
  children: ReactNode
}

function Figure({ label, note, before, isPressing = false, to, children }: FigureProps) {
  const { t } = useTranslation()
  return (
    <Surface p={{ base: 'sm', sm: 'md' }}>
      <Text size="sm" c="dimmed">
        {to ? (
          <Anchor component={Link} to={to} size="sm">
            {label}
          </Anchor>
        ) : (
          label
        )}
      </Text>
      <Text component="div" fw={700} fz={{ base: 'lg', sm: '1.5rem' }} c={isPressing ? 'var(--olmos-wait)' : undefined}>
        {children}
      </Text>
      {before !== undefined && (
        <Text size="xs" c="dimmed">
          {t('admin.dashboard.before')} {before}
        </Text>
      )}
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Surface>
  )
}

function Refunds({ amount, currency, to }: { amount: number; currency: 'USD' | 'RUB'; to: string }) {
  const { t } = useTranslation()
  return (
    <Anchor component={Link} to={to} size="xs">
      {t('admin.dashboard.refunds')} <Amount value={amount} currency={currency} />
    </Anchor>
  )
}
