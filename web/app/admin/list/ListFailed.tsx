import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text.ts'
import { LoadFailed } from '../../ui/LoadFailed.tsx'

interface ListFailedProps {
  error: Error | null
  isBusy: boolean
  onRetry(): void
}

/** Something of the admin area could not be loaded: why, in the admin's words and in the store's. */
export function ListFailed({ error, isBusy, onRetry }: ListFailedProps) {
  const { t } = useTranslation()
  return (
    <LoadFailed
      title={t('admin.list.failed')}
      text={`${failureText(t, error)} (${error?.message ?? ''})`}
      retry={{ label: t('loading.retry'), isBusy, onClick: onRetry }}
    />
  )
}
