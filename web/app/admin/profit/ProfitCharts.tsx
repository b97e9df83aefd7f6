import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { SimpleGrid, Text } from '@mantine/core'
import type { Profit } from '@olmos/contract/costs'
import type { Currency } from '@olmos/contract/money'
import type { ProfitReport } from '@olmos/contract/profit'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'

/** What each day's revenue was made of: cost, margin, and what nobody knows the cost of. Each currency has its own scale. */
export function ProfitCharts({ days }: Pick<ProfitReport, 'days'>) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
      <RevenueChart currency="RUB" days={days.map(({ date, rub }) => toBar(date, rub))} />
      <RevenueChart currency="USD" days={days.map(({ date, usd }) => toBar(date, usd))} />
    </SimpleGrid>
  )
}

const toBar = (date: string, { cost, margin, unknown_revenue }: Profit) => ({
  day: `${date.slice(8)}.${date.slice(5, 7)}`,
  cost: cost ?? 0,
  margin: margin ?? 0,
  unknown: unknown_revenue,
})

function RevenueChart({ currency, days }: { currency: Currency; days: ReturnType<typeof toBar>[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const title = t('admin.profit.chart', { currency })
  return (
    <figure style={{ margin: 0 }} aria-label={title}>
      <Surface>
        <Text fw={600} size="sm" mb="sm">
          {title}
        </Text>
        <BarChart
          h={220}
          type="stacked"
          data={days}
          dataKey="day"
          withLegend
          gridAxis="x"
          tickLine="none"
          yAxisProps={{ width: 64 }}
          barChartProps={{ stackOffset: 'sign' }}
          valueFormatter={(value) => formatAmount(value, currency, language, { isRounded: true })}
          series={[
            { name: 'cost', label: t('admin.profit.cost'), color: 'gray.5' },
            { name: 'margin', label: t('admin.profit.margin'), color: 'teal.6' },
            { name: 'unknown', label: t('admin.profit.unknownCost'), color: 'yellow.5' },
          ]}
        />
      </Surface>
    </figure>
  )
}
