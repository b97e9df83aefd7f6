import { useSyncExternalStore } from 'react'
import { useRouteError } from 'react-router'
import { RequestId } from '../api/RequestId.tsx'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { Press, pressClass } from '../ui/Press.tsx'

/** Shown when a screen fails to render. Its button and its link load a page from the start, which clears whatever broke. */
export function ErrorScreen() {
  const { t } = useTranslation()
  const error = useRouteError()
  const id = useSyncExternalStore(
    () => () => {},
    readPageRequest,
    () => undefined,
  )
  // The server is never offline.
  const isOffline = typeof window !== 'undefined' && !navigator.onLine
  return (
    <Message
      title={t(isOffline ? 'offline.title' : 'errorScreen.title')}
      text={t(isOffline ? 'offline.text' : 'errorScreen.text')}
      note={<RequestId id={id} error={error} />}
    >
      <PrivateTitle title={t(isOffline ? 'offline.title' : 'errorScreen.title')} />
      <Press onClick={() => window.location.reload()}>{t('loading.retry')}</Press>
      <a href={paths.home} className={pressClass('plain')}>
        {t('notFound.home')}
      </a>
    </Message>
  )
}

/** A page that the server could not render has the request in its head: how it is rendered depends on none. */
const readPageRequest = () => document.querySelector<HTMLMetaElement>('meta[name="request-id"]')?.content
