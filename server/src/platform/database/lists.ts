import type { Endpoint, QueryParams } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { violatedUnique } from './failures.ts'
import { join, type Queries, type Sql, sql } from './queries.ts'

export interface ListPage {
  page: number
  pageSize: number
  order: 'asc' | 'desc'
}

/** What a list of the contract is asked for, sorted by one of its columns. */
export type SortedList<Row extends Endpoint> = QueryParams<Row> & {
  sort: NonNullable<(QueryParams<Row> & { sort?: unknown })['sort']>
}

/** Paginates a list: makes `LIMIT` and `OFFSET` for a page. */
export const toPage = ({ page, pageSize }: Pick<ListPage, 'page' | 'pageSize'>): Sql =>
  sql`LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`

export const direction = (order: ListPage['order']): Sql => (order === 'asc' ? sql`ASC` : sql`DESC`)

/** Joins the conditions that are defined by AND. */
export function allConditions(...conditions: (Sql | undefined)[]): Sql {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length > 0 ? join(given, ' AND ') : sql`true`
}

interface Days {
  /** '2026-11-21', both days included; what is left out sets no end. */
  from?: string | undefined
  to?: string | undefined
  timeZone: string
}

/** Whether a time is within these days. */
export const isOn = (time: Sql, { from, to, timeZone }: Days): Sql =>
  allConditions(
    from ? sql`${time} >= ${from}::timestamp AT TIME ZONE ${timeZone}` : undefined,
    to ? sql`${time} < (${to}::timestamp + interval '1 day') AT TIME ZONE ${timeZone}` : undefined,
  )

/** Counts the rows of a query, but no further than lists are paginated, which is less far for a search. */
export async function countAll(queries: Queries, query: Sql, search = ''): Promise<number> {
  const atMost = search ? LIMITS.searchCountMax : LIMITS.listCountMax
  const { total } = await queries.one<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM (${query} LIMIT ${atMost}) AS counted`,
  )
  return total
}

/** Whether a query, which need not select anything, finds a row. */
export async function exists(queries: Queries, query: Sql): Promise<boolean> {
  const { found } = await queries.one<{ found: boolean }>(sql`SELECT EXISTS (${query}) AS found`)
  return found
}

/** Reads a page and the number of rows in all, which is only counted where the page itself does not tell it. */
export async function withTotal<Row>(
  { page, pageSize }: Pick<ListPage, 'page' | 'pageSize'>,
  read: Promise<Row[]>,
  count: () => Promise<number>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await read
  const isLast = rows.length < pageSize && (rows.length > 0 || page === 1)
  return { rows, total: isLast ? (page - 1) * pageSize + rows.length : await count() }
}

/** Refuses an edit of something that somebody else changed since: STATE_CONFLICT with its present state. */
export function requireVersion(current: { version: number }, seen: number | undefined): void {
  if (seen !== undefined && seen !== current.version)
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current })
}

/**
 * Refuses an order that does not name each of what there is once, and one that was made from another order than the present
 * one: STATE_CONFLICT with that.
 */
export function requireNewOrder(
  present: readonly string[],
  { names, seen }: { names: readonly string[]; seen?: readonly string[] | undefined },
): void {
  if (seen !== undefined && seen.join() !== present.join())
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: { names: present } })
  const isEachOnce = new Set(names).size === names.length && names.every((name) => present.includes(name))
  if (!isEachOnce || names.length !== present.length) throw new Failure('VALIDATION_FAILED', { names: 'invalid' })
}

/** Refuses a write that violates the unique constraint: DUPLICATE, naming the field. */
export async function orDuplicate<T>(write: Promise<T>, constraint: string, field: string): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (violatedUnique(error) === constraint) throw new Failure('DUPLICATE', { [field]: 'duplicate' })
    throw error
  }
}
