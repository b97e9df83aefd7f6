import { useTranslation } from 'react-i18next'

/** Why a supplier did not deliver, in words; what there are none for stays as the supplier said it. */
export function useReasonText(): (why: string) => string {
  const { t, i18n } = useTranslation()
  return (why) => {
    const key = `admin.deliveries.why.${why}`
    return i18n.exists(key) ? t(key) : why
  }
}
