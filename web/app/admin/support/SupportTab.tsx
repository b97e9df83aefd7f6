import { Anchor, Text } from '@mantine/core'
import type { SupportMessage } from '@olmos/contract/support'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { FilterSelect, toOptions } from '../list/FilterSelect.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { messageTones } from './message-tones.ts'
import { useMessages } from './messages.queries.ts'

export default function SupportTab() {
  const { t } = useTranslation()
  const list = useMessages()
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
          {!message.is_known && (
            <Text size="xs" c="dimmed">
              {t('admin.support.notLoggedIn')}
            </Text>
          )}
        </>
      ),
    },
    {
      title: t('admin.support.message'),
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
        rowKey={({ id }) => id}
        onOpen={setOpen}
        searchLabel={t('admin.support.search')}
        empty={t('admin.support.empty')}
        filters={
          <FilterSelect
            view={list.view}
            name="status"
            label={t('admin.orders.status')}
            options={toOptions(messageTones, (status) => t(`admin.support.statuses.${status}`))}
          />
        }
      />
      {open && <AnswerForm message={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
