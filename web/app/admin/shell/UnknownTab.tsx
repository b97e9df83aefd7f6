import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Message } from '../../ui/Message.tsx'

export function UnknownTab() {
  const { t } = useTranslation()
  return (
    <Message title={t('notFound.title')}>
      <Button component={Link} to={paths.admin()}>
        {t('profile.admin')}
      </Button>
    </Message>
  )
}
