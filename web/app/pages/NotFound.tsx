import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <Message title={t('notFound.title')} text={t('notFound.text')} drawing="empty">
      <PrivateTitle title={t('notFound.title')} />
      <Button component={Link} to={paths.products}>
        {t('notFound.browse')}
      </Button>
      <Button component={Link} to={paths.home} variant="default">
        {t('notFound.home')}
      </Button>
    </Message>
  )
}
