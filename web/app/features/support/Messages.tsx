import { Button } from '@mantine/core'
import type { DeskAuthor } from '@olmos/contract/desk'
import * as LIMITS from '@olmos/contract/limits'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './Talk.module.css'

/** A message as it is shown; without a time while it is on its way. */
export interface ShownMessage {
  id: number
  author: DeskAuthor
  text: string
  created_at: string | undefined
}

interface MessagesProps<Message extends ShownMessage> {
  messages: readonly Message[]
  /** Whose messages stand at the end of the line. */
  own: DeskAuthor
  toName(message: Message): string
  /** How many messages there are before them, and what shows these. */
  earlier: number
  onEarlier(): void
}

/** What was said in a conversation, as plain text. */
export function Messages<Message extends ShownMessage>({
  messages,
  own,
  toName,
  earlier,
  onEarlier,
}: MessagesProps<Message>) {
  const { t } = useTranslation()
  const canShowMore = earlier > 0 && messages.length < LIMITS.talkMessagesMax
  return (
    <>
      {canShowMore && (
        <Button variant="default" mb="sm" onClick={onEarlier}>
          {t('talk.earlier', { count: earlier })}
        </Button>
      )}
      <div role="log" aria-label={t('talk.messages')}>
        <ol className={classes.messages}>
          {messages.map((message) => (
            <li
              key={message.id}
              className={classes.message}
              data-own={message.author === own}
              data-author={message.author}
              data-pending={message.created_at === undefined}
            >
              <p className={classes.who}>
                <b>{toName(message)}</b>
                {message.created_at ? <RecentMoment at={message.created_at} /> : t('talk.sending')}
              </p>
              <p className={classes.text} dir="auto">
                {message.text}
              </p>
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}
