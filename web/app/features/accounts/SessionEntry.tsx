import { Box, Button, Group, Text } from '@mantine/core'
import type { AccountSession } from '@olmos/contract/accounts'
import { Ago } from '../../i18n/Ago.tsx'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

interface SessionEntryProps {
  session: AccountSession & { is_current?: boolean }
  onEnd(): void
}

/** Where somebody is logged in, and what ends that; the session of the page itself is not ended here. */
export function SessionEntry({ session, onEnd }: SessionEntryProps) {
  const { t } = useTranslation()
  const families = [session.browser, session.system].filter((family) => family !== null)
  const device = families.length > 0 ? families.join(', ') : t('sessions.unknown')
  return (
    <Box component="li" py="sm" style={{ borderTop: '1px solid var(--olmos-line)' }}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{device}</Text>
        {session.is_current ? (
          <StatusBadge tone="good" text={t('sessions.current')} />
        ) : (
          <Button variant="default" size="xs" onClick={onEnd} aria-label={t('sessions.endOf', { device })}>
            {t('sessions.end')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('sessions.opened')} <RecentMoment at={session.created_at} />
      </Text>
      <Text size="sm" c="dimmed">
        {t('sessions.used')} <Ago at={session.last_used_at} />
      </Text>
      {session.network && (
        <Text size="sm" c="dimmed">
          {t('sessions.network', { network: session.network })}
        </Text>
      )}
    </Box>
  )
}
