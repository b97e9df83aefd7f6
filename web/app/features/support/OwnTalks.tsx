import { Text } from '@mantine/core'
import type { Talk } from '@olmos/contract/support'
import { Link } from 'react-router'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { useOwnTalks } from './support.queries.ts'
import classes from './Talk.module.css'
import { talkTones } from './TalkView.tsx'

/** The customer's conversations with the shop; nothing while there are none. */
export function OwnTalks() {
  const { t } = useTranslation()
  const { data: talks = [] } = useOwnTalks()
  if (talks.length === 0) return null
  return (
    <Surface title={t('talk.own')}>
      <div>
        {talks.map((talk) => (
          <TalkLink key={talk.id} talk={talk} />
        ))}
      </div>
    </Surface>
  )
}

function TalkLink({ talk: { id, order, last, state, is_unread } }: { talk: Talk }) {
  const { t } = useTranslation()
  return (
    <Link to={paths.conversation(id)} className={classes.talk}>
      <span className={classes.said}>
        <span className={classes.about}>{order ? t('orders.number', { id: order }) : t('talk.number', { id })}</span>{' '}
        <Text component="span" size="sm" c="dimmed">
          <RecentMoment at={last.created_at} />
        </Text>
        <span className={classes.excerpt} dir="auto">
          {last.text}
        </span>
      </span>
      {is_unread ? (
        <StatusBadge tone="good" text={t('talk.unread')} />
      ) : (
        <StatusBadge tone={talkTones[state]} text={t(`talk.state.${state}`)} />
      )}
    </Link>
  )
}
