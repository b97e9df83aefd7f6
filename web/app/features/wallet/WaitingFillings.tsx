import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import classes from './History.module.css'
import { useFillings } from './wallet.queries.ts'

/** Lists the latest fillings of the balance whose money has not come; those that are done stand in the history. */
export function WaitingFillings() {
  const { t } = useTranslation()
  const { data: fillings = [] } = useFillings()
  const waiting = fillings.filter(({ status }) => status !== 'completed')
  if (waiting.length === 0) return null
  return (
    <ul className={classes.list}>
      {waiting.map(({ id, amount, currency, status, created_at }) => (
        <li key={id} className={classes.entry}>
          <div className={classes.what}>
            <b className={classes.kind}>{t('fill.entry')}</b>
            <span className={classes.soft}>
              <RecentMoment at={created_at} />
              {' · '}
              <Anchor component={Link} to={paths.order(id)} inherit>
                {t('fill.number', { id })}
              </Anchor>
            </span>
          </div>
          <div className={classes.sums}>
            <b>
              <Amount value={amount} currency={currency} />
            </b>
            <span className={`${classes.soft} ${status === 'awaiting_payment' ? classes.waits : ''}`}>
              {t(`orders.status.${status}`)}
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
