import type { ImportRow, LineReason } from '@olmos/contract/codes'
import type { SentBought } from '@olmos/contract/costs'
import { fromSafeCell } from '@olmos/contract/csv'
import { parsePrice } from '@olmos/contract/import-lines'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import { isStorable } from '@olmos/contract/storable'
import type { TableRow } from './read-text.ts'

/** What a column of a file may be. */
export const columnKinds = ['code', 'amount', 'priceUsd', 'priceRub', 'expires', 'cost', 'currency', 'skip'] as const
export type ColumnKind = (typeof columnKinds)[number]

/** What the columns of a file are. */
export interface Mapping {
  hasHeader: boolean
  /** By column. */
  columns: readonly ColumnKind[]
  /** The columns that a code is made of, in the order of its lines, with what is said before each. */
  parts: readonly { column: number; label: string }[]
  /** What costs are in where no column says it. */
  costCurrency: string
}

/** Why a row is not imported. */
export type Reason =
  | LineReason
  | 'code_masked'
  | 'code_cut'
  | 'torn'
  | 'amount_unknown'
  | 'expires_invalid'
  | 'expired'
  | 'cost_invalid'
  | 'currency_unknown'
  | 'repeated'
  | 'in_stock'
  | 'other_product'

/** What the last two columns of a file of rejected rows are called. */
export interface RejectedTitles {
  line: string
  reason: string
}

const first = (rows: readonly TableRow[]): readonly string[] => rows[0]?.cells ?? []

/** Whether a file is one of rejected rows, whose last two columns the store has added. */
export function isRejected(rows: readonly TableRow[], { line, reason }: RejectedTitles): boolean {
  const [lineTitle, reasonTitle] = first(rows).slice(-2)
  return lineTitle === line && reasonTitle === reason
}

/** What headers are called, in the three languages of the shop and as suppliers have it. */
const words: readonly [ColumnKind, RegExp][] = [
  ['currency', /currency|валюта|valyuta/],
  ['cost', /cost|purchase|себестоим|закуп|tannarx/],
  ['expires', /expir|valid|срок|годен|действ|muddat|yaroqli/],
  ['priceUsd', /usd|\$|доллар|dollar/],
  ['priceRub', /rub|₽|руб/],
  ['amount', /amount|nominal|denomination|offer|package|номинал|пакет|paket|количество|miqdor/],
  ['code', /code|key|voucher|serial|pin|login|password|код|ключ|ваучер|серийн|пин|логин|пароль|kod|kalit|parol/],
]

const isNumber = (text: string): boolean => /^[\d\s.,]*\d[\d\s.,]*$/.test(text)
const roleOfTitle = (title: string): ColumnKind | undefined =>
  words.find(([, word]) => word.test(title.toLowerCase()))?.[0]
const isDay = (text: string): boolean => toDay(text) !== undefined

/** A header is words without digits, of which one is known, or which stand over numbers. */
function hasHeader(rows: readonly TableRow[]): boolean {
  const titles = first(rows)
  const [, second] = rows
  if (titles.some((title) => /\d/.test(title))) return false
  if (titles.some((title) => roleOfTitle(title) !== undefined)) return true
  return titles.some((title, column) => title !== '' && isNumber(second?.cells[column] ?? ''))
}

/** Guesses what a column without a title is, from the cells below. */
function guessRole(cells: readonly string[]): ColumnKind | undefined {
  const known = cells.filter((text) => text !== '')
  if (known.length === 0) return undefined
  return known.every(isDay) ? 'expires' : undefined
}

/** Gives every role but `code` and `skip` to one column at most. */
const once = (columns: readonly ColumnKind[]): ColumnKind[] =>
  columns.map((role, column) => (role !== 'code' && columns.indexOf(role) < column ? 'skip' : role))

/** The columns that a list of codes has without a header, as the store has always read it. */
const classic: readonly ColumnKind[] = ['code', 'priceUsd', 'priceRub', 'amount']

