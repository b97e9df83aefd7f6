import { useTranslation } from '../../i18n/use-translation.ts'
import { FilterText } from './FilterText.tsx'
import type { ListView } from './use-list-view.ts'

/** Narrows a list to days, both ends included. */
export function DayFilters({ view }: { view: ListView }) {
  const { t } = useTranslation()
  return (
    <>
      <FilterText view={view} name="from" type="date" label={t('admin.audit.from')} />
      <FilterText view={view} name="to" type="date" label={t('admin.audit.to')} />
    </>
  )
}
