import { Anchor, Box, Button, Grid, Group, Stack, Text, Title } from '@mantine/core'
import type { DeskMessage, OpenedConversation } from '@olmos/contract/desk'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { OrderBadge } from '../../features/orders/OrderBadge.tsx'
import { Messages, type ShownMessage } from '../../features/support/Messages.tsx'
import { talkTones } from '../../features/support/TalkView.tsx'
import { languageNames } from '../../i18n/languages.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { spanText } from '../../i18n/within-text.ts'
import { Amount } from '../../money/Amount.tsx'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastError } from '../../ui/toast.ts'
import { refusalText } from '../form/refusal-text.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { AnswerBox } from './AnswerBox.tsx'
import { type ConversationWish, useChange, useConversation, useWrite } from './support.queries.ts'

interface ConversationViewProps {
  id: number
  onBack(): void
}

/** One conversation: what was said and noted, who it is with and what about, and the field to answer in. */
export function ConversationView({ id, onBack }: ConversationViewProps) {
  const { t } = useTranslation()
  const { query, showMore } = useConversation(id)
  return (
    <Stack gap="md">
      <Group>
        <Button variant="subtle" color="gray" px={8} leftSection={<IconArrowLeft size={18} />} onClick={onBack}>
          {t('admin.support.back')}
        </Button>
      </Group>
      <Loaded query={query} height={320}>
        {(conversation) => <Opened conversation={conversation} onEarlier={showMore} />}
      </Loaded>
    </Stack>
  )
}

type Shown = ShownMessage & Pick<DeskMessage, 'by'>