/** Guesses what the columns of a file are. */
export function guessMapping(rows: readonly TableRow[], count: number, isOwn: boolean): Mapping {
  const isTitled = hasHeader(rows)
  const below = isTitled ? rows.slice(1) : rows
  const isClassic = count === classic.length && below.every(({ cells }) => cells.slice(1).every((text) => !isDay(text)))
  const guessed = Array.from({ length: count }, (_, column): ColumnKind => {
    if (isOwn && column >= count - 2) return 'skip'
    const title = isTitled ? roleOfTitle(first(rows)[column] ?? '') : undefined
    const untitled = isTitled ? undefined : isClassic ? classic[column] : column === 0 ? 'code' : undefined
    return title ?? untitled ?? guessRole(below.map(({ cells }) => cells[column] ?? '')) ?? 'skip'
  })
  const columns = once(guessed)
  const codes = columns.flatMap((role, column) => (role === 'code' ? [column] : []))
  const toLabel = (column: number) => (codes.length > 1 && isTitled ? (first(rows)[column] ?? '') : '')
  return {
    hasHeader: isTitled,
    columns,
    parts: codes.map((column) => ({ column, label: toLabel(column) })),
    costCurrency: 'USD',
  }
}

/** Changes what a column is; another column that was the same is left out, unless both are lines of the code. */
export function withRole(mapping: Mapping, column: number, role: ColumnKind): Mapping {
  const columns = mapping.columns.map((known, at) => {
    if (at === column) return role
    return known === role && role !== 'code' ? 'skip' : known
  })
  const kept = mapping.parts.filter((part) => part.column !== column)
  const known = mapping.parts.find((part) => part.column === column)
  const parts = role === 'code' ? (known ? mapping.parts : [...kept, { column, label: '' }]) : kept
  return { ...mapping, columns, parts }
}

/** Names the kind of a file, by its titles or how many columns it has. */
export function toShape(rows: readonly TableRow[], { hasHeader, columns }: Mapping, isOwn: boolean): string {
  const count = isOwn ? columns.length - 2 : columns.length
  return hasHeader ? first(rows).slice(0, count).join('\t').toLowerCase() : String(count)
}

/** What is missing before rows can be read; undefined when nothing is. */
export function missingColumn(
  mapping: Mapping,
  hasAmount: boolean,
): 'needCode' | 'needAmount' | 'needPrices' | undefined {
  if (mapping.parts.length === 0) return 'needCode'
  if (!hasAmount && !mapping.columns.includes('amount')) return 'needAmount'
  return mapping.columns.includes('priceUsd') === mapping.columns.includes('priceRub') ? undefined : 'needPrices'
}

/** A row as it is sent, and how the shop came by its code. */
export interface ReadRow extends ImportRow {
  bought: SentBought
}

interface Reading {
  mapping: Mapping
  /** What all rows are of, where no column says it. */
  gameAmount: number | undefined
  /** What packages are called, in lower case, with their amounts. */
  amounts: ReadonlyMap<string, number>
  currencies: readonly string[]
  /** Such as 2026-12-31. */
  today: string
  /** Whether it is a file of rejected rows, whose cells are safe from formulas. */
  isOwn: boolean
}

/** Reads rows as a mapping says: each is what is sent, or why it can't be. */
export function rowReader({ mapping, gameAmount, amounts, currencies, today, isOwn }: Reading) {
  const column = (role: ColumnKind) => mapping.columns.indexOf(role)
  const at = {
    amount: column('amount'),
    priceUsd: column('priceUsd'),
    priceRub: column('priceRub'),
    expires: column('expires'),
    cost: column('cost'),
    currency: column('currency'),
  }
  return (row: TableRow): ReadRow | Reason => {
    const cell = (place: number): string => {
      const text = row.cells[place] ?? ''
      return isOwn ? fromSafeCell(text) : text
    }
    if (row.isTorn) return 'torn'
    if (mapping.parts.some((part) => row.cut?.includes(part.column))) return 'code_cut'
    const code = toCode(mapping.parts, cell)
    if (code === '' || !isStorable(code)) return 'code_missing'
    if (code.length > LIMITS.codeLengthMax) return 'code_too_long'
    if (code.includes('•')) return 'code_masked'
    const amount = at.amount < 0 ? gameAmount : toAmount(cell(at.amount), amounts)
    if (amount === undefined) return 'amount_unknown'
    const prices = readPrices(cell(at.priceUsd), cell(at.priceRub), at.priceUsd >= 0)
    if (typeof prices === 'string') return prices
    const bought = readBought(
      { expires: cell(at.expires), cost: cell(at.cost), currency: cell(at.currency) || mapping.costCurrency },
      currencies,
      today,
    )
    return typeof bought === 'string' ? bought : { line: row.line, code, gameAmount: amount, ...prices, bought }
  }
}

