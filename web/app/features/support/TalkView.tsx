import { Alert, Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { ConversationState, OpenedTalk } from '@olmos/contract/support'
import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isRefusal } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { keepText, useStoredText } from '../../ui/stored-text.ts'
import { Messages, type ShownMessage } from './Messages.tsx'
import { replyDraft, type TalkPlace, useReply, useTalk } from './support.queries.ts'

export const talkTones = { open: 'wait', waiting: 'good', closed: 'calm' } as const satisfies Record<
  ConversationState,
  string
>

interface TalkViewProps {
  place: TalkPlace
  /** What stands there if there is no such conversation, or its link is over. */
  missing: ReactNode
}

/** A conversation with the shop, as it goes on, and the field to write in. */
export function TalkView({ place, missing }: TalkViewProps) {
  const { t } = useTranslation()
  const { query, showMore } = useTalk(place)
  const failed = isRefusal(query.error, 'NOT_FOUND') ? (
    missing
  ) : (
    <QueryFailed title={t('talk.failed')} query={query} look="page" />
  )
  return (
    <QueryView query={query} skeleton={<Skeleton h={320} />} failed={failed}>
      {(talk) => <Talk place={place} talk={talk} onEarlier={showMore} />}
    </QueryView>
  )
}

interface TalkProps {
  place: TalkPlace
  talk: OpenedTalk
  onEarlier(): void
}

function Talk({ place, talk, onEarlier }: TalkProps) {
  const { t } = useTranslation()
  const reply = useReply(place, talk)
  const sent = reply.isPending && !reply.isThere ? reply.variables : undefined
  const pending: ShownMessage[] = sent ? [{ id: 0, author: 'customer', text: sent.message, created_at: undefined }] : []
  return (
    <Surface>
      <Stack>
        <Group gap="sm">
          <StatusBadge tone={talkTones[talk.state]} text={t(`talk.state.${talk.state}`)} />
          {talk.order && (
            <Text size="sm" c="dimmed">
              {t('orders.number', { id: talk.order })}
            </Text>
          )}
        </Group>
        <div>
          <Messages
            messages={[...talk.messages, ...pending]}
            own="customer"
            toName={({ author }) => t(author === 'customer' ? 'talk.you' : 'talk.shop')}
            earlier={talk.earlier}
            onEarlier={onEarlier}
          />
        </div>
        <ReplyForm talk={talk} reply={reply} />
      </Stack>
    </Surface>
  )
}

interface ReplyFormProps {
  talk: OpenedTalk
  reply: ReturnType<typeof useReply>
}

/** What is typed stays in the browser until the store has it: a reload or a lost connection loses nothing. */
function ReplyForm({ talk, reply }: ReplyFormProps) {
  const { t } = useTranslation()
  const name = replyDraft(talk)
  const draft = useStoredText('visit', name)
  const send = () => {
    if (draft.trim() === '' || reply.isPending) return
    reply.mutate({ message: draft.trim(), after: talk.last.id })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      noValidate
    >
      <Stack gap="sm">
        <Textarea
          label={t('support.message')}
          {...(talk.state === 'closed' && { description: t('talk.reopens') })}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={LIMITS.messageLengthMax}
          value={reply.isPending ? '' : draft}
          readOnly={reply.isPending}
          onChange={(event) => keepText('visit', name, event.currentTarget.value)}
        />
        {reply.error && (
          <Alert color="red" role="alert">
            {`${t('talk.notSent')} ${failureText(t, reply.error)}`}
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          loading={reply.isPending}
          disabled={draft.trim() === '' && !reply.isPending}
          leftSection={<IconSend size={18} />}
        >
          {t('support.send')}
        </Button>
      </Stack>
    </form>
  )
}
