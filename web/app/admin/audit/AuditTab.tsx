import { Anchor, Code, Text } from '@mantine/core'
import type { AuditEntry } from '@olmos/contract/audit'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { paths } from '../../paths.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { useAudit } from './audit.queries.ts'
import { Change } from './Change.tsx'
import { DayFilter } from './DayFilter.tsx'

/** Who changed what. It can be read and nothing else: each entry hashes the one before. */
export default function AuditTab() {
  const { t } = useTranslation()
  const list = useAudit()
  const columns: Column<AuditEntry>[] = [
    { title: t('admin.audit.when'), isHead: true, cell: (entry) => <Moment at={entry.created_at} /> },
    { title: t('admin.audit.who'), cell: (entry) => entry.actor ?? t('admin.orders.byItself') },
    { title: t('admin.audit.action'), cell: (entry) => <Action name={entry.action} /> },
    { title: t('admin.audit.subject'), cell: (entry) => <Subject of={entry.subject} /> },
    { title: t('admin.audit.change'), cell: (entry) => <Change entry={entry} /> },
  ]
  return (
    <AdminTable
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      searchLabel={t('admin.audit.search')}
      empty={t('admin.audit.empty')}
      filters={<DayFilter view={list.view} />}
    />
  )
}

/** In words, and by the name one can search for. */
function Action({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <>
      {t(`admin.audit.did.${name}`, { defaultValue: '' })}
      <Text size="xs" c="dimmed" ff="monospace" translate="no">
        {name}
      </Text>
    </>
  )
}

function Subject({ of }: { of: string }) {
  const place = toPlace(of)
  if (!place) return <Code>{of}</Code>
  return (
    <Anchor component={Link} to={place} ff="monospace" size="sm" translate="no">
      {of}
    </Anchor>
  )
}

/** Where the admin area shows one thing of a kind. */
const places: Readonly<Record<string, (id: string) => string>> = {
  batch: (id) => `${paths.admin('codes')}?batch=${id}`,
  code: (id) => `${paths.admin('codes')}?search=${id}`,
  order: (id) => `${paths.admin('orders')}?order=${id}`,
  product: (id) => `${paths.admin('products')}?product=${id}`,
  user: (id) => `${paths.admin('users')}?user=${id}`,
}

function toPlace(subject: string): string | undefined {
  const [kind = '', id] = subject.split(':')
  return id && places[kind]?.(id)
}
