import { Anchor, Code, Text, TextInput } from '@mantine/core'
import type { AuditEntry, auditApi } from '@olmos/contract/audit'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { readCurrency, walletCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { useAdminList } from '../list/use-admin-list.ts'
import type { ListView } from '../list/use-list-view.ts'

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
    { title: t('admin.audit.subject'), isBare: true, cell: (entry) => <Subject of={entry.subject} /> },
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

type Fields = Record<string, unknown>

const toFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Each field that changed: what it was and what it became. */
function Change({ entry }: { entry: AuditEntry }) {
  const before = toFields(entry.before)
  const after = toFields(entry.after)
  // An entry may have all balances, of which one was changed.
  const isSame = (field: string) => field in before && JSON.stringify(before[field]) === JSON.stringify(after[field])
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !isSame(field))
  if (fields.length === 0) return '—'
  return fields.map((field) => (
    <Text key={field} size="sm">
      <Text span c="dimmed" size="sm">
        {field}:{' '}
      </Text>
      {field in before && (
        <s>
          <Value field={field} of={before} />
        </s>
      )}{' '}
      {field in after && <Value field={field} of={after} />}
    </Text>
  ))
}

/** The log keeps money in minor units: under its currency's name, or as an amount beside one. */
function Value({ field, of }: { field: string; of: Fields }) {
  const language = useLanguage()
  const value = of[field]
  const currency = field === 'amount' ? of.currency : field
  if (typeof value === 'number' && walletCurrencies.some((known) => known === currency)) {
    return formatAmount(value / 100, readCurrency(String(currency)), language)
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
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
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
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
