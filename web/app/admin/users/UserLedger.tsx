import { Box, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { Amount } from '../../money/Amount.tsx'
import { readCurrency } from '../../money/currency.ts'
import { SideList } from './SideList.tsx'
import { useUserLedger } from './users.queries.ts'

/** What moved the user's money, why, and by whom. */
export function UserLedger({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useUserLedger(userId, page)
  return (
    <SideList query={query} page={page} onPage={setPage} empty={t('admin.users.noLedger')} rowKey={({ id }) => id}>
      {(entry) => {
        const currency = readCurrency(entry.currency.toUpperCase())
        return (
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
            <Box miw={0}>
              <Text fw={600}>{t(`profile.kind.${entry.kind}`)}</Text>
              <Text size="sm" c="dimmed">
                <Moment at={entry.created_at} />
                {entry.made_by && ` · ${entry.made_by}`}
                {entry.order_id && ` · ${t('orders.number', { id: entry.order_id })}`}
              </Text>
              {entry.reason && <Text size="sm">{entry.reason}</Text>}
            </Box>
            <Box ta="end" style={{ flexShrink: 0 }}>
              <Text fw={700} c={entry.amount > 0 ? 'var(--olmos-good)' : undefined}>
                {entry.amount > 0 && '+'}
                <Amount value={entry.amount} currency={currency} />
              </Text>
              <Text size="sm" c="dimmed">
                {t('profile.balanceAfter')} <Amount value={entry.balance_after} currency={currency} />
              </Text>
            </Box>
          </Group>
        )
      }}
    </SideList>
  )
}
