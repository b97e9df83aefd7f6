import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ListFailed, Loaded } from '../list/ListFailed.tsx'
import { useSummary } from './dashboard.queries.ts'
import { Figures } from './Figures.tsx'
import { LowStock } from './LowStock.tsx'
import { StockByProduct } from './StockByProduct.tsx'

// The drawing of charts weighs more than the rest of the area.
const SummaryCharts = lazy(async () => ({ default: (await import('./SummaryCharts.tsx')).SummaryCharts }))

const periods = [7, 30, 90] as const

/** What was sold, what runs out, what is stuck. */
export default function DashboardTab() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const days = periods.find((period) => String(period) === params.get('days')) ?? 30
  const query = useSummary(days)
  const { data: shown, error } = query
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('admin.dashboard.period')}
          value={String(days)}
          onChange={(value) => setParams({ days: value }, { replace: true, preventScrollReset: true })}
          data={periods.map((period) => ({
            value: String(period),
            label: t('admin.dashboard.days', { count: period }),
          }))}
        />
        {shown && (
          <Text size="sm" c="dimmed">
            {t('admin.dashboard.clock', { timezone: shown.timezone })}
          </Text>
        )}
      </Group>
      {shown && error && <ListFailed query={query} />}
      <Loaded query={query} height={420}>
        {(summary) => (
          <>
            <Figures summary={summary} />
            <Suspense fallback={<Skeleton h={280} radius="lg" />}>
              <SummaryCharts days={summary.days} />
            </Suspense>
            <LowStock offers={summary.low_stock} />
            <StockByProduct products={summary.stock} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
