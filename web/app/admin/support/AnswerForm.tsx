import { Anchor, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import type { SupportMessage, SupportStatus } from '@olmos/contract/support'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { paths } from '../../paths.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toOptions } from '../list/FilterSelect.tsx'
import { messageTones } from './message-tones.ts'
import { answerMessage } from './messages.queries.ts'

interface Answer extends Record<string, unknown> {
  status: SupportStatus
  note: string
}

/** The message, how to reach its sender, and what was done about it. The answer itself goes the way the sender named. */
export function AnswerForm({ message, onClose }: { message: SupportMessage; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<Answer, SupportMessage>({
    noun: 'support',
    row: message,
    toValues: (row) => ({ status: row?.status ?? 'open', note: row?.note ?? '' }),
    send: (values, version) => answerMessage(message, { ...values, ...(version && { version }) }),
    onSaved: onClose,
  })
  const labels = { status: t('admin.orders.status'), note: t('admin.support.note') }
  const statuses = toOptions(messageTones, (status) => t(`admin.support.statuses.${status}`))
  const names = { labels, choices: { status: Object.fromEntries(statuses.map(({ value, label }) => [value, label])) } }
  return (
    <FormDrawer title={message.nickname} onClose={onClose} form={{ form, ...saving }} {...names}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          <Moment at={message.created_at} /> ·{' '}
          <Anchor
            component={Link}
            to={`${paths.admin('users')}?search=${encodeURIComponent(message.userId)}`}
            size="sm"
            underline="always"
          >
            {t(message.is_known ? 'admin.support.loggedIn' : 'admin.support.claims', { id: message.userId })}
          </Anchor>
        </Text>
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
