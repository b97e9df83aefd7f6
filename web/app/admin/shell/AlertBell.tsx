import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useOpenAlerts } from '../alerts/alerts.queries.ts'

/** Where there is no menu to stand in: how many alerts nobody has taken on, and the way to them. */
export function AlertBell() {
  const { t } = useTranslation()
  const count = useOpenAlerts()
  if (count === 0) return null
  return (
    <Button
      component={Link}
      to={paths.admin('alerts')}
      hiddenFrom="md"
      mb="sm"
      fullWidth
      color="red"
      variant="light"
      leftSection={<IconBell size={18} aria-hidden />}
    >
      {t('admin.alerts.unseen', { count })}
    </Button>
  )
}
