import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOpenAlerts } from '../alerts/alerts.queries.ts'

/** How many alerts nobody has taken on; nothing when there are none. */
export function AlertBadge() {
  const { t } = useTranslation()
  const count = useOpenAlerts()
  if (count === 0) return null
  return (
    <Badge color="red" role="img" aria-label={t('admin.alerts.unseen', { count })}>
      {count}
    </Badge>
  )
}
