import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ListedMessage, type MessageState, messageStates } from '@olmos/contract/messages'
import type { TextSection } from '@olmos/contract/notification-texts'
import type { QueryState } from '../../api/QueryView.tsx'
import type { Tone } from '../../features/orders/order.rules.ts'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { Section } from '../list/Section.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { useShopSettings } from '../shop/shop.queries.ts'
import { ChannelCard } from './ChannelCard.tsx'
import {
  retryMessage,
  type TextSettings,
  useMessages,
  useNotificationTexts,
  useOperatorTexts,
  useRecipients,
  useShopChannels,
} from './messages.queries.ts'
import { NotificationTexts } from './NotificationTexts.tsx'
import { RecipientList } from './RecipientList.tsx'

/** How alerts reach people: what carries messages, who gets them, what they and customers are told, and what became of each. */
export default function MessagesTab() {
  const { t } = useTranslation()
  const channels = useShopChannels()
  const recipients = useRecipients()
  return (
    <Stack gap="xl">
      <Section id="message-channels" title={t('admin.messages.channels')} hint={t('admin.messages.channelsHint')}>
        <Loaded query={channels} height={200}>
          {(shown) => (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {shown.map((channel) => (
                <ChannelCard key={channel.name} channel={channel} />
              ))}
            </SimpleGrid>
          )}
        </Loaded>
      </Section>
      <Section id="message-recipients" title={t('admin.messages.recipients')} hint={t('admin.messages.recipientsHint')}>
        <Loaded query={recipients} height={160}>
          {(shown) => <RecipientList recipients={shown} />}
        </Loaded>
      </Section>
      <Section
        id="operators-texts"
        title={t('admin.messages.operatorTexts')}
        hint={t('admin.messages.operatorTextsHint')}
      >
        <Texts section="operators" query={useOperatorTexts()} />
      </Section>
      <Section
        id="notifications-texts"
        title={t('admin.messages.notificationTexts')}
        hint={t('admin.messages.notificationTextsHint')}
      >
        <Texts section="notifications" query={useNotificationTexts()} />
      </Section>
      <Section id="message-outbox" title={t('admin.messages.outbox')} hint={t('admin.messages.outboxHint')}>
        <Outbox />
      </Section>
    </Stack>
  )
}

interface TextsProps {
  section: TextSection
  query: QueryState<TextSettings>
}

function Texts({ section, query }: TextsProps) {
  const shop = useShopSettings()
  return (
    <Loaded query={query} height={480}>
      {(settings) => (
        <Loaded query={shop} height={480}>
          {({ name }) => <NotificationTexts section={section} settings={settings} shopName={name} />}
        </Loaded>
      )}
    </Loaded>
  )
}

const tones: Record<MessageState, Tone> = { waiting: 'wait', sent: 'good', failed: 'bad' }

function Outbox() {
  const { t } = useTranslation()
  const list = useMessages()
  const toTitle = useTopic()
  const messageColumns: Column<ListedMessage>[] = [
    { title: t('admin.messages.about'), isHead: true, cell: toTitle },
    {
      title: t('admin.messages.recipient'),
      isBare: true,
      cell: ({ recipient, channel }) => `${recipient}, ${t(`admin.messages.channel.${channel}`)}`,
    },
    columns.when({ title: t('admin.list.created'), isBare: true }, ({ created_at }) => created_at),
    { title: t('admin.messages.state'), isState: true, cell: (message) => <State message={message} /> },
  ]
  return (
    <AdminTable
      list={list}
      columns={messageColumns}
      searchLabel={t('admin.messages.search')}
      empty={t('admin.messages.nothingSent')}
      selects={[
        {
          name: 'state',
          label: t('admin.messages.state'),
          options: messageStates.map((value) => ({ value, label: t(`admin.messages.states.${value}`) })),
        },
      ]}
      actions={(message) => message.state === 'failed' && <Retry message={message} name={toTitle(message)} />}
    />
  )
}

/** Says what a message is about. */
function useTopic(): (message: ListedMessage) => string {
  const { t } = useTranslation()
  return ({ payload }) => {
    if (!payload) return t('admin.messages.unknownTopic')
    if (!('alert_kind' in payload)) return t(`admin.messages.topic.${payload.kind}`)
    const { alert_kind } = payload
    const title = t(`admin.alerts.kind.${alert_kind}`, { defaultValue: '' }) || alert_kind
    const topics = { 'alert.raised': 'raised', 'alert.reminder': 'reminder', 'alert.resolved': 'resolved' } as const
    const text = t(`admin.messages.topic.${topics[payload.kind]}`, { title })
    return payload.count > 1 ? `${text} (${payload.count})` : text
  }
}

function State({ message: { state, fault, words, next_attempt_at, attempts } }: { message: ListedMessage }) {
  const { t } = useTranslation()
  return (
    <Stack gap={2}>
      <StatusBadge tone={tones[state]} text={t(`admin.messages.states.${state}`)} />
      {fault && <Text size="sm">{t(`admin.messages.fault.${fault}`)}</Text>}
      {fault && words && (
        <Text size="xs" c="dimmed" translate="no" style={{ overflowWrap: 'anywhere' }}>
          {words}
        </Text>
      )}
      {attempts > 0 && next_attempt_at && (
        <Text size="xs" c="dimmed">
          {t('admin.messages.nextAttempt')} <RecentMoment at={next_attempt_at} />
        </Text>
      )}
    </Stack>
  )
}

function Retry({ message, name }: { message: ListedMessage; name: string }) {
  const { t } = useTranslation()
  const action = useAdminAction({
    noun: 'messages',
    send: () => retryMessage(message),
    done: t('admin.messages.retried'),
    isRefusalToasted: true,
  })
  return (
    <Allowed to="messages.write">
      <Button
        size="xs"
        variant="default"
        loading={action.isPending}
        aria-label={t('admin.messages.retryOf', { name })}
        onClick={() => action.mutate(undefined)}
      >
        {t('admin.messages.retry')}
      </Button>
    </Allowed>
  )
}
