import { Anchor, Box, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { WEB_LIMITS } from '../../limits.ts'
import { paths } from '../../paths.ts'
import { refusalText } from '../form/refusal-text.ts'
import type { NotMended } from './mend-buyers.ts'

/** For whom nothing could be done, and why; of very many, the first. */
export function NotMendedList({ left }: { left: readonly NotMended[] }) {
  const { t } = useTranslation()
  const shown = left.slice(0, WEB_LIMITS.notMendedShown)
  const title = t('admin.recall.notMended')
  return (
    <Stack gap={4}>
      <Text fw={600}>{title}</Text>
      <Box mah={280} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label={title}>
        <List size="sm" listStyleType="none" spacing={4}>
          {shown.map(({ buyer, error }) => (
            <List.Item key={buyer.code_id}>
              <Anchor component={Link} to={`${paths.admin('orders')}?search=${buyer.order_id}`}>
                {buyer.order_id}
              </Anchor>
              , {buyer.nickname}, {buyer.code}: {refusalText(t, error)}
            </List.Item>
          ))}
        </List>
      </Box>
      {left.length > shown.length && (
        <Text size="sm" c="dimmed">
          {t('admin.recall.moreNotMended', { count: left.length - shown.length })}
        </Text>
      )}
    </Stack>
  )
}
