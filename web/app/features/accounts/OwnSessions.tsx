import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { OwnSession } from '@olmos/contract/accounts'
import { failureText } from '../../api/failure-text.ts'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { Ago } from '../../i18n/Ago.tsx'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { useEndSessions, useSessions } from './profile.queries.ts'

/** Where one is logged in, and how that is ended. */
export function OwnSessions() {
  const { t } = useTranslation()
  const query = useSessions()
  const end = useEndSessions()
  const endNow = (which: number | 'others') =>
    end.mutate(which, {
      onSuccess: () => toastSuccess(t(which === 'others' ? 'sessions.othersEnded' : 'sessions.ended')),
      onError: (error) => toastError(failureText(t, error)),
    })
  return (
    <Surface title={t('sessions.title')}>
      <QueryView
        query={query}
        skeleton={<Skeleton h={110} radius={0} />}
        failed={<QueryFailed look="line" title={t('sessions.failed')} query={query} />}
      >
        {(sessions) => (
          <>
            <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
              {sessions.map((session) => (
                <Entry key={session.id} session={session} onEnd={() => endNow(session.id)} />
              ))}
            </Stack>
            {sessions.length > 1 && (
              <Button mt="sm" variant="default" loading={end.isPending} onClick={() => endNow('others')}>
                {t('sessions.endOthers')}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Surface>
  )
}

function Entry({ session, onEnd }: { session: OwnSession; onEnd(): void }) {
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
