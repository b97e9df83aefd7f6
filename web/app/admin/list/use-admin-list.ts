import { LIMITS } from '@olmos/contract/limits'
import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { profileKey } from '../../session/profile.ts'
import { type ListView, useListView } from './use-list-view.ts'

export interface ListPage<Row> {
  data: Row[]
  total: number
}

export interface AdminList<Row> {
  query: UseQueryResult<ListPage<Row>>
  view: ListView
}

export const toLists = (noun: string) => ['admin', noun, 'list']

/** Somebody who is refused as no admin may have been one a moment ago: the profile tells, and RequireAdmin acts on it. */
export async function asAdmin<T>(client: QueryClient, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) client.invalidateQueries({ queryKey: profileKey })
    throw error
  }
}

interface ListOptions<Row> {
  /** What is listed: the first part of the keys of everything about it. */
  noun: string
  /** The caller of a list of the contract. The store checks what the address asks for. */
  load(sent: { query: never }, options: { signal: AbortSignal }): Promise<ListPage<Row>>
  /** Parameters of the address that this list has besides search, sort and page. */
  filters?: readonly string[]
  /** Keeps apart lists of one noun: packages of one product and of another. */
  of?: string | number
  /** Parameters of the address that say which of them. */
  place?: readonly string[]
  /** What is searched for stays out of the address. */
  isSearchSecret?: boolean
}

/** The page of a list that the address asks for. */
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
  return {
    view,
    query: useQuery({
      queryKey: [...toLists(noun), of, query],
      queryFn: ({ signal }) => asAdmin(client, load({ query: query as never }, { signal })),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  }
}
