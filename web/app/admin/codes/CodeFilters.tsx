import { useTranslation } from 'react-i18next'
import { FilterSelect, toOptions } from '../list/FilterSelect.tsx'
import type { ListView } from '../list/use-list-view.ts'
import { useCodeProducts } from '../products/products.queries.ts'
import { useAllRegions } from '../regions/regions.queries.ts'
import { BatchFilter } from './BatchFilter.tsx'
import { codeStateTones } from './states.ts'

const named = (rows: readonly { id: number; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: String(id), label: name }))

/** Narrows the list of codes by product, region and status; a batch is named by a link. */
export function CodeFilters({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const { data: products } = useCodeProducts()
  const { data: regions } = useAllRegions()
  const noRegion = { value: '0', label: t('admin.codes.noRegion') }
  const states = toOptions(codeStateTones, (status) => t(`admin.codes.state.${status}`))
  return (
    <>
      <FilterSelect view={view} name="productId" label={t('admin.codes.product')} options={named(products)} />
      <FilterSelect
        view={view}
        name="regionId"
        label={t('admin.codes.region')}
        options={[noRegion, ...named(regions)]}
      />
      <FilterSelect view={view} name="status" label={t('admin.codes.status')} options={states} />
      <BatchFilter view={view} />
    </>
  )
}
