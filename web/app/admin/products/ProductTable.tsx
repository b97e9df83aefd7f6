import { ActionIcon, Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { IconList, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { paths } from '../../paths.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { FilterSelect } from '../list/FilterSelect.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { ProductForm } from './ProductForm.tsx'
import { productParam, useProductSwitch, useProducts } from './products.queries.ts'
import { RemoveProduct } from './RemoveProduct.tsx'

const editOffersPath = (product: EditedProduct) => `${paths.admin('products')}?${productParam}=${product.id}`

export function ProductTable() {
  const { t } = useTranslation()
  const list = useProducts()
  const [edited, setEdited] = useState<EditedProduct | 'new'>()
  const [removed, setRemoved] = useState<EditedProduct>()

  return (
    <>
      <AdminTable
        list={list}
        columns={useColumns()}
        rowKey={({ id }) => id}
        onOpen={setEdited}
        searchLabel={t('admin.products.search')}
        empty={t('admin.products.empty')}
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
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.products.add')}
          </Button>
        }
        actions={(product) => (
          <RowButtons name={product.name} onEdit={() => setEdited(product)} onRemove={() => setRemoved(product)}>
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
          </RowButtons>
        )}
      />
      {edited && <ProductForm product={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveProduct product={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function useColumns(): Column<EditedProduct>[] {
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
    { title: t('admin.list.created'), sort: 'created_at', cell: (product) => <Ago at={product.created_at} /> },
  ]
}