/** Joins the cells of a code: one is the code itself, several are its lines, each after its label. */
export function toCode(parts: Mapping['parts'], cell: (column: number) => string): string {
  const lines = parts.map(({ column, label }) => ({ label: label.trim(), text: cell(column).trim() }))
  const told = lines.filter(({ text }) => text !== '')
  if (parts.length === 1) return told[0]?.text ?? ''
  return told.map(({ label, text }) => (label === '' ? text : `${label}: ${text}`)).join('\n')
}

const withoutSpaces = (text: string): string => text.replace(/\s/g, '')

function toAmount(text: string, amounts: ReadonlyMap<string, number>): number | undefined {
  const named = amounts.get(text.toLowerCase().replace(/\s+/g, ' '))
  if (named !== undefined) return named
  const digits = withoutSpaces(text)
  const amount = Number(digits)
  return /^\d{1,10}$/.test(digits) && amount > 0 && amount <= LIMITS.gameAmountMax ? amount : undefined
}

/** A comma is the decimal separator where no point is; `1,500` has three decimals and is no price. */
const toDecimal = (text: string): string => {
  const digits = withoutSpaces(text)
  return digits.includes('.') ? digits : digits.replace(',', '.')
}

/** Two blank prices leave the price of the package as it is. */
function readPrices(usd: string, rub: string, areMapped: boolean): Pick<ImportRow, 'priceUsd' | 'priceRub'> | Reason {
  if (!areMapped || (usd === '' && rub === '')) return {}
  const priceUsd = parsePrice(toDecimal(usd))
  if (priceUsd === undefined) return 'price_usd_invalid'
  const priceRub = parsePrice(toDecimal(rub))
  return priceRub === undefined ? 'price_rub_invalid' : { priceUsd: toMajor(priceUsd), priceRub: toMajor(priceRub) }
}

function readBought(
  { expires, cost, currency }: { expires: string; cost: string; currency: string },
  currencies: readonly string[],
  today: string,
): SentBought | Reason {
  const day = expires === '' ? undefined : toDay(expires)
  if (expires !== '' && day === undefined) return 'expires_invalid'
  if (day !== undefined && day < today) return 'expired'
  const decimal = toDecimal(cost)
  if (cost !== '' && !/^\d{1,9}(\.\d{1,8})?$/.test(decimal)) return 'cost_invalid'
  const code = currency.toUpperCase()
  if (cost !== '' && !currencies.includes(code)) return 'currency_unknown'
  return { ...(day && { expires_on: day }), ...(cost !== '' && { cost: decimal, currency: code }) }
}

/** Reads `31.12.2026`, `2026-12-31`, also with a time behind it, and `12/2026`, which is the last day of that month. */
export function toDay(text: string): string | undefined {
  const [, iso, isoMonth, isoDay] = /^(\d{4})-(\d{2})-(\d{2})(?:[T\s]|$)/.exec(text) ?? []
  if (iso) return existing(iso, isoMonth, isoDay)
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:\s|$)/.exec(text) ?? []
  if (year) return existing(year, month, day)
  const [, lastMonth, ofYear] = /^(\d{1,2})[/.](\d{4})$/.exec(text) ?? []
  if (!ofYear) return undefined
  const days = new Date(Date.UTC(Number(ofYear), Number(lastMonth), 0)).getUTCDate()
  return existing(ofYear, lastMonth, String(days))
}

/** Refuses days that no calendar has, such as 31 April. */
function existing(year: string, month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : undefined
}
