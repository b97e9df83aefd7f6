import { ActionIcon, Anchor, Group, Stack, Text } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { IconList } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { FilterSelect } from '../list/FilterSelect.tsx'
import { ProductForm } from './ProductForm.tsx'
import { productParam, useProductSwitch, useProducts } from './products.queries.ts'
import { RemoveProduct } from './RemoveProduct.tsx'

const editOffersPath = (product: EditedProduct) => `${paths.admin('products')}?${productParam}=${product.id}`

export function ProductTable() {
  const { t } = useTranslation()
  const list = useProducts()
  return (
    <EditableTable
      list={list}
      columns={useProductColumns()}
      searchLabel={t('admin.products.search')}
      empty={t('admin.products.empty')}
      addLabel={t('admin.products.add')}
      toName={(product) => product.name}
      form={(product, close) => <ProductForm product={product} onClose={close} />}
      removeDialog={(product, close) => <RemoveProduct product={product} onClose={close} />}
      filters={
        <FilterSelect
          view={list.view}
          name="kind"
          label={t('admin.products.kind')}
          options={[
            { value: 'code', label: t('admin.products.kindCode') },
            { value: 'topup', label: t('admin.products.kindTopup') },
          ]}
        />
      }
      moreButtons={(product) => (
        <ActionIcon
          component={Link}
          to={editOffersPath(product)}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('admin.products.packagesOf', { name: product.name })}
        >
          <IconList size={18} />
        </ActionIcon>
      )}
    />
  )
}

function useProductColumns(): Column<EditedProduct>[] {
  const { t } = useTranslation()
  const turn = useProductSwitch()
  return [
    {
      title: t('admin.products.name'),
      sort: 'name',
      isHead: true,
      cell: (product) => (
        <Group gap="sm" wrap="nowrap">
          <Thumbnail src={product.imageUrl} width={44} />
          <Stack gap={0}>
            {product.name}
            <Text size="sm" c="dimmed">
              {product.slug}
            </Text>
          </Stack>
        </Group>
      ),
    },
    { title: t('admin.products.gameCurrency'), cell: (product) => product.gameCurrency },
    {
      title: t('admin.products.regions'),
      cell: (product) => product.regions.map(({ code }) => code).join(', ') || '—',
    },
    {
      title: t('admin.products.packages'),
      align: 'right',
      cell: (product) => (
        <Anchor component={Link} to={editOffersPath(product)}>
          {product.offers_count}
        </Anchor>
      ),
    },
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active' },
      {
        label: (product) => t('admin.products.activeOf', { name: product.name }),
        isOn: (product) => product.isActive,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    columns.created(t),
  ]
}
