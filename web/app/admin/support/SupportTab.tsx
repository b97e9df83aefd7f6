import { Anchor, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import type { SupportKind, SupportMessage, SupportStatus, supportApi } from '@olmos/contract/support'
import { useState } from 'react'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import type { Tone } from '../../features/orders/order.rules.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { toOptions } from '../list/FilterSelect.tsx'
import { useAdminList } from '../list/use-admin-list.ts'

const kinds: Record<SupportKind, true> = { question: true, recovery: true }
const messageTones: Record<SupportStatus, Tone> = { open: 'wait', answered: 'good' }

const load = caller<typeof supportApi.list>('GET /admin/support-messages')
const change = caller<typeof supportApi.change>('PUT /admin/support-messages/:id')

export default function SupportTab() {
  const { t } = useTranslation()
  const list = useAdminList<SupportMessage>({ noun: 'support', load, filters: ['status', 'kind'] })
  const [open, setOpen] = useState<SupportMessage>()

  const messageColumns: Column<SupportMessage>[] = [
    {
      title: t('admin.support.from'),
      sort: 'nickname',
      isHead: true,
      cell: (message) => (
        <>
          <Anchor component="button" fw={600} ta="start" onClick={() => setOpen(message)}>
            {message.nickname}
          </Anchor>
          {message.kind === 'recovery' && (
            <Text size="xs" fw={600}>
              {t('admin.support.kinds.recovery')}
            </Text>
          )}
          {!message.is_known && message.kind === 'question' && (
            <Text size="xs" c="dimmed">
              {t('admin.support.notLoggedIn')}
            </Text>
          )}
        </>
      ),
    },
    {
      title: t('admin.support.message'),
      isWide: true,
      cell: (message) => (
        <Text size="sm" lineClamp={2}>
          {message.message}
        </Text>
      ),
    },
    columns.when({ title: t('admin.support.sent'), sort: 'created_at' }, (message) => message.created_at),
    {
      title: t('admin.orders.status'),
      sort: 'status',
      cell: (message) => (
        <StatusBadge tone={messageTones[message.status]} text={t(`admin.support.statuses.${message.status}`)} />
      ),
    },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={messageColumns}
        onOpen={setOpen}
        searchLabel={t('admin.support.search')}
        empty={t('admin.support.empty')}
        selects={[
          {
            name: 'status',
            label: t('admin.orders.status'),
            options: toOptions(messageTones, (status) => t(`admin.support.statuses.${status}`)),
          },
          {
            name: 'kind',
            label: t('admin.support.kind'),
            options: toOptions(kinds, (kind) => t(`admin.support.kinds.${kind}`)),
          },
        ]}
      />
      {open && <AnswerForm message={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

interface Answer extends Record<string, unknown> {
  status: SupportStatus
  note: string
}

type Proved = NonNullable<SupportMessage['proof']>

/** The message, how to reach its sender, and what was done about it. The answer itself goes the way the sender named. */
function AnswerForm({ message, onClose }: { message: SupportMessage; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<Answer, SupportMessage>({
    noun: 'support',
    row: message,
    toValues: (row) => ({ status: row?.status ?? 'open', note: row?.note ?? '' }),
    send: (values, version) =>
      change({ params: { id: String(message.id) }, body: { ...values, ...(version && { version }) } }),
    onSaved: onClose,
  })
  const labels = { status: t('admin.orders.status'), note: t('admin.support.note') }
  const statuses = toOptions(messageTones, (status) => t(`admin.support.statuses.${status}`))
  return (
    <FormDrawer
      title={message.nickname}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      choices={{ status: statuses }}
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          <Moment at={message.created_at} /> ·{' '}
          {message.proof?.account_id === null ? t('admin.support.noAccount') : <ToAccount message={message} />}
        </Text>
        {message.proof && <Proof proof={message.proof} />}
        {message.contact && (
          <Text size="sm">
            {t('admin.support.contact')} <b>{message.contact}</b>
          </Text>
        )}
        <Text style={{ whiteSpace: 'pre-wrap' }}>{message.message}</Text>
        {message.answered_by && message.answered_at && (
          <Text size="sm" c="dimmed">
            {t('admin.support.answeredBy', { name: message.answered_by })} <Moment at={message.answered_at} />
          </Text>
        )}
      </Stack>
      <SegmentedControl fullWidth aria-label={labels.status} data={statuses} {...form.getInputProps('status')} />
      <Textarea
        label={labels.note}
        description={t('admin.support.noteHint')}
        autosize
        minRows={3}
        maxLength={5000}
        {...form.getInputProps('note')}
      />
    </FormDrawer>
  )
}

function ToAccount({ message: { proof, is_known, userId } }: { message: SupportMessage }) {
  const { t } = useTranslation()
  const claim = is_known ? 'admin.support.loggedIn' : 'admin.support.claims'
  return (
    <Anchor
      component={Link}
      to={`${paths.admin('users')}?search=${encodeURIComponent(proof?.account_id ?? userId)}`}
      size="sm"
      underline="always"
    >
      {proof ? t('admin.support.toAccount') : t(claim, { id: userId })}
    </Anchor>
  )
}

/** What tells whether a request for a new password comes from the account's owner. */
function Proof({ proof: { account_id, order, is_own_order, is_own_contact } }: { proof: Proved }) {
  const { t } = useTranslation()
  if (account_id === null) return null
  const ofOrder = is_own_order ? 'admin.support.ownOrder' : 'admin.support.notOwnOrder'
  return (
    <Stack gap={4}>
      <StatusBadge
        tone={is_own_order ? 'good' : 'wait'}
        text={order ? t(ofOrder, { order }) : t('admin.support.noOrder')}
      />
      <StatusBadge
        tone={is_own_contact ? 'good' : 'wait'}
        text={t(is_own_contact ? 'admin.support.ownContact' : 'admin.support.notOwnContact')}
      />
      <Text size="sm">{t('admin.support.howToRecover')}</Text>
    </Stack>
  )
}
