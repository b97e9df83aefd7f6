import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { SimpleGrid, Text } from '@mantine/core'
import type { Profit } from '@olmos/contract/costs'
import type { Currency } from '@olmos/contract/money'
import type { ProfitReport } from '@olmos/contract/profit'
import type { Summary } from '@olmos/contract/summary'
import type { ReactNode } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'

const axes = { dataKey: 'day', gridAxis: 'x', tickLine: 'none', yAxisProps: { width: 64 }, h: 220 } as const

const sales = {
  RUB: { name: 'sales_rub', title: 'admin.dashboard.salesRub', color: 'accent.6' },
  USD: { name: 'sales_usd', title: 'admin.dashboard.salesUsd', color: 'teal.6' },
} as const

/** Lists the currencies that there is something to show of; roubles where there is nothing at all. */
const listShown = (hasDollars: boolean, hasRoubles: boolean): Currency[] => [
  ...(hasRoubles || !hasDollars ? (['RUB'] as const) : []),
  ...(hasDollars ? (['USD'] as const) : []),
]

/** How it went from day to day. Each currency that was paid in has a scale of its own. */
export function SummaryCharts({ days }: { days: Summary['days'] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const rows = days.map((day) => ({
    ...day,
    day: dayText(day.date),
    orders: day.orders_rub + day.orders_usd,
  }))
  const shown = listShown(
    days.some(({ sales_usd }) => sales_usd !== 0),
    days.some(({ sales_rub }) => sales_rub !== 0),
  )
  return (
    <SimpleGrid cols={{ base: 1, lg: shown.length + 1 }} spacing="sm">
      {shown.map((currency) => {
        const { name, title, color } = sales[currency]
        return (
          <Chart key={currency} title={t(title)}>
            <BarChart
              {...axes}
              data={rows}
              valueFormatter={(value) => formatAmount(value, currency, language, { isRounded: currency === 'RUB' })}
              series={[{ name, label: t(title), color }]}
            />
          </Chart>
        )
      })}
      <Chart title={t('admin.dashboard.ordersAndUsers')}>
        <LineChart
          {...axes}
          data={rows}
          withLegend
          withDots={days.length <= 31}
          valueFormatter={gameNumber}
          series={[
            { name: 'orders', label: t('admin.tabs.orders'), color: 'accent.5' },
            { name: 'new_users', label: t('admin.dashboard.newUsers'), color: 'violet.5' },
          ]}
        />
      </Chart>
    </SimpleGrid>
  )
}

/** What each day's revenue was made of: cost, margin, and what nobody knows the cost of. Each currency has its own scale. */
export function ProfitCharts({ days }: Pick<ProfitReport, 'days'>) {
  const shown = listShown(
    days.some(({ usd }) => usd.units > 0),
    days.some(({ rub }) => rub.units > 0),
  )
  return (
    <SimpleGrid cols={{ base: 1, lg: shown.length }} spacing="sm">
      {shown.map((currency) => (
        <RevenueChart
          key={currency}
          currency={currency}
          days={days.map(({ date, rub, usd }) => toBar(date, currency === 'RUB' ? rub : usd))}
        />
      ))}
    </SimpleGrid>
  )
}

const toBar = (date: string, { cost, margin, unknown_revenue }: Profit) => ({
  day: dayText(date),
  cost: cost ?? 0,
  margin: margin ?? 0,
  unknown: unknown_revenue,
})

function RevenueChart({ currency, days }: { currency: Currency; days: ReturnType<typeof toBar>[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Chart title={t('admin.profit.chart', { currency })}>
      <BarChart
        {...axes}
        type="stacked"
        data={days}
        withLegend
        barChartProps={{ stackOffset: 'sign' }}
        valueFormatter={(value) => formatAmount(value, currency, language, { isRounded: true })}
        series={[
          { name: 'cost', label: t('admin.profit.cost'), color: 'gray.5' },
          { name: 'margin', label: t('admin.profit.margin'), color: 'teal.6' },
          { name: 'unknown', label: t('admin.profit.unknownCost'), color: 'yellow.5' },
        ]}
      />
    </Chart>
  )
}

/** A day on the axis of a chart: 2026-12-31 as 31.12. */
const dayText = (date: string) => `${date.slice(8)}.${date.slice(5, 7)}`

function Chart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure style={{ margin: 0 }} aria-label={title}>
      <Surface>
        <Text fw={600} size="sm" mb="sm">
          {title}
        </Text>
        {children}
      </Surface>
    </figure>
  )
}
