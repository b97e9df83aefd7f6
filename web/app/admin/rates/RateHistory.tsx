import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Skeleton } from '@mantine/core'
import type { CurrencyRate } from '@olmos/contract/rates'
import { QueryView } from '../../api/QueryView.tsx'
import { formatMoment } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { useRateHistory } from './rates.queries.ts'

/** The rates that were in force, the oldest first. */
export function RateHistory({ rate }: { rate: CurrencyRate }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const query = useRateHistory(rate.id)
  return (
    <QueryView query={query} skeleton={<Skeleton h={200} />} failed={<ListFailed query={query} />}>
      {(history) => (
        <LineChart
          h={200}
          mt="md"
          data={history.toReversed().map((entry) => ({ ...entry, at: formatMoment(entry.created_at, language) }))}
          dataKey="at"
          curveType="stepAfter"
          tickLine="none"
          yAxisProps={{ width: 72, domain: ['auto', 'auto'] }}
          series={[
            {
              name: 'rate',
              label: t('admin.rates.rate', { from: rate.from_currency, to: rate.to_currency }),
              color: 'accent.5',
            },
          ]}
        />
      )}
    </QueryView>
  )
}
