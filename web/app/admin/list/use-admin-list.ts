import * as LIMITS from '@olmos/contract/limits'
import {
  keepPreviousData,
  type QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { useIsShown } from './use-is-shown.ts'
import { type ListView, useListView } from './use-list-view.ts'

export interface ListPage<Row> {
  data: Row[]
  total: number
}

export interface AdminList<Row> {
  query: UseQueryResult<ListPage<Row>>
  view: ListView
}

/**
 * Sends a call of the admin area. A refusal may mean that the caller is no admin any more: the profile tells, and
 * RequireAdmin acts on it.
 */
export async function asAdmin<T>(client: QueryClient, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) client.invalidateQueries({ queryKey: queryKeys.profile })
    throw error
  }
}

type QuerySettings<Data> = Pick<
  UseQueryOptions<Data>,
  'enabled' | 'gcTime' | 'placeholderData' | 'refetchInterval' | 'staleTime'
>

/** Loads something of the admin area that is no list of a tab; refetches it whenever it is shown. */
export function useAdminQuery<Data>(
  queryKey: ReturnType<typeof queryKeys.admin.noun>,
  load: (signal: AbortSignal) => Promise<Data>,
  settings: QuerySettings<Data> = {},
): UseQueryResult<Data> {
  const client = useQueryClient()
  return useQuery({ queryKey, queryFn: ({ signal }) => asAdmin(client, load(signal)), staleTime: 0, ...settings })
}

/** Loads what a call answers with as its `data`. */
export const useAdminRead = <Sent, Data>(
  queryKey: ReturnType<typeof queryKeys.admin.noun>,
  read: (sent: Sent, options: { signal: AbortSignal }) => Promise<{ data: Data }>,
  sent: NoInfer<Sent>,
  settings?: QuerySettings<Data>,
) => useAdminQuery(queryKey, async (signal) => (await read(sent, { signal })).data, settings)

/** Reads every page of a list, for what has to have all of it: a field to choose from, a recall. */
export async function readAllPages<Row>(
  readPage: (place: { page: string; pageSize: '200' }) => Promise<ListPage<Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { data, total } = await readPage({ page: String(page), pageSize: '200' })
    rows.push(...data)
    if (data.length === 0 || rows.length >= total) return rows
  }
}

interface ListOptions<Row> {
  noun: AdminNoun
  /** The caller of a list of the contract. The store checks what the address asks for. */
  load(sent: { query: never }, options: { signal: AbortSignal }): Promise<ListPage<Row>>
  /** Parameters of the address that this list has besides search, sort and page. */
  filters?: readonly string[]
  /** Keeps lists of one noun apart, such as the offers of different products. */
  of?: string | number
  /** Parameters of the address that say which of them. */
  place?: readonly string[]
  /** What is searched for stays out of the address. */
  isSearchSecret?: boolean
}

/** Counts the pages of a list; an empty one has one. */
export const countPages = (total: number): number => Math.max(1, Math.ceil(total / LIMITS.listPageSize))

/**
 * The page of a list that the address asks for. Where that is past the end, because the rows of the last page are gone, the
 * address is led to the page that is the last one now.
 */
export function useAdminList<Row>({ noun, load, filters = [], of = '', ...options }: ListOptions<Row>): AdminList<Row> {
  const client = useQueryClient()
  const view = useListView(options)
  const query = {
    page: view.page,
    pageSize: LIMITS.listPageSize,
    search: view.search,
    ...(view.sort && { sort: view.sort, order: view.order }),
    ...Object.fromEntries(filters.map((name) => [name, view.filter(name)])),
  }
  const result = useQuery({
    queryKey: [...queryKeys.admin.noun(noun, 'list'), of, query],
    queryFn: ({ signal }) => asAdmin(client, load({ query: query as never }, { signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const isShown = useIsShown()
  const { data, isFetching } = result
  const last = data?.data.length === 0 && !isFetching ? countPages(data.total) : view.page
  useEffect(() => {
    if (view.page > last && isShown()) view.change({ page: last > 1 ? last : undefined })
  })
  return { view, query: result }
}
