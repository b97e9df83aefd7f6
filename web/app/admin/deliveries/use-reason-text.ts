import { useTranslation } from '../../i18n/use-translation.ts'

/** Why a supplier did not deliver, in words; what there are none for stays as the supplier said it. */
export function useReasonText(): (why: string) => string {
  const { t } = useTranslation()
  return (why) => t(`admin.deliveries.why.${why}`, { defaultValue: '' }) || why
}
