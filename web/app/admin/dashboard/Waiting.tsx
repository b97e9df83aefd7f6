import { Anchor, Text, Title } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import type { Summary } from '@olmos/contract/summary'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { Surface } from '../../ui/Surface.tsx'
import { useOpenAlerts } from '../alerts/alerts.queries.ts'
import { toTab } from './links.ts'
import { sortOutLowStock } from './low-stock.rules.ts'
import classes from './Waiting.module.css'

/** Says in a sentence whether anything waits for an operator, then what, each with the way to it. */
export function Waiting({ summary }: { summary: Summary }) {
  const { t } = useTranslation()
  const may = useMay()
  const alerts = useOpenAlerts()
  const all: { what: string; count: number; to: string; permission?: Permission }[] = [
    {
      what: t('admin.dashboard.otherAlerts'),
      count: alerts.only_here,
      to: toTab('alerts', { state: 'open', waits: 'here' }),
      permission: 'alerts.write',
    },
    {
      what: t('admin.dashboard.waiting'),
      count: summary.deliveries_with_operator,
      to: toTab('deliveries', { state: 'operator' }),
      permission: 'orders.read',
    },
    {
      what: t('admin.dashboard.support'),
      count: summary.support_open,
      to: toTab('support', { state: 'open' }),
      permission: 'support.write',
    },
    { what: t('admin.dashboard.low'), count: sortOutLowStock(summary.low_stock).urgent.length, to: '#low-stock' },
  ]
  // What a colleague has to look at does not wait for who can't open its list.
  const waiting = all.filter(({ count, permission }) => count > 0 && (!permission || may(permission)))
  const total = waiting.reduce((sum, { count }) => sum + count, 0)
  return (
    <Surface>
      <Title order={2} size="h3">
        {total === 0 ? t('admin.dashboard.nothingWaits') : t('admin.dashboard.waits', { count: total })}
      </Title>
      {waiting.length > 0 && (
        <ul className={classes.list}>
          {waiting.map(({ what, count, to }) => (
            <li key={to}>
              <Anchor component={Link} to={to} className={classes.row}>
                <Text span fw={700} c="var(--olmos-wait)" className={classes.count}>
                  {gameNumber(count)}
                </Text>
                {what}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </Surface>
  )
}
