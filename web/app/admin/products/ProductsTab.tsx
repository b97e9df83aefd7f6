import { ActionIcon, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { type Icon, IconCopy, IconForms } from '@tabler/icons-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { toOptions } from '../list/FilterSelect.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { RowButton } from '../list/RowButtons.tsx'
import { Margins } from '../profit/Earned.tsx'
import { useProfit } from '../profit/profit.queries.ts'
import { Allowed, AllowedScreen } from '../shell/Allowed.tsx'
import { cataloguePath } from '../sourcing/sourcing.queries.ts'
import { ProductForm } from './ProductForm.tsx'
import { ProductOrder } from './ProductOrder.tsx'
import { ProductScreen } from './ProductScreen.tsx'
import { kindNames } from './product-names.ts'
import {
  arrangeParam,
  copyProduct,
  fieldsView,
  productParam,
  productPath,
  removeProduct,
  useProduct,
  useProductSwitch,
  useProducts,
} from './products.queries.ts'

/** Lists all products, or shows the one that the address names. */
export default function ProductsTab() {
  const [params] = useSearchParams()
  const productId = Number(params.get(productParam))
  if (params.has(arrangeParam))
    return (
      <AllowedScreen to="catalogue.write">
        <ProductOrder />
      </AllowedScreen>
    )
  return productId > 0 ? <ProductScreen key={productId} productId={productId} /> : <ProductTable />
}

function ProductTable() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const copy = useAdminAction({
    noun: 'products',
    send: copyProduct,
    done: t('admin.products.copied'),
    // There it is edited, and put on sale once it is as it should be.
    onDone: ({ data }) => navigate(`${paths.admin('products')}?search=${data.slug}`),
    isRefusalToasted: true,
  })
  return (
    <EditableTable
      permission="catalogue.write"
      list={useProducts()}
      columns={useProductColumns()}
      searchLabel={t('admin.products.search')}
      empty={t('admin.products.empty')}
      addLabel={t('admin.products.add')}
      moreHead={
        <>
          <Allowed to="catalogue.write">
            <Button component={Link} to={`${paths.admin('products')}?${arrangeParam}`} variant="default">
              {t('admin.products.order')}
            </Button>
          </Allowed>
          <Allowed to="suppliers.write">
            <Button component={Link} to={cataloguePath()} variant="default">
              {t('admin.sourcing.title')}
            </Button>
          </Allowed>
        </>
      }
      toName={(product) => product.name}
      form={(product, close) => <ProductForm product={product} onClose={close} />}
      removeDialog={(product, close) => <RemoveProduct product={product} onClose={close} />}
      selects={[
        {
          name: 'kind',
          label: t('admin.products.kind'),
          options: toOptions(kindNames, (kind) => t(kindNames[kind])),
        },
      ]}
      moreButtons={(product) => {
        const { id, name, kind } = product
        return (
          <>
            <RowButton
              icon={IconCopy}
              label={t('admin.products.copyOf', { name })}
              onClick={() => copy.mutate(product)}
            />
            {kind === 'topup' && (
              <LinkButton
                icon={IconForms}
                to={productPath(id, fieldsView)}
                label={t('admin.accountFields.titleOf', { name })}
              />
            )}
          </>
        )
      }}
    />
  )
}

function LinkButton({ icon: ButtonIcon, to, label }: { icon: Icon; to: string; label: string }) {
  return (
    <ActionIcon component={Link} to={to} variant="subtle" color="gray" size="lg" aria-label={label}>
      <ButtonIcon size={18} />
    </ActionIcon>
  )
}

const marginDays = 30

function useProductColumns(): Column<EditedProduct>[] {
  const { t } = useTranslation()
  const turn = useProductSwitch()
  const maySeeProfit = useMay()('reports.read')
  const { data: profit } = useProfit({ period: `${marginDays}` as const }, { enabled: maySeeProfit })
  const margins: Column<EditedProduct> = {
    title: t('admin.profit.lastDays', { count: marginDays }),
    align: 'right',
    isSecondary: true,
    cell: ({ id }) => <Margins profits={profit?.products.find(({ product_id }) => product_id === id)} />,
  }
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
    { title: t('admin.products.gameCurrency'), isSecondary: true, cell: (product) => product.gameCurrency },
    {
      title: t('admin.tabs.regions'),
      isSecondary: true,
      cell: (product) => product.regions.map(({ code }) => code).join(', ') || '—',
    },
    {
      title: t('admin.products.packages'),
      align: 'right',
      cell: (product) => (
        <Anchor
          component={Link}
          to={productPath(product.id)}
          aria-label={`${t('admin.products.packagesOf', { name: product.name })}: ${gameNumber(product.offers_count)}`}
        >
          {gameNumber(product.offers_count)}
        </Anchor>
      ),
    },
    ...(maySeeProfit ? [margins] : []),
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active', isState: true },
      {
        permission: 'catalogue.write',
        label: (product) => t('admin.products.activeOf', { name: product.name }),
        isOn: (product) => product.isActive,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    { ...columns.created(t), isSecondary: true },
  ]
}

/** Says what goes with a product, counted now, and asks for its name. */
function RemoveProduct({ product, onClose }: { product: EditedProduct; onClose(): void }) {
  const { t } = useTranslation()
  const query = useProduct(product.id)
  const { data, error } = query
  const belongings = data?.belongings
  const lines = belongings
    ? [
        belongings.offers_count > 0 && t('admin.products.takesOffers', { count: belongings.offers_count }),
        belongings.available_codes > 0 && t('admin.products.takesCodes', { count: belongings.available_codes }),
        belongings.cart_items > 0 && t('admin.products.takesCarts', { count: belongings.cart_items }),
      ]
    : []
  return (
    <ActionDialog
      title={t('admin.products.removeTitle', { name: product.name })}
      takesAlong={lines.filter((line) => line !== false)}
      name={product.name}
      isRefused={!belongings}
      noun="products"
      send={() => removeProduct(product)}
      onClose={onClose}
    >
      {error && <ListFailed query={query} />}
      {!data && !error && <Skeleton h={72} />}
      {belongings && (
        <Text>
          {belongings.sold_codes > 0
            ? t('admin.products.keepsReceipts', { count: belongings.sold_codes })
            : t('admin.remove.final')}
        </Text>
      )}
    </ActionDialog>
  )
}
