import { Code } from '@mantine/core'
import type { AuditEntry } from '@olmos/contract/audit'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
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
    { title: t('admin.audit.action'), cell: (entry) => <Code>{entry.action}</Code> },
    { title: t('admin.audit.subject'), cell: (entry) => <Code>{entry.subject}</Code> },
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
