import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListView } from '../list/use-list-view.ts'
import { useCodeProducts } from '../products/all-products.ts'
import { useAllRegions } from '../regions/all-regions.ts'
import { BatchFilter } from './BatchFilter.tsx'
import classes from './CodeFilters.module.css'
import { toneOfState } from './states.ts'

/** Narrows the list of codes by product, region and status; a batch is named by a link. */
export function CodeFilters({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const { data: products = [] } = useCodeProducts()
  const { data: regions = [] } = useAllRegions()
  const all = { value: '', label: t('admin.list.all') }
  const choose = (name: string) => ({
    className: classes.filter,
    value: view.filter(name),
    onChange: (event: React.ChangeEvent<HTMLSelectElement>) => view.change({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <NativeSelect
        label={t('admin.codes.product')}
        data={[all, ...products.map(({ id, name }) => ({ value: String(id), label: name }))]}
        {...choose('productId')}
      />
      <NativeSelect
        label={t('admin.codes.region')}
        data={[
          all,
          { value: '0', label: t('admin.codes.noRegion') },
          ...regions.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...choose('regionId')}
      />
      <NativeSelect
        label={t('admin.codes.status')}
        data={[
          all,
          ...Object.keys(toneOfState).map((status) => ({ value: status, label: t(`admin.codes.state.${status}`) })),
        ]}
        {...choose('status')}
      />
      <BatchFilter view={view} />
    </>
  )
}
