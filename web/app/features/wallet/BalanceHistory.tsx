import { Anchor, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { HistoryEntry } from '@olmos/contract/wallet'
import { useState } from 'react'
import { Link } from 'react-router'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { readCurrency } from '../../money/currency.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { WaitingFillings } from './WaitingFillings.tsx'
import { useBalanceHistory } from './wallet.queries.ts'

const latestEntries = 5

/** Lists the latest ledger entries of the customer, then all, with the balance after each. */
export function BalanceHistory() {
  const { t } = useTranslation()
  const history = useBalanceHistory()
  const [isWhole, setWhole] = useState(false)
  return (
    <Surface title={t('profile.history')}>
      <WaitingFillings />
      <QueryView
        query={history}
        skeleton={<HistorySkeleton />}
        failed={<QueryFailed look="line" title={t('profile.historyFailed')} query={history} />}
        empty={<Text c="dimmed">{t('profile.historyEmpty')}</Text>}
      >
        {(entries) => (
          <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
            {entries.slice(0, isWhole ? undefined : latestEntries).map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </Stack>
        )}
      </QueryView>
      {!isWhole && (history.data?.length ?? 0) > latestEntries && (
        <Button mt="sm" variant="default" onClick={() => setWhole(true)}>
          {t('profile.wholeHistory')}
        </Button>
      )}
      {isWhole && history.hasNextPage && (
        <Button mt="sm" variant="default" loading={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
          {t('orders.more')}
        </Button>
      )}
    </Surface>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation()
  const currency = readCurrency(entry.currency.toUpperCase())
  const isIncome = entry.amount > 0
  const isFilling = entry.order_purpose === 'balance'
  return (
    <Box component="li" py="sm" style={{ borderTop: '1px solid var(--olmos-line)' }}>
      <Group justify="space-between" wrap="nowrap" align="baseline" gap="sm">
        <Text fw={600}>{isFilling && entry.kind === 'card' ? t('fill.entry') : t(`profile.kind.${entry.kind}`)}</Text>
        <Text fw={700} c={isIncome ? 'var(--olmos-good)' : undefined}>
          {isIncome && '+'}
          <Amount value={entry.amount} currency={currency} />
        </Text>
      </Group>
      <Group justify="space-between" gap={8}>
        <Text size="xs" c="dimmed">
          <Moment at={entry.created_at} />
        </Text>
        <Text size="xs" c="dimmed">
          {t('profile.balanceAfter')} <Amount value={entry.balance_after} currency={currency} />
        </Text>
      </Group>
      {entry.order_id && (
        <Anchor component={Link} to={paths.order(entry.order_id)} size="sm">
          {t(isFilling ? 'fill.number' : 'orders.number', { id: entry.order_id })}
        </Anchor>
      )}
    </Box>
  )
}

function HistorySkeleton() {
  return (
    <Stack aria-hidden>
      {[1, 2, 3].map((line) => (
        <Group key={line} justify="space-between">
          <Box>
            <Skeleton h={18} w={120} mb={8} />
            <Skeleton h={14} w={160} />
          </Box>
          <Skeleton h={18} w={90} />
        </Group>
      ))}
    </Stack>
  )
}
