import { Alert, Button, Stack, Text } from '@mantine/core'
import type { notificationsApi } from '@olmos/contract/notifications'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { isRefusal } from '../api/api-error.ts'
import { caller } from '../api/client.ts'
import { failureText } from '../api/failure-text.ts'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'

const decline = caller<typeof notificationsApi.decline>('POST /notifications/decline')

/** Where the link in a notification leads. It asks for a press: programs that look into mails follow links. */
export default function DeclineNotifications() {
  const { t } = useTranslation()
  const token = useLocation().hash.slice(1)
  return (
    <Page title={t('notifications.declineTitle')} isTall>
      <PrivateTitle title={t('notifications.declineTitle')} />
      <Decline key={token} token={token} />
    </Page>
  )
}

function Decline({ token }: { token: string }) {
  const { t } = useTranslation()
  const end = useMutation({ mutationFn: () => decline({ body: { token: token || '-' } }), retry: false })
  return (
    <Surface>
      <Stack align="flex-start">
        {end.data ? (
          <Text role="status">{t('notifications.declined', { what: t(`notifications.kind.${end.data.kind}`) })}</Text>
        ) : (
          <>
            <Text>{t('notifications.declineText')}</Text>
            {end.error && (
              <Alert color="red" role="alert">
                {isRefusal(end.error, 'NOT_FOUND') ? t('notifications.declineOver') : failureText(t, end.error)}
              </Alert>
            )}
            <Button loading={end.isPending} onClick={() => end.mutate()}>
              {t('notifications.decline')}
            </Button>
          </>
        )}
        <Button component={Link} to={paths.profile} variant="default">
          {t('profile.title')}
        </Button>
      </Stack>
    </Surface>
  )
}
