import { Anchor, Button, Group, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { Profits } from '@olmos/contract/costs'
import type { Currency } from '@olmos/contract/money'
import type { ProductProfit, ProfitReport } from '@olmos/contract/profit'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { sold, toTab } from '../dashboard/links.ts'
import { ExportButtons } from '../exports/ExportButtons.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { WideTable } from '../list/WideTable.tsx'
import { Cost, Margin } from './Earned.tsx'
import { useProfit } from './profit.queries.ts'

// The drawing of charts weighs more than the rest of the area.
const ProfitCharts = lazy(async () => ({ default: (await import('../dashboard/charts.tsx')).ProfitCharts }))

const currencies = [
  ['rub', 'RUB'],
  ['usd', 'USD'],
] as const satisfies readonly (readonly [keyof Profits, Currency])[]

/** What was earned: in all, from day to day, and by product. What nobody knows the cost of stands by itself. */
export function ProfitPanel({ days }: { days: Pick<ProfitReport, 'from' | 'to'> }) {
  const { t } = useTranslation()
  return (
    <Stack component="section" aria-labelledby="profit" gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4" id="profit">
          {t('admin.profit.title')}
        </Title>
        <ExportButtons what="sales" narrowed={{ days }} />
      </Group>
      <Loaded query={useProfit(days)} height={320}>
        {(report) => (
          <>
            <Totals report={report} />
            <Suspense fallback={<Skeleton h={280} radius="lg" />}>
              <ProfitCharts days={report.days} />
            </Suspense>
            <Products report={report} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** The sums of each currency side by side; they are never added up. */
function Totals({ report: { totals, from, to } }: { report: ProfitReport }) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {currencies.map(([key, currency]) => {
        const profit = totals[key]
        const lines = [
          [t('admin.profit.revenue'), <Amount key="a" value={profit.revenue} currency={currency} />],
          [t('admin.profit.cost'), <Cost key="b" profit={profit} currency={currency} />],
          [t('admin.profit.margin'), <Margin key="c" profit={profit} currency={currency} />],
        ] as const
        return (
          <Surface key={key} p="md">
            <Text size="sm" c="dimmed" mb="xs">
              <Anchor component={Link} to={toTab('orders', { from, to, ...sold, currency })} size="sm">
                {currency}
              </Anchor>
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
              {lines.map(([label, figure]) => (
                <div key={label}>
                  <Text size="sm" c="dimmed">
                    {label}
                  </Text>
                  <Text fw={700} size="lg" component="div">
                    {figure}
                  </Text>
                </div>
              ))}
            </SimpleGrid>
            {profit.unknown_revenue > 0 && (
              <Text size="sm" c="var(--olmos-wait)" mt="xs">
                {t('admin.profit.unknownRevenue')} <Amount value={profit.unknown_revenue} currency={currency} />
              </Text>
            )}
          </Surface>
        )
      })}
    </SimpleGrid>
  )
}

const shownAtFirst = 10

/** What each product earned, those that sold most first. */
function Products({ report: { products, from, to } }: { report: ProfitReport }) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const shown = isAll ? products : products.slice(0, shownAtFirst)
  if (products.length === 0) return null
  return (
    <Surface>
      <WideTable minWidth={480} label={t('admin.tabs.products')}>
        <Table verticalSpacing={6} styles={{ th: { whiteSpace: 'nowrap' } }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('admin.codes.product')}</Table.Th>
              <Table.Th ta="right">{t('admin.profit.units')}</Table.Th>
              <Table.Th ta="right">{t('admin.profit.revenue')}</Table.Th>
              <Table.Th ta="right">{t('admin.profit.cost')}</Table.Th>
              <Table.Th ta="right">{t('admin.profit.margin')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.flatMap((product) =>
              currencies
                .filter(([key]) => product[key].units > 0)
                .map((of) => (
                  <ProductRow key={`${product.product_id} ${of[0]}`} product={product} of={of} days={{ from, to }} />
                )),
            )}
          </Table.Tbody>
        </Table>
      </WideTable>
      {!isAll && products.length > shownAtFirst && (
        <Button mt="sm" variant="default" onClick={() => setAll(true)}>
          {t('admin.dashboard.allLow', { count: products.length })}
        </Button>
      )}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={`${paths.admin('batches')}?cost=unknown`}>
          {t('admin.profit.fillIn')}
        </Anchor>
      </Text>
    </Surface>
  )
}

interface ProductRowProps {
  product: ProductProfit
  of: (typeof currencies)[number]
  days: Pick<ProfitReport, 'from' | 'to'>
}

function ProductRow({ product, of: [key, currency], days }: ProductRowProps) {
  const profit = product[key]
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          to={toTab('orders', { ...days, ...sold, currency, productId: String(product.product_id) })}
        >
          {product.product_title}
        </Anchor>
      </Table.Td>
      <Table.Td ta="right">{gameNumber(profit.units)}</Table.Td>
      <Table.Td ta="right">
        <Amount value={profit.revenue} currency={currency} />
      </Table.Td>
      <Table.Td ta="right">
        <Cost profit={profit} currency={currency} />
      </Table.Td>
      <Table.Td ta="right">
        <Margin profit={profit} currency={currency} />
      </Table.Td>
    </Table.Tr>
  )
}
