import { Anchor, Code, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import type { CancelReason } from '@olmos/contract/admin-payments'
import type { ServiceReport, summaryApi } from '@olmos/contract/summary'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { spanText } from '../../i18n/within-text.ts'
import { Amount } from '../../money/Amount.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { useDisputeReason } from '../disputes/use-dispute-reason.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { useAdminQuery } from '../list/use-admin-list.ts'
import { WideTable } from '../list/WideTable.tsx'
import { Margin, Margins } from '../profit/Earned.tsx'
import type { Days } from '../profit/profit.queries.ts'
import { sold, toTab } from './links.ts'

const read = caller<typeof summaryApi.service>('GET /admin/service')

const staleMs = 5 * 60_000

const useService = (days: Days) =>
  useAdminQuery(
    queryKeys.admin.noun('summary', 'service', days),
    async (signal) => (await read({ query: days }, { signal })).data,
    { placeholderData: keepPreviousData, staleTime: staleMs, refetchInterval: staleMs },
  )

/** How it went on these days: by what orders were paid, why payments failed, how long the store was there, who delivered and how fast, and how long customers waited for an answer. */
export function ServicePanel({ days }: { days: Pick<ServiceReport, 'from' | 'to'> }) {
  const { t } = useTranslation()
  return (
    <Stack component="section" aria-labelledby="service" gap="sm">
      <Title order={2} size="h4" id="service">
        {t('admin.dashboard.service')}
      </Title>
      <Loaded query={useService(days)} height={200}>
        {(report) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
            <Stack gap="sm">
              <Methods report={report} />
              <Failures report={report} />
              <RefundReasons report={report} />
            </Stack>
            <Stack gap="sm">
              <Availability report={report} />
              <Suppliers report={report} />
              <DisputeReasons report={report} />
              <Answers report={report} />
            </Stack>
          </SimpleGrid>
        )}
      </Loaded>
    </Stack>
  )
}

