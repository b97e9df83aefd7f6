import { Anchor, Group, Switch, Text, Title } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { FieldEditor } from '../account-fields/FieldEditor.tsx'
import { BackLink } from '../list/BackLink.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { toView, useTabAddress } from '../list/use-list-view.ts'
import { ViewSwitch } from '../list/ViewSwitch.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { OfferList } from './OfferList.tsx'
import { fieldsView, productViewParam, useProduct, useProductSwitch } from './products.queries.ts'

/** One product: its packages, and for a top-up what it asks its customers for. */
export function ProductScreen({ productId }: { productId: number }) {
  const { t } = useTranslation()
  return (
    <>
      <BackLink to={paths.admin('products')} text={t('admin.products.back')} />
      <Loaded query={useProduct(productId)} height={320}>
        {(product) => (product.kind === 'topup' ? <Topup product={product} /> : <Codes product={product} />)}
      </Loaded>
    </>
  )
}

function Codes({ product }: { product: EditedProduct }) {
  const { t } = useTranslation()
  return (
    <>
      <Title order={2} size="h3" mt="xs">
        {t('admin.products.packagesOf', { name: product.name })}
      </Title>
      <OfferList product={product} />
    </>
  )
}

function Topup({ product }: { product: EditedProduct }) {
  const { t } = useTranslation()
  const [view, show] = toView(useTabAddress(), productViewParam, ['packages', fieldsView])
  return (
    <>
      <Group justify="space-between" my="xs">
        <Title order={2} size="h3">
          {product.name}
        </Title>
        <Publishing product={product} />
      </Group>
      <ViewSwitch
        mb="md"
        shown={view}
        onShow={show}
        options={[
          { value: 'packages', label: t('admin.products.packages') },
          { value: fieldsView, label: t('admin.accountFields.title') },
        ]}
      />
      {view === fieldsView ? <FieldEditor product={product} /> : <TopupOffers product={product} />}
    </>
  )
}

function TopupOffers({ product }: { product: EditedProduct }) {
  const { t } = useTranslation()
  if (product.pricing !== 'amount') return <OfferList product={product} />
  return <Text c="dimmed">{t('admin.products.pricedByAmount')}</Text>
}

/** Puts a top-up that was tried on sale, and leads to its page. */
function Publishing({ product }: { product: EditedProduct }) {
  const { t } = useTranslation()
  const turn = useProductSwitch()
  const isActive = turn.isPending ? turn.variables.change : product.isActive
  return (
    <Group gap="md">
      {isActive && (
        <Anchor component={Link} to={paths.product(product.slug)} size="sm">
          {t('admin.products.openPage')}
        </Anchor>
      )}
      <Allowed to="catalogue.write">
        <Switch
          label={t('admin.products.active')}
          checked={isActive}
          onChange={(event) => turn.mutate({ row: product, change: event.currentTarget.checked })}
        />
      </Allowed>
    </Group>
  )
}
