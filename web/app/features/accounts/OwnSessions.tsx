import { Button, Skeleton, Stack } from '@mantine/core'
import { failureText } from '../../api/failure-text.ts'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { useEndSessions, useSessions } from './profile.queries.ts'
import { SessionEntry } from './SessionEntry.tsx'

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
                <SessionEntry key={session.id} session={session} onEnd={() => endNow(session.id)} />
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