function Opened({ conversation, onEarlier }: { conversation: OpenedConversation; onEarlier(): void }) {
  const { t } = useTranslation()
  const writing = useWrite(conversation.id)
  const sent = writing.isPending ? writing.variables : undefined
  // The store may show it before it has answered the call.
  const isThere = conversation.messages.some(({ id, text }) => sent && id > sent.after && text === sent.text)
  const pending: Shown[] =
    sent && !isThere
      ? [
          {
            ...{ id: 0, text: sent.text, created_at: undefined, by: t('admin.support.you') },
            author: sent.mode === 'note' ? 'note' : 'shop',
          },
        ]
      : []
  const toName = ({ author, by }: Shown): string => {
    if (author === 'customer') return conversation.nickname
    return author === 'note' ? t('admin.support.noteBy', { name: by ?? '' }) : (by ?? '')
  }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack>
          <Head conversation={conversation} />
          <Surface>
            <Messages
              messages={[...conversation.messages, ...pending]}
              own="shop"
              toName={toName}
              earlier={conversation.earlier}
              onEarlier={onEarlier}
            />
          </Surface>
          <AnswerBox conversation={conversation} writing={writing} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack>
          <CustomerCard conversation={conversation} />
          <OrderCard conversation={conversation} />
          <Times conversation={conversation} />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

/** Whose turn it is, who has it, and what changes either. */
function Head({ conversation }: { conversation: OpenedConversation }) {
  const { t, language } = useTranslation()
  const { id, nickname, state, assignee, is_mine, version } = conversation
  const change = useChange(id)
  const wish = (wanted: ConversationWish) =>
    change.mutate({ ...wanted, version }, { onError: (error) => toastError(refusalText({ t, language }, error)) })
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
          <span translate="no">{nickname}</span>
        </Title>
        <Group gap="xs">
          <StatusBadge tone={talkTones[state]} text={t(`admin.support.states.${state}`)} />
          <Text size="sm" c="dimmed">
            {t('admin.support.number', { id })} · {t('admin.support.assignee')}:{' '}
            {is_mine ? t('admin.support.you') : (assignee ?? t('admin.support.nobody'))}
          </Text>
        </Group>
      </div>
      <Group gap="xs">
        <Button variant="default" onClick={() => wish({ mine: !is_mine })}>
          {t(is_mine ? 'admin.support.leave' : 'admin.support.take')}
        </Button>
        <Button variant="default" onClick={() => wish({ state: state === 'closed' ? 'open' : 'closed' })}>
          {t(state === 'closed' ? 'admin.support.reopen' : 'admin.support.close')}
        </Button>
      </Group>
    </Group>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
    <Text component="span" size="sm" c="dimmed">
      {name}:
    </Text>{' '}
    {children}
  </Text>
)

/** Who writes: what the shop knows, and what is only claimed. */
function CustomerCard({ conversation }: { conversation: OpenedConversation }) {
  const { t } = useTranslation()
  const { customer, proof, is_known, userId, contact, language } = conversation
  const users = (search: string | number) => `${paths.admin('users')}?search=${encodeURIComponent(search)}`
  return (
    <Surface title={t('admin.support.customer')}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {t(toStanding(conversation))}
        </Text>
        {!is_known && userId !== '' && userId !== '0' && (
          <Anchor component={Link} to={users(userId)} size="sm">
            {t('admin.support.claims', { id: userId })}
          </Anchor>
        )}
        {contact && <Fact name={t('admin.support.contact')}>{contact}</Fact>}
        {proof && customer && (
          <Box>
            <StatusBadge
              tone={proof.is_own_contact ? 'good' : 'wait'}
              text={t(proof.is_own_contact ? 'admin.support.ownContact' : 'admin.support.notOwnContact')}
            />
          </Box>
        )}
        <Fact name={t('admin.support.language')}>{languageNames[language]}</Fact>
        {customer && (
          <>
            <Fact name={t('admin.support.since')}>
              <Moment at={customer.created_at} />
            </Fact>
            {customer.contact && !proof && <Fact name={t('admin.support.profileContact')}>{customer.contact}</Fact>}
            {customer.is_blocked && (
              <Box>
                <StatusBadge tone="bad" text={t('admin.support.isBlocked')} />
              </Box>
            )}
            <Group gap="md">
              <Anchor component={Link} to={users(customer.id)} size="sm">
                {t('admin.support.toAccount')}
              </Anchor>
              <Anchor
                component={Link}
                to={`${paths.admin('orders')}?search=${encodeURIComponent(customer.nickname)}`}
                size="sm"
              >
                {t('admin.support.toOrders', { count: customer.orders })}
              </Anchor>
              <Anchor
                component={Link}
                to={`${paths.admin('support')}?search=${encodeURIComponent(customer.nickname)}`}
                size="sm"
              >
                {t('admin.support.toTalks', { count: customer.conversations })}
              </Anchor>
            </Group>
          </>
        )}
        {proof && customer && <Text size="sm">{t('admin.support.howToRecover')}</Text>}
      </Stack>
    </Surface>
  )
}

function toStanding({ is_known, proof, customer }: OpenedConversation) {
  if (is_known) return 'admin.support.loggedIn'
  if (!proof) return 'admin.support.visitor'
  return customer ? 'admin.support.claimedAccount' : 'admin.support.noAccount'
}

/** The order that was named, and whether it is of who writes. */
function OrderCard({ conversation: { order, named } }: { conversation: OpenedConversation }) {
  const { t } = useTranslation()
  if (!order) return null
  return (
    <Surface title={t('admin.support.order', { id: order.id })}>
      <Stack gap="xs" align="flex-start">
        {named ? (
          <>
            <StatusBadge
              tone={order.proof === 'own' ? 'good' : 'wait'}
              text={t(order.proof === 'own' ? 'admin.support.ownOrder' : 'admin.support.claimedOrder')}
            />
            <Group gap="xs">
              <OrderBadge status={named.status} />
              <Amount value={named.total_amount} currency={named.currency} />
              <Text size="sm" c="dimmed">
                <Moment at={named.created_at} />
              </Text>
            </Group>
            <Text size="sm">{t('admin.support.orderOf', { name: named.nickname })}</Text>
            <Text size="sm">{named.items.map(({ title, quantity }) => `${title} × ${quantity}`).join(', ')}</Text>
            <Anchor component={Link} to={`${paths.admin('orders')}?order=${named.id}`} size="sm" ff="monospace">
              {named.id}
            </Anchor>
          </>
        ) : (
          <Text size="sm">{t('admin.support.noSuchOrder')}</Text>
        )}
      </Stack>
    </Surface>
  )
}

const minutesBetween = (begins: string, ends: string): number =>
  Math.max(1, Math.ceil((Date.parse(ends) - Date.parse(begins)) / 60_000))

/** When it was asked, when first answered, and how long that took. */
function Times({ conversation: { created_at, first_answered_at } }: { conversation: OpenedConversation }) {
  const { t } = useTranslation()
  return (
    <Surface>
      <Fact name={t('admin.support.asked')}>
        <Moment at={created_at} />
      </Fact>
      <Fact name={t('admin.support.firstAnswer')}>
        {first_answered_at ? (
          <>
            <Moment at={first_answered_at} /> ({spanText(t, minutesBetween(created_at, first_answered_at))})
          </>
        ) : (
          t('admin.support.notAnswered')
        )}
      </Fact>
    </Surface>
  )
}
