import { type ReactNode, useEffect } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Press } from '../ui/Press.tsx'
import { RetryMessage } from '../ui/RetryMessage.tsx'
import { toastError } from '../ui/toast.ts'
import classes from './QueryView.module.css'
import { RequestId } from './RequestId.tsx'

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
  /** Shown when there is no data and none is coming: a title, where that is all the page has, or something else. */
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
  if (data === undefined)
    return typeof failed === 'string' ? <QueryFailed title={failed} query={query} look="page" /> : failed
  if (empty !== undefined && (isEmpty ?? hasNoEntries)(data)) return empty
  return children(data)
}

interface QueryFailedProps {
  query: Pick<QueryState<unknown>, 'error' | 'isFetching' | 'refetch'>
  title: string
  /** Banners and pages explain what can be done; a text says more than that. */
  text?: string
  /** A banner of its own, a line in a card, or a message in the place of a whole section, or of all that a page has. */
  look?: 'banner' | 'line' | 'section' | 'page'
  /** Replaces the refetch of all that is shown. */
  onRetry?(): unknown
}

/** Says that a query failed; one press sends it again. Of what is not there at all a toast says so each time. */
export function QueryFailed({ query, title, text, look = 'banner', onRetry }: QueryFailedProps) {
  const { t } = useTranslation()
  const { error } = query
  const isAllThereIs = look === 'section' || look === 'page'
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is no other failure
  useEffect(() => {
    if (error && isAllThereIs) toastError(title)
  }, [error])
  const retry = {
    label: t('loading.retry'),
    isBusy: query.isFetching,
    onClick: () => void (onRetry ?? query.refetch)(),
  }
  const request = text === undefined && <RequestId error={error} />
  const told = text ?? (look === 'section' ? undefined : t('loading.failedText'))
  if (isAllThereIs)
    return <RetryMessage level={look === 'page' ? 2 : 3} title={title} text={told} note={request} retry={retry} />
  const button = (
    <Press look="plain" onClick={retry.onClick} isBusy={retry.isBusy}>
      {retry.label}
    </Press>
  )
  if (look === 'line') {
    return (
      <div className={classes.line} role="alert">
        <p className={classes.text}>{title}</p>
        {request}
        {button}
      </div>
    )
  }
  return (
    <div className={`${classes.line} ${classes.banner}`} role="alert">
      <b className={classes.title}>{title}</b>
      <p className={classes.text}>{told}</p>
      {request}
      {button}
    </div>
  )
}
