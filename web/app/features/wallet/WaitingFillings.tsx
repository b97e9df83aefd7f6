import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import { useFillings } from './wallet.queries.ts'

/** Lists the latest fillings of the balance whose money has not come; those that are done stand in the history. */
export function WaitingFillings() {
  const { t } = useTranslation()
  const { data: fillings = [] } = useFillings()
  const waiting = fillings.filter(({ status }) => status !== 'completed')
  if (waiting.length === 0) return null
  return (
    <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
      {waiting.map(({ id, amount, currency, status, created_at }) => (
        <Box key={id} component="li" py="sm" style={{ borderTop: '1px solid var(--olmos-line)' }}>
          <Group justify="space-between" wrap="nowrap" align="baseline" gap="sm">
            <Text fw={600}>{t('fill.entry')}</Text>
            <Text fw={700} c="dimmed">
              <Amount value={amount} currency={currency} />
            </Text>
          </Group>
          <Group justify="space-between" gap={8}>
            <Text size="xs" c="dimmed">
              <Moment at={created_at} />
            </Text>
            <Text size="xs" c={status === 'awaiting_payment' ? 'var(--olmos-wait)' : 'dimmed'}>
              {t(`orders.status.${status}`)}
            </Text>
          </Group>
          <Anchor component={Link} to={paths.order(id)} size="sm">
            {t('fill.number', { id })}
          </Anchor>
        </Box>
      ))}
    </Stack>
  )
}
