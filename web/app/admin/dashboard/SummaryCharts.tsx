import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { SimpleGrid, Text } from '@mantine/core'
import type { Summary } from '@olmos/contract/summary'
import type { ReactNode } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'

const height = 220
const axes = { gridAxis: 'x', tickLine: 'none', yAxisProps: { width: 64 }, h: height } as const

/** How it went from day to day. Each currency has a scale of its own. */
export function SummaryCharts({ days }: { days: Summary['days'] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const rows = days.map((day) => ({
    ...day,
    day: `${day.date.slice(8)}.${day.date.slice(5, 7)}`,
    orders: day.orders_rub + day.orders_usd,
  }))
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="sm">
      <Chart title={t('admin.dashboard.salesRub')}>
        <BarChart
          {...axes}
          data={rows}
          dataKey="day"
          valueFormatter={(value) => formatAmount(value, 'RUB', language, { isRounded: true })}
          series={[{ name: 'sales_rub', label: t('admin.dashboard.salesRub'), color: 'accent.6' }]}
        />
      </Chart>
      <Chart title={t('admin.dashboard.salesUsd')}>
        <BarChart
          {...axes}
          data={rows}
          dataKey="day"
          valueFormatter={(value) => formatAmount(value, 'USD', language)}
          series={[{ name: 'sales_usd', label: t('admin.dashboard.salesUsd'), color: 'teal.6' }]}
        />
      </Chart>
      <Chart title={t('admin.dashboard.ordersAndUsers')}>
        <LineChart
          {...axes}
          data={rows}
          dataKey="day"
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
