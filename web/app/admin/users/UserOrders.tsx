import { Anchor, Box, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OrderBadge } from '../../features/orders/OrderBadge.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import { SideList } from './SideList.tsx'
import { useUserOrders } from './users.queries.ts'

export function UserOrders({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useUserOrders(userId, page)
  return (
    <SideList query={query} page={page} onPage={setPage} empty={t('admin.users.noOrders')} rowKey={({ id }) => id}>
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
