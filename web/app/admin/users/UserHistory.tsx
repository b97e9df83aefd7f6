import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { OrderBadge } from '../../features/orders/OrderBadge.tsx'
import { talkTones } from '../../features/support/TalkView.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { readCurrency } from '../../money/currency.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import type { ListPage } from '../list/use-admin-list.ts'
import { conversationPath } from '../support/support.queries.ts'
import { sidePageSize, useUserLedger, useUserOrders, useUserTalks } from './users.queries.ts'

/** What moved the user's money, why, and by whom. */
export function UserLedger({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useUserLedger(userId, page)
  return (
    <SideList query={query} page={page} onPage={setPage} empty={t('admin.users.noLedger')}>
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
              <Text component="div" fw={700} c={entry.amount > 0 ? 'var(--olmos-good)' : undefined}>
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

export function UserOrders({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useUserOrders(userId, page)
  return (
    <SideList query={query} page={page} onPage={setPage} empty={t('admin.orders.empty')}>
      {(order) => (
        <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
          <Box miw={0}>
            <Anchor component={Link} to={`${paths.admin('orders')}?order=${order.id}`} ff="monospace" fw={600}>
              {order.id}
            </Anchor>
            <Text size="sm" c="dimmed">
              <Moment at={order.created_at} />
            </Text>
          </Box>
          <Box ta="end">
            <Text fw={700}>
              <Amount value={order.total_amount} currency={order.currency} />
            </Text>
            <OrderBadge status={order.status} isDeclined={order.is_declined} />
          </Box>
        </Group>
      )}
    </SideList>
  )
}

/** What was talked about with the user, also where they asked for a new password of their account. */
export function UserTalks({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useUserTalks(userId, page)
  return (
    <SideList query={query} page={page} onPage={setPage} empty={t('admin.support.empty')}>
      {({ id, order, last, state }) => (
        <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
          <Box miw={0}>
            <Anchor component={Link} to={conversationPath(id)} fw={600}>
              {t('admin.support.number', { id })}
            </Anchor>
            <Text size="sm" lineClamp={2} dir="auto">
              {last.text}
            </Text>
            <Text size="sm" c="dimmed">
              <Moment at={last.created_at} />
              {order && ` · ${t('admin.support.order', { id: order.id })}`}
            </Text>
          </Box>
          <StatusBadge tone={talkTones[state]} text={t(`admin.support.states.${state}`)} />
        </Group>
      )}
    </SideList>
  )
}

interface SideListProps<Row> {
  query: UseQueryResult<ListPage<Row>>
  page: number
  onPage(page: number): void
  empty: string
  children(row: Row): ReactNode
}

/** A list within the view of one thing, page by page. */
function SideList<Row extends { id: string | number }>({ query, page, onPage, empty, children }: SideListProps<Row>) {
  return (
    <Loaded query={query} height={240}>
      {({ data, total }) => {
        if (data.length === 0) return <Text c="dimmed">{empty}</Text>
        const pages = Math.max(1, Math.ceil(total / sidePageSize))
        return (
          <>
            <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }} aria-busy={query.isFetching}>
              {data.map((row) => (
                <Box key={row.id} component="li" py="sm" style={{ borderTop: '1px solid var(--olmos-line)' }}>
                  {children(row)}
                </Box>
              ))}
            </Stack>
            <PagePager page={page} pages={pages} onChange={onPage} />
          </>
        )
      }}
    </Loaded>
  )
}
