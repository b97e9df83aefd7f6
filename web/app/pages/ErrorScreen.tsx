import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

/** Shown when a screen fails to render. Its button and its link load a page from the start, which clears whatever broke. */
export function ErrorScreen() {
  const { t } = useTranslation()
  // The server is never offline.
  const isOffline = typeof window !== 'undefined' && !navigator.onLine
  return (
    <Message
      title={t(isOffline ? 'offline.title' : 'errorScreen.title')}
      text={t(isOffline ? 'offline.text' : 'errorScreen.text')}
    >
      <PrivateTitle title={t(isOffline ? 'offline.title' : 'errorScreen.title')} />
      <Button onClick={() => window.location.reload()}>{t('loading.retry')}</Button>
      <Button component="a" href={paths.home} variant="default">
        {t('notFound.home')}
      </Button>
    </Message>
  )
}
