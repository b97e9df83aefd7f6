import { Anchor, TextInput } from '@mantine/core'
import type { AuditEntry, auditApi } from '@olmos/contract/audit'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import { toLocalDay } from '../../i18n/format-moment.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { useAdminList } from '../list/use-admin-list.ts'
import type { ListView } from '../list/use-list-view.ts'
import { Change, places } from './Change.tsx'

const load = caller<typeof auditApi.list>('GET /admin/audit')
const filters = ['action', 'subject', 'actorId', 'from', 'to']

/** Who changed what. It can be read and nothing else: each entry hashes the one before. */
export default function AuditTab() {
  const { t } = useTranslation()
  const list = useAdminList<AuditEntry>({ noun: 'audit', load, filters })
  const auditColumns: Column<AuditEntry>[] = [
    { title: t('admin.audit.when'), isHead: true, cell: (entry) => <Moment at={entry.created_at} /> },
    { title: t('admin.audit.who'), isBare: true, cell: (entry) => entry.actor ?? t('admin.orders.byItself') },
    columns.withId({ title: t('admin.audit.action') }, ({ action }) => [
      t(`admin.audit.did.${action}`, { defaultValue: '' }),
      action,
    ]),
    columns.withId({ title: t('admin.audit.subject') }, ({ subject }) => [
      t(`admin.audit.of.${subject.split(':')[0]}`, { defaultValue: '' }),
      <Subject key={subject} of={subject} />,
    ]),
    { title: t('admin.audit.change'), isWide: true, cell: (entry) => <Change entry={entry} /> },
  ]
  return (
    <AdminTable
      list={list}
      columns={auditColumns}
      searchLabel={t('admin.audit.search')}
      empty={t('admin.audit.empty')}
      filters={<DayFilter view={list.view} />}
    />
  )
}

function Subject({ of }: { of: string }) {
  const place = toPlace(of)
  if (!place) return of
  return (
    <Anchor component={Link} to={place} size="xs">
      {of}
    </Anchor>
  )
}

function toPlace(subject: string): string | undefined {
  const [kind = '', id] = subject.split(':')
  return id && places[kind]?.(id)
}

/** The moment a day of this browser's clock begins, or the next one does. */
const toStart = (day: string, daysLater = 0): string => {
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return moment.toISOString()
}

const toDay = (moment: string, daysEarlier = 0): string => {
  if (moment === '') return ''
  const day = new Date(moment)
  day.setDate(day.getDate() - daysEarlier)
  return toLocalDay(day)
}

/** From one day to another, both included. */
function DayFilter({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const field = (name: 'from' | 'to', daysLater: number) => (
    <TextInput
      type="date"
      label={t(name === 'from' ? 'admin.audit.from' : 'admin.audit.to')}
      flex={{ base: '1 1 max(40%, 8.5rem)', sm: '0 0 auto' }}
      value={toDay(view.filter(name), daysLater)}
      onChange={({ currentTarget: { value } }) => view.change({ [name]: value && toStart(value, daysLater) })}
    />
  )
  return (
    <>
      {field('from', 0)}
      {field('to', 1)}
    </>
  )
}
