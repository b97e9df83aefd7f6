import { Group, Switch } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { useProductSwitch, useProducts } from './products.queries.ts'

export default function ProductsTab() {
  const { t } = useTranslation()
  const list = useProducts()
  const turn = useProductSwitch()

  const columns: Column<EditedProduct>[] = [
    {
      title: t('admin.products.name'),
      sort: 'name',
      isHead: true,
      cell: (product) => (
        <Group gap="sm" wrap="nowrap">
          <Thumbnail src={product.imageUrl} width={44} />
          {product.name}
        </Group>
      ),
    },
    { title: t('admin.products.slug'), sort: 'slug', cell: (product) => product.slug },
    { title: t('admin.products.packages'), align: 'right', cell: (product) => product.offers_count },
    {
      title: t('admin.products.active'),
      sort: 'is_active',
      cell: (product) => (
        <Switch
          aria-label={t('admin.products.activeOf', { name: product.name })}
          checked={product.isActive}
          onChange={(event) => turn.mutate({ row: product, change: event.currentTarget.checked })}
        />
      ),
    },
    { title: t('admin.list.created'), sort: 'created_at', cell: (product) => <Moment at={product.created_at} /> },
  ]

  return (
    <AdminTable
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      searchLabel={t('admin.products.search')}
      empty={t('admin.products.empty')}
    />
  )
}