function Methods({ report: { methods, from, to } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  const titles = { balance: t('admin.orders.methods.balance'), code: t('admin.orders.methods.code') }
  return (
    <Figures
      title={t('admin.dashboard.byMethod')}
      heads={[
        t('admin.tabs.orders'),
        t('admin.payments.amount'),
        t('admin.profit.margin'),
        t('admin.dashboard.failedPayments'),
      ]}
      rows={methods.map(({ method, currency, orders: count, amount, failed, profit }) => ({
        key: `${method} ${currency}`,
        name: method in titles ? titles[method as keyof typeof titles] : method,
        to: toTab('orders', { from, to, ...sold, currency, paid_by: method }),
        cells: [
          gameNumber(count),
          <Amount key="amount" value={amount} currency={currency} />,
          <Margin key="margin" profit={profit} currency={currency} />,
          failed === 0 ? (
            '0'
          ) : (
            <Anchor
              key="failed"
              component={Link}
              to={toTab('payments', { from, to, purpose: 'goods', status: 'canceled', method })}
            >
              {gameNumber(failed)}
            </Anchor>
          ),
        ],
      }))}
    />
  )
}

function Failures({ report: { failures, from, to } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  const ownWords: Record<CancelReason, string> = {
    not_opened: t('admin.dashboard.canceled.not_opened'),
    not_paid: t('admin.dashboard.canceled.not_paid'),
    refused: t('admin.dashboard.canceled.refused'),
  }
  const shown = (reason: string | null): ReactNode => {
    if (reason === null) return t('admin.dashboard.canceled.unknown')
    return Object.hasOwn(ownWords, reason) ? ownWords[reason as CancelReason] : <Code translate="no">{reason}</Code>
  }
  return (
    <Figures
      title={t('admin.dashboard.whyFailed')}
      heads={[t('admin.orders.method'), t('admin.tabs.payments')]}
      rows={failures.map(({ method, provider, reason, payments }) => ({
        key: `${method} ${provider} ${reason}`,
        name: shown(reason),
        to: toTab('payments', {
          from,
          to,
          purpose: 'goods',
          status: 'canceled',
          provider,
          method,
          canceled_why: reason ?? 'none',
        }),
        cells: [method, gameNumber(payments)],
      }))}
    />
  )
}

function Availability({ report: { availability } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (!availability) return null
  const { minutes, up } = availability
  // Rounded down, so that a minute that is missing never looks like none.
  const percent = (Math.floor((up / minutes) * 10_000) / 100).toLocaleString(language)
  return (
    <Surface>
      <Text size="sm">{t('admin.dashboard.available', { percent })}</Text>
      {up < minutes && <Text size="sm">{t('admin.dashboard.away', { span: spanText(t, minutes - up) })}</Text>}
    </Surface>
  )
}

function Suppliers({ report: { suppliers, from, to } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  return (
    <Figures
      title={t('admin.dashboard.bySupplier')}
      heads={[t('admin.profit.units'), t('admin.profit.margin'), t('admin.dashboard.half'), t('admin.dashboard.most')]}
      rows={suppliers.map(({ supplier, units, minutes, profit }) => ({
        key: supplier ?? '',
        name: supplier ?? t('admin.dashboard.byHand'),
        to: toTab('deliveries', { from, to, state: 'done', delivered_by: supplier ?? 'by_hand' }),
        cells: [
          gameNumber(units),
          <Margins key="margin" profits={profit} />,
          minutes ? spanText(t, minutes.p50) : '–',
          minutes ? spanText(t, minutes.p95) : '–',
        ],
      }))}
    />
  )
}

function RefundReasons({ report: { refunds, from, to } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  return (
    <Figures
      title={t('admin.dashboard.refundReasons')}
      heads={[t('admin.tabs.orders'), t('admin.payments.amount')]}
      rows={refunds.map(({ reason, currency, orders, amount }) => ({
        key: `${reason} ${currency}`,
        name: reason,
        to: toTab('orders', { refunded_from: from, refunded_to: to, refund_reason: reason, currency }),
        cells: [gameNumber(orders), <Amount key="amount" value={amount} currency={currency} />],
      }))}
    />
  )
}

function DisputeReasons({ report: { dispute_reasons: reasons, from, to } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  const disputeReason = useDisputeReason()
  return (
    <Figures
      title={t('admin.dashboard.disputeReasons')}
      heads={[t('admin.tabs.payments')]}
      rows={reasons.map(({ reason, payments }) => ({
        key: reason,
        name: disputeReason(reason) || t('admin.dashboard.canceled.unknown'),
        to: toTab('payments', { disputed_from: from, disputed_to: to, ...(reason && { dispute_reason: reason }) }),
        cells: [gameNumber(payments)],
      }))}
    />
  )
}

function Answers({ report: { answers, disputes, from, to } }: { report: ServiceReport }) {
  const { t } = useTranslation()
  const { conversations, answered, minutes } = answers
  return (
    <Surface>
      <Text size="sm">
        <Anchor component={Link} to={toTab('support', { from, to })}>
          {t('admin.dashboard.conversations')}
        </Anchor>
        : {gameNumber(conversations)}, {t('admin.dashboard.answered')}: {gameNumber(answered)}
      </Text>
      {minutes && (
        <Text size="sm">
          {t('admin.dashboard.firstAnswer', { half: spanText(t, minutes.p50), most: spanText(t, minutes.p95) })}
        </Text>
      )}
      <Text size="sm">
        <Anchor component={Link} to={toTab('payments', { disputed_from: from, disputed_to: to })}>
          {t('admin.dashboard.disputes')}
        </Anchor>
        : {gameNumber(disputes)}
      </Text>
    </Surface>
  )
}

interface FiguresProps {
  title: string
  /** They stand above the columns after the first. */
  heads: readonly string[]
  rows: readonly { key: string; name: ReactNode; to: string; cells: readonly ReactNode[] }[]
}

/** A small table of figures, in which each name leads to its list. */
function Figures({ title, heads, rows }: FiguresProps) {
  if (rows.length === 0) return null
  return (
    <Surface>
      <WideTable minWidth={360} label={title}>
        <Table verticalSpacing={6} styles={{ th: { whiteSpace: 'nowrap' } }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{title}</Table.Th>
              {heads.map((head) => (
                <Table.Th key={head} ta="right">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, name, to, cells }) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <Anchor component={Link} to={to}>
                    {name}
                  </Anchor>
                </Table.Td>
                {cells.map((cell, at) => (
                  <Table.Td key={heads[at]} ta="right" style={{ whiteSpace: 'nowrap' }}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Surface>
  )
}
