import { Anchor, Button, Skeleton, Text } from '@mantine/core'
import type { HistoryEntry } from '@olmos/contract/wallet'
import { useState } from 'react'
import { Link } from 'react-router'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { readCurrency } from '../../money/currency.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import classes from './History.module.css'
import { WaitingFillings } from './WaitingFillings.tsx'
import { useBalanceHistory } from './wallet.queries.ts'

const latestEntries = 5

/** Lists the latest ledger entries of the customer, then all, with the balance after each. */
export function BalanceHistory() {
  const { t } = useTranslation()
  const history = useBalanceHistory()
  const [isWhole, setWhole] = useState(false)
  return (
    <Surface title={t('profile.history')}>
      <WaitingFillings />
      <QueryView
        query={history}
        skeleton={<HistorySkeleton />}
        failed={<QueryFailed look="line" title={t('profile.historyFailed')} query={history} />}
        empty={<Text c="dimmed">{t('profile.historyEmpty')}</Text>}
      >
        {(entries) => (
          <ul className={classes.list}>
            {entries.slice(0, isWhole ? undefined : latestEntries).map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </QueryView>
      {!isWhole && (history.data?.length ?? 0) > latestEntries && (
        <Button mt="sm" variant="default" onClick={() => setWhole(true)}>
          {t('profile.wholeHistory')}
        </Button>
      )}
      {history.isFetchNextPageError && (
        <QueryFailed look="line" title={t('profile.historyFailed')} query={history} onRetry={history.fetchNextPage} />
      )}
      {isWhole && history.hasNextPage && !history.isFetchNextPageError && (
        <Button mt="sm" variant="default" loading={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
          {t('orders.more')}
        </Button>
      )}
    </Surface>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation()
  const currency = readCurrency(entry.currency.toUpperCase())
  const isIncome = entry.amount > 0
  const isFilling = entry.order_purpose === 'balance'
  return (
    <li className={classes.entry}>
      <div className={classes.what}>
        <b className={classes.kind}>
          {isFilling && entry.kind === 'card' ? t('fill.entry') : t(`profile.kind.${entry.kind}`)}
        </b>
        <span className={classes.soft}>
          <RecentMoment at={entry.created_at} />
          {entry.order_id && (
            <>
              {' · '}
              <Anchor component={Link} to={paths.order(entry.order_id)} inherit>
                {t(isFilling ? 'fill.number' : 'orders.number', { id: entry.order_id })}
              </Anchor>
            </>
          )}
        </span>
      </div>
      <div className={classes.sums}>
        <b className={isIncome ? classes.income : undefined}>
          {isIncome && '+'}
          <Amount value={entry.amount} currency={currency} />
        </b>
        <span className={classes.soft}>
          {t('profile.balanceAfter')} <Amount value={entry.balance_after} currency={currency} />
        </span>
      </div>
    </li>
  )
}

function HistorySkeleton() {
  return (
    <div aria-hidden>
      {Array.from({ length: latestEntries }, (_, line) => (
        <div key={`line-${line}`} className={classes.entry}>
          <div className={classes.what}>
            <Skeleton h={18} w={120} radius={0} />
            <Skeleton h={14} w={160} maw="100%" radius={0} />
          </div>
          <div className={classes.sums}>
            <Skeleton h={18} w={90} radius={0} />
          </div>
        </div>
      ))}
    </div>
  )
}
