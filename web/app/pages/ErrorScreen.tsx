import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

/** Shown when a screen fails to render. The way home loads the page anew: whatever broke is gone then. */
export function ErrorScreen() {
  const { t } = useTranslation()
  return (
    <Message title={t('errorScreen.title')} text={t('errorScreen.text')}>
      <PrivateTitle title={t('errorScreen.title')} />
      <Button component="a" href={paths.home}>
        {t('errorScreen.home')}
      </Button>
    </Message>
  )
}
