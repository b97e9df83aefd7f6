import { Anchor, Button, Group, Text } from '@mantine/core'
import type { Conversation, ConversationKind } from '@olmos/contract/desk'
import { useSearchParams } from 'react-router'
import { useAddress } from '../../address.ts'
import { talkTones } from '../../features/support/TalkView.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { DayFilters } from '../list/DayFilters.tsx'
import { toOptions } from '../list/FilterSelect.tsx'
import { useChosen } from '../list/use-list-view.ts'
import { ConversationView } from './ConversationView.tsx'
import { chosenName, templatesView, useConversations, useDeskEvents, viewName } from './support.queries.ts'
import { TemplatesView } from './TemplatesView.tsx'

const kinds: Record<ConversationKind, true> = { question: true, recovery: true }
const assignees = { mine: true, nobody: true }

/** Conversations with customers and visitors: their list, one of them, or the templates for answers. */
export default function SupportTab() {
  useDeskEvents()
  const [params] = useSearchParams()
  const chosen = params.get(chosenName) ?? ''
  if (params.get(viewName) === templatesView) return <TemplatesView />
  return /^\d{1,9}$/.test(chosen) ? <OneConversation key={chosen} id={Number(chosen)} /> : <ConversationList />
}

function OneConversation({ id }: { id: number }) {
  const [, change] = useAddress()
  return <ConversationView id={id} onBack={() => change({ [chosenName]: undefined })} />
}

function ConversationList() {
  const { t } = useTranslation()
  const list = useConversations()
  const [, choose] = useChosen(list.view, chosenName)
  const onOpen = ({ id }: Conversation) => choose(String(id))

  const conversationColumns: Column<Conversation>[] = [
    {
      title: t('admin.support.from'),
      sort: 'nickname',
      isHead: true,
      cell: (conversation) => <From conversation={conversation} onOpen={() => onOpen(conversation)} />,
    },
    {
      title: t('admin.support.message'),
      isWide: true,
      cell: ({ last, order, is_unread }) => (
        <>
          <Text size="sm" lineClamp={2} fw={is_unread ? 600 : undefined} dir="auto">
            {last.text}
          </Text>
          {order && (
            <Text size="xs" c="dimmed">
              {t('admin.support.order', { id: order.id })}
            </Text>
          )}
        </>
      ),
    },
    columns.when({ title: t('admin.support.lastAt'), sort: 'last_at', isBare: true }, ({ last }) => last.created_at),
    { title: t('admin.support.assignee'), cell: ({ assignee }) => assignee ?? '—' },
    {
      title: t('admin.support.state'),
      sort: 'state',
      isState: true,
      cell: ({ state }) => <StatusBadge tone={talkTones[state]} text={t(`admin.support.states.${state}`)} />,
    },
  ]

  return (
    <AdminTable
      list={list}
      columns={conversationColumns}
      onOpen={onOpen}
      searchLabel={t('admin.support.search')}
      empty={t('admin.support.empty')}
      head={
        <Button variant="default" onClick={() => list.view.change({ [viewName]: templatesView })}>
          {t('admin.support.templates')}
        </Button>
      }
      filters={<DayFilters view={list.view} />}
      selects={[
        {
          name: 'state',
          label: t('admin.support.state'),
          options: toOptions(talkTones, (state) => t(`admin.support.states.${state}`)),
        },
        {
          name: 'assignee',
          label: t('admin.support.assignee'),
          options: toOptions(assignees, (who) => t(`admin.support.assignees.${who}`)),
        },
        {
          name: 'kind',
          label: t('admin.support.kind'),
          options: toOptions(kinds, (kind) => t(`admin.support.kinds.${kind}`)),
        },
      ]}
    />
  )
}

function From({ conversation, onOpen }: { conversation: Conversation; onOpen(): void }) {
  const { t } = useTranslation()
  const { nickname, kind, is_known, is_unread } = conversation
  return (
    <>
      <Group gap="xs">
        <Anchor component="button" fw={600} ta="start" onClick={onOpen}>
          <span translate="no">{nickname}</span>
        </Anchor>
        {is_unread && (
          <Text size="xs" fw={600} c="var(--olmos-wait)">
            {t('admin.support.unread')}
          </Text>
        )}
      </Group>
      {kind === 'recovery' && (
        <Text size="xs" fw={600}>
          {t('admin.support.kinds.recovery')}
        </Text>
      )}
      {!is_known && kind === 'question' && (
        <Text size="xs" c="dimmed">
          {t('admin.support.notLoggedIn')}
        </Text>
      )}
    </>
  )
}
