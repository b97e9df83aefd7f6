import { useTranslation } from '../i18n/use-translation.ts'
import { ApiError } from './api-error.ts'
import classes from './QueryView.module.css'

/** Names the request that the store failed to answer, to be copied into a question to it; nothing for any other failure. */
export function RequestId({ error, id }: { error?: unknown; id?: string | undefined }) {
  const { t } = useTranslation()
  const named = id ?? (error instanceof ApiError ? error.requestId : undefined)
  if (named === undefined) return null
  return <p className={classes.request}>{t('loading.request', { id: named })}</p>
}
