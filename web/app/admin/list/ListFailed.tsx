import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { failureText } from '../../api/failure-text.ts'
import { QueryFailed, type QueryState, QueryView } from '../../api/QueryView.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'

/** Says that something of the admin area could not be loaded, and why: in the admin's language and in the store's words. */
export function ListFailed({ query }: { query: Pick<QueryState<unknown>, 'error' | 'isFetching' | 'refetch'> }) {
  const { t } = useTranslation()
  const { error } = query
  return (
    <QueryFailed
      query={query}
      title={t('admin.list.failed')}
      text={`${failureText(t, error)} (${error?.message ?? ''})`}
    />
  )
}

interface LoadedProps<Data> {
  query: QueryState<Data>
  /** About as high as what is awaited. */
  height: number
  empty?: ReactNode
  /** A list without anything in it, unless it says otherwise. */
  isEmpty?(data: Data): boolean
  children(data: Data): ReactNode
}

/** Something the admin area loads: a grey box until it is there, the failure if it does not come. */
export const Loaded = <Data,>({ query, height, children, ...empty }: LoadedProps<Data>) => (
  <QueryView
    query={query}
    skeleton={<Skeleton h={height} radius="lg" />}
    failed={<ListFailed query={query} />}
    {...empty}
  >
    {children}
  </QueryView>
)
