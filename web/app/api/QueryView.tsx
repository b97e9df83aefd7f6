import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadFailed } from '../ui/LoadFailed.tsx'

/** What a view needs to know about a query of any kind. */
export interface QueryState<Data> {
  data: Data | undefined
  error: Error | null
  isPending: boolean
  isFetching: boolean
  refetch(): unknown
}

interface QueryViewProps<Data> {
  query: QueryState<Data>
  /** Stands in for data that has not arrived yet. */
  skeleton: ReactNode
  /** Shown when there is no data and none is coming: the title of a banner, or something else. */
  failed: ReactNode
  /** Replaces a list without entries. */
  empty?: ReactNode
  isEmpty?(data: Data): boolean
  children(data: Data): ReactNode
}

const hasNoEntries = (data: unknown): boolean => Array.isArray(data) && data.length === 0

/** Shows what a query loaded, or that it is pending, failed or found nothing. Data that is there stays when a refetch fails. */
export function QueryView<Data>({ query, skeleton, failed, empty, isEmpty, children }: QueryViewProps<Data>) {
  const { data, isPending } = query
  if (isPending) return skeleton
  if (data === undefined) return typeof failed === 'string' ? <QueryFailed title={failed} query={query} /> : failed
  if (empty !== undefined && (isEmpty ?? hasNoEntries)(data)) return empty
  return children(data)
}

interface QueryFailedProps {
  query: Pick<QueryState<unknown>, 'isFetching' | 'refetch'>
  title: string
  /** Banners explain what can be done; a text says more than that. */
  text?: string
  look?: 'banner' | 'line' | 'section'
  /** Replaces the refetch of all that is shown. */
  onRetry?(): unknown
}

/** Says that a query failed; one press sends it again. */
export function QueryFailed({ query, title, text, look = 'banner', onRetry }: QueryFailedProps) {
  const { t } = useTranslation()
  const explanation = text ?? (look === 'banner' ? t('loading.failedText') : undefined)
  const retry = () => void (onRetry ?? query.refetch)()
  return (
    <LoadFailed
      title={title}
      look={look}
      {...(explanation && { text: explanation })}
      retry={{ label: t('loading.retry'), isBusy: query.isFetching, onClick: retry }}
    />
  )
}
