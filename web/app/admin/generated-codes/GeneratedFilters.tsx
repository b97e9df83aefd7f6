import { useTranslation } from 'react-i18next'
import { FilterSelect } from '../list/FilterSelect.tsx'
import type { ListView } from '../list/use-list-view.ts'
import { useGenerationChoices } from './generated-codes.queries.ts'

export function GeneratedFilters({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const { data } = useGenerationChoices()
  const yesNo = [
    { value: 'true', label: t('admin.generated.yes') },
    { value: 'false', label: t('admin.generated.no') },
  ]
  const named = (rows: readonly { id: number; name: string }[] = []) =>
    rows.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <>
      <FilterSelect
        view={view}
        name="denominationId"
        label={t('admin.generated.denomination')}
        options={named(data?.denominations)}
      />
      <FilterSelect
        view={view}
        name="status"
        label={t('admin.generated.status')}
        options={(['available', 'reserved', 'used', 'quarantined', 'archived'] as const).map((status) => ({
          value: status,
          label: t(`admin.orders.codeStatus.${status}`),
        }))}
      />
      <FilterSelect view={view} name="published" label={t('admin.generated.published')} options={yesNo} />
      <FilterSelect view={view} name="activated" label={t('admin.generated.activated')} options={yesNo} />
    </>
  )
}
