import { Anchor, Code, Text } from '@mantine/core'
import type { AuditEntry } from '@olmos/contract/audit'
import type { Language } from '@olmos/contract/fields'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatDay } from '../../i18n/format-moment.ts'
import { languageNames } from '../../i18n/languages.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { walletCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'

/** Where the admin area shows one thing of a kind. */
export const places: Readonly<Record<string, (id: string) => string>> = {
  batch: (id) => `${paths.admin('codes')}?batch=${id}`,
  code: (id) => `${paths.admin('codes')}?search=${id}`,
  order: (id) => `${paths.admin('orders')}?order=${id}`,
  product: (id) => `${paths.admin('products')}?product=${id}`,
  user: (id) => `${paths.admin('users')}?user=${id}`,
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Fact {
  /** The names of a field and of those around it, from the outside. */
  path: readonly string[]
  value: unknown
  /** What stands beside it. */
  beside: Fields
}

/** What the entry itself says when it was made and by whom. */
const isSaidByEntry = (field: string) => ['created_at', 'changed_at', 'changed_by'].includes(field)

/** Every field with something in it; those inside another one, too. */
function toFacts(value: unknown, around: readonly string[] = []): Fact[] {
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([field, inside]) => {
    const path = [...around, field]
    if (isFields(inside)) return toFacts(inside, path)
    const isEmpty = inside === null || inside === '' || (Array.isArray(inside) && inside.length === 0)
    return isEmpty || isSaidByEntry(field) ? [] : [{ path, value: inside, beside: value }]
  })
}

const shownAtOnce = 4

/** What was done, and what was there before and after it. */
type Done = Pick<AuditEntry, 'action' | 'before' | 'after'>

/** Each field that changed: what it was and what it became. Many of them are folded, all but the first ones. */
export function Change({ entry }: { entry: Done }) {
  const { t } = useTranslation()
  const byPath = (facts: Fact[]) => new Map(facts.map((fact) => [fact.path.join('.'), fact]))
  const before = byPath(toFacts(entry.before))
  const after = byPath(toFacts(entry.after))
  // An entry may have all balances, of which one was changed.
  const isSame = (path: string) => JSON.stringify(before.get(path)?.value) === JSON.stringify(after.get(path)?.value)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((path) => !isSame(path))
  const lines = changed.map((path) => (
    <FactChange key={path} entry={entry} before={before.get(path)} after={after.get(path)} />
  ))
  if (lines.length === 0) return '—'
  if (lines.length <= shownAtOnce + 1) return lines
  return (
    <>
      {lines.slice(0, shownAtOnce)}
      <details>
        <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>
          {t('admin.audit.rest', { number: lines.length - shownAtOnce })}
        </Text>
        {lines.slice(shownAtOnce)}
      </details>
    </>
  )
}

interface FactChangeProps {
  entry: Done
  before: Fact | undefined
  after: Fact | undefined
}

function FactChange({ entry, before, after }: FactChangeProps) {
  const { t } = useTranslation()
  const toWord = (field: string) =>
    languageNames[field as Language] ?? (t(`admin.audit.field.${field}`, { defaultValue: '' }) || <Code>{field}</Code>)
  const { path } = (after ?? before) as Fact
  return (
    <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed" size="sm">
        {path.map((field, at) => (
          <Fragment key={field}>
            {at > 0 && ' › '}
            {toWord(field)}
          </Fragment>
        ))}
        :{' '}
      </Text>
      {before && (
        <s>
          <Value entry={entry} fact={before} />
        </s>
      )}{' '}
      {after ? <Value entry={entry} fact={after} /> : before && entry.after !== null && '—'}
    </Text>
  )
}

/** Which fields name something that has a place of its own. */
const linkedTo: Readonly<Record<string, string>> = {
  order: 'order',
  batch_id: 'batch',
  code_id: 'code',
  productId: 'product',
  product_id: 'product',
  product_ids: 'product',
  featured: 'product',
  copy_of: 'product',
}

function Value({ entry, fact: { path, value, beside } }: { entry: Done; fact: Fact }) {
  const { t, language } = useTranslation()
  const field = path.at(-1) ?? ''
  const amount = readAmount(entry.action, field, value, beside)
  if (amount) return formatAmount(amount.major, amount.currency, language)
  if (typeof value === 'boolean') return t(value ? 'admin.audit.yes' : 'admin.audit.no')
  if (Array.isArray(value)) {
    return value.map((one, at) => (
      <Fragment key={at}>
        {at > 0 && (isFields(one) ? '; ' : ', ')}
        {isFields(one) ? (
          <Inline entry={entry} fields={one} />
        ) : (
          <Value entry={entry} fact={{ path, value: one, beside }} />
        )}
      </Fragment>
    ))
  }
  const place = places[(field === 'ids' && entry.action === 'products.order' ? 'product' : linkedTo[field]) ?? '']
  const text = String(value)
  if (place) {
    return (
      <Anchor component={Link} to={place(text)} size="sm" translate="no">
        {text}
      </Anchor>
    )
  }
  if (typeof value !== 'string') return text
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return <Moment at={text} />
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatDay(text, language)
  const status = /status$/.test(field) && t(`orders.status.${text}`, { defaultValue: '' })
  // What machines call something; people write with capitals, spaces or other letters.
  return status || (/^[a-z][a-z\d]*([_.-][a-z\d]+)*$/.test(text) ? <Code>{text}</Code> : text)
}

/** One of several things that a field lists. */
function Inline({ entry, fields }: { entry: Done; fields: Fields }) {
  const { t } = useTranslation()
  return toFacts(fields).map((fact, at) => {
    const name = fact.path.join('.')
    return (
      <Fragment key={name}>
        {at > 0 && ', '}
        {t(`admin.audit.field.${name}`, { defaultValue: '' }) || name} <Value entry={entry} fact={fact} />
      </Fragment>
    )
  })
}

/**
 * Reads money, which the log keeps in minor units under the name of its currency or beside one, and in major units where
 * the name of a field has the currency in it, but for denominations.
 */
function readAmount(action: string, field: string, value: unknown, beside: Fields) {
  if (typeof value !== 'number') return undefined
  const named = walletCurrencies.find((known) => new RegExp(`(^|_)${known}(_|$)`, 'i').test(field))
  const isBare = field === named
  if (named) return { major: isBare || action.startsWith('denomination.') ? value / 100 : value, currency: named }
  const currency = walletCurrencies.find((known) => known === beside.currency)
  return /^(amount|fee)$/.test(field) && currency ? { major: value / 100, currency } : undefined
}
