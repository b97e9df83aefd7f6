import { Button, Skeleton } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { TalkView } from '../features/support/TalkView.tsx'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { useIsLoggedIn } from '../session/session.ts'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

/**
 * The conversation of a visitor. Which one stands behind the # of the address, which no browser sends to a server: it is
 * in no log and no referrer.
 */
export default function LinkedConversation() {
  const { t } = useTranslation()
  const token = useLocation().hash.slice(1)
  // The server never has the part behind the #, so hydration shows what it showed.
  const isHydrated = useIsLoggedIn() !== undefined
  const missing = (
    <Message title={t('talk.over')} text={t('talk.overText')} drawing="empty">
      <Button component={Link} to={paths.support}>
        {t('support.title')}
      </Button>
    </Message>
  )
  return (
    <Page title={t('talk.title')} isTall>
      <PrivateTitle title={t('talk.title')} />
      {!isHydrated && <Skeleton h={320} />}
      {isHydrated && (token ? <TalkView key={token} place={{ linkToken: token }} missing={missing} /> : missing)}
    </Page>
  )
}
