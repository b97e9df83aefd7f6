import { NativeSelect } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { useCodeProducts } from '../products/products.queries.ts'

interface PlaceFieldsProps {
  productId: string
  product: GetInputPropsReturnType
  region: GetInputPropsReturnType
}

/** Which product a code is of, and in which of its regions. */
export function PlaceFields({ productId, product, region }: PlaceFieldsProps) {
  const { t } = useTranslation()
  const query = useCodeProducts()
  const products = query.data ?? []
  const regions = products.find(({ id }) => String(id) === productId)?.regions ?? []
  return (
    <>
      {query.error && products.length === 0 && <ListFailed query={query} />}
      <NativeSelect
        label={t('admin.codes.product')}
        required
        data={[{ value: '', label: t('admin.codes.chooseProduct'), disabled: true }, ...toIdOptions(products)]}
        {...product}
      />
      <NativeSelect
        label={t('admin.codes.region')}
        data={[{ value: '0', label: t('admin.codes.noRegion') }, ...toIdOptions(regions)]}
        {...region}
      />
    </>
  )
}
